"""What the suites of ./dev gpu have in common."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools.process import Command, Stop, Stopwatch, exit_code, say, text_of
from devtools.repository import WARPAES

FORCED = ("--engine", "cuda")


def selftests() -> list[Command]:
    """One for each engine on the GPU; forced, so that none is skipped."""
    lines = [json.loads(line) for line in text_of([WARPAES, "engines", "--json"]).splitlines()]
    names = [f"{line['name']}/{line['kernel']}" for line in lines if line.get("memory") == "device"]
    return [[WARPAES, "selftest", "--engine", name] for name in names]


def cuda_tool(name: str) -> Path | None:
    """A tool of the CUDA toolkit; nothing if this machine has none."""
    on_path = shutil.which(name)
    return Path(on_path) if on_path else max(Path("/usr/local").glob(f"cuda*/bin/{name}"), default=None)


def watched(command: Command, seconds: float) -> list[str]:
    """The lines that a tool prints; says how long it took, many times what the program takes by itself."""
    clock = Stopwatch()
    lines = text_of(command, timeout=seconds).splitlines()
    say(f"{clock.seconds:.0f} s: {' '.join(map(str, command))}")
    return lines


def bench_results(program: Path, arguments: str, seconds: float) -> list[dict[str, Any]]:
    """What `bench` of that program measures, in one process. A wrong output stops the suite."""
    lines = [
        json.loads(line)
        for line in text_of([program, "bench", "--json", *arguments.split()], timeout=seconds).splitlines()
    ]
    results = [line for line in lines if line["type"] == "result"]
    if not results or not all(result["verified"] for result in results):
        raise Stop(f"no output, or a wrong one: {program} bench {arguments}")
    return results


def whole_lines(path: Path) -> list[str]:
    """The JSON lines of the file, except a last one that was cut short."""
    whole = []
    for text in path.read_text(errors="replace").splitlines():
        try:
            json.loads(text)
        except json.JSONDecodeError:
            break
        whole.append(text)
    return whole


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The same, read."""
    return [json.loads(text) for text in whole_lines(path)]


def machine_line(program: Path = WARPAES) -> dict[str, Any]:
    """The line with which a program's bench describes the machine and the build."""
    smallest = "--mode ecb --key-bits 128 --bytes 4096 --where pageable --samples 1"
    line: dict[str, Any] = json.loads(
        text_of([program, "bench", "--json", *smallest.split()]).splitlines()[0]
    )
    if line.get("type") != "machine":
        raise Stop(f"no machine's line: {line}")
    return line


def why_no_gpu() -> str:
    """What the library says of it."""
    summary = json.loads(text_of([WARPAES, "devices", "--json"]).splitlines()[-1])
    return str(summary.get("reason") or "none found")


class Skipped(Exception):
    """A suite cannot run on this machine, for this reason; it is counted."""


@dataclass(frozen=True)
class Run:
    """Where the results go, and what the first line of each file says."""

    machine: dict[str, Any]
    folder: Path

    def file(self, kind: str) -> Path:
        processor = self.machine["gpu"] or f"{len(os.sched_getaffinity(0))} cpus"
        name = re.sub(r"[^a-z0-9]+", "-", processor.lower().removeprefix("nvidia")).strip("-")
        return self.folder / f"{self.machine['date'][:10]}-{name}-{kind}.jsonl"

    def write(self, kind: str, lines: Iterable[str], instead: Mapping[str, str] | None = None) -> None:
        """Writes the machine's line, in which `instead` replaces entries, and the lines behind it."""
        self.keep(kind, lines, instead)
        say(f"written: {self.file(kind)}")

    def keep(self, kind: str, lines: Iterable[str], instead: Mapping[str, str] | None = None) -> None:
        """The same without a word, of what is known so far, should the machine be taken away."""
        machine = json.dumps({**self.machine, **(instead or {})})
        self.file(kind).write_text("\n".join([machine, *lines]) + "\n")


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
