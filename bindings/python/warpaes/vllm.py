"""Encrypted weights for vLLM: `--load-format warpaes`.

    vllm serve FOLDER --load-format warpaes --model-loader-extra-config '{"key_file": "/run/secrets/key"}'

FOLDER is a model's, whose *.safetensors files have been encrypted to *.safetensors.wa, by `warpaes encrypt`
or by warpaes.torch.save_file(). `passphrase_file` may stand in place of `key_file`, and `context_string` says
what the files are for. pip registers the loader with vLLM, which asks for it in each of its processes.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vllm.model_executor.model_loader import register_model_loader
from vllm.model_executor.model_loader.base_loader import BaseModelLoader

from warpaes.torch import safe_open

__all__ = ["register"]

LOAD_FORMAT = "warpaes"
SUFFIX = ".wa"
PATTERN = f"*.safetensors{SUFFIX}"
INDEX = "model.safetensors.index.json"
_OPTIONS = {"key_file", "passphrase_file", "insecure_key_file", "context_string"}


def files_of(folder: str) -> list[Path]:
    """The encrypted files of a model. Raises FileNotFoundError if there are none.

    Some folders have the model twice: once more in a file that the index does not name. vLLM leaves it out.
    """
    found = sorted(Path(folder).glob(PATTERN))
    index = Path(folder) / INDEX
    if index.exists():
        try:
            indexed = set(json.loads(index.read_bytes())["weight_map"].values())
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{index} is no index of safetensors files: is it damaged?") from None
        found = [path for path in found if path.name.removesuffix(SUFFIX) in indexed]
    if not found:
        raise FileNotFoundError(
            f"{folder} is no folder with encrypted weights ({PATTERN}): make them with warpaes encrypt"
        )
    return found


def options_of(extra: Any) -> dict[str, Any]:
    """Checked: a key itself may not be one of them, as vLLM prints its configuration."""
    options = dict(extra or {})
    unknown = set(options) - _OPTIONS
    if unknown:
        raise ValueError(
            f"--model-loader-extra-config has {', '.join(sorted(unknown))}, "
            f"and takes {', '.join(sorted(_OPTIONS))}"
        )
    context_string = options.get("context_string")  # null in JSON is none
    options["context_string"] = b"" if context_string is None else str(context_string).encode()
    return options


def weights(folder: str, options: dict[str, Any], device: Any) -> Iterator[tuple[str, Any]]:
    """All tensors with their names, each decrypted on the device that it goes to."""
    for path in files_of(folder):
        with safe_open(path, device=device, **options) as file:
            for name in file.offset_keys():
                yield name, file.get_tensor(name)


class WarpaesModelLoader(BaseModelLoader):  # type: ignore[misc]
    """Loads encrypted safetensors files."""

    def __init__(self, load_config: Any) -> None:
        super().__init__(load_config)
        self._options = options_of(load_config.model_loader_extra_config)

    def download_model(self, model_config: Any) -> None:
        """Downloads nothing: the files have to be there."""
        files_of(model_config.model)

    def load_weights(self, model: Any, model_config: Any) -> None:
        """Into a model that has been made."""
        device = next((one.device for one in model.parameters() if one.device.type == "cuda"), "cpu")
        loaded = model.load_weights(weights(model_config.model, self._options, device))
        if loaded is None or model_config.quantization is not None:
            return  # such models do not say what they have loaded, or say it of other names
        missing = sorted({name for name, _ in model.named_parameters()} - set(loaded))
        if missing:
            raise ValueError(
                f"{model_config.model} has no weights for {len(missing)} parameters of the model, of which "
                f"{missing[0]} is the first: is one of its {PATTERN} files missing, or another one's copy?"
            )


def register() -> None:
    """vLLM calls it, by the entry point vllm.general_plugins."""
    register_model_loader(LOAD_FORMAT)(WarpaesModelLoader)
