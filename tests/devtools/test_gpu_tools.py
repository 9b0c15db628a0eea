"""What the tools print, read: of ncu, sums for each kernel, whatever else stands in the output."""

from devtools import gpu_tools

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
