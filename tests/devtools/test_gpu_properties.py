"""The suite of the test programs on a GPU: what became of their tests becomes a file of evidence."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import gpu_properties
from devtools.gpu_run import Run, lines_of

MACHINE = {"type": "machine", "gpu": "NVIDIA H200", "date": "2030-01-02T00:00:00Z"}


def in_report(name: str, **more: Any) -> dict[str, Any]:
    return {"classname": "Suite", "name": name, "status": "RUN", "result": "COMPLETED", **more}


RIGHT = in_report("Right")
WRONG = in_report("Wrong", failures=[{"failure": "1 is not 2"}])
SKIPPED = in_report("Skipped", result="SKIPPED")
OUTPUT = """[ RUN      ] Suite.Skipped
file.cpp:7: Skipped
no second GPU

[  SKIPPED ] Suite.Skipped (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Suite.Skipped
"""
FILTERED = {**RIGHT, "name": "Emulated", "status": "NOTRUN"}


def program(folder: Path, name: str, tests: list[dict[str, Any]] | None, code: int, output: str = "") -> None:
    """Writes a report of these tests where Google Test does, or none if it does not come so far."""
    (folder / f"{name}.json").write_text(json.dumps({"testsuites": [{"testsuite": tests}]}))
    report = f'cp "{folder}/{name}.json" "${{GTEST_OUTPUT#json:}}"' if tests is not None else ":"
    (folder / f"{name}.txt").write_text(output)
    filtered = f"[ \"$1\" = '{gpu_properties.FILTER}' ] || exit 9"
    script = ["#!/bin/sh", filtered, f'cat "{folder}/{name}.txt"', report, f"exit {code}"]
    (folder / name).write_text("\n".join(script) + "\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(gpu_properties, "STAGED_TESTS", tmp_path)
    return tmp_path


def lines_after(folder: Path, *, passes: bool) -> list[dict[str, Any]]:
    run = Run(MACHINE, folder)
    assert gpu_properties.properties(run, 20) is passes
    machine, *lines = lines_of(folder / "2030-01-02-h200-properties.jsonl")
    assert machine == MACHINE
    return lines


def test_what_became_of_the_tests_is_written(staged: Path) -> None:
    program(staged, "a_test", [RIGHT, RIGHT, SKIPPED, FILTERED], 0, OUTPUT)
    program(staged, "b_test", [RIGHT], 0)
    (staged / "leakage").write_text("no program of tests")
    first, second = lines_after(staged, passes=True)
    assert (first["program"], first["passed"], first["failed"]) == ("a_test", 2, 0)
    assert (first["skipped"], first["skips"]) == (1, {"no second GPU": 1})
    assert (second["program"], second["passed"], second["skipped"]) == ("b_test", 1, 0)


def test_what_failed_is_named_and_the_programs_behind_it_run(
    staged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(staged, "a_test", [RIGHT, WRONG], 1)
    program(staged, "b_test", [RIGHT], 0)
    first, second = lines_after(staged, passes=False)
    assert (first["passed"], first["failed"], first["failures"]) == (1, 1, ["Suite.Wrong"])
    assert second["passed"] == 1
    assert "a_test failed: Suite.Wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tests", "code", "failures"),
    [
        (None, 139, ["exit code 139", "no test was run"]),
        (None, 0, ["no test was run"]),
        ([FILTERED], 0, ["no test was run"]),
        ([RIGHT], 1, ["exit code 1"]),
    ],
)
def test_a_program_that_says_nothing_has_failed(
    staged: Path, tests: list[dict[str, Any]] | None, code: int, failures: list[str]
) -> None:
    program(staged, "a_test", tests, code)
    assert lines_after(staged, passes=False)[0]["failures"] == failures


def test_no_program_at_all_proves_nothing(staged: Path) -> None:
    assert lines_after(staged, passes=False) == []


@pytest.mark.parametrize(("code", "counts"), [(0, (1, 0, 0)), (77, (0, 0, 1)), (1, (0, 1, 0))])
def test_an_example_says_it_by_its_exit_code(staged: Path, code: int, counts: tuple[int, int, int]) -> None:
    program(staged, gpu_properties.EXAMPLES[0], None, code, "skipped: no GPU\n")
    line = lines_after(staged, passes=code != 1)[0]
    assert (line["passed"], line["failed"], line["skipped"]) == counts
