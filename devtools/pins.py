"""python3 -m devtools.pins: writes the SHA-256 of every wheel that set-up may install into its lists.

To be run after a version was changed. It asks PyPI for the wheels that pip would take under each Python
that ./dev runs with, or makes wheels for, and what hashes they have, without downloading them: PyTorch's have
gigabytes. Set-up then takes no others (pip's --require-hashes), whatever a mirror may serve.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from devtools.process import Argument, Stop, run, say
from devtools.setup import BACKEND, PINS, REQUIREMENTS, install_pinned

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


def indexed(python: Path, requirements: Sequence[str], version: str) -> dict[str, str]:
    """The SHA-256 of the wheel of each requirement that pip takes under that version of Python.

    python: of an environment with the pip of `environment()`.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pip: list[Argument] = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        # That ranges of a wheel may be asked for, if the index has no metadata apart, is an experiment of
        # pip's, about which it warns.
        options = ["--quiet", "--use-feature=fast-deps", "--dry-run", "--ignore-installed", "--no-deps"]
        wheels = ["--only-binary=:all:", "--python-version", version, "--target", folder]
        run([*pip, *options, *wheels, "--report", report, *requirements])
        return in_report(json.loads(report.read_text()), requirements)


def in_report(report: Mapping[str, Any], requirements: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of each requirement in pip's report, which has its name as the project writes it."""
    hashes = {}
    for one in report["install"]:
        archive = one["download_info"].get("archive_info", {})
        hashes[normalized(one["metadata"]["name"])] = archive.get("hashes", {}).get("sha256")
    found = {one: hashes.get(normalized(one.partition("==")[0])) for one in requirements}
    lacking = [one for one, sha256 in found.items() if not sha256]
    if lacking:
        raise Stop(f"the index tells no SHA-256 of {', '.join(lacking)}", hint="PyPI's own does")
    return {one: sha256 for one, sha256 in found.items() if sha256}


def normalized(name: str) -> str:
    """As all ways to write the name of a package are one (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def environment(folder: Path) -> Path:
    """The interpreter of an environment with a pip that does not download what it reports."""
    run([sys.executable, "-m", "venv", folder])
    python = folder / "bin" / "python"
    install_pinned(python, [PINS])
    return python


def main() -> int:
    argparse.ArgumentParser(prog="python3 -m devtools.pins", description=SUMMARY).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder))
        for path in REQUIREMENTS:
            text = path.read_text()
            versions = PYTHONS_OF_WHEELS if path == BACKEND else PYTHONS
            told = [indexed(python, pinned(text), version) for version in versions]
            path.write_text(with_hashes(text, {one: {each[one] for each in told} for one in pinned(text)}))
            say(f"written: {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
