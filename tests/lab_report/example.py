"""A small run of studies, as `warpaes lab study` writes it: every kind of axis, of line and of gap."""

import json
from pathlib import Path
from typing import Any

Line = dict[str, Any]

BYTES = {"label": "Data", "unit": "", "scale": "bytes"}
COPIES = {"label": "Copies", "unit": "", "scale": "linear"}
PLACES = {"label": "Tables in", "unit": "", "scale": "category", "names": ["global", "constant", "shared"]}
SECONDS = {"label": "Time", "unit": "ms", "scale": "log", "field": "milliseconds"}
SPEED = {"label": "Throughput", "unit": "GB/s", "scale": "linear", "field": "gb_per_s"}


def chart(panel: str, x: Line, y: Line) -> Line:
    name = f"{panel}-{y['field']}"
    return {"type": "chart", "study": "one", "panel": panel, "chart": name, "title": name, "x": x, "y": y}


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
        {"type": "summary", "results": 89, "wrong": 0},
    ]


def write(path: Path, content: list[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in content))
    return path
