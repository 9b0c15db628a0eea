"""warpaes lab report: the page and the charts say what the results say."""

import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.program import run, succeed
from tests.lab_report import example

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    succeed(
        "lab", "report", example.write(tmp_path / "results.jsonl", example.lines()), "-o", tmp_path / "out"
    )
    return tmp_path / "out"


def chart_text(folder: Path, name: str) -> str:
    return (folder / f"one-{name}.svg").read_text()


def chart(folder: Path, name: str) -> ET.Element:
    return ET.parse(folder / f"one-{name}.svg").getroot()


def test_files(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    charts = (
        "sizes-milliseconds",
        "sizes-gb_per_s",
        "copies-gb_per_s",
        "places-gb_per_s",
        "nothing-milliseconds",
    )
    steps = {f"three-steps-{field}.svg" for field in ("gb_per_s", "registers", "shared_loads_per_block")}
    assert names == {"report.html", *(f"one-{name}.svg" for name in charts), *steps}


def test_hover_values(folder: Path) -> None:
    titles = [title.text for title in chart(folder, "sizes-milliseconds").iter(f"{SVG}title")]
    assert "line 1: 4 KiB, 0.205 ms" in titles
    assert "theirs (L4): 1 KiB, 3.08 ms" in titles
    assert "first: constant, 1.5 GB/s" in [
        t.text for t in chart(folder, "places-gb_per_s").iter(f"{SVG}title")
    ]


def test_axes_are_straight_and_logarithmic(folder: Path) -> None:
    """Time is 1e-7 s a byte: on logarithmic axes a straight line, evenly spaced."""
    line = chart(folder, "sizes-milliseconds").find(f".//{SVG}path[@class='line']")
    assert line is not None
    points = [tuple(map(float, xy)) for xy in re.findall(r"[ML]([\d.]+) ([\d.]+)", line.attrib["d"])]
    assert len(points) == 8
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    assert all(abs(x - steps[0][0]) < 0.3 and abs(y - steps[0][1]) < 0.3 for x, y in steps)
    assert steps[0][0] > 0 > steps[0][1]


def test_names_do_not_lie_upon_each_other(folder: Path) -> None:
    heights = [float(text.attrib["y"]) for text in chart(folder, "sizes-gb_per_s").iter(f"{SVG}text")
               if text.attrib["class"] == "name"]  # fmt: skip
    assert len(heights) == 10
    heights.sort()
    assert all(b - a > 12 for a, b in pairwise(heights))


def test_what_is_published_is_marked(folder: Path) -> None:
    groups = chart(folder, "sizes-milliseconds").findall(f"{SVG}g")
    marked = [group for group in groups if "published" in group.attrib["class"]]
    assert len(marked) == 1


def test_nothing_measured_is_said(folder: Path) -> None:
    assert "nothing was measured" in [
        text.text for text in chart(folder, "nothing-milliseconds").iter(f"{SVG}text")
    ]


def test_page(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert (
        page.count("<svg ") == page.count("<table>") == page.count('role="img" aria-label="Line chart: ') == 8
    )
    assert '<tr><th scope="row">4 KiB</th><td>0.41</td><td>0.205</td>' in page
    assert "A &lt;CPU&gt; &amp; &quot;more&quot;" in page
    assert "<li>no GPU &lt;here&gt;: a kernel, 1 GiB</li>" in page
    assert "A finding." in page
    (script,) = re.findall(r"<script.*?</script>", page, re.DOTALL)
    assert not re.findall(
        r"fetch|XMLHttp|import|src *=(?! \"data:)|https?:", script.replace("image.src", "src")
    )
    assert not re.findall(r"(?:src|href)=\"(?!#|data:)", page)
    assert not re.findall(r"url\(|@import", page)


def test_steps_side_by_side(folder: Path) -> None:
    """Quantities of one panel in one table, with the gain of each step, and counters that came later."""
    page = (folder / "report.html").read_text()
    (table,) = re.findall(r'<table class="steps">.*?</table>', page, re.DOTALL)
    none = "\N{EN DASH}"
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)<", row) for row in table.split("<tr>")[1:]]
    assert rows == [
        ["Step", "Throughput, GB/s", "Gain", "Registers, a thread", "Loads, a block"],
        ["bytes", "100", none, "40", "320"],
        ["tables", "250", "\N{MULTIPLICATION SIGN} 2.50", "64", none],
        ["production", none, none, "96", "77.2"],
    ]
    assert "<h3>The ladder: step by step</h3>" in page


def test_wrong_results_are_said(tmp_path: Path) -> None:
    wrong = {
        **example.result("sizes", "line 0", 1024, milliseconds=1),
        "verified": False,
        "mismatch": "byte 3",
    }
    succeed("lab", "report", example.write(tmp_path / "r", [*example.lines()[:3], wrong]), "-o", tmp_path)
    assert (
        "WRONG: line 0 computed something else than OpenSSL: byte 3" in (tmp_path / "report.html").read_text()
    )


def test_names_on_either_axis_are_text_and_no_markup(tmp_path: Path) -> None:
    """Results may come from elsewhere."""
    names = ["<script>x()</script>", "&"]
    x, y = (axis | {"scale": "category", "names": names} for axis in (example.COPIES, example.SPEED))
    lines = [
        *example.lines()[:2],
        example.chart("p", x, y),
        example.result("p", names[0], 0, gb_per_s=0),
        example.result("p", names[1], 1, gb_per_s=1),
    ]
    succeed("lab", "report", example.write(tmp_path / "r", lines), "-o", tmp_path)
    assert "<script>x()" not in (tmp_path / "report.html").read_text()
    assert "<script>x()" not in chart_text(tmp_path, "p-gb_per_s")
    ET.fromstring(chart_text(tmp_path, "p-gb_per_s"))


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    themes = re.findall(r"\.chart\{(--ink[^}]*)\}", page) + re.findall(r":root\{([^}]*--ink[^}]*)\}", page)
    assert len(themes) == 6  # light, dark and print, of charts and of the page
    for theme in themes:
        colours = dict(re.findall(r"--(\w+):#(\w+)", theme))
        paper = luminance(colours["paper"])
        for name in colours.keys() - {"paper", "grid", "rule"}:
            low, high = sorted((luminance(colours[name]), paper))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (name, theme)


AXIS = {"label": "", "unit": "", "scale": "round"}
STUDY = json.dumps({"type": "study", "study": "one", "title": "", "question": ""}) + "\n"
CHART_OF_NO_SCALE = STUDY + json.dumps(example.chart("sizes", AXIS, example.SPEED)) + "\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no json\n{}\n", "line 1 is no JSON object"),
        ('{"type":"study"}\n', "key 'study' not found"),
        ('{"type":"result","study":"x","panel":"y"}\n', "a study that has not begun"),
        ("[]\n\n", "line 1 is no JSON object"),
        ("", "there is no study in it"),
        ('{"type":"machine"}\n', "there is no study in it"),
        (STUDY + "{}\n", "line 2: key 'type' not found"),
        ('{"type":1}\n', "line 1: type must be string, but is number"),
        (STUDY + STUDY, "line 2: the study 'one' begins a second time"),
        (CHART_OF_NO_SCALE, "line 2: its axis has the scale 'round', which there is not"),
    ],
)
def test_results_of_something_else(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "results").write_text(text)
    result = run("lab", "report", tmp_path / "results", "-o", tmp_path / "out")
    assert result.code == 1
    assert complaint in result.err
    assert "json.exception" not in result.err
    assert not (tmp_path / "out").exists()


