"""How fast `warpaes` is on files, beside cp, dd, openssl and age, each of them by turns."""

import json
import os
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devtools.process import Stop, say, text_of
from devtools.repository import STAGED_TESTS, WARPAES

Line = dict[str, Any]
COPIERS = 8  # dd processes that share a file
MANY, MANY_BYTES = 10_000, 4096
SHORT_RUNS, SHORT_RUNS_A_TURN = 200, 10
DEVICE_MEMORY = "device memory"  # the case, as device_files calls it
LARGE = 4 << 30  # larger than any buffer
SHORT = f"{SHORT_RUNS_A_TURN} files of 6 bytes"
MANY_FILES = f"{MANY} files of {MANY_BYTES} bytes"


@dataclass(frozen=True)
class Contestant:
    """A shell command; run in the folder of the files, with "out" removed before."""

    who: str
    command: str
    needs: str = "sh"  # the program without which there is nothing to measure
    old: str = ""  # the command that makes the file that is written over


@dataclass(frozen=True)
class Place:
    """A folder, and how it is measured there."""

    name: str
    folder: Path
    sync: str = ""  # what has to follow a command that does not wait for the disk itself
    choices: Sequence[str] = ()  # options with which `warpaes` is also timed


@dataclass
class Samples:
    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)

    def line(self, **what: Any) -> Line:
        seconds = statistics.median(self.seconds)
        return {
            "type": "files",
            **what,
            "seconds": round(seconds, 5),
            "seconds_min": round(min(self.seconds), 5),
            "seconds_max": round(max(self.seconds), 5),
            "cpu_seconds": round(statistics.median(self.cpu_seconds), 5),
            "samples": len(self.seconds),
        }


