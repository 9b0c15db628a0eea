"""The course's commands work as they are printed, one after the other, and name what there is."""

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, ROOT, environment, succeed

COURSE = ROOT / "docs" / "course"
PAGES = sorted(COURSE.glob("*.md"))

BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"warpaes lab (?:show|run) (\w+)")

# What a page says that its commands print.
PROMISED = {
    "01-what-aes-is.md": ["69 c4 e0 d8 6a 7b 04 30 d8 cd b7 80 70 b4 c5 5a"],
    "03-t-tables.md": ["0xa56363c6"],
    "06-bank-conflicts.md": ["16 copies: 2.00 passes", "32 copies: 1.00 passes"],
    "07-bitslicing.md": ["0x96 0xe8"],
    "08-ghash.md": ["e1000000000000000000000000000000"],
    "09-data-on-the-gpu.md": ["47846."],
}


def commands(text: str) -> str:
    """All shell blocks of a page, those in lists too, as one script."""
    return "".join(textwrap.dedent(block) for _, block in BLOCK.findall(text))


def run_script(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment(PATH=path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_work(page: Path, tmp_path: Path) -> None:
    script = commands(page.read_text())
    assert script, "a chapter without anything to run"
    done = run_script(script, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for text in PROMISED.get(page.name, []):
        assert text in done.stdout


def test_every_lesson_that_is_named_exists() -> None:
    lessons = {line["name"] for line in succeed("lab", "list", "--json").lines if line["type"] == "lesson"}
    for page in PAGES:
        assert set(NAMED.findall(page.read_text())) <= lessons, page


def test_chapters_are_linked_and_short() -> None:
    start = (COURSE / "README.md").read_text()
    for page in PAGES:
        assert page.name == "README.md" or f"({page.name})" in start
        assert len(page.read_text().splitlines()) <= 130, page


def test_a_command_that_fails_is_found(tmp_path: Path) -> None:
    page = "```sh\ntrue\n```\n\n1. An\n\n   ```sh\n   warpaes lab show no_such_lesson\n   true\n   ```\n"
    script = commands(page)
    assert script == "true\nwarpaes lab show no_such_lesson\ntrue\n"
    assert run_script(script, tmp_path).returncode != 0
    assert NAMED.findall(page) == ["no_such_lesson"]
