"""Does the automatic choice find the faster way? Calls in host memory by each engine, and by its choice.

One call differs from the next by a fifth on machines with many processors, and one process from another, so
each way has several processes, by turns, and the medians of these are compared."""

import json
from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from typing import Any

from devtools.gpu_run import Run, bench_results
from devtools.process import Stopwatch, say
from devtools.repository import WARPAES

ROUNDS = 5
CALLS = "--mode ctr,gcm --key-bits 256 --bytes 8MiB,32MiB,128MiB,1GiB --samples 5"
CHOICE = "shared"
LEAST_SHARE = 0.95
# The CPU does not mind whether its memory is pinned, and is measured once.
WAYS = (
    ("openssl", "pageable"),
    ("cuda", "pageable"),
    (CHOICE, "pageable"),
    ("cuda", "pinned"),
    (CHOICE, "pinned"),
)
What = tuple[str, str, int]  # mode, direction, bytes
Speeds = dict[tuple[str, str], dict[What, list[float]]]


def choice(run: Run, seconds: float) -> bool:
    """Passes if the choice is nowhere slower than the better engine by more than is promised."""
    speeds: Speeds = {way: defaultdict(list) for way in WAYS}
    for number in range(ROUNDS):
        clock = Stopwatch()
        for way in WAYS if number % 2 == 0 else reversed(WAYS):
            for what, speed in measured(*way, seconds):
                speeds[way][what].append(speed)
        run.keep("choice", map(json.dumps, compared(speeds)))
        say(f"{clock.seconds:.0f} s: round {number + 1} of {ROUNDS}")
    lines = compared(speeds)
    run.write("choice", map(json.dumps, lines))
    for line in lines:
        say(json.dumps(line))
    return bool(lines) and all(line["share_of_the_better"] >= LEAST_SHARE for line in lines)


def measured(engine: str, where: str, seconds: float) -> Iterator[tuple[What, float]]:
    """GB/s of each call."""
    for row in bench_results(WARPAES, f"--engine {engine} --where {where} {CALLS}", seconds):
        yield (row["mode"], row["direction"], row["bytes"]), row["gb_per_s"]


def compared(speeds: Speeds) -> list[dict[str, Any]]:
    """The choice's medians beside those of what it could choose from, and its share of the better one."""
    lines = []
    for where in ("pageable", "pinned"):
        for what, chosen in speeds[CHOICE, where].items():
            mode, direction, length = what
            forced = {
                "cuda": median(speeds["cuda", where][what]),
                "openssl": median(speeds["openssl", "pageable"][what]),
            }
            found: dict[str, Any] = {
                "type": "choice",
                "where": where,
                "mode": mode,
                "direction": direction,
                "bytes": length,
            }
            share = round(median(chosen) / max(forced.values()), 3)
            spread = {"chosen_min": min(chosen), "chosen_max": max(chosen), "rounds": len(chosen)}
            lines.append(
                {**found, **forced, "chosen": median(chosen), **spread, "share_of_the_better": share}
            )
    return lines
