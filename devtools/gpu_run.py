"""What the suites of ./dev gpu have in common."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools.process import Command, exit_code, say

FORCED = ("--engine", "cuda")


class Skipped(Exception):
    """A suite cannot run on this machine, for this reason; it is counted."""


@dataclass(frozen=True)
class Run:
    """Where the results go, and what the first line of each file says."""

    machine: dict[str, Any]
    folder: Path

    def file(self, kind: str) -> Path:
        gpu = re.sub(r"[^a-z0-9]+", "-", self.machine["gpu"].lower().removeprefix("nvidia")).strip("-")
        return self.folder / f"{self.machine['date'][:10]}-{gpu}-{kind}.jsonl"

    def write(self, kind: str, lines: Iterable[str]) -> None:
        results = self.file(kind)
        results.write_text("\n".join([json.dumps(self.machine), *lines]) + "\n")
        say(f"written: {results}")


@dataclass(frozen=True)
class Suite:
    name: str
    seconds: float  # the longest that one of its programs may take
    passes: Callable[[Run, float], bool]


def succeeds(command: Command, seconds: float) -> bool:
    code = exit_code(command, timeout=seconds)
    if code != 0:
        say(f"exit code {code}: {Path(command[0]).name}")
    return code == 0
