"""Several GPUs of one machine: what two have of one call, and of one call each, beside what one has."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from devtools.gpu_run import Run, Skipped
from devtools.process import Stop, say, text_of
from devtools.repository import WARPAES

Line = dict[str, Any]

# On host memory one call is shared by the GPUs; on device memory each has data of its own. There are so many
# samples that two programs that are begun together measure at the same time.
COMMON = "--engine cuda --mode ctr,gcm --direction encrypt"
SHARED = f"{COMMON} --where pinned --key-bits 256 --bytes 2GiB --samples 60"
OWN = f"{COMMON} --where device --key-bits 128 --bytes 4GiB --samples 200"


def devices(run: Run, seconds: float) -> bool:
    numbers = [json.loads(line) for line in text_of([WARPAES, "devices", "--json"]).splitlines()]
    gpus = [str(line["device"]) for line in numbers if line["type"] == "device"]
    if len(gpus) < 2:
        raise Skipped(f"this machine has {len(gpus)} GPU")
    lines: list[Line] = []
    for call in (SHARED, OWN):
        lines += of("one", at_once([[call, "--device", gpus[0]]], seconds))
        lines += of("each at the same time", at_once([[call, "--device", gpu] for gpu in gpus], seconds))
    lines += of("together", at_once([[SHARED, "--device", "all"]], seconds))
    lines += [copies("one", gpus[:1]), copies("each at the same time", gpus)]
    lines += [*ratios(lines, len(gpus))]
    run.write("devices", map(json.dumps, lines))
    return all(line.get("verified", True) for line in lines)


def at_once(calls: list[list[str]], seconds: float) -> list[Line]:
    """The results of several calls of `warpaes bench` that are begun together."""
    with tempfile.TemporaryDirectory() as folder:
        outputs = [Path(folder) / str(number) for number in range(len(calls))]
        running = []
        for call, output in zip(calls, outputs, strict=True):
            arguments = [word for part in call for word in part.split()]
            with output.open("wb") as file:
                running.append(subprocess.Popen([WARPAES, "bench", "--json", *arguments], stdout=file))
        codes = [each.wait(seconds) for each in running]
        if any(codes):
            raise Stop(f"warpaes bench: exit codes {codes}: {calls}")
        lines = [json.loads(line) for output in outputs for line in output.read_text().splitlines()]
    return [line for line in lines if line["type"] == "result"]


def copies(who: str, gpus: list[str]) -> Line:
    """The limit of shared calls on host memory, as a line like those of the bench."""
    speed = round(float(text_of([sys.executable, "-m", "devtools.plain_copies", *gpus])), 3)
    return {"type": "copies", "mode": "copies", "where": "pinned", "gpus": who, "gb_per_s": speed}


def of(who: str, results: list[Line]) -> list[Line]:
    return [{**line, "gpus": who} for line in results]


def ratios(lines: list[Line], gpus: int) -> list[Line]:
    """Of all GPUs' speeds to one's; of each by itself, these are what the machine allows."""
    sums: dict[tuple[str, str, str], float] = {}
    for line in lines:
        key = (line["gpus"], line["where"], line["mode"])
        sums[key] = sums.get(key, 0) + line["gb_per_s"]
    found: list[Line] = []
    for (who, where, mode), speed in sums.items():
        if who == "one":
            continue
        ratio = round(speed / sums["one", where, mode], 3)
        found.append({"type": "ratio", "gpus": who, "of": gpus, "where": where, "mode": mode, "ratio": ratio})
        say(f"{mode} in {where} memory, {gpus} GPUs {who}: {ratio} times one")
    return found
