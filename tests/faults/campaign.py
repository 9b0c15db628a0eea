"""Faults one after the other: one allocation or one call of the file system fails, or the process is killed,
before such a call, before any system call, or at some moment.

Whatever happens, an output's name stands for the whole right file or for nothing, no other file is left
behind, no input is lost, standard output is whole or said to be only the beginning, and the program ends with
a message. Two things are counted and allowed:

- OpenSSL 3.0 crashes where some allocations of its initialisation fail.
- A file can replace another one at once only if it has a name before (rename(2)). A process that is killed
  between the two calls leaves the new file, whole, under its temporary name.

Allocations before main() are left out here: test_faults.py tries them with one command, as no file has been
opened then.

    python -m tests.faults.campaign                  tries all, and writes a line of JSON for each command
    python -m tests.faults.campaign --kills 1000     kills at random moments, too
    python -m tests.faults.campaign --output evidence     keeps the lines, behind the machine's
"""

import argparse
import contextlib
import fcntl
import json
import multiprocessing
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from devtools.files_bench import Line
from devtools.gpu_run import Run, machine_line
from tests.cli.program import PROGRAM, command_line, environment
from tests.faults.cases import Case, cases
from tests.faults.system_calls import counted, killed_at, traced

SOURCE = Path(__file__).with_name("fault_injector.c")
CRASHED = 250  # as the injector has it
LARGEST_PIPE = 1 << 20  # that anybody may have (/proc/sys/fs/pipe-max-size)


def build_injector(folder: Path) -> Path:
    library = folder / "fault_injector.so"
    compiler = ["cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o", str(library)]
    subprocess.run([*compiler, str(SOURCE), "-ldl"], check=True)
    return library


@dataclass(frozen=True)
class Counts:
    before_main: int  # allocations while libraries and static objects are initialised
    allocations: int
    calls: int
    seconds: float  # without a fault


@dataclass(frozen=True)
class Fault:
    """What goes wrong.

    :ivar kind: "memory", "call" and "kill" are the injector's; "system call" is a kill at a system call of
        that name, and "moment" one after that share of the time that the command takes
    :ivar at: which allocation, call or system call, from 1
    """

    kind: str
    at: int = 0
    name: str = ""
    share: float = 0

    @property
    def kills(self) -> bool:
        return self.kind in ("kill", "system call", "moment")

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, self.name, str(self.at or self.share))))


NO_FAULT = Fault("none")


@dataclass
class Outcome:
    code: int
    message: str
    wrong: str = ""  # what is not as it should be
    allowed: str = ""  # what is not, and is allowed
    output: bytes = b""  # standard output, of a command of which it is looked at
    made: tuple[int, ...] = ()  # the injector's counts, of a command that was to be counted and ended itself


