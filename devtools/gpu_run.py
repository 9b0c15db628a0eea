"""What the suites of ./dev gpu have in common."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools.process import Command, exit_code, say, text_of
from devtools.repository import WARPAES

FORCED = ("--engine", "cuda")


def selftests() -> list[Command]:
    """One for each engine on the GPU; forced, so that none is skipped."""
    lines = [json.loads(line) for line in text_of([WARPAES, "engines", "--json"]).splitlines()]
    names = [f"{line['name']}/{line['kernel']}" for line in lines if line.get("memory") == "device"]
    return [[WARPAES, "selftest", "--engine", name] for name in names]


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

    def write(self, kind: str, lines: Iterable[str], instead: Mapping[str, str] | None = None) -> None:
        """Writes the machine's line, in which `instead` replaces entries, and the lines behind it."""
        results = self.file(kind)
        results.write_text("\n".join([json.dumps({**self.machine, **(instead or {})}), *lines]) + "\n")
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