def test_the_source_of_something_else_is_named_as_it_is_shown(tmp_path: Path) -> None:
    assert "standard input: line 1: " in run("lab", "report", "-", "-o", tmp_path, stdin=b"{}\n").err
    (tmp_path / "a\x1b[31mred").write_text("{}\n")
    assert "\x1b" not in run("lab", "report", tmp_path / "a\x1b[31mred", "-o", tmp_path).err


def test_nothing_is_replaced_without_force(tmp_path: Path) -> None:
    results = example.write(tmp_path / "results", example.lines())
    for name in ("report.html", "one-sizes-gb_per_s.svg"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text("mine")
        result = run("lab", "report", results, "-o", folder)
        assert result.code == 1
        assert "exists already" in result.err
        assert "--force replaces it; -o names another folder" in result.err
        assert [path.name for path in folder.iterdir()] == [name]
        assert (folder / name).read_text() == "mine"
        succeed("lab", "report", "-f", results, "-o", folder)
        assert (folder / name).read_text() != "mine"


@pytest.mark.parametrize("name", ["report.html", "seed1-file-milliseconds.svg"])
def test_a_study_begins_only_if_its_page_and_charts_can_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    result = run("lab", "study", "timing", "seed1", "--bytes-limit", "1KiB", "-o", tmp_path)
    assert result.code == 1
    assert f"{name} exists already" in result.err
    assert result.out == b""
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_a_study_whose_name_begins_like_another_one(tmp_path: Path) -> None:
    """Its charts are not looked for in the other one's section."""
    lines = [line | {"study": "one/two"} for line in example.lines() if line.get("study") == "one"]
    result = run("lab", "report", example.write(tmp_path / "r", [*example.lines(), *lines]), "-o", tmp_path)
    assert result.code == 1
    assert "cannot be the name of a chart's file" in result.err


@pytest.mark.parametrize("study", ["../evil", "no\0name"])
def test_names_that_lead_out_of_the_folder(study: str, tmp_path: Path) -> None:
    lines = [line | {"study": study} if line.get("study") == "one" else line for line in example.lines()]
    results = example.write(tmp_path / "results", lines)
    result = run("lab", "report", results, "-o", tmp_path / "out")
    assert result.code == 1
    assert "cannot be the name of a chart's file" in result.err
    assert list(tmp_path.iterdir()) == [results]


def test_results_from_standard_input(folder: Path, tmp_path: Path) -> None:
    results = (tmp_path / "results.jsonl").read_bytes()
    succeed("lab", "report", "-", "-o", tmp_path / "again", stdin=results)
    assert (tmp_path / "again" / "report.html").read_bytes() == (folder / "report.html").read_bytes()


def test_no_control_characters_of_the_folder_reach_the_terminal(tmp_path: Path) -> None:
    results = example.write(tmp_path / "results", example.lines())
    assert b"\x1b" not in succeed("lab", "report", results, "-o", tmp_path / "o\x1b[31mred").out


def test_missing_results(tmp_path: Path) -> None:
    assert run("lab", "report", tmp_path / "none").code == 10


def test_a_last_line_that_was_cut_short(tmp_path: Path) -> None:
    results = example.write(tmp_path / "results", example.lines())
    results.write_text(results.read_text() + '{"type":"res')
    succeed("lab", "report", results, "-o", tmp_path)
