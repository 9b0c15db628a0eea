"""The loader of vLLM's --load-format warpaes. As much of vLLM as it uses is made up: vLLM needs a GPU."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import warpaes.torch as encrypted  # noqa: E402

KEY = bytes(range(32))


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


def test_weights(loaders: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    model, other = torch.nn.Linear(30, 20), torch.nn.Linear(30, 20)
    state = model.state_dict()
    for number, name in enumerate(state):
        path = tmp_path / f"model-{number}.safetensors.wa"
        encrypted.save_file({name: state[name]}, path, key=KEY, context_string=b"model 7")
    other.load_weights = lambda pairs: other.load_state_dict(dict(pairs))
    made = loader(loaders, key_file=str(tmp_path / "key"), context_string="model 7")
    config = SimpleNamespace(model=str(tmp_path))
    made.download_model(config)
    made.load_weights(other, config)
    assert torch.equal(other.weight, model.weight)
    assert torch.equal(other.bias, model.bias)
    with pytest.raises(ValueError, match="wrong key"):
        loader(loaders, key_file=str(tmp_path / "key")).load_weights(other, config)


def test_misuse(loaders: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="and takes context_string, insecure_key_file, key_file"):
        loader(loaders, key="0011")
    with pytest.raises(FileNotFoundError, match="encrypted weights"):
        loader(loaders).download_model(SimpleNamespace(model=str(tmp_path)))
