"""The GPU's counters of the ladder's kernels, by ncu: no program can read its own."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from devtools.process import Command, Stop, Stopwatch, text_of
from devtools.repository import WARPAES

Line = dict[str, Any]

STUDY, PANELS = "ladder", ("ctr", "ghash")
SECONDS, SECONDS_EACH = 90.0, 20.0  # for all steps, and for one
BYTES = {"ctr": 64 << 20, "ghash": 16 << 20}  # several times what a GPU holds at once

CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
LOADS = "smsp__sass_inst_executed_op_shared_ld.sum"
SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"
ALU = "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"
REGISTERS, OCCUPANCY = "launch__registers_per_thread", "sm__maximum_warps_per_active_cycle_pct"
# An ncu that does not know one of them reads none: then the next, which has fewer.
METRICS = ((CONFLICTS, LOADS, ALU, SHARED, REGISTERS, OCCUPANCY), (CONFLICTS, LOADS, ALU), (CONFLICTS, LOADS))

# Field of a row, label, unit.
QUANTITIES = (
    ("shared_loads_per_block", "Loads from shared memory", "a block of 16 bytes"),
    ("bank_conflicts_per_load", "Bank conflicts", "more passes a load"),
    ("shared_percent", "Use of shared memory", "% of its peak"),
    ("alu_percent", "Use of the ALUs", "% of their peak"),
)


class NoCounters(Exception):
    """Raised, with the reason, where no counters can be read on this machine."""


def counters_of(results: list[Line], ncu: Path) -> list[Line]:
    """Lines to stand behind those of the study: charts, a row for each step that the study measured, and
    what is missing, with the reason."""
    clock = Stopwatch()
    lines: list[Line] = []
    reader = Reader(ncu)
    for step in steps_of(results):
        try:
            if clock.seconds > SECONDS:
                raise Stop(f"{SECONDS:.0f} s were over")
            lines.append(row_of(step, reader.read(step)))
        except NoCounters as reason:
            return [left_out(step, str(reason))]
        except Stop as reason:
            lines.append(left_out(step, str(reason).splitlines()[0]))
    return [*charts_of(results), *lines] if any(line["type"] == "counters" for line in lines) else lines


def steps_of(results: list[Line]) -> list[Line]:
    return [
        line
        for panel in PANELS
        for line in results
        if (line["type"], line.get("study"), line.get("panel")) == ("result", STUDY, panel)
    ]


class Reader:
    """Runs ncu, at first with ever fewer metrics until it reads some."""

    def __init__(self, ncu: Path) -> None:
        self.ncu = ncu
        self.metrics: tuple[tuple[str, ...], ...] = METRICS
        self.reads = False

    def read(self, step: Line) -> Line:
        """Of the first launch. Stop if this one failed, NoCounters if none can be read."""
        failure = ""
        for metrics in self.metrics:
            try:
                launch = launch_of(self.ncu, metrics, step)
            except Stop as stop:
                failure = str(stop).splitlines()[0]
                continue
            self.metrics, self.reads = (metrics,), True
            return launch
        if self.reads:
            raise Stop(failure)
        raise NoCounters(f"ncu reads none here: {failure}")


def launch_of(ncu: Path, metrics: tuple[str, ...], step: Line) -> Line:
    output = text_of([*command_of(ncu, metrics, step), *program_of(step)], timeout=SECONDS_EACH)
    launch = first_launch(output.splitlines())
    if not launch:
        raise Stop("it saw no launch, or this user may not read the GPU's counters")
    return launch


def command_of(ncu: Path, metrics: tuple[str, ...], step: Line) -> Command:
    kernel = "lesson_kernel" if step["worker"] == "lesson" else "^counter.*kernel$"
    options = ("--csv", "--clock-control", "none", "--launch-count", "1", "--kernel-name", f"regex:{kernel}")
    return [ncu, *options, "--metrics", ",".join(metrics)]


def program_of(step: Line) -> Command:
    asked = (
        "--bytes",
        str(BYTES[step["panel"]]),
        "--samples",
        "1",
        "--key-bits",
        "128",
        "--mode",
        step["mode"],
    )
    if step["worker"] == "lesson":
        return [WARPAES, "lab", "run", step["name"], *asked]
    return [WARPAES, "bench", "--json", "--engine", step["name"], "--direction", "encrypt", *asked]


def first_launch(lines: Iterable[str]) -> Line:
    """Metrics by name, from ncu's CSV, which stands among the program's own output."""
    launch: Line = {}
    for row in csv.DictReader(line for line in lines if line.startswith('"')):
        launch["kernel"] = row["Kernel Name"]
        if row["Metric Value"] != "n/a":
            launch[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return launch


def row_of(step: Line, launch: Line) -> Line:
    row = {
        "type": "counters",
        **{name: step[name] for name in ("study", "panel", "series", "x", "step", "worker", "name", "mode")},
        "bytes": BYTES[step["panel"]],
        **launch,
    }
    if LOADS in launch:  # of whole warps: 32 lanes
        row["shared_loads_per_block"] = 32 * launch[LOADS] / (row["bytes"] / 16)
        if launch[LOADS] and CONFLICTS in launch:
            row["bank_conflicts_per_load"] = launch[CONFLICTS] / launch[LOADS]
    fields = [("shared_percent", SHARED, 1.0), ("alu_percent", ALU, 1.0)]
    if "registers" not in step:  # which a lesson tells itself
        fields += [("registers", REGISTERS, 1.0), ("occupancy", OCCUPANCY, 0.01)]
    row.update({field: scale * launch[metric] for field, metric, scale in fields if metric in launch})
    return row


def charts_of(results: list[Line]) -> list[Line]:
    """Charts of the counters, over the same steps as the study's own charts."""
    made = []
    for chart in results:
        if chart["type"] != "chart" or chart["study"] != STUDY or chart["y"]["field"] != "gb_per_s":
            continue
        if chart["panel"] not in PANELS:
            continue
        title = chart["title"].removesuffix(f": {chart['y']['label']}")
        made += [
            {
                **chart,
                "chart": f"{chart['panel']}-{field}",
                "title": f"{title}: {label}",
                "y": {"label": label, "unit": unit, "scale": "linear", "field": field},
            }
            for field, label, unit in QUANTITIES
        ]
    return made


def left_out(step: Line, reason: str) -> Line:
    return {
        "type": "left_out",
        "study": STUDY,
        "panel": step["panel"],
        "series": step["series"],
        "what": f"counters of {step['name']}",
        "reason": reason,
    }
