"""./dev evidence: are the committed GPU runs of these sources? And their figures for the README."""

import json
from pathlib import Path
from typing import Any

from devtools import sources
from devtools.figures import BEGIN, END, table
from devtools.process import Stop, say
from devtools.repository import EVIDENCE, ROOT

# Each with the sources that it is evidence of.
KINDS = {
    "conformance": sources.PRODUCT,
    "bench": sources.PRODUCT,
    "leakage": sources.PRODUCT,
    "bank-conflicts": sources.PRODUCT,
    "lab": sources.LAB,
}
README = ROOT / "README.md"


def newest(kind: str, folder: Path = EVIDENCE) -> Path | None:
    """Names begin with the date: <date>-<gpu>-<kind>.jsonl."""
    return max(folder.glob(f"*-{kind}.jsonl"), default=None)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Stop unless the file is what ./dev gpu writes: objects, the first of them the machine."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    except json.JSONDecodeError as error:
        raise Stop(f"{path.name}: {error}") from error
    if not lines or lines[0].get("type") != "machine":
        raise Stop(f"{path.name} does not begin with a machine line")
    return lines


def check(folder: Path = EVIDENCE, root: Path = ROOT) -> int:
    all_fresh = True
    for kind, patterns in KINDS.items():
        path = newest(kind, folder)
        expected = sources.fingerprint(root, patterns)
        fresh = path is not None and read_lines(path)[0].get("sources_sha256") == expected
        say(f"{'fresh' if fresh else 'stale' if path else 'missing'}: {path.name if path else kind}")
        all_fresh = all_fresh and fresh
    if not all_fresh:
        say("To make it anew: ./dev build, then ./dev gpu --output evidence on a machine with a GPU")
    return 0 if all_fresh else 1


def readme_with_figures() -> str:
    text = README.read_text()
    path = newest("bench")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise Stop(f"README.md has no {BEGIN} … {END}")
    figures = table(path.name, read_lines(path)) if path else "No GPU run has been recorded yet.\n"
    return f"{before}{BEGIN}\n{figures}{END}{after}"


def write_readme() -> int:
    README.write_text(readme_with_figures())
    return 0
