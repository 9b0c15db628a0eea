"""The suite of the Python package: what its tests and its figures say becomes a file of evidence."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import gpu_python
from devtools.gpu_run import Run, Skipped

MACHINE = {"type": "machine", "gpu": "NVIDIA H200", "date": "2030-01-02T00:00:00Z"}
TEST = """
import pytest, warpaes

@pytest.mark.parametrize("number", range(3))
def test_it(number):
    assert number < LIMIT

def test_skipped():
    pytest.skip("no GPU here")
"""
WHOLE_FILE = """
import pytest
pytest.importorskip("there_is_no_such_package")
"""
FIGURES = """
print('{"type": "python_call", "microseconds": 1}', flush=True)
ENDS
print('{"type": "python_st', end="")
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A package, tests and a benchmark that are none."""
    (tmp_path / "package" / "warpaes").mkdir(parents=True)
    (tmp_path / "package" / "warpaes" / "__init__.py").write_text("")
    (tmp_path / "tests" / "python").mkdir(parents=True)
    (tmp_path / "benchmarks" / "gpu").mkdir(parents=True)
    monkeypatch.setattr(gpu_python, "STAGED_PYTHON", tmp_path / "package")
    monkeypatch.setattr(gpu_python, "STAGED", tmp_path)
    monkeypatch.setattr(gpu_python, "TESTS", ("test_one.py", "test_other.py"))
    write(tmp_path, limit=3, ends="")
    (tmp_path / "tests" / "python" / "test_other.py").write_text(WHOLE_FILE)
    return Run(MACHINE, tmp_path)


def write(folder: Path, *, limit: int, ends: str) -> None:
    (folder / "tests" / "python" / "test_one.py").write_text(TEST.replace("LIMIT", str(limit)))
    (folder / "benchmarks" / "gpu" / "__main__.py").write_text(FIGURES.replace("ENDS", ends))


def evidence(run: Run) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in (run.folder / "2030-01-02-h200-python.jsonl").read_text().splitlines()
    ]


def test_tests_and_figures(run: Run) -> None:
    assert gpu_python.python_package(run, 30)
    machine, tests, figure = evidence(run)
    assert machine == MACHINE
    assert (tests["passed"], tests["failed"], tests["skipped"]) == (3, 0, 2)
    assert "there_is_no_such_package" in tests["skips"][0]
    assert tests["skips"][1] == "1: no GPU here"
    assert figure == {"type": "python_call", "microseconds": 1}


@pytest.mark.parametrize(
    ("limit", "ends"), [(2, ""), (3, "raise SystemExit(1)"), (3, "import time; time.sleep(60)")]
)
def test_a_failure(run: Run, limit: int, ends: str) -> None:
    write(run.folder, limit=limit, ends=ends)
    assert not gpu_python.python_package(run, 5)
    assert [line["type"] for line in evidence(run)] == ["machine", "tests", "python_call"]


def test_another_python(run: Run) -> None:
    (run.folder / "package" / "warpaes" / "__init__.py").write_text("from warpaes import _native")
    with pytest.raises(Skipped, match=r"no package for this Python: \./dev build --python python3"):
        gpu_python.python_package(run, 5)
