"""The suite `lab` of ./dev gpu: all studies, and the counters of the ladder's kernels."""

import json
import tempfile
from pathlib import Path
from typing import Any

from devtools.gpu_run import Run, cuda_tool, lines_of, succeeds
from devtools.lab_counters import counters_of
from devtools.process import say
from devtools.repository import STAGED_DATA, WARPAES

# Of the studies, before rows are left out: with the counters' time it is less than 8 minutes. An H200
# machine took 293 s for both.
TIME_LIMIT = 300


def lab(run: Run, seconds: float) -> bool:
    """What the studies measured, from which `warpaes lab report` draws the page anywhere."""
    evidence = run.file("lab")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Each line is where it shall be as soon as it is known, whatever ends this.
        evidence.write_text("")
        (folder / "results.jsonl").symlink_to(evidence)
        passed = succeeds(
            [
                WARPAES,
                "lab",
                "study",
                "all",
                "--quiet",
                "--force",
                "--time-limit",
                str(TIME_LIMIT),
                "-o",
                folder,
            ],
            seconds,
        )
    results = lines_of(evidence)[1:]  # without the study's own machine line
    if not results:
        say("no results were written")
        return False
    if results[-1]["type"] not in ("summary", "interrupted"):
        results.append({"type": "interrupted"})
    sources = {"sources_sha256": (STAGED_DATA / "lab.sha256").read_text().strip()}
    run.write("lab", map(json.dumps, results), sources)
    run.write("lab", map(json.dumps, [*results, *ladder_counters(results)]), sources)
    return passed


def ladder_counters(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ncu = cuda_tool("ncu")
    if ncu is None:
        reason = "ncu, which reads the GPU's counters, is neither on PATH nor in /usr/local/cuda*/bin"
        say(f"no counters of the ladder: {reason}")
        return [{"type": "left_out", "study": "ladder", "what": "counters of the kernels", "reason": reason}]
    lines = counters_of(results, ncu)
    for line in lines:
        if line["type"] != "chart":
            say(json.dumps(line))
    return lines