class Campaign:
    def __init__(self, folder: Path):
        self.folder = folder
        self.injector = build_injector(folder)
        made = folder / "made"
        made.mkdir()
        self.cases = cases(made)

    def counts(self, case: Case) -> Counts:
        """What the command does without a fault."""
        start = time.monotonic()
        outcome = self.run(case, NO_FAULT)
        seconds = time.monotonic() - start
        assert outcome.code == case.code, outcome.message
        assert not outcome.wrong, outcome.wrong
        before_main, allocations, calls = outcome.made
        return Counts(before_main, allocations, calls, round(seconds, 4))

    def system_calls(self, case: Case) -> dict[str, int]:
        """How often the command makes which."""
        log = self.folder / "log"
        with self.prepared(case) as name:
            answers(self.start(case, Path(name), traced(log)), case.stdin)
        return counted(log.read_text())

    def run(self, case: Case, fault: Fault, seconds: float = 0) -> Outcome:
        """:param seconds: that the command takes, for a fault at some moment"""
        injected = {"LD_PRELOAD": str(self.injector), "FAULT_KIND": fault.kind, "FAULT_AT": str(fault.at)}
        before: list[str] = []
        if fault.kind == "system call":
            before, injected = killed_at(fault.name, fault.at), {}
        if fault.kind == "moment":
            injected = {}
        with self.prepared(case) as name:
            folder, count = Path(name), Path(f"{name}.count")
            if fault.kind in ("none", "kill"):
                injected["FAULT_COUNT"] = str(count)
            running = self.start(case, folder, before, **injected)
            killer = threading.Timer(fault.share * seconds, running.kill)
            if fault.kind == "moment":
                killer.start()
            try:
                output, message = answers(running, case.stdin)
            except subprocess.TimeoutExpired:
                return Outcome(-1, "", "did not end")
            finally:
                killer.cancel()
            outcome = Outcome(running.returncode, message.decode(errors="replace"), output=output or b"")
            if count.exists():
                outcome.made = tuple(map(int, count.read_text().split()))
                count.unlink()
            self.judge(case, folder, outcome, killed=fault.kills)
            # Standard input arrives in more pieces in one run than in another, and threads share a folder's
            # files, so a command may end before the call that it was to be killed at. Otherwise it must not.
            if fault.kind == "kill" and outcome.code != -signal.SIGKILL and outcome.made[2] >= fault.at:
                outcome.wrong = "not killed"
            return outcome

    def start(
        self, case: Case, folder: Path, before: Sequence[str] = (), **extra: str
    ) -> subprocess.Popen[bytes]:
        """The command, in its folder, where it also has its temporary files."""
        return subprocess.Popen(
            [*before, *command_line(*case.arguments)],
            cwd=folder,
            env=environment(TMPDIR=str(folder), **extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if case.stdout is None else subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def prepared(self, case: Case) -> "tempfile.TemporaryDirectory[str]":
        folder = tempfile.TemporaryDirectory(dir=self.folder)
        for name, content in case.before.items():
            path = Path(folder.name) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o600)
        return folder

    def judge(self, case: Case, folder: Path, outcome: Outcome, *, killed: bool) -> None:
        """Looks at what the command has left."""
        there = {str(path.relative_to(folder)): path.read_bytes() for path in files_in(folder)}
        if outcome.code == CRASHED and "libcrypto" in outcome.message:
            outcome.allowed = "crash of OpenSSL"
        elif not killed and (outcome.code < 0 or outcome.code == CRASHED):
            outcome.wrong = "crashed"
            return
        for name in sorted(set(there) - set(case.before) - set(case.outputs)):
            output = re.sub(r"\.[0-9]+-[0-9]+$", "", name)
            replaced = output in case.outputs and output in case.before
            if not (killed and replaced and case.may_be(output, there.pop(name), folder)):
                outcome.wrong = f"left behind: {name}"
                return
            outcome.allowed = "whole under a temporary name"
        outcome.wrong = self.wrong_files(case, folder, there, outcome.code) or self.wrong_output(
            case, outcome
        )
        silent = outcome.code not in (case.code, -signal.SIGKILL) and not outcome.message.strip()
        if silent and not outcome.wrong:
            outcome.wrong = f"exit code {outcome.code}, and no message"

    @staticmethod
    def wrong_files(case: Case, folder: Path, there: dict[str, bytes], code: int) -> str:
        broken = [name for name, content in there.items() if not case.may_be(name, content, folder)]
        if broken:
            return f"neither old nor whole: {', '.join(broken)}"
        missing = sorted(set(case.outputs) - set(there))
        if code == case.code and missing:
            return f"success, and missing: {', '.join(missing)}"
        lost = [name for name in sorted(set(case.before) - set(there)) if not case.may_go(name, there)]
        if lost:
            return f"lost: {', '.join(lost)}"
        return ""

    @staticmethod
    def wrong_output(case: Case, outcome: Outcome) -> str:
        """Standard output is the right one, or its beginning, as a program says that is not killed."""
        if case.stdout is None or outcome.output == case.stdout:
            return ""
        if not case.stdout.startswith(outcome.output):
            return "neither all nor the beginning of what is right on standard output"
        if outcome.code == case.code:
            return f"exit code {outcome.code}, and standard output is not whole"
        said = not outcome.output or "are only the beginning" in outcome.message
        return "" if said or outcome.code == -signal.SIGKILL else "not said that standard output is not whole"


def answers(running: subprocess.Popen[bytes], given: bytes | None) -> tuple[bytes, bytes]:
    """Standard output and errors of a program that is given that standard input, within a minute.

    communicate() writes 4 KiB at a time, so that the program would have thousands of calls to be killed at.
    """
    given_to, running.stdin = running.stdin, None
    assert given_to

    def give() -> None:
        with contextlib.suppress(BrokenPipeError), given_to:  # the program may end before it has read all
            given_to.write(given or b"")

    with contextlib.suppress(PermissionError):  # of somebody with 64 such pipes already; it only takes longer
        fcntl.fcntl(given_to, fcntl.F_SETPIPE_SZ, LARGEST_PIPE)
    giver = threading.Thread(target=give)
    giver.start()
    try:
        return running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        running.kill()
        raise
    finally:
        giver.join()


def files_in(folder: Path) -> Iterable[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


@dataclass
class Findings:
    tried: Counter[str] = field(default_factory=Counter)  # by kind
    killed: Counter[str] = field(default_factory=Counter)  # those of them that came before the command's end
    wrong: list[str] = field(default_factory=list)
    allowed: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case, fault: Fault, outcome: Outcome) -> None:
        self.tried[fault.kind] += 1
        self.killed[fault.kind] += outcome.code == -signal.SIGKILL
        if outcome.wrong:
            self.wrong.append(f"{case.name}, {fault}: {outcome.wrong}: {outcome.message}")
        elif outcome.allowed:
            self.allowed[outcome.allowed] += 1


def faults_of(counts: Counts, every: int = 1, first: int = 1, calls_every: int = 1) -> list[Fault]:
    """Of the calls and of the allocations after the start of main(), each so many."""
    calls = range(1 + first % calls_every, counts.calls + 1, calls_every)
    allocations = range(counts.before_main + first, counts.allocations + 1, every)
    return [
        *(Fault(kind, at) for kind in ("call", "kill") for at in calls),
        *(Fault("memory", at) for at in allocations),
    ]


def kills_at_system_calls(made: dict[str, int]) -> list[Fault]:
    return [Fault("system call", at, name) for name, times in made.items() for at in range(1, times + 1)]


def kills_at_moments(number: int) -> list[Fault]:
    """Also after the end of what takes no longer than usual."""
    return [Fault("moment", share=random.uniform(0, 1.2)) for _ in range(number)]


Attempt = Callable[[Fault], Outcome]
attempts: list[Attempt] = []  # in a worker: what it does with a fault


def attempt(fault: Fault) -> tuple[Fault, Outcome]:
    outcome = attempts[0](fault)
    outcome.output = b""  # it has been looked at, and would have to go from process to process
    return fault, outcome


def try_all(campaign: Campaign, case: Case, seconds: float, faults: Iterable[Fault]) -> Findings:
    """On all processors. Its workers are processes, as half of the work with a long pipe is Python's own."""
    findings = Findings()
    workers = ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("fork"),  # workers have the campaign without a copy of it
        initializer=attempts.append,
        initargs=(lambda fault: campaign.run(case, fault, seconds),),
    )
    with workers:
        for fault, outcome in workers.map(attempt, faults, chunksize=4):
            findings.add(case, fault, outcome)
    return findings


