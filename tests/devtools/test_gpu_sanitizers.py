"""The suites under compute-sanitizer, with a tool in its place that finds what a program of the test says."""

from pathlib import Path
from typing import Any

import pytest

from devtools import gpu_sanitizers
from devtools.gpu_run import Run, lines_of
from devtools.process import Command, exit_code

MACHINE = {"type": "machine", "gpu": "NVIDIA H200", "date": "2030-01-02T00:00:00Z"}
FOUND = gpu_sanitizers.TOOL_FOUND_SOMETHING
# Runs what it is given, as compute-sanitizer does.
TOOL = """#!/bin/sh
folder=$(dirname "$0")
[ "$1 $3 $4 $5 $7" = "--tool --error-exitcode 86 --print-limit --show-backtrace" ] || exit 9
tool=$2
shift 8
echo "$tool $(basename "$1") on $CUDA_VISIBLE_DEVICES" >> "$folder/calls"
exec "$@"
"""
WAITING = "void kernel_main<warpaes::kernels::grid::GcmSiv<(SivWork)0>, (int)10>(T1::Arguments)"


def report(kernel: str = WAITING, instruction: str = "0x4a00", size: int = 16) -> str:
    return f"""========= Uninitialized __global__ memory read of size {size} bytes
=========     at {kernel}+{instruction}
=========     by thread (0,0,0) in block (17,0,0)
=========
"""


