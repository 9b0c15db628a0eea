"""What the tools print, read: of ncu, sums for each kernel, whatever else stands in the output."""

from pathlib import Path

import pytest

from devtools import gpu_tools
from devtools.gpu_run import Run
from devtools.gpu_sanitizers import PLANTED_FAULTS
from devtools.process import Command

OUTPUT = f"""==PROF== Connected to process 1
selftest: passed
==PROF== Disconnected
"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"
"0","ecb(int)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","0"
"0","ecb(int)","(1,1,1)","{gpu_tools.LOAD_WAVEFRONTS}","inst","1,024"
"1","ecb(int)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","3"
"1","ecb(int)","(1,1,1)","{gpu_tools.LOAD_WAVEFRONTS}","inst","1"
"2","ctr<10, (x)1>(a, b)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","0"
"""


def test_counters_are_added_up_by_kernel() -> None:
    kernels = gpu_tools.counters(OUTPUT.splitlines())
    assert kernels.keys() == {"ecb(int)", "ctr<10, (x)1>(a, b)"}
    assert kernels["ecb(int)"][gpu_tools.LOAD_CONFLICTS] == 3
    assert kernels["ecb(int)"][gpu_tools.LOAD_WAVEFRONTS] == 1025
    assert kernels["ecb(int)"]["launches"] == 2
    assert kernels["ctr<10, (x)1>(a, b)"][gpu_tools.LOAD_CONFLICTS] == 0


def test_output_of_several_programs() -> None:
    kernels = gpu_tools.counters([*OUTPUT.splitlines(), *OUTPUT.splitlines()])
    assert kernels["ecb(int)"]["launches"] == 4
    assert kernels["ecb(int)"][gpu_tools.LOAD_WAVEFRONTS] == 2050


def test_no_table_is_no_kernel() -> None:
    assert gpu_tools.counters(["==ERROR== no counters"]) == {}


def test_conflicts_are_judged_as_shares_of_passes() -> None:
    def is_free(conflicts: int, wavefronts: int, by_addresses: int = 100, ideal: int = 100) -> bool:
        return gpu_tools.conflict_free(
            {
                gpu_tools.LOAD_CONFLICTS: conflicts,
                gpu_tools.LOAD_WAVEFRONTS: wavefronts,
                gpu_tools.WAVEFRONTS: by_addresses,
                gpu_tools.IDEAL_WAVEFRONTS: ideal,
            }
        )

    assert is_free(0, 0, 0, 0)
    assert is_free(260, 10_000)
    assert not is_free(248, 256)
    assert not is_free(501, 10_000)
    assert is_free(0, 10_000, 242_588, 242_292)
    assert not is_free(0, 10_000, 288, 40)


@pytest.mark.parametrize(("printed", "passed"), [("Running 12 tests", True), ("Running 0 tests", False)])
def test_a_filter_that_fits_no_long_message_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, passed: bool
) -> None:
    """With a tool that counts conflicts in the planted kernel alone."""

    def watched(command: Command, _seconds: float) -> list[str]:
        count = 99 if PLANTED_FAULTS in command else 0
        rows = [f'"0","k","(1,1,1)","{metric}","","100"' for metric in gpu_tools.METRICS[2:]]
        conflicts = f'"0","k","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","{count}"'
        return [printed, OUTPUT.splitlines()[3], conflicts, *rows]

    monkeypatch.setattr(gpu_tools, "watched", watched)
    monkeypatch.setattr(gpu_tools, "selftests", list)
    monkeypatch.setattr(gpu_tools, "counting_tool", lambda: tmp_path / "ncu")
    machine = {"type": "machine", "gpu": "NVIDIA H200", "date": "2030-01-02T00:00:00Z"}
    assert gpu_tools.bank_conflicts(Run(machine, tmp_path), 1) == passed
