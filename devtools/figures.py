"""The README's table of figures, made from a benchmark's JSON lines."""

from collections.abc import Iterable
from typing import Any

BEGIN = "<!-- figures: written by ./dev evidence --readme -->"
END = "<!-- end of figures -->"

Line = dict[str, Any]


def table(source: str, lines: list[Line]) -> str:
    machine = lines[0]
    results = [line for line in lines if line["type"] == "result" and line["verified"]]
    rows = [row(line) for line in headline(results)]
    return "".join(
        [
            f"{machine['gpu']}, driver {machine['driver']}; CPU {machine['cpu']}. ",
            f"From [{source}](evidence/{source}), commit {machine['commit']}; ",
            "GB = 10^9 bytes of plaintext, median, output verified.\n\n",
            "| mode | direction | data in | engine | size | GB/s | share of the hardware's limit |\n",
            "| --- | --- | --- | --- | --- | --- | --- |\n",
            *rows,
        ]
    )


def headline(results: Iterable[Line]) -> list[Line]:
    """For each mode, key size, direction, place and engine the run with the most bytes."""
    largest: dict[tuple[Any, ...], Line] = {}
    for line in results:
        key = tuple(line[name] for name in ("mode", "key_bits", "direction", "where", "engine"))
        if key not in largest or total_bytes(line) > total_bytes(largest[key]):
            largest[key] = line
    return list(largest.values())


def total_bytes(line: Line) -> int:
    return int(line["bytes"]) * int(line["messages"])


def row(line: Line) -> str:
    share = f"{line['share']:.0%} of {line['limit_name']}" if line.get("share") is not None else ""
    cells = (
        f"{line['mode'].upper()}-{line['key_bits']}",
        line["direction"],
        line["where"],
        f"{line['engine']} ({line['kernel']})",
        size(total_bytes(line)),
        f"{line['gb_per_s']:.1f}",
        share,
    )
    return f"| {' | '.join(cells)} |\n"


def size(count: int) -> str:
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= scale:
            return f"{count / scale:.4g} {unit}"
    return f"{count} B"
