"""A page in Chromium, without a window."""

import base64
import html
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")
DARK, LIGHT = 0, 1  # blink::mojom::PreferredColorScheme

# Asked of the page when it is there; the answer is left where --dump-dom shows it.
QUESTIONS = """<script>
const box = element => element.getBoundingClientRect();
document.documentElement.dataset.answer = JSON.stringify({
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  background: getComputedStyle(document.body).backgroundColor,
  pageWidth: document.documentElement.scrollWidth, windowWidth: innerWidth,
  charts: [...document.querySelectorAll("svg.chart")].map(chart => ({
    id: chart.id, width: box(chart).width, height: box(chart).height,
    lines: [...chart.querySelectorAll(".line")].map(line => line.getTotalLength()),
    points: chart.querySelectorAll(".point title").length,
    strokes: [...new Set([...chart.querySelectorAll(".line")].map(line => getComputedStyle(line).stroke))],
    outside: [...chart.querySelectorAll("text")].filter(text =>
      box(text).left < box(chart).left - 1 || box(text).right > box(chart).right + 1 ||
      box(text).top < box(chart).top - 1 || box(text).bottom > box(chart).bottom + 1)
      .map(text => text.textContent),
  })),
});
</script>"""


# The first chart, as the page's own script makes it into a picture.
PICTURE = """<script>
png(document.querySelector("svg.chart")).then(url => document.documentElement.dataset.png = url);
</script>"""


@dataclass(frozen=True)
class Window:
    width: int
    scheme: int


@dataclass(frozen=True)
class Seen:
    answer: dict[str, Any]
    screenshot: Path
    complaints: list[str]


def browser() -> str | None:
    named = os.environ.get("WARPAES_BROWSER")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def look_at(page: Path, window: Window, folder: Path) -> Seen:
    asked, screenshot = folder / "asked.html", folder / "seen.png"
    asked.write_text(page.read_text() + QUESTIONS)
    dumped = run(window, "--dump-dom", asked.as_uri())
    found = re.search(r'data-answer="([^"]*)"', dumped.stdout)
    assert found, dumped
    seen = run(window, f"--screenshot={screenshot}", page.as_uri())
    told = (dumped.stderr + seen.stderr).splitlines()
    complaints = [line for line in told if "CONSOLE" in line or "ERR_" in line]
    return Seen(json.loads(html.unescape(found[1])), screenshot, complaints)


def saved_png(page: Path, window: Window, folder: Path) -> Path:
    asked, picture = folder / "asked.html", folder / "chart.png"
    asked.write_text(page.read_text() + PICTURE)
    dumped = run(window, "--virtual-time-budget=10000", "--dump-dom", asked.as_uri())
    found = re.search(r'data-png="data:image/png;base64,([^"]*)"', dumped.stdout)
    assert found, dumped.stderr
    picture.write_bytes(base64.b64decode(found[1]))
    return picture


def run(window: Window, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = browser()
    assert program
    options = [
        "--headless",
        "--no-sandbox",  # which root may not have, and nothing here is foreign
        "--disable-gpu",
        "--enable-logging=stderr",
        "--hide-scrollbars",
        "--proxy-server=127.0.0.1:9",  # no network
        f"--window-size={window.width},900",
        f"--blink-settings=preferredColorScheme={window.scheme}",
    ]
    return subprocess.run(
        [program, *options, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
