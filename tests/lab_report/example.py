"""A small run of studies, as `warpaes lab study` writes it: every kind of axis, of line and of gap."""

import json
from pathlib import Path
from typing import Any

Line = dict[str, Any]

BYTES = {"label": "Data", "unit": "", "scale": "bytes"}
COPIES = {"label": "Copies", "unit": "", "scale": "linear"}
PLACES = {"label": "Tables in", "unit": "", "scale": "category", "names": ["global", "constant", "shared"]}
SECONDS = {"label": "Time", "unit": "ms", "scale": "log", "field": "milliseconds"}
STEPS = {"label": "Step", "unit": "", "scale": "category", "names": ["bytes", "tables", "production"]}
LOADS = {"label": "Loads", "unit": "a block", "scale": "linear", "field": "shared_loads_per_block"}
REGISTERS = {"label": "Registers", "unit": "a thread", "scale": "linear", "field": "registers"}
SPEED = {"label": "Throughput", "unit": "GB/s", "scale": "linear", "field": "gb_per_s"}


def chart(panel: str, x: Line, y: Line, study: str = "one") -> Line:
    name = f"{panel}-{y['field']}"
    return {"type": "chart", "study": study, "panel": panel, "chart": name, "title": name, "x": x, "y": y}


def result(panel: str, series: str, x: float, **more: Any) -> Line:
    return {
        "type": "result",
        "study": "one",
        "panel": panel,
        "series": series,
        "x": x,
        "verified": True,
        **more,
    }


def lines() -> list[Line]:
    sizes = [1024 * 4**i for i in range(8)]
    return [
        {
            "type": "machine",
            "gpu": None,
            "cpu": 'A <CPU> & "more"',
            "cores": 2,
            "date": "2030-01-02T03:04:05Z",
        },
        {
            "type": "study",
            "study": "one",
            "title": "First <study>",
            "question": "Which?",
            "source": "S & T, 2020",
        },
        chart("sizes", BYTES, SECONDS),
        chart("sizes", BYTES, SPEED),
        {**result("sizes", "theirs (L4)", 1024, milliseconds=3.07919), "type": "published"},
        *(
            result("sizes", f"line {n}", x, milliseconds=x * 1e-4 / (n + 1), gb_per_s=n + 1.25)
            for n in range(10)
            for x in sizes
        ),
        {"type": "left_out", "study": "one", "what": "a kernel, 1 GiB", "reason": "no GPU <here>"},
        chart("copies", COPIES, SPEED),
        *(result("copies", "only one", x, gb_per_s=float(x)) for x in (1, 2, 4, 8, 16, 32)),
        chart("places", PLACES, SPEED),
        *(result("places", "first", x, gb_per_s=2.0 - x / 2) for x in range(3)),
        chart("nothing", BYTES, SECONDS),
        {"type": "study", "study": "two", "title": "Second", "question": "And?"},
        {"type": "finding", "study": "two", "text": "A finding."},
        *steps(),
        {"type": "summary", "results": 91, "wrong": 0},
        # as ./dev gpu adds them
        chart("steps", STEPS, LOADS, "three"),
        *(
            {**step, "type": "counters", **more}
            for step, more in (
                (result("steps", "here", 0), {"shared_loads_per_block": 320.0}),
                (result("steps", "here", 2), {"shared_loads_per_block": 77.25, "registers": 96}),
            )
            for step in [{**step, "study": "three"}]
        ),
    ]


def steps() -> list[Line]:
    """Of the last step only what others have published, and counters that come later."""
    measured = [
        result("steps", "here", 0, gb_per_s=100.0, registers=40),
        result("steps", "here", 1, gb_per_s=250.0, registers=64),
        {**result("steps", "theirs (V100)", 1, gb_per_s=60.0), "type": "published"},
        {**result("steps", "theirs (V100)", 2, gb_per_s=183.75), "type": "published"},
    ]
    return [
        {"type": "study", "study": "three", "title": "Steps", "question": "How far?"},
        {**chart("steps", STEPS, SPEED, "three"), "title": "The ladder: Throughput"},
        chart("steps", STEPS, REGISTERS, "three"),
        *({**line, "study": "three"} for line in measured),
    ]


def write(path: Path, content: list[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in content))
    return path
