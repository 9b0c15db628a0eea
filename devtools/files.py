"""./dev files, and the suite `files` of ./dev gpu: `warpaes` on files, as a file of evidence."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from devtools import files_bench
from devtools.build import build_and_stage
from devtools.files_bench import Line, Place
from devtools.gpu_run import Run, machine_line
from devtools.process import Stop, say, text_of
from devtools.repository import BUILD

# The name of a place, where it is, and what has to follow a command that does not wait for the disk itself.
Medium = tuple[str, Path, str]
ON_TMPFS: Medium = ("tmpfs", Path("/dev/shm"), "")
ON_DISK: Medium = ("disk", BUILD, " && sync out")
COPIES = 4  # of the file, which are there at the same time: plaintext, two ciphertexts, output


def files(output: Path, size: int, turns: int, *, system_cuda: bool, openssl: str) -> int:
    require_measurable(size, turns)
    build_and_stage("dev", parts=("product",), system_cuda=system_cuda, openssl=openssl)
    output.mkdir(parents=True, exist_ok=True)
    run = Run(machine_line(), output.resolve())
    return 0 if kept(run, measured(size, turns, (ON_TMPFS, ON_DISK))) else 1


def require_measurable(size: int, turns: int) -> None:
    if size <= 0 or size % (files_bench.COPIERS << 20) != 0:
        raise Stop(
            f"--mebibytes: {files_bench.COPIERS} dd share a multiple of {files_bench.COPIERS} MiB",
            hint=f"--mebibytes {128 * files_bench.COPIERS}",
        )
    if turns < 1:
        raise Stop("--turns: there has to be one")


def suite(run: Run, seconds: float) -> bool:
    """On a machine with a GPU: 2 GiB, which 16 processors need some tenths of a second for. Only on tmpfs, as
    the disk of a machine with a GPU is seldom what limits it, and the time is dear."""
    del seconds
    choices = ("--engine cuda", "--engine openssl", "--threads 4")
    lines = measured(2 << 30, 3, (ON_TMPFS,), choices=choices, device_bytes=4 << 30)
    return kept(run, lines)


def kept(run: Run, lines: Iterable[Line]) -> bool:
    """Each line is written as soon as it is known, and the ratios at the end."""
    known: list[Line] = []
    machine = peers()
    for line in lines:
        known.append(line)
        run.keep("files", map(json.dumps, known), machine)
    ratios = files_bench.ratios(known)
    run.write("files", map(json.dumps, [*known, *ratios]), machine)
    return bool(ratios)


def measured(
    size: int,
    turns: int,
    media: Iterable[Medium],
    *,
    choices: Sequence[str] = (),
    device_bytes: int = 0,
) -> Iterator[Line]:
    """
    :param choices: options with which `warpaes` is also timed
    :param device_bytes: of the file that goes to device memory and comes from there; 0: there is none
    """
    for name, parent, sync in media:
        parent.mkdir(exist_ok=True)
        if shutil.disk_usage(parent).free < COPIES * size:
            say(f"{name}: skipped: no room for {COPIES} times {size} bytes in {parent}")
            yield {"type": "skipped", "place": name, "reason": "no room"}
            continue
        with tempfile.TemporaryDirectory(dir=parent) as folder:
            yield from in_place(Place(name, Path(folder), sync, choices), size, turns)
            if name == "tmpfs" and device_bytes != 0:
                yield from files_bench.device_memory(Path(folder), device_bytes, turns)


def in_place(place: Place, size: int, turns: int) -> Iterator[Line]:
    yield from files_bench.whole_files(place, size, turns)
    if place.name == "tmpfs":
        yield from files_bench.pipes(place, size, turns)
        yield from files_bench.short_file(place)
    else:
        yield from files_bench.many_files(place, min(turns, 3))
        if shutil.disk_usage(place.folder).free > COPIES * files_bench.LARGE:
            yield from files_bench.memory(place, files_bench.LARGE)


def peers() -> dict[str, Any]:
    """What the machine's line says beside what `warpaes bench` knows."""
    versions = {
        who: text_of(command).splitlines()[0]
        for who, command in (("openssl", ["openssl", "version"]), ("age", ["age", "--version"]))
        if shutil.which(who)
    }
    load = round(os.getloadavg()[2], 1)  # of 15 minutes, the contestants among it
    return {"cpus": len(os.sched_getaffinity(0)), "peers": versions, "load": load}
