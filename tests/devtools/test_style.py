"""Source files are as long as CONTRIBUTING.md lets them be."""

import re
from collections.abc import Iterator
from pathlib import Path

from devtools.repository import ROOT

FOLDERS = ("benchmarks", "bindings", "cli", "devtools", "examples", "include", "lab", "src", "tests")
SUFFIXES = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".py", ".pyi"}


def most_lines() -> int:
    (number,) = re.findall(r"files of at most (\d+) lines", (ROOT / "CONTRIBUTING.md").read_text())
    return int(number)


def longer(paths: Iterator[Path], most: int) -> list[str]:
    return [path.name for path in paths if len(path.read_text().splitlines()) > most]


def test_no_file_is_longer_than_the_page_says() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert len(paths) > 500
    assert longer(iter(paths), most_lines()) == []


def test_a_longer_file_is_found(tmp_path: Path) -> None:
    for name, lines in (("short.py", most_lines()), ("long.py", most_lines() + 1)):
        (tmp_path / name).write_text("\n" * lines)
    assert longer(tmp_path.iterdir(), most_lines()) == ["long.py"]