def summary(errors: int) -> str:
    return f"========= ERROR SUMMARY: {errors} errors\n"


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A stage whose planted faults are found, with one engine, and one program of tests."""
    selftests: list[Command] = [[tmp_path / "warpaes", "selftest", "--engine", "cuda/tables"]]
    program(tmp_path, "compute-sanitizer", TOOL)
    for name, code in (("planted_gpu_faults", FOUND), ("warpaes", 0), ("conformance", 0), ("a_test", 0)):
        exits(tmp_path, name, code)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2")
    monkeypatch.setattr(gpu_sanitizers, "cuda_tool", lambda name: tmp_path / name)
    monkeypatch.setattr(gpu_sanitizers, "selftests", lambda: selftests)
    monkeypatch.setattr(gpu_sanitizers, "STAGED_TESTS", tmp_path)
    monkeypatch.setattr(gpu_sanitizers, "PLANTED_FAULTS", tmp_path / "planted_gpu_faults")
    monkeypatch.setattr(gpu_sanitizers, "CONFORMANCE", tmp_path / "conformance")
    monkeypatch.setattr(gpu_sanitizers, "PROGRAMS", ("a_test",))
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)


def exits(folder: Path, name: str, code: int) -> None:
    program(folder, name, f"#!/bin/sh\nexit {code}\n")


def passes(folder: Path, tool: str = "memcheck") -> bool:
    return gpu_sanitizers.sanitizer(tool)(Run(MACHINE, folder), 20)


def lines_after(folder: Path, tool: str = "memcheck") -> list[dict[str, Any]]:
    machine, *lines = lines_of(folder / f"2030-01-02-h200-{tool}.jsonl")
    assert machine == MACHINE
    assert {line["type"] for line in lines} == {tool}
    return lines


def test_what_the_tool_said_of_each_program_is_written(staged: Path) -> None:
    assert passes(staged)
    lines = lines_after(staged)
    assert [line["program"].split()[0] for line in lines] == ["warpaes", "a_test", *["conformance"] * 2]
    assert {(line["passed"], line["outcome"]) for line in lines} == {(True, "nothing found")}
    calls = (staged / "calls").read_text().splitlines()
    assert calls[:2] == ["memcheck planted_gpu_faults on 2", "memcheck warpaes on 2"]
    assert len(calls) == 5


def test_each_gpu_has_a_program(staged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,3")
    for name in ("warpaes", "a_test"):  # each waits for the other
        other = {"warpaes": "a_test", "a_test": "warpaes"}[name]
        until = f"until [ -e {staged}/{other}.runs ]; do sleep 0.01; done"
        program(staged, name, f"#!/bin/sh\ntouch {staged}/{name}.runs\n{until}\n")
    assert passes(staged)
    on = {line.split(" on ")[1] for line in (staged / "calls").read_text().splitlines()[1:]}
    assert on == {"1", "3"}


@pytest.mark.parametrize(("code", "outcome"), [(FOUND, "something found"), (1, "exit code 1")])
def test_what_failed_is_named_and_the_programs_behind_it_run(staged: Path, code: int, outcome: str) -> None:
    exits(staged, "conformance", code)
    assert not passes(staged)
    assert [line["passed"] for line in lines_after(staged)] == [True, True, False, False]
    assert lines_after(staged)[2]["outcome"] == outcome


def test_a_tool_that_does_not_find_the_planted_fault_proves_nothing(
    staged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exits(staged, "planted_gpu_faults", 0)
    assert not passes(staged)
    assert "it would find no other" in capsys.readouterr().out
    assert not list(staged.glob("*.jsonl"))


def test_a_sanitizer_that_watched_nothing_has_not_passed(
    staged: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu_sanitizers, "selftests", list)
    assert not passes(staged)
    assert "nothing was checked" in capsys.readouterr().out


def test_what_has_not_been_run_when_the_machine_is_taken_away_has_failed(
    staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = exit_code

    def run_of(command: Command, **options: Any) -> int:
        if str(command[-2]).endswith("a_test"):
            raise KeyboardInterrupt
        return run(command, **options)

    monkeypatch.setattr(gpu_sanitizers, "exit_code", run_of)
    with pytest.raises(KeyboardInterrupt):
        passes(staged)
    first, second, *_ = lines_after(staged)
    assert first["passed"]
    assert (second["passed"], second["outcome"]) == (False, "not run")


def test_racecheck_watches_what_it_has_the_time_for(staged: Path) -> None:
    exits(staged, "long_messages_on_gpu_test", 0)
    assert passes(staged, "racecheck")
    assert [line["program"] for line in lines_after(staged, "racecheck")] == [
        "warpaes selftest --engine cuda/tables",
        f"long_messages_on_gpu_test --gtest_filter={gpu_sanitizers.LONG_MESSAGES_OF_GCM}",
    ]


def test_a_filter_that_fits_no_test_has_not_passed(staged: Path) -> None:
    program(staged, "a_test", "#!/bin/sh\necho '[==========] Running 0 tests from 0 test suites.'\n")
    assert not passes(staged)
    assert lines_after(staged)[1]["outcome"] == "no test was run"


def outcome(*reports: str, errors: int | None = None, more: str = "") -> str:
    count = len(reports) if errors is None else errors
    return gpu_sanitizers.outcome_of(FOUND, "".join(reports) + more + summary(count))


LOST = "========= Warning: Error buffer overflow has been detected. Some records have been dropped\n"


def test_a_kernel_that_waits_reads_what_is_not_written_yet() -> None:
    turns = [report(instruction=at) for at in ("0x4a00", "0x4a10", "0x4ab0", "0x4ac0")]
    waits = f"nothing found but kernels that wait for sums: {WAITING}"
    assert outcome(report(), *turns) == waits
    assert outcome(*turns, errors=5, more=LOST) == waits


@pytest.mark.parametrize(
    ("reports", "errors", "more"),
    [
        ([report("void kernel_main<warpaes::kernels::team::Gcm<(Direction)1>, (int)10>(T1)")], 1, ""),
        ([report(), report(instruction="0x4b00")], 2, ""),  # elsewhere in the kernel
        ([report(instruction=f"0x4a{at}0") for at in range(5)], 5, ""),
        ([report(size=4)], 1, ""),
        ([report()], 2, ""),  # something of another kind
        ([report()], 1, "[  FAILED  ] Suite.Test (1 ms)\n"),
        ([], 0, ""),
    ],
)
def test_anything_else_that_it_reads_is_a_find(reports: list[str], errors: int, more: str) -> None:
    assert outcome(*reports, errors=errors, more=more) == "something found"
