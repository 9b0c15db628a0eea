"""What ncu prints, read: sums for each kernel, whatever else stands in the output."""

from devtools import gpu_tools

OUTPUT = f"""==PROF== Connected to process 1
selftest: passed
==PROF== Disconnected
"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"
"0","ecb(int)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","0"
"0","ecb(int)","(1,1,1)","{gpu_tools.LOADS}","inst","1,024"
"1","ecb(int)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","3"
"1","ecb(int)","(1,1,1)","{gpu_tools.LOADS}","inst","1"
"2","ctr<10, (x)1>(a, b)","(1,1,1)","{gpu_tools.LOAD_CONFLICTS}","","0"
"""


def test_counters_are_added_up_by_kernel() -> None:
    kernels = gpu_tools.counters(OUTPUT.splitlines())
    assert kernels.keys() == {"ecb(int)", "ctr<10, (x)1>(a, b)"}
    assert kernels["ecb(int)"][gpu_tools.LOAD_CONFLICTS] == 3
    assert kernels["ecb(int)"][gpu_tools.LOADS] == 1025
    assert kernels["ecb(int)"]["launches"] == 2
    assert kernels["ctr<10, (x)1>(a, b)"][gpu_tools.LOAD_CONFLICTS] == 0


def test_output_of_several_programs() -> None:
    kernels = gpu_tools.counters([*OUTPUT.splitlines(), *OUTPUT.splitlines()])
    assert kernels["ecb(int)"]["launches"] == 4
    assert kernels["ecb(int)"][gpu_tools.LOADS] == 2050


def test_no_table_is_no_kernel() -> None:
    assert gpu_tools.counters(["==ERROR== no counters"]) == {}


def test_conflicts_are_judged_as_a_share_of_loads() -> None:
    def kernel(conflicts: int, wavefronts: int) -> dict[str, int]:
        return {gpu_tools.LOAD_CONFLICTS: conflicts, gpu_tools.LOAD_WAVEFRONTS: wavefronts}

    assert gpu_tools.conflict_free(kernel(0, 0))
    assert gpu_tools.conflict_free(kernel(57, 10_000))
    assert not gpu_tools.conflict_free(kernel(248, 256))
    assert not gpu_tools.conflict_free(kernel(500, 1_000))
