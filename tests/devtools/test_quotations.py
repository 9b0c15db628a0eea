"""Figures in pages are those of the evidence, and a quotation that no line backs is an error."""

import re
from pathlib import Path
from typing import Any

import pytest

from devtools import evidence, quotations
from devtools.figures import BEGIN, END
from devtools.process import Stop
from devtools.repository import ROOT

PAGE = Path("page.md")
LINES: list[dict[str, Any]] = [
    {"type": "machine"},
    {"type": "result", "mode": "gcm", "key_bits": 128, "bytes": 1024, "gb_per_s": 5.0},
    {"type": "result", "mode": "gcm", "key_bits": 128, "bytes": 1 << 30, "gb_per_s": 983.46},
    {"type": "result", "mode": "ctr", "key_bits": 128, "bytes": 1 << 30, "gb_per_s": 1026.0},
]


def renewed(text: str) -> str:
    return quotations.renewed(PAGE, text, {"bench": LINES, "lab": None})


def test_the_figure_of_the_largest_message_is_written() -> None:
    assert renewed("At 900<!-- bench gb_per_s mode=gcm key_bits=128 --> GB/s") == (
        "At 983<!-- bench gb_per_s mode=gcm key_bits=128 --> GB/s"
    )


def test_decimals_are_the_pages() -> None:
    assert renewed("900.0<!-- bench gb_per_s mode=gcm -->").startswith("983.5<")


def test_a_right_figure_stays() -> None:
    text = "1026<!-- bench gb_per_s mode=ctr --> and 12 that nobody quotes"
    assert renewed(text) == text


def test_what_no_line_says_is_an_error() -> None:
    with pytest.raises(Stop, match=r"page\.md quotes what no line"):
        renewed("1<!-- bench gb_per_s mode=xts -->")


def test_without_a_run_nothing_changes() -> None:
    text = "7<!-- lab next_z study=key-byte -->"
    assert renewed(text) == text


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(Stop, match=r"page\.md quotes a kind of evidence that there is not: 983<!-- banch "):
        renewed("983<!-- banch gb_per_s mode=gcm -->")


@pytest.mark.parametrize(
    "text",
    [
        "983 <!-- bench gb_per_s mode=gcm -->",
        "983\n<!-- bench gb_per_s mode=gcm -->",
        "983<!-- bench gb_per_s\nmode=gcm -->",
        "983<!-- bench gb_per_s  mode=gcm -->",
        "983<!--bench gb_per_s mode=gcm-->",
        "983<!-- bench gb_per_s mode=gcm key_bits -->",
        "fast<!-- bench gb_per_s mode=gcm -->",
        "1026<!-- bench gb_per_s mode=ctr --> and 983 <!-- bench gb_per_s mode=gcm -->",
    ],
)
def test_what_only_looks_like_a_quotation_is_an_error(text: str) -> None:
    with pytest.raises(Stop, match=r"page\.md has what looks like a quotation"):
        renewed(text)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- figures: written by ./dev evidence --figures --> a=b <!-- end of figures -->",
        "<!-- end of example -->",
        "<!-- example: examples/a.c, x=1 -->",
        "`<figure>` name=value",
    ],
)
def test_other_comments_are_left_alone(text: str) -> None:
    assert renewed(text) == text


def test_a_page_of_nothing_but_a_wrong_quotation_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(quotations, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "wrong.md").write_text("983 <!-- bench gb_per_s mode=gcm -->")
    (tmp_path / "README.md").write_text("none <!-- end of example -->")
    assert quotations.pages() == [tmp_path / "docs" / "wrong.md"]


def test_all_pages_agree_with_the_evidence() -> None:
    assert evidence.figures_are_of_the_run()


def dates(page: str) -> list[str]:
    """Those that people wrote: not in links, and not in tables that are made from the evidence."""
    by_hand = re.sub(f"{BEGIN}.*?{END}", "", page, flags=re.DOTALL)
    return re.findall(r"20\d\d-\d\d-\d\d|\d+ November", re.sub(r"\]\([^)]*\)", "]", by_hand))


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "design").glob("*.md")), ids=lambda page: page.stem)
def test_how_it_works_has_no_date(page: Path) -> None:
    """What was measured on a day is a note in docs/notes, or a figure of the evidence."""
    assert dates(page.read_text()) == []


def test_a_date_is_found() -> None:
    page = f"[a](2026-11-24-a.md), on 2026-11-23\n{BEGIN}\n2026-11-24\n{END}\n, on 24 November"
    assert dates(page) == ["2026-11-23", "24 November"]
