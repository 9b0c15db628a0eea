"""Medians, of what the host takes for calls and of what the device takes for them."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Call = Callable[[], object]
Line = dict[str, Any]


def host_seconds(
    calls: dict[str, Call], wait: Call, *, rounds: int = 15, together: int = 100
) -> dict[str, float]:
    """Of one call of each, the median of the rounds, in which all have their turn.

    The device catches up between them, outside of the time.
    """
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds + 2):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(together):
                call()
            end = time.perf_counter()
            wait()
            if number >= 2:
                taken[name].append((end - start) / together)
    return {name: statistics.median(times) for name, times in taken.items()}


def turns(contestants: dict[str, Call], count: int) -> dict[str, list[float]]:
    """Seconds of each contestant's turns on the clock, behind one that is not counted."""
    taken: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(count + 1):
        for name, call in contestants.items():
            start = time.perf_counter()
            made = call()
            end = time.perf_counter()
            del made
            if number:
                taken[name].append(end - start)
    return taken


def skipped(what: str, reason: object) -> Line:
    return {"type": "skipped", "what": what, "reason": str(reason)}


def each_or_skipped(parts: Iterable[tuple[str, Callable[[], Iterator[Line]]]]) -> Iterator[Line]:
    """A part whose package is missing is a line that says so; nothing else is forgiven."""
    for what, part in parts:
        try:
            yield from part()
        except ImportError as error:
            yield skipped(what, error)
