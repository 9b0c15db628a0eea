"""Running other programs, and stopping with a message that helps."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.repository import ROOT

Argument = str | Path
Command = Sequence[Argument]


class Stop(Exception):
    """Ends ./dev with a message (and a hint on what to do) instead of a traceback."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def code_of(action: Callable[[], int]) -> int:
    """The exit code of what ./dev does, which says what has ended it, and what to do."""
    try:
        code = action()
        sys.stdout.flush()
        return code
    except Stop as stop:
        print(f"dev: error: {stop}", file=sys.stderr)
        if stop.hint:
            print(f"dev: hint: {stop.hint}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        end_output()  # Who read it has gone, as `head` does: there is nobody to tell.
        return 128 + signal.SIGPIPE
    except OSError as error:
        print(f"dev: error: {error}", file=sys.stderr)
        end_output()
        return 1


def end_output() -> None:
    """Write what is left of it, or drop it: Python would try again as it ends, and fail."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    except (FileNotFoundError, PermissionError) as error:  # or a folder of PATH may not be searched
        say(not_started(command, error))
        return 127
    finally:
        if stdout:
            stdout.close()


def not_started(command: Command, error: OSError) -> str:
    return f"{command[0]} is needed, and cannot be started: {error.strerror}"


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
    except subprocess.TimeoutExpired as error:
        raise Stop(str(error)) from error
    except (FileNotFoundError, PermissionError) as error:
        raise Stop(not_started(command, error)) from error
    if done.returncode != 0:
        raise Stop(f"exit code {done.returncode}: {shlex.join(map(str, command))}\n{done.stderr.strip()}")
    return done.stdout


class Stopwatch:
    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start