def line_of(campaign: Campaign, case: Case, every: int, kills: int) -> Line:
    """Tries all with one command; what is wrong is also written to standard error."""
    counts, made = campaign.counts(case), campaign.system_calls(case)
    findings = try_all(
        campaign,
        case,
        counts.seconds,
        [*faults_of(counts, every), *kills_at_system_calls(made), *kills_at_moments(kills)],
    )
    print("".join(f"{text}\n" for text in findings.wrong), end="", file=sys.stderr, flush=True)
    return {
        "type": "faults",
        "case": case.name,
        "command": " ".join(case.arguments),
        **asdict(counts),
        "system_calls": sum(made.values()),
        "tried": dict(findings.tried),
        "killed": {kind: number for kind, number in findings.killed.items() if number != 0},
        "wrong": len(findings.wrong),
        "allowed": dict(findings.allowed),
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=0, help="at random moments, shared by all commands")
    parser.add_argument("--every", type=int, default=1, help="of the allocations only each so many")
    parser.add_argument("--only", default="", help="commands with this in their names")
    parser.add_argument("--output", type=Path, help="a folder for <date>-<machine>-faults.jsonl")
    options = parser.parse_args()
    run = Run(machine_line(), options.output.resolve()) if options.output else None
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder))
        chosen = [case for case in campaign.cases if options.only in case.name]
        for case in chosen:
            lines.append(line_of(campaign, case, options.every, options.kills // len(chosen)))
            print(json.dumps(lines[-1]), flush=True)
            if run:
                run.keep("faults", map(json.dumps, lines))
    return 1 if any(line["wrong"] for line in lines) else 0


if __name__ == "__main__":
    assert PROGRAM.is_file(), f"{PROGRAM} is missing: ./dev build"
    sys.exit(main())
