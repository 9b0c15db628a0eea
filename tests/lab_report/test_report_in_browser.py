"""The page in a real browser: all charts drawn, narrow and wide, light and dark, without complaints."""

from pathlib import Path

import pytest

from tests.cli import pictures
from tests.cli.program import succeed
from tests.lab_report import example
from tests.lab_report.browser import DARK, LIGHT, Seen, Window, browser, look_at, saved_png

pytestmark = pytest.mark.skipif(browser() is None, reason="no Chromium: chromium-headless-shell of Debian")

CHARTS = 8
LINES = [11, 10, 1, 1, 0, 2, 1, 1]
POINTS = [81, 80, 6, 3, 0, 4, 3, 2]


@pytest.fixture(scope="module", params=[(360, LIGHT), (360, DARK), (1280, LIGHT), (1280, DARK)])
def window(request: pytest.FixtureRequest) -> Window:
    return Window(*request.param)


@pytest.fixture(scope="module")
def seen(window: Window, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("report")
    succeed("lab", "report", example.write(folder / "results.jsonl", example.lines()), "-o", folder)
    return look_at(folder / "report.html", window, folder)


def test_no_complaints(seen: Seen) -> None:
    assert seen.complaints == []


def test_all_charts_are_drawn(seen: Seen) -> None:
    charts = seen.answer["charts"]
    assert [len(chart["lines"]) for chart in charts] == LINES
    assert [chart["points"] for chart in charts] == POINTS
    assert all(chart["width"] > 300 and chart["height"] > 200 for chart in charts)
    # All but the one of a single point have a length.
    assert all(length > 50 for chart in charts for length in chart["lines"][:10])


def test_no_text_is_cut_off(seen: Seen) -> None:
    assert [chart["outside"] for chart in seen.answer["charts"]] == [[]] * CHARTS


def test_colours_differ(seen: Seen) -> None:
    assert len(seen.answer["charts"][0]["strokes"]) == 8


def test_the_page_does_not_scroll_sideways(seen: Seen, window: Window) -> None:
    assert seen.answer["windowWidth"] == window.width
    assert seen.answer["pageWidth"] <= window.width


def test_light_and_dark(seen: Seen, window: Window) -> None:
    dark = window.scheme == DARK
    assert seen.answer["dark"] == dark
    assert seen.answer["background"] == ("rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")


def colours_in(picture: pictures.Picture) -> int:
    step = 7 * picture.channels
    return len({picture.pixels[at : at + 3] for at in range(0, len(picture.pixels), step)})


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_a_chart_as_a_picture(scheme: int, tmp_path: Path) -> None:
    succeed("lab", "report", example.write(tmp_path / "results.jsonl", example.lines()), "-o", tmp_path)
    picture = pictures.read(saved_png(tmp_path / "report.html", Window(360, scheme), tmp_path))
    assert (picture.width, picture.height) == (1600, 880)
    assert colours_in(picture) > 10
    assert (sum(picture.pixels[:3]) < 128) == (scheme == DARK)


def test_the_screenshot_is_not_empty(seen: Seen, window: Window) -> None:
    picture = pictures.read(seen.screenshot)
    assert (picture.width, picture.height) == (window.width, 900)
    assert colours_in(picture) > 10
    corner = picture.pixels[:3]
    assert (sum(corner) < 128) == (window.scheme == DARK)
