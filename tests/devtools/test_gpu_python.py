"""The suite of the Python package: what its tests and its figures say becomes a file of evidence."""

import ast
import json
import os
from pathlib import Path
from typing import Any

import pytest

from devtools import gpu_python
from devtools.gpu_run import Run, Skipped
from devtools.repository import ROOT

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
STOPPED = """
import os, pytest, warpaes

def test_right():
    pass

def test_wrong():
    assert False

def test_skipped():
    pytest.skip("no GPU here")

def test_for_ever():
    os.kill(os.getpid(), 9)  # as whoever stops it when its time is over

def test_never():
    pass
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
    assert (tests["passed"], tests["failed"], tests["skipped"], tests["not_run"]) == (3, 0, 2, 0)
    assert "there_is_no_such_package" in tests["skips"][0]
    assert tests["skips"][1] == "1: no GPU here"
    assert len(tests["slowest"]) == 5
    assert figure == {"type": "python_call", "microseconds": 1}


@pytest.mark.parametrize(
    ("limit", "ends"), [(2, ""), (3, "raise SystemExit(1)"), (3, "import time; time.sleep(60)")]
)
def test_a_failure(run: Run, limit: int, ends: str) -> None:
    write(run.folder, limit=limit, ends=ends)
    assert not gpu_python.python_package(run, 8)
    assert [line["type"] for line in evidence(run)] == ["machine", "tests", "python_call"]


def test_stopped_on_the_way(run: Run) -> None:
    """What was done until then is in the file: the figures, and the tests that had ended."""
    (run.folder / "tests" / "python" / "test_one.py").write_text(STOPPED)
    assert not gpu_python.python_package(run, 30)
    machine, tests, figure = evidence(run)
    assert (machine, figure["type"]) == (MACHINE, "python_call")
    assert (tests["passed"], tests["failed"], tests["skipped"], tests["not_run"]) == (1, 1, 2, 2)
    assert tests["running"].endswith("test_for_ever")
    assert [name.rpartition("::")[2] for name in tests["failures"]] == ["test_wrong"]
    assert tests["exit_code"] == -9


def test_figures_are_kept_whatever_becomes_of_the_tests(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gpu_python, "tested", planted)
    with pytest.raises(KeyboardInterrupt):
        gpu_python.python_package(run, 30)
    assert [line["type"] for line in evidence(run)] == ["machine", "python_call"]


def test_a_test_that_fails_afterwards_has_failed(run: Run) -> None:
    text = "import pytest\n@pytest.fixture\ndef late():\n    yield\n    assert False\n"
    (run.folder / "tests" / "python" / "test_one.py").write_text(text + "def test_it(late):\n    pass\n")
    assert not gpu_python.python_package(run, 30)
    _, tests, _ = evidence(run)
    assert (tests["passed"], tests["failed"], tests["not_run"]) == (0, 1, 0)


def test_another_python(run: Run) -> None:
    (run.folder / "package" / "warpaes" / "__init__.py").write_text("from warpaes import _native")
    with pytest.raises(Skipped, match=r"no package for this Python: \./dev build --python python3"):
        gpu_python.python_package(run, 5)


def test_packages_that_come_by_pythonpath(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU machine may have them nowhere else; the package that is tried goes before them all the same."""
    (run.folder / "extra").mkdir()
    (run.folder / "extra" / "only_there.py").write_text("")
    (run.folder / "extra" / "warpaes.py").write_text("raise AssertionError('the wrong one')")
    given = os.pathsep.join(filter(None, (str(run.folder / "extra"), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", given)
    text = "import only_there, warpaes\n"
    (run.folder / "tests" / "python" / "test_other.py").write_text(f"{text}def test_it():\n    pass\n")
    (run.folder / "benchmarks" / "gpu" / "__main__.py").write_text(text + FIGURES.replace("ENDS", ""))
    assert gpu_python.python_package(run, 30)
    _, tests, figure = evidence(run)
    assert (tests["passed"], tests["failed"], tests["skipped"]) == (4, 0, 1)
    assert figure["type"] == "python_call"


def test_without_pythonpath_nothing_is_added_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty entry would be the current folder."""
    monkeypatch.setenv("PYTHONPATH", "")
    assert "" not in gpu_python.settings()["PYTHONPATH"].split(os.pathsep)


def packages_imported_first(source: str) -> set[str]:
    """Those without which a test file cannot be read, and all tests of the run are missed with it."""
    found = set[str]()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            found.update(name.name.partition(".")[0] for name in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module is not None:
            found.add(statement.module.partition(".")[0])
    return found


def test_its_tests_can_be_read_without_cryptography() -> None:
    """A machine that has PyTorch and CuPy need not have what the tests compare with elsewhere."""
    assert packages_imported_first("import a.b\nfrom c.d import e\ndef f():\n    import g") == {"a", "c"}
    places = [ROOT / "tests" / "python" / name for name in gpu_python.TESTS]
    files = [file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])]
    assert len(files) > len(places)
    needing = [file.name for file in files if "cryptography" in packages_imported_first(file.read_text())]
    assert needing == []
