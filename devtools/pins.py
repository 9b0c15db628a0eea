"""python3 -m devtools.pins: writes the SHA-256 of every wheel that set-up may install into its lists.

To be run after a version was changed. It asks PyPI for the wheels that pip would take under each Python
that ./dev runs with, or makes wheels for. Set-up then takes no others (pip's --require-hashes), whatever a
mirror may serve.
"""

import argparse
import hashlib
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from devtools.process import run, say
from devtools.setup import BACKEND, REQUIREMENTS

SUMMARY = "Asks PyPI for each pinned version, and writes the hashes into the lists of devtools/."
PYTHONS = ("3.11", "3.12", "3.13")
PYTHONS_OF_WHEELS = ("3.10", *PYTHONS)
PINNED = re.compile(r"[A-Za-z0-9._-]+==[^\s\\]+")
HASH = "--hash=sha256:"


def pinned(text: str) -> list[str]:
    """The requirements in a list, each as name==version."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    return [match[0] for line in lines if (match := PINNED.match(line))]


def with_hashes(text: str, hashes: dict[str, set[str]]) -> str:
    """The list with the hashes of each requirement below it, in place of those that were there."""
    lines = []
    for line in text.splitlines():
        match = PINNED.match(line)
        if match:
            lines.append(" \\\n".join([match[0], *(f"    {HASH}{one}" for one in sorted(hashes[match[0]]))]))
        elif HASH not in line:
            lines.append(line)
    return "\n".join(lines) + "\n"


def downloaded(requirement: str, pythons: Sequence[str]) -> set[str]:
    hashes = set()
    for python in pythons:
        with tempfile.TemporaryDirectory() as folder:
            options = ["--quiet", "--no-deps", "--only-binary=:all:", "--python-version", python]
            run([sys.executable, "-m", "pip", "download", *options, "--dest", folder, requirement])
            hashes |= {hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in Path(folder).iterdir()}
    return hashes


def main() -> int:
    argparse.ArgumentParser(prog="python3 -m devtools.pins", description=SUMMARY).parse_args()
    for path in REQUIREMENTS:
        text = path.read_text()
        pythons = PYTHONS_OF_WHEELS if path == BACKEND else PYTHONS
        path.write_text(with_hashes(text, {one: downloaded(one, pythons) for one in pinned(text)}))
        say(f"written: {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
