"""How long each step of a verb took: wall clock time, and the time of all processors together."""

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from devtools.process import say


class Step(NamedTuple):
    name: str
    seconds: float
    processor_seconds: float  # user and system, of the programs that were started and of ./dev itself


_taken: list[Step] = []


@contextmanager
def step(name: str) -> Iterator[None]:
    """Times a step, also if it fails. Steps may not overlap, or their times could not be told apart."""
    start, processors = time.monotonic(), processor_seconds()
    try:
        yield
    finally:
        _taken.append(Step(name, time.monotonic() - start, processor_seconds() - processors))


def processor_seconds() -> float:
    """Processor time of this process and of all its descendants that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def table(steps: list[Step]) -> str:
    """Lines of seconds, processor seconds and name, with their sums at the end."""
    total = Step("all steps", sum(s.seconds for s in steps), sum(s.processor_seconds for s in steps))
    rows = [f"{s.seconds:8.0f} s {s.processor_seconds:8.0f} s  {s.name}" for s in (*steps, total)]
    return "\n".join(["      time  processors  step", *rows])


def say_steps() -> None:
    say()
    say(table(_taken))
