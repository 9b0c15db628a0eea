"""The committed page is what this program draws of the committed run, and a browser shows all of it."""

from collections import Counter
from pathlib import Path

import pytest

from devtools import evidence
from tests.cli.program import succeed
from tests.lab_report.browser import DARK, LIGHT, Seen, Window, browser, look_at

RUN = evidence.newest("lab")
if RUN is None:
    pytest.skip("no run of the lab's studies is in evidence/", allow_module_level=True)
PAGE = evidence.lab_page(RUN)


def test_it_is_drawn_from_the_run(tmp_path: Path) -> None:
    assert RUN
    succeed("lab", "report", RUN, "-o", tmp_path)
    drawn = (tmp_path / "report.html").read_text() + evidence.page_mark(RUN)
    assert PAGE.read_text() == drawn, "./dev build, then ./dev evidence --page"


def test_its_size() -> None:
    assert PAGE.stat().st_size < 1_000_000


def test_the_run_has_all_studies_and_nothing_wrong() -> None:
    assert RUN
    lines = evidence.read_lines(RUN)
    counts = Counter(line["type"] for line in lines)
    assert counts["study"] == 9
    assert counts["result"] > 300
    assert [line for line in lines if line["type"] == "result" and not line["verified"]] == []


@pytest.mark.skipif(browser() is None, reason="no Chromium: chromium-headless-shell of Debian")
@pytest.mark.parametrize("window", [Window(360, LIGHT), Window(1280, DARK)])
def test_in_a_browser(window: Window, tmp_path: Path) -> None:
    assert RUN
    charts = [line for line in evidence.read_lines(RUN) if line["type"] == "chart"]
    seen: Seen = look_at(PAGE, window, tmp_path)
    assert seen.complaints == []
    assert len(seen.answer["charts"]) == len(charts)
    assert [chart["id"] for chart in seen.answer["charts"] if chart["outside"]] == []
    assert seen.answer["pageWidth"] <= window.width
