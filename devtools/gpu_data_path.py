"""How busy kernels keep what limits them: shared memory's data path, and the schedulers, by ncu's counters.

A wall that is computed from look-ups leaves out what else passes through the same path (shuffles, the
tables' fill) and what is lost where loads arrive; the counters have all of it."""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from devtools.gpu_run import watched
from devtools.process import Command, Stop
from devtools.repository import WARPAES

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts.sum"
SHARES = {
    "data_path": f"{WAVEFRONTS}.pct_of_peak_sustained_elapsed",
    "issue_slots": "smsp__inst_executed.sum.pct_of_peak_sustained_elapsed",
    "alu": "sm__inst_executed_pipe_alu.sum.pct_of_peak_sustained_elapsed",
    "device_memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    # of the time in which any multiprocessor works, and of the warps that could be on those that do
    "multiprocessors_at_work": "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "resident_warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
}
COUNTS = {
    "wavefronts": WAVEFRONTS,
    "look_up_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shuffle_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum",
    "cycles": "sm__cycles_elapsed.max",
}
# A kernel that only the self-test runs looks up less than this share of what the call's kernel does.
LEAST_SHARE = 0.8
TABLES, PLANES = "cuda/lane_private_tables", "cuda/bitsliced"
# The shapes that are slower than a goal, and the kernels of each: ncu needs a tenth of a second and more for
# every launch that it counts, and the self-test has hundreds. The last are long messages that have little
# besides look-ups: what the data path can be kept busy at all. Messages are long enough for the fill of the
# tables to be a hundredth, and no longer, as ncu keeps and restores all memory for each pass of each launch.
GCM, CTR = "--mode gcm --direction encrypt", "--mode ctr --direction encrypt"
CALLS = (
    (TABLES, "Gcm<", f"{GCM} --key-bits 256 --bytes 16KiB --messages 65536"),
    (TABLES, "Gcm<", f"{GCM} --key-bits 128 --bytes 1KiB --messages 1048576"),
    (TABLES, "ListedGcm", f"{GCM} --key-bits 128,256 --bytes 1MiB --messages 1024 --tensors"),
    (PLANES, "BitslicedGcmBatches", f"{GCM} --key-bits 128 --bytes 16KiB --messages 65536"),
    (TABLES, "CtrGcm", f"{GCM} --key-bits 128,192,256 --bytes 1GiB"),
    (TABLES, "CtrGcm", f"{CTR} --key-bits 128,256 --bytes 1GiB"),
    (TABLES, "CtrGcm", f"{GCM} --key-bits 128,256 --bytes 1GiB --misalign 1"),
    (TABLES, "CtrGcm", f"{CTR} --key-bits 128,256 --bytes 1GiB --misalign 1"),
    (TABLES, "grid", "--mode ecb,xts --direction encrypt --key-bits 128 --bytes 1GiB"),
)


def busy_parts(ncu: Path, seconds: float, keep: Callable[[list[str]], None]) -> list[str]:
    """Runs ncu and makes one JSON line for each kernel of each call; hands what is known to `keep`."""
    metrics = ",".join([*SHARES.values(), *COUNTS.values()])
    counting: Command = [ncu, "--csv", "--clock-control", "none", "--metrics", metrics]
    lines: list[str] = []
    for engine, names, call in CALLS:
        only: Command = ["--kernel-name-base", "demangled", "--kernel-name", f"regex:{names}"]
        bench: Command = [WARPAES, "bench", "--engine", engine, "--where", "device", "--samples", "1"]
        kernels = longest_launches(
            watched([*counting, *only, *bench, *call.split()], seconds), rounds_in(call)
        )
        if not kernels:
            raise Stop(f"no kernel of this name was counted, {names}: warpaes bench {call}")
        lines += [
            json.dumps({"type": "data_path", "engine": engine, "call": call, "kernel": name, **kernels[name]})
            for name in sorted(kernels)
        ]
        keep(lines)
    return lines


def longest_launches(lines: Iterable[str], rounds: Collection[str]) -> dict[str, dict[str, Any]]:
    """Of each kernel, its launch with the most to look up; without the kernels that only the self-test runs.

    rounds: those of the keys that were asked for. The self-test has others as well, and less to look up.
    """
    names = {metric: name for name, metric in (SHARES | COUNTS).items()}
    launches: dict[tuple[str, str], dict[str, float]] = {}
    for row in csv.DictReader(line for line in lines if line.startswith('"')):
        if row["Metric Name"] not in names or rounds_of(row["Kernel Name"]) not in rounds:
            continue
        launch = launches.setdefault((row["Kernel Name"], row["ID"]), {})
        launch[names[row["Metric Name"]]] = float(row["Metric Value"].replace(",", ""))
    longest: dict[str, dict[str, float]] = {}
    for (kernel, _), launch in launches.items():
        if look_ups(launch) > look_ups(longest.get(kernel, {})):
            longest[kernel] = launch
    most: dict[str, float] = defaultdict(float)
    for kernel, launch in longest.items():
        most[rounds_of(kernel)] = max(most[rounds_of(kernel)], look_ups(launch))
    return {
        kernel: {name: as_reported(name, value) for name, value in launch.items()}
        for kernel, launch in longest.items()
        if look_ups(launch) >= LEAST_SHARE * most[rounds_of(kernel)]
    }


def look_ups(launch: Mapping[str, float]) -> float:
    return launch.get("look_up_wavefronts", 0)


def rounds_of(kernel: str) -> str:
    """As in `void kernel_main<grid::Ecb<0>, 10>(Arguments)`."""
    return kernel.rpartition(", ")[2].partition(">")[0]


def rounds_in(call: str) -> list[str]:
    """Of the key sizes of a call (FIPS 197, section 5)."""
    words = call.split()
    return [str(int(bits) // 32 + 6) for bits in words[words.index("--key-bits") + 1].split(",")]


def as_reported(name: str, value: float) -> float:
    return round(value / 100, 4) if name in SHARES else round(value)
