"""The matrix of what the conformance run says: modes and key sizes by engines."""

import json
from pathlib import Path
from typing import Any

from devtools.counts import Counts
from devtools.process import say


def report(path: Path) -> bool:
    """Prints the matrix and the sum; whether nothing failed and something ran."""
    if not path.is_file():
        say("conformance: no results were written")
        return False
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    results = [line for line in lines if line["type"] == "conformance"]
    for text in matrix(results):
        say(text)
    total = sum((counts(line) for line in results), Counts())
    say(f"conformance: {total.passed} passed, {total.skipped} skipped, {total.failed} failed")
    return total.good


def counts(line: dict[str, Any]) -> Counts:
    return Counts(line["passed"], line["failed"], line["skipped"])


def matrix(results: list[dict[str, Any]]) -> list[str]:
    engines = list(dict.fromkeys(line["engine"] for line in results))
    rows: dict[str, dict[str, Counts]] = {}
    for line in results:
        row = rows.setdefault(f"{line['mode']}-{line['key_bits']}", {})
        row[line["engine"]] = row.get(line["engine"], Counts()) + counts(line)
    table = [["passed/skipped/failed", *engines]]
    table += [[name, *(cell(row.get(engine)) for engine in engines)] for name, row in rows.items()]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in table]


def cell(found: Counts | None) -> str:
    return f"{found.passed}/{found.skipped}/{found.failed}" if found else "-"
