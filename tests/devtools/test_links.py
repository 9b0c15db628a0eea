"""Links in the project's pages lead somewhere."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from devtools.repository import ROOT

PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(page for folder in ("docs", "examples", "lab") for page in (ROOT / folder).rglob("*.md")),
    ]
)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *#*$", re.MULTILINE)


def anchor(heading: str) -> str:
    """As GitHub and GitLab make it of a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def without_code(text: str) -> str:
    fenced = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", fenced)


def dead_links(page: Path, text: str) -> list[str]:
    dead = []
    for link in LINK.findall(without_code(text)):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, fragment = link.partition("#")
        target = page if path == "" else page.parent / unquote(path)
        if not target.exists():
            dead.append(link)
        elif fragment and target.suffix == ".md":
            headings = HEADING.findall(target.read_text() if path else text)
            if fragment not in {anchor(heading) for heading in headings}:
                dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    assert dead_links(page, page.read_text()) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# The *first* heading, 1\n")
    page = tmp_path / "page.md"
    there = "[a](there.md) [c](there.md#the-first-heading-1)"
    text = f"{there} [b](gone.md) [d](there.md#other) [e](#no) `[f](no.md)`"
    assert dead_links(page, text) == ["gone.md", "there.md#other", "#no"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_apt_takes_a_file_for_a_file(page: Path) -> None:
    """Of `apt install build/a.deb` apt says that there is no package `build/a.deb`."""
    files = re.findall(r"apt(?:-get)? install (\S+\.deb)", page.read_text())
    assert [file for file in files if not file.startswith(("./", "../", "/"))] == []
