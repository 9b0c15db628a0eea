"""Which part of the sources may include which: the table of docs/architecture.md holds for them.

A row is a part, a folder or a pattern of files, and what it may use. A part that is used as a whole stands
below those that use it, so that there is no circle of parts. A single file may stand above.
"""

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from devtools.process import say
from devtools.repository import ROOT

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- layers: read by ./dev lint -->", "<!-- end of layers -->"
# In place of what a part may use.
FOR_ALL = "all parts may use it"
FOR_LIBRARY = "all parts of the library may use it"

SOURCES = ("benchmarks", "bindings", "cli", "examples", "include", "lab", "src")  # tests may use everything
SEARCHED = (
    "src",
    "include",
    ".",
    "benchmarks",
    "cli",
    "lab",
)  # as the compiler does, after the file's own folder
NEVER_USED = ("devtools", "tests")  # by any part
INCLUDE = re.compile(r'^\s*#\s*include\s*("[^"]+"|<[^>]+>)', re.MULTILINE)


class Part(NamedTuple):
    pattern: str
    uses: tuple[str, ...]
    remark: str

    def is_open_to(self, user: "Part") -> bool:
        return self.remark == FOR_ALL or (self.remark == FOR_LIBRARY and user.pattern.startswith("src/"))


class Arrow(NamedTuple):
    """A file of a part, and one of another part that it includes."""

    source: str
    target: str


def parts(page: str) -> list[Part]:
    """The rows, from top to bottom."""
    table = page.partition(BEGIN)[2].partition(END)[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| `")]
    return [
        Part(re.findall("`([^`]+)`", name)[0], tuple(re.findall("`([^`]+)`", uses)), uses.strip())
        for name, _, uses in rows
    ]


def fits(path: str, pattern: str) -> bool:
    return fnmatch(path, pattern) or path.startswith(f"{pattern}/")


def part_of(path: str, of: list[Part]) -> Part | None:
    """The one with the longest pattern."""
    return max(
        (part for part in of if fits(path, part.pattern)), key=lambda part: len(part.pattern), default=None
    )


def includes(root: Path = ROOT) -> Iterator[Arrow]:
    """Of a file of the project by another one, between quotation marks or angle brackets.

    The folders of tests are searched as well: their headers are named without them.
    """
    sources = {name: path for folder in SOURCES for name, path in files_in(root, folder)}
    files = {*sources, *(name for folder in NEVER_USED for name, _ in files_in(root, folder))}
    of_tests = sorted({os.path.dirname(name) for name in files - sources.keys()})
    for source, path in sorted(sources.items()):
        for name in INCLUDE.findall(path.read_text()):
            own = (os.path.dirname(source),) if name.startswith('"') else ()
            folders = (*own, *SEARCHED, *of_tests)
            candidates = (os.path.normpath(f"{folder}/{name[1:-1]}") for folder in folders)
            if target := next((each for each in candidates if each in files), None):
                yield Arrow(source, target)


def files_in(root: Path, folder: str) -> Iterator[tuple[str, Path]]:
    for path in (root / folder).rglob("*.*"):
        if path.suffix in {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}:
            yield path.relative_to(root).as_posix(), path


def violations(of: list[Part], arrows: list[Arrow]) -> list[str]:
    """Sentences about what the table does not allow, what it allows in vain, and parts above their users."""
    found = []
    needed = set()
    for arrow in arrows:
        if arrow.target.startswith(tuple(f"{folder}/" for folder in NEVER_USED)):
            found.append(f"{arrow.source} includes {arrow.target}, which no part may use")
            continue
        user, used = part_of(arrow.source, of), part_of(arrow.target, of)
        if user is None or used is None:
            found.append(f"{arrow.source if user is None else arrow.target} is in no part")
            continue
        allowing = {pattern for pattern in user.uses if fits(arrow.target, pattern)}
        needed |= {(user.pattern, pattern) for pattern in allowing}
        if user != used and not used.is_open_to(user) and not allowing:
            found.append(
                f"{arrow.source} includes {arrow.target}, and {user.pattern} may not use {used.pattern}"
            )
        if of.index(used) < of.index(user) and allowing - {arrow.target}:
            found.append(
                f"{arrow.source} includes {arrow.target}, and {used.pattern} stands above {user.pattern}"
            )
    in_vain = (
        (part, pattern) for part in of for pattern in part.uses if (part.pattern, pattern) not in needed
    )
    found += [f"{part.pattern} may use {pattern}, and does not" for part, pattern in in_vain]
    return found


def layers_are_kept() -> bool:
    found = violations(parts(PAGE.read_text()), list(includes()))
    for sentence in found:
        say(sentence)
    if found:
        say(f"Which part may use which: the table of {PAGE.relative_to(ROOT)}")
    return not found