def shell(command: str, folder: Path) -> tuple[float, float]:
    """Runs it. @return seconds on the clock and of processor time; Stop if it fails"""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Stop(f"exit code {done.returncode}: {command}\n{done.stderr.decode()}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def remove_outputs(folder: Path) -> None:
    for path in (folder / "out", folder / "out-folder"):
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def compared(place: Place, case: str, size: int, contestants: list[Contestant], turns: int) -> Iterator[Line]:
    """Everybody once, then everybody again: what disturbs the machine disturbs all."""
    there = [each for each in contestants if shutil.which(each.needs)]
    samples: dict[str, Samples] = {each.who: Samples() for each in there}
    for turn in range(turns + 1):
        for each in there:
            remove_outputs(place.folder)
            if each.old:
                shell(f"{each.old} && sync", place.folder)
            seconds, cpu = shell(each.command, place.folder)
            if turn != 0:  # the first one warms up
                samples[each.who].seconds.append(seconds)
                samples[each.who].cpu_seconds.append(cpu)
    remove_outputs(place.folder)
    for each in contestants:
        what = {"place": place.name, "case": case, "who": each.who, "bytes": size}
        if each.who in samples:
            line = samples[each.who].line(**what)
            speed = size / line["seconds"] / 1e9
            say(f"{place.name}, {case}: {each.who}: {line['seconds']:.3f} s, {speed:.2f} GB/s")
            yield line
        else:
            say(f"{place.name}, {case}: {each.who}: skipped: no {each.needs} here")
            yield {"type": "skipped", **what, "reason": f"no {each.needs} here"}


def parallel_dd(size: int, sync: str) -> str:
    blocks = size // (1 << 20) // COPIERS
    dd = f"dd if=plain of=out bs=1M count={blocks} conv=notrunc status=none"
    copies = " ".join(f"{dd} skip={i * blocks} seek={i * blocks} &" for i in range(COPIERS))
    return f"touch out; {copies} wait{sync}"


def with_choices(place: Place, verb: str, arguments: str) -> list[Contestant]:
    """As `warpaes` chooses, and as it is told to."""
    return [
        Contestant(f"warpaes {choice}", f"{WARPAES} {choice} -q -k key {arguments}")
        for choice in (verb, *(f"{verb} {choice}" for choice in place.choices))
    ]


OPENSSL = f"openssl enc -aes-256-ctr -K {'5a' * 32} -iv {'00' * 16}"
CTR = f"raw -q --mode ctr --iv {'00' * 16}"
GCM = "raw -q --mode gcm"


def whole_files(place: Place, size: int, turns: int) -> Iterator[Line]:
    prepare(place.folder, size)
    warpaes, sync = f"{WARPAES}", place.sync
    key = "-k key"
    yield from compared(
        place,
        "a new file",
        size,
        [
            Contestant("cp", f"cp plain out{sync}"),
            Contestant(f"{COPIERS} dd", parallel_dd(size, sync)),
            *with_choices(place, "encrypt", "plain -o out"),
            *with_choices(place, "decrypt", "plain.wa -o out"),
            Contestant("warpaes raw ctr", f"{warpaes} {CTR} {key} plain -o out"),
            Contestant("warpaes raw gcm", f"{warpaes} {GCM} {key} plain -o out"),
            Contestant("warpaes raw -d gcm", f"{warpaes} {GCM} -d {key} plain.gcm -o out"),
            Contestant("openssl enc -aes-256-ctr", f"{OPENSSL} -in plain -out out{sync}", "openssl"),
            Contestant("age", f"age -r $(cat recipient) -o out plain{sync}", "age"),
        ],
        turns,
    )
    old = "cp plain out"
    yield from compared(
        place,
        "over an old file",
        size,
        [
            Contestant("cp", f"cp plain out{sync}", old=old),
            Contestant(f"{COPIERS} dd", parallel_dd(size, sync), old=old),
            Contestant("warpaes encrypt", f"{warpaes} encrypt -q --force {key} plain -o out", old=old),
            Contestant("warpaes raw ctr", f"{warpaes} {CTR} --force {key} plain -o out", old=old),
            Contestant("warpaes raw gcm", f"{warpaes} {GCM} --force {key} plain -o out", old=old),
        ],
        turns,
    )
    yield from compared(
        place,
        "read only",
        size,
        [
            Contestant("cat", "cat plain > /dev/null"),
            *with_choices(place, "verify", "plain.wa"),
        ],
        turns,
    )


def pipes(place: Place, size: int, turns: int) -> Iterator[Line]:
    def through(filter_command: str) -> str:
        return f"cat plain | {filter_command} | cat > /dev/null"

    yield from compared(
        place,
        "a pipe",
        size,
        [
            Contestant("cat", through("cat")),
            Contestant("warpaes encrypt", through(f"{WARPAES} encrypt -q -k key -")),
            Contestant("warpaes raw gcm", through(f"{WARPAES} {GCM} -k key")),
            Contestant("openssl enc -aes-256-ctr", through(OPENSSL), "openssl"),
            Contestant("age", through("age -r $(cat recipient)"), "age"),
        ],
        turns,
    )


def many_files(place: Place, turns: int) -> Iterator[Line]:
    folder = place.folder / "many"
    folder.mkdir(exist_ok=True)
    for i in range(MANY):
        (folder / f"{i % 100}").mkdir(exist_ok=True)
        (folder / f"{i % 100}" / f"{i}").write_bytes(os.urandom(MANY_BYTES))
    shell("sync", folder)
    yield from compared(
        place,
        MANY_FILES,
        MANY * MANY_BYTES,
        [
            Contestant("cp -r, sync", "cp -r many out-folder && sync"),
            Contestant(
                "warpaes encrypt -r", f"{WARPAES} encrypt -q -k key -r many --output-folder out-folder"
            ),
        ],
        turns,
    )


def short_file(place: Place) -> Iterator[Line]:
    """What counts is processor time, nearly all of it of starting."""
    (place.folder / "short").write_bytes(b"hello\n")

    def often(command: str) -> str:
        turns = f"n={SHORT_RUNS_A_TURN}; while [ $n -gt 0 ]; do {command}; n=$((n - 1)); done"
        return f"r=$(cat recipient || true); {turns}"

    yield from compared(
        place,
        SHORT,
        6 * SHORT_RUNS_A_TURN,
        [
            Contestant(
                "warpaes encrypt", often(f"{WARPAES} encrypt -q --force --no-sync -k key short -o out")
            ),
            Contestant("age", often("age -r $r -o out short"), "age"),
            Contestant("true", often("/bin/true")),
        ],
        SHORT_RUNS // SHORT_RUNS_A_TURN,
    )


def memory(place: Place, size: int) -> Iterator[Line]:
    """The most that a process had in memory."""
    prepare(place.folder, size)
    for who, arguments in {
        "warpaes encrypt": "encrypt -q plain -o out",
        "warpaes decrypt": "decrypt -q plain.wa -o out",
        "warpaes raw gcm": f"{GCM} plain -o out",
        "warpaes raw -d gcm": f"{GCM} -d plain.gcm -o out",
        "warpaes raw -d gcm to a pipe": f"{GCM} -d plain.gcm",
    }.items():
        remove_outputs(place.folder)
        with subprocess.Popen(
            [WARPAES, *arguments.split(), "-k", "key"],
            cwd=place.folder,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(place.folder)},
        ) as running:
            _, status, usage = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode != 0:
            raise Stop(f"exit code {running.returncode}: {who}")
        say(f"memory: {who}: {usage.ru_maxrss / 1024:.0f} MiB of a file of {size >> 20} MiB")
        yield {"type": "memory", "who": who, "bytes": size, "peak_bytes": usage.ru_maxrss * 1024}
    remove_outputs(place.folder)


