"""Running other programs, and stopping with a message that helps."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from devtools.repository import ROOT

Argument = str | Path
Command = Sequence[Argument]


class Stop(Exception):
    """Ends ./dev with a message (and a hint on what to do) instead of a traceback."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def say(text: str = "") -> None:
    print(text, flush=True)


def heading(text: str) -> None:
    say(f"\n== {text}")


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **extra}


def run(
    command: Command,
    *,
    extra_environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> None:
    """Runs a program whose output is shown as it comes; Stop unless it exits 0 in time."""
    code = exit_code(command, extra_environment=extra_environment, timeout=timeout)
    if code != 0:
        raise Stop(f"exit code {code}: {shlex.join(map(str, command))}")


def exit_code(
    command: Command,
    *,
    extra_environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    output: Path | None = None,
) -> int:
    """The program's exit code; 124 if it ran past `timeout` seconds; 127 if there is no such program."""
    sys.stdout.flush()
    stdout = output.open("wb") if output else None
    try:
        return subprocess.run(
            [str(argument) for argument in command],
            cwd=ROOT,
            env=environment(extra_environment or {}),
            stdout=stdout,
            timeout=timeout,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        say(f"stopped after {timeout} s: {shlex.join(map(str, command))}")
        return 124
    except FileNotFoundError as error:
        say(str(error))
        return 127
    finally:
        if stdout:
            stdout.close()


def text_of(command: Command, *, timeout: float = 60) -> str:
    """Returns the standard output of a program; Stop unless it exits 0."""
    try:
        done = subprocess.run(
            [str(argument) for argument in command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise Stop(str(error)) from error
    if done.returncode != 0:
        raise Stop(f"exit code {done.returncode}: {shlex.join(map(str, command))}\n{done.stderr.strip()}")
    return done.stdout


class Stopwatch:
    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start
