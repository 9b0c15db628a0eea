"""Figures in pages are those of the evidence, and a quotation that no line backs is an error."""

from pathlib import Path
from typing import Any

import pytest

from devtools import evidence, quotations
from devtools.process import Stop

PAGE = Path("page.md")
LINES: list[dict[str, Any]] = [
    {"type": "machine"},
    {"type": "result", "mode": "gcm", "key_bits": 128, "bytes": 1024, "gb_per_s": 5.0},
    {"type": "result", "mode": "gcm", "key_bits": 128, "bytes": 1 << 30, "gb_per_s": 983.46},
    {"type": "result", "mode": "ctr", "key_bits": 128, "bytes": 1 << 30, "gb_per_s": 1026.0},
]


def renewed(text: str) -> str:
    return quotations.renewed(PAGE, text, {"bench": LINES})


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


def test_all_pages_agree_with_the_evidence() -> None:
    assert evidence.figures_are_of_the_run()