def device_memory(folder: Path, size: int, turns: int) -> Iterator[Line]:
    """Containers between a file and a GPU's memory, timed by a program: CUDA starts for long."""
    program = STAGED_TESTS / "device_files"
    for line in text_of([program, folder, str(size), str(turns)], timeout=180).splitlines():
        measured: Line = json.loads(line)
        say(f"{measured['case']}: {measured['who']}: {size / measured['seconds'] / 1e9:.2f} GB/s")
        yield measured


def prepare(folder: Path, size: int) -> None:
    """Random plaintext, and what it becomes."""
    with (folder / "plain").open("wb") as plain:
        for _ in range(size >> 20):
            plain.write(os.urandom(1 << 20))
    for command in (
        f"test -f key || {WARPAES} keygen -q -o key",
        f"{WARPAES} encrypt -q --force -k key plain -o plain.wa",
        f"{WARPAES} {GCM} --force -k key plain -o plain.gcm",
        "if command -v age-keygen; then age-keygen -o - 2>&1 | sed -n 's/^Public key: //p' > recipient; fi",
    ):
        shell(command, folder)


def ratios(lines: list[Line]) -> list[Line]:
    """How many times as fast as its peers, in the same run. What a machine could not measure is left out."""
    timed = {(line["place"], line["case"], line["who"]): line for line in lines if line["type"] == "files"}
    found: list[Line] = []

    def add(case: str, ours: str, *peers: str, figure: str = "seconds") -> None:
        for place in ("tmpfs", "disk"):
            theirs = [timed[place, case, peer][figure] for peer in peers if (place, case, peer) in timed]
            if not theirs or (place, case, ours) not in timed:
                continue
            value = round(min(theirs) / timed[place, case, ours][figure], 3)
            beside = {"beside": " or ".join(peers), "figure": figure, "value": value}
            found.append({"type": "ratio", "place": place, "case": case, "who": ours, **beside})

    copying = ("cp", f"{COPIERS} dd")
    for ours in ("encrypt", "decrypt", "raw ctr", "raw gcm", "raw -d gcm"):
        add("a new file", f"warpaes {ours}", *copying)
        add("over an old file", f"warpaes {ours}", *copying)
    for case, verb in (("a new file", "encrypt"), ("a new file", "decrypt"), ("read only", "verify")):
        forced = (f"warpaes {verb} --engine {engine}" for engine in ("cuda", "openssl"))
        add(case, f"warpaes {verb}", *forced)
    add(DEVICE_MEMORY, "warpaes, file to device memory", "read and copy")
    add(DEVICE_MEMORY, "warpaes, device memory to file", "write")
    for ours in ("raw ctr", "raw gcm"):
        add("a new file", f"warpaes {ours}", "warpaes encrypt")
    for case in ("a new file", "a pipe"):
        for peer in ("openssl enc -aes-256-ctr", "age"):
            add(case, "warpaes encrypt", peer)
    add(MANY_FILES, "warpaes encrypt -r", "cp -r, sync")
    add(SHORT, "warpaes encrypt", "age", figure="cpu_seconds")
    return found
