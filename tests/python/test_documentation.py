"""Every example in the package and on its page runs, and gives what stands below it."""

import doctest
import importlib
import os
from pathlib import Path

import pytest

from devtools.repository import ROOT

MODULES = ["_lmcache_frames", "_machine", "aead", "ciphers", "files", "keywrap", "numpy"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_package(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"warpaes.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    before = Path.cwd()
    os.chdir(tmp_path)  # they write files
    try:
        result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    finally:
        os.chdir(before)
    assert result.attempted > 20
    assert result.failed == 0
