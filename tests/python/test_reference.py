"""The Python pages of ./dev docs, and what is not accepted there.

Signatures on the pages are those of the code, as pdoc asks the code for them.
"""

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import warpaes
from devtools.repository import ROOT

pdoc = pytest.importorskip("pdoc")

from devtools.python_reference import faults  # noqa: E402


def test_of_everything_public_there_is_a_page(tmp_path: Path) -> None:
    """Also of modules whose packages are not installed."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "devtools.python_reference", str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    for page, names in (
        ("", [name for name in warpaes.__all__ if not inspect.ismodule(getattr(warpaes, name))]),
        ("aead", ["AEAD.encrypt", "AESSIV.decrypt_batch"]),
        ("modes", ["XTS.tweak"]),
        ("typing", ["Data"]),
        ("torch", ["save_file", "safe_open"]),
        ("torch/dcp", ["Writer"]),
        ("vllm", ["register"]),
    ):
        text = (tmp_path / "warpaes" / f"{page}.html" if page else tmp_path / "warpaes.html").read_text()
        assert [name for name in names if f'id="{name}"' not in text] == [], page


PLANTED = '''
def right(first: int, second: int) -> None:
    """Says enough.

    first, second: numbers.
    """

def none(first: int) -> None: ...

def other(first: int) -> None:
    """Says something of what is not there.

    frist: a number.
    """

class Class:
    """Says something of one field.

    told: a number.
    """
    told: int = 1
    untold: int = 2
    def method(self) -> None: ...

def _private(): ...
'''


def test_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    monkeypatch.syspath_prepend(tmp_path)
    assert sorted(faults(pdoc.doc.Module(importlib.import_module("planted")))) == [
        "planted has no docstring",
        "planted.Class.method has no docstring",
        "planted.Class.untold has no docstring",
        "planted.none has no docstring",
        "planted.other has no frist, of which its docstring says something",
    ]
