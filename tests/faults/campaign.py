"""Faults one after the other: one allocation or one call of the file system fails, or the process is killed.

Whatever happens, an output's name stands for the whole right file or for nothing, no other file is left
behind, no input is lost, and the program ends with a message. Two things are counted and allowed:

- OpenSSL 3.0 crashes where some allocations of its initialisation fail.
- A file can replace another one at once only if it has a name before (rename(2)). A process that is killed
  between the two calls leaves the new file, whole, under its temporary name.

Allocations before main() are left out here: test_faults.py tries them with one command, as no file has been
opened then.

    python -m tests.faults.campaign                  tries all, and writes a line of JSON for each command
    python -m tests.faults.campaign --kills 1000     kills at random moments, too
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.cli.program import CHUNK, PROGRAM, command_line, environment, pattern, succeed

SOURCE = Path(__file__).with_name("fault_injector.c")
HEXADECIMAL_KEY = 65  # bytes of a key's file
CRASHED = 250  # as the injector has it
PLAINTEXT = pattern(3 * CHUNK + 100)


def build_injector(folder: Path) -> Path:
    library = folder / "fault_injector.so"
    compiler = ["cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o", str(library)]
    subprocess.run([*compiler, str(SOURCE), "-ldl"], check=True)
    return library


@dataclass(frozen=True)
class Case:
    """A command, and what lies in its folder before and after it. Outputs are named with their plaintexts."""

    name: str
    arguments: tuple[str, ...]
    before: dict[str, bytes]
    outputs: dict[str, bytes] = field(default_factory=dict)
    removes: bool = False  # the inputs, once the outputs are there

    def may_be(self, name: str, content: bytes, folder: Path) -> bool:
        """Is this what the file may hold?"""
        if content == self.before.get(name):
            return True
        if self.name == "keygen":
            return len(content) == HEXADECIMAL_KEY
        return name in self.outputs and plaintext_of(folder, name, content) == self.outputs[name]


def plaintext_of(folder: Path, name: str, content: bytes) -> bytes | None:
    """Of a container, by the program without faults; other files are plaintext."""
    if not name.endswith(".wa"):
        return content
    opened = subprocess.run(
        command_line("decrypt", "-q", "-k", folder / "key", "-"),
        input=content,
        capture_output=True,
        check=False,
        env=environment(),
    )
    return opened.stdout if opened.returncode == 0 else None


def cases(folder: Path) -> list[Case]:
    """The commands that write files. `folder` is for what has to be made before."""
    key, new_key = pattern(32), pattern(33)[1:]
    for name, content in {"key": key, "new": new_key, "plain": PLAINTEXT}.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    succeed("encrypt", "-q", "-k", folder / "key", folder / "plain")
    sealed = (folder / "plain.wa").read_bytes()
    keys = {"key": key}
    plain = {"plain": PLAINTEXT}
    several = {"f/a": PLAINTEXT, "f/b": b"", "f/c": PLAINTEXT[:CHUNK]}
    return [
        Case("encrypt", ("encrypt", "-q", "-k", "key", "plain"), {**keys, **plain}, {"plain.wa": PLAINTEXT}),
        Case("decrypt", ("decrypt", "-q", "-k", "key", "plain.wa"), {**keys, "plain.wa": sealed}, plain),
        Case(
            "decrypt over an old file",
            ("decrypt", "-q", "--force", "-k", "key", "plain.wa"),
            {**keys, "plain.wa": sealed, "plain": b"old"},
            plain,
        ),
        Case(
            "encrypt and remove",
            ("encrypt", "-q", "--rm", "-k", "key", "plain"),
            {**keys, **plain},
            {"plain.wa": PLAINTEXT},
            removes=True,
        ),
        Case(
            "encrypt a folder",
            ("encrypt", "-q", "-r", "-k", "key", "f"),
            {**keys, **several},
            {f"{name}.wa": content for name, content in several.items()},
        ),
        Case(
            "rekey in place",
            ("rekey", "-q", "-k", "new", "--new-key-file", "key", "plain.wa"),
            {"key": key, "new": new_key, "plain.wa": resealed(folder)},
            {"plain.wa": PLAINTEXT},
        ),
        Case(
            "decrypt gcm",
            ("raw", "-q", "-d", "--mode", "gcm", "-k", "key", "raw", "-o", "plain"),
            {**keys, "raw": bytes(12) + AESGCM(key).encrypt(bytes(12), PLAINTEXT, None)},
            plain,
        ),
        Case("keygen", ("keygen", "-q", "-o", "made"), {}, {"made": b""}),
    ]


def resealed(folder: Path) -> bytes:
    """The plaintext under the other key."""
    succeed("encrypt", "-q", "-k", folder / "new", folder / "plain", "-o", folder / "other.wa")
    return (folder / "other.wa").read_bytes()


@dataclass(frozen=True)
class Counts:
    before_main: int  # allocations while libraries and static objects are initialised
    allocations: int
    calls: int


@dataclass
class Outcome:
    code: int
    message: str
    wrong: str = ""  # what is not as it should be
    allowed: str = ""  # what is not, and is allowed


class Campaign:
    def __init__(self, folder: Path):
        self.folder = folder
        self.injector = build_injector(folder)
        made = folder / "made"
        made.mkdir()
        self.cases = cases(made)

    def counts(self, case: Case) -> Counts:
        """What the command does without a fault."""
        path = self.folder / "count"
        outcome = self.run(case, "none", 0, count=path)
        assert outcome.code == 0, outcome.message
        assert not outcome.wrong, outcome.wrong
        return Counts(*map(int, path.read_text().split()))

    def run(self, case: Case, kind: str, at: int, count: Path | None = None) -> Outcome:
        extra = {"LD_PRELOAD": str(self.injector), "FAULT_KIND": kind, "FAULT_AT": str(at)}
        if count:
            extra["FAULT_COUNT"] = str(count)
        with self.prepared(case) as name:
            folder = Path(name)
            command = command_line(*case.arguments)
            try:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env=environment(**extra),
                    capture_output=True,
                    timeout=60,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Outcome(-1, "", "did not end")
            outcome = Outcome(done.returncode, done.stderr.decode(errors="replace"))
            self.judge(case, folder, outcome, killed=kind == "kill")
            return outcome

    def kill_at_a_random_moment(self, case: Case, seconds: float) -> Outcome:
        with self.prepared(case) as name:
            folder = Path(name)
            running = subprocess.Popen(
                command_line(*case.arguments), cwd=folder, env=environment(), stderr=subprocess.DEVNULL
            )
            time.sleep(random.uniform(0, seconds))
            running.kill()
            outcome = Outcome(running.wait(60), "")
            self.judge(case, folder, outcome, killed=True)
            return outcome

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
        outcome.wrong = self.wrong_files(case, folder, there, outcome.code)

    @staticmethod
    def wrong_files(case: Case, folder: Path, there: dict[str, bytes], code: int) -> str:
        broken = [name for name, content in there.items() if not case.may_be(name, content, folder)]
        if broken:
            return f"neither old nor whole: {', '.join(broken)}"
        missing = sorted(set(case.outputs) - set(there))
        if code == 0 and missing:
            return f"success, and missing: {', '.join(missing)}"
        lost = sorted(set(case.before) - set(there))
        if lost and (not case.removes or missing):
            return f"lost: {', '.join(lost)}"
        return ""


def files_in(folder: Path) -> Iterable[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


@dataclass
class Findings:
    wrong: list[str] = field(default_factory=list)
    allowed: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, outcome: Outcome) -> None:
        if outcome.wrong:
            self.wrong.append(f"{what}: {outcome.wrong}: {outcome.message}")
        elif outcome.allowed:
            self.allowed[outcome.allowed] += 1


def faults_of(counts: Counts, every: int, first: int = 1) -> list[tuple[str, int]]:
    """All calls, and of the allocations after the start of main() each so many."""
    calls = [(kind, at) for kind in ("call", "kill") for at in range(1, counts.calls + 1)]
    return calls + [("memory", at) for at in range(counts.before_main + first, counts.allocations + 1, every)]


def try_all(campaign: Campaign, case: Case, faults: Iterable[tuple[str, int]], kills: int = 0) -> Findings:
    findings = Findings()

    def try_one(fault: tuple[str, int]) -> tuple[str, Outcome]:
        kind, at = fault
        if kind == "random kill":
            return f"{case.name}, {kind}", campaign.kill_at_a_random_moment(case, 0.03)
        return f"{case.name}, {kind} {at}", campaign.run(case, kind, at)

    with ThreadPoolExecutor() as pool:
        for what, outcome in pool.map(try_one, [*faults, *[("random kill", 0)] * kills]):
            findings.add(what, outcome)
    return findings


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=0, help="at random moments, shared by all commands")
    parser.add_argument("--every", type=int, default=1, help="of the allocations only each so many")
    options = parser.parse_args()
    bad = 0
    folder = Path(tempfile.mkdtemp())
    try:
        campaign = Campaign(folder)
        for case in campaign.cases:
            counts = campaign.counts(case)
            faults, kills = faults_of(counts, options.every), options.kills // len(campaign.cases)
            findings = try_all(campaign, case, faults, kills)
            line = {"command": case.name, **asdict(counts), "faults": len(faults), "random_kills": kills}
            say = {**line, "wrong": len(findings.wrong), "allowed": dict(findings.allowed)}
            print(json.dumps(say), flush=True)
            print("".join(f"{text}\n" for text in findings.wrong), end="", file=sys.stderr, flush=True)
            bad += len(findings.wrong)
    finally:
        shutil.rmtree(folder)
    return 1 if bad else 0


if __name__ == "__main__":
    assert PROGRAM.is_file(), f"{PROGRAM} is missing: ./dev build"
    sys.exit(main())
