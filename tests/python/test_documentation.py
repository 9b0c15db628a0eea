"""Every example in the package and on its pages runs, and gives what stands below it."""

import doctest
import importlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import warpaes
from devtools.repository import ROOT

# With examples, and without anything that is not installed everywhere.
PACKAGE = Path(str(warpaes.__file__)).parent
MODULES = sorted(
    path.stem
    for path in PACKAGE.glob("*.py")
    if ">>> " in path.read_text() and path.stem != "_siv"  # whose class counts as one of warpaes.aead
)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(page, block) for page in PAGES for block in BLOCK.findall(page.read_text())]


@pytest.fixture
def _folder(tmp_path: Path) -> Iterator[None]:
    """In which an example writes its files."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield
    os.chdir(before)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_package(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"warpaes.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.usefixtures("_folder")
def test_examples_of_the_page() -> None:
    pytest.importorskip("fsspec")
    result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def _state_dictionaries() -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    model = torch.nn.ModuleDict({"embedding": torch.nn.Embedding(3000, 4)})
    return {"model": model}


def _graphs() -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    if not shutil.which("c++"):
        pytest.skip("torch.compile needs a C++ compiler")
    return {
        "torch": torch,
        "nonce": torch.zeros(12, dtype=torch.uint8),
        "data": torch.arange(100, dtype=torch.uint8),
    }


def _checkpoints() -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    Path("key").write_bytes(bytes(range(32)))
    Path("key").chmod(0o600)
    return {"state": {"weight": torch.ones(100, 3)}}


def _of_jax() -> dict[str, Any]:
    pytest.importorskip("jax")
    return {}


# By a name that stands in the block: what a reader of it has already. Skips where a package is not installed.
PREPARED: dict[str, Callable[[], dict[str, Any]]] = {
    "jax": _of_jax,
    "safe_open": _state_dictionaries,
    "Operators": _graphs,
    "storage_writer": _checkpoints,
}
# What stands for a reader's own, of which this machine may have none.
STANDS_FOR = {"/checkpoints/7": "checkpoint", "/run/secrets/key": "key"}


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) == len(PREPARED)
    assert sum(page.read_text().count("```python") for page in PAGES) == len(BLOCKS)


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize(("page", "block"), BLOCKS, ids=[page.stem for page, _ in BLOCKS])
def test_blocks_without_answers(page: Path, block: str) -> None:
    """What they do on a GPU is done on the host where there is none."""
    (prepare,) = (prepare for name, prepare in PREPARED.items() if name in block)
    names = {"warpaes": warpaes, "key": bytes(range(32)), **prepare()}
    if not warpaes.devices():
        block = block.replace("cuda:0", "cpu")
    for name, here in STANDS_FOR.items():
        block = block.replace(name, here)
    exec(compile(block, page, "exec"), names)
