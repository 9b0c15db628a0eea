"""Figures that pages quote from the evidence, so that no page says what the last run does not.

In a page, behind the figure and invisible to its readers, stands where it is from:

    GCM-128 at 983<!-- bench gb_per_s mode=gcm where=device kernel=lane_private_tables key_bits=128
    direction=encrypt --> GB/s

The words are the kind of evidence, the field, and what the line must say; of several lines that say it, the
one with the most bytes is taken. `./dev evidence --figures` writes the figures, and lint compares them. In a
page it is one line, without a space before it; what only looks like it is an error.
"""

import re
from pathlib import Path
from typing import Any

from devtools.process import Stop
from devtools.repository import ROOT

Line = dict[str, Any]

QUOTATION = re.compile(
    r"(?P<figure>[0-9][0-9.,]*)<!-- (?P<kind>[a-z-]+) (?P<field>\w+)(?P<choice>( \S+=\S+)+) -->"
)
# Any comment of a word, others, and name=value among them.
LIKE_A_QUOTATION = re.compile(r"<!--\s*[\w-]+\s(?:(?!-->).)*?[\w-]=(?:(?!-->).)*-->", re.DOTALL)


def pages() -> list[Path]:
    """The pages that quote figures, or seem to."""
    candidates = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in candidates if LIKE_A_QUOTATION.search(path.read_text())]


def renewed(path: Path, text: str, runs: dict[str, list[Line] | None]) -> str:
    """
    :param runs: the lines of each kind of evidence; None: there is no run of it yet
    """

    def of_the_run(match: re.Match[str]) -> str:
        if match["kind"] not in runs:
            raise Stop(f"{path.name} quotes a kind of evidence that there is not: {match[0]}")
        lines = runs[match["kind"]]
        if lines is None:
            return match[0]
        figure = as_written(value(path, match, lines), match["figure"])
        return f"{figure}{match[0].removeprefix(match['figure'])}"

    understood = {match.end() for match in QUOTATION.finditer(text)}
    for comment in LIKE_A_QUOTATION.finditer(text):
        if comment.end() not in understood:
            raise Stop(
                f"{path.name} has what looks like a quotation and is none: {comment[0]}",
                hint="a figure, at once behind it <!-- kind field name=value -->, and all in one line",
            )
    return QUOTATION.sub(of_the_run, text)


def value(path: Path, match: re.Match[str], lines: list[Line]) -> float:
    choice = dict(word.split("=", 1) for word in match["choice"].split())
    fitting = [
        line
        for line in lines
        if match["field"] in line and all(str(line.get(name)) == wanted for name, wanted in choice.items())
    ]
    if not fitting:
        raise Stop(f"{path.name} quotes what no line of the evidence says: {match[0]}")
    largest = max(fitting, key=lambda line: int(line.get("bytes", 0)) * int(line.get("messages", 1)))
    return float(largest[match["field"]])


def as_written(figure: float, before: str) -> str:
    """The figure with as many decimals as the page has."""
    decimals = len(before.rpartition(".")[2]) if "." in before else 0
    return f"{figure:.{decimals}f}"
