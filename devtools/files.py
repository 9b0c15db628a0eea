"""./dev files, and the suite `files` of ./dev gpu: `warpaes` on files, as a file of evidence."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from devtools import files_bench
from devtools.build import build_and_stage
from devtools.files_bench import Line, Place
from devtools.gpu_run import Run, machine_line
from devtools.process import Stop, say, text_of
from devtools.repository import BUILD

TMPFS = Path("/dev/shm")
COPIES = 4  # of the file, which are there at the same time: plaintext, two ciphertexts, output


def files(output: Path, size: int, turns: int, *, system_cuda: bool, openssl: str) -> int:
    build_and_stage("dev", parts=("product",), system_cuda=system_cuda, openssl=openssl)
    output.mkdir(parents=True, exist_ok=True)
    run = Run(machine_line(), output.resolve())
    run.write("files", map(json.dumps, measured(size, turns)), peers())
    return 0


def suite(run: Run, seconds: float) -> bool:
    """On a machine with a GPU: 2 GiB, which 16 processors need some tenths of a second for."""
    del seconds
    choices = ("--engine cuda", "--engine openssl", "--threads 4")
    lines = measured(2 << 30, turns=3, choices=choices, device_bytes=8 << 30)
    run.write("files", map(json.dumps, lines), peers())
    return any(line["type"] == "ratio" for line in lines)


def measured(size: int, turns: int, *, choices: Sequence[str] = (), device_bytes: int = 0) -> list[Line]:
    """On tmpfs and on the disk that build/ is on.

    :param choices: options with which `warpaes` is also timed
    :param device_bytes: of the file that goes to device memory and comes from there; 0: there is none
    """
    if size % (files_bench.COPIERS << 20) != 0:
        raise Stop(f"{files_bench.COPIERS} dd share a multiple of {files_bench.COPIERS} MiB")
    lines: list[Line] = []
    with ExitStack() as folders:
        for name, parent, sync in (("tmpfs", TMPFS, ""), ("disk", BUILD, " && sync out")):
            parent.mkdir(exist_ok=True)
            if shutil.disk_usage(parent).free < COPIES * size:
                say(f"{name}: skipped: no room for {COPIES} times {size} bytes in {parent}")
                lines.append({"type": "skipped", "place": name, "reason": "no room"})
                continue
            folder = Path(folders.enter_context(tempfile.TemporaryDirectory(dir=parent)))
            lines.extend(in_place(Place(name, folder, sync, choices), size, turns))
            if name == "tmpfs" and device_bytes != 0:
                lines.extend(files_bench.device_memory(folder, device_bytes, turns))
    return [*lines, *files_bench.ratios(lines)]


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
