"""Two builds in one run: the program of stage/ and another one, which was built from an older commit.

Runs on two machines, or on two days, differ by more than a change of a kernel does: cards have different
clocks under the same power. So both programs measure the same calls by turns."""

import json
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from devtools.gpu_run import Run, Skipped, bench_results, machine_line
from devtools.process import Stopwatch, say
from devtools.repository import STAGE, WARPAES

OTHER = STAGE / "other" / "bin" / "warpaes"
Speeds = dict[tuple[str, ...], float]

# Short messages, every mode, batches, and many keys; of 1 GiB at most, where the suite `bench` has 4 or 5.
CALLS = (
    "--mode gcm,ctr --bytes 1KiB,64KiB,256KiB --where device,graph --samples 9",
    "--mode gcm --key-bits 128 --bytes 1MiB,4MiB,16MiB,64MiB --samples 9",
    "--mode gcm --key-bits 128 --bytes 160KB --messages 1616 --samples 5",
    "--mode gcm --key-bits 128 --bytes 160KB --messages 10000 --samples 5",
    "--mode gcm --bytes 1KiB --messages 1048576 --key-each --samples 5",
    "--mode gcm,cbc-encrypt --key-bits 128 --bytes 32KiB --messages 32768 --ragged --samples 5",
    "--mode gcm --bytes 1MiB --messages 1024 --samples 5",
    "--mode gcm-siv --bytes 256MiB --samples 5",
    "--mode ocb3 --bytes 1GiB --samples 5",
    "--mode ecb-batch,ctr-batch,cbc-decrypt-batch,cfb-decrypt-batch --key-bits 128,256 "
    "--bytes 16KiB --messages 65536 --samples 5",
    "--mode cbc-encrypt,cfb-encrypt,ofb,cmac --key-bits 128,256 --bytes 16KiB --messages 65536 --samples 3",
    "--mode gcm-siv,ccm,eax,ocb3,siv --key-bits 128,256 --bytes 16KiB --messages 32768 --samples 5",
    "--mode xts-batch --key-bits 128,256 --bytes 16KiB --messages 65536 --samples 5",
    "--mode kw-batch --bytes 32 --messages 1048576 --samples 5",
    "--mode ctr-batch,cbc-encrypt,cmac --key-bits 128 --bytes 1KiB --messages 1048576 --key-each --samples 5",
    "--mode gcm-siv,ccm,eax,ocb3,siv --key-bits 128 --bytes 1KiB --messages 262144 --key-each --samples 5",
    "--mode gcm --bytes 16KiB --messages 65536 --samples 5",
    "--mode gcm --bytes 1KiB --messages 1048576 --samples 5",
    "--engine cuda/bitsliced --mode ecb,ctr,gcm,xts,cbc-decrypt,cfb-decrypt --samples 5",
    "--bytes 1GiB --samples 5",
)
# A row that is slower by more than this is measured again, in the other order as well.
SLOWER, MOST_ROUNDS = 0.99, 2
WHICH = (
    "mode",
    "key_bits",
    "direction",
    "where",
    "messages",
    "bytes",
    "engine",
    "kernel",
    "ragged",
    "key_each",
)


def compare(run: Run, seconds: float) -> bool:
    """Passes if no row is slower."""
    if not OTHER.is_file():
        raise Skipped(f"no other build's program: {OTHER.relative_to(STAGE.parent)}")
    other = machine_line(OTHER)
    lines: list[str] = []
    slower = 0
    for call in CALLS:
        clock = Stopwatch()
        rows = compared(call, seconds)
        lines += map(json.dumps, rows)
        run.keep("compare", lines, {"other_commit": other["commit"]})
        found = sum(row["ratio"] < SLOWER for row in rows)
        slower += found
        say(f"{clock.seconds:.0f} s: {call}: {len(rows)} rows, {found} slower than {SLOWER}")
    say(f"written: {run.file('compare')}")
    return bool(lines) and slower == 0


def compared(call: str, seconds: float) -> list[dict[str, Any]]:
    """Each row that both programs have, with the medians of all rounds."""
    speeds: dict[Path, list[Speeds]] = defaultdict(list)
    rows: list[dict[str, Any]] = []
    for number in range(MOST_ROUNDS):
        for program in (OTHER, Path(WARPAES)) if number % 2 == 0 else (Path(WARPAES), OTHER):
            speeds[program].append(measured(program, call, seconds))
        rows = joined(speeds[OTHER], speeds[Path(WARPAES)])
        if all(row["ratio"] >= SLOWER for row in rows):
            break
    return rows


def joined(before: list[Speeds], now: list[Speeds]) -> list[dict[str, Any]]:
    rows = []
    for key in now[0].keys() & before[0].keys():
        old, new = (median(round_[key] for round_ in rounds) for rounds in (before, now))
        what = dict(zip(WHICH, map(json.loads, key), strict=True))
        measures = {"other_gb_per_s": old, "gb_per_s": new, "ratio": round(new / old, 4), "rounds": len(now)}
        rows.append({"type": "comparison", **what, **measures})
    return sorted(rows, key=lambda row: [str(row[name]) for name in WHICH])


def measured(program: Path, call: str, seconds: float) -> Speeds:
    """GB/s by what was measured."""
    results = bench_results(program, call, seconds)
    return {tuple(json.dumps(row[name]) for name in WHICH): row["gb_per_s"] for row in results}
