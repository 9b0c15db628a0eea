"""warpaes lab study: every row is measured, or left out with a reason; the page has all of it."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import command_line, environment, run, succeed
from tests.lab_report.browser import LIGHT, Window, browser, look_at

STUDIES = ("seed0", "seed1", "seed2", "seed3", "seed4", "ladder", "timing", "latency", "energy")
REASONS = (
    "no GPU, and emulated, a kernel's time means nothing: ",
    "beyond --bytes-limit",
    "too little ",
    "this machine does not tell its CPU's energy: ",
    "/sys/class/powercap/",  # … cannot be read
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("studies")
    succeed("lab", "study", "all", "-q", "--bytes-limit", "4KiB", "-o", out)
    return out


@pytest.fixture(scope="module")
def lines(folder: Path) -> list[dict[str, Any]]:
    return read(folder)


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def of(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


def test_all_studies_run(lines: list[dict[str, Any]]) -> None:
    assert tuple(line["study"] for line in of(lines, "study")) == STUDIES
    assert lines[0]["type"] == "machine"
    summary = lines[-1]
    assert summary["type"] == "summary"
    assert summary["results"] == len(of(lines, "result")) > 30
    assert summary["left_out"] == len(of(lines, "left_out"))
    assert summary["wrong"] == 0


def test_results_are_verified_and_plausible(lines: list[dict[str, Any]]) -> None:
    for line in of(lines, "result"):
        assert line["verified"], line
        assert line["milliseconds_min"] <= line["milliseconds"] <= line["milliseconds_max"]
        assert line["milliseconds"] > 0
        assert line["bytes"] <= 4096
        assert line["gb_per_s"] == pytest.approx(line["bytes"] / line["milliseconds"] * 1e-6)


def test_what_is_left_out_has_one_of_the_expected_reasons(lines: list[dict[str, Any]]) -> None:
    """So no row names a lesson that there is not, or asks one for what it does not have."""
    left_out = of(lines, "left_out")
    assert left_out
    assert {line["reason"] for line in left_out if not line["reason"].startswith(REASONS)} == set()


def test_the_attack_is_part_of_the_timing_study(lines: list[dict[str, Any]]) -> None:
    told = [line for line in lines if line.get("lesson") == "t_tables_timed"]
    left_out = [line for line in of(lines, "left_out") if line["what"] == "Key byte from bank conflicts"]
    assert len(told) == 2 or len(left_out) == 1


def test_latencies_are_single_calls(lines: list[dict[str, Any]]) -> None:
    told = [line for line in of(lines, "result") if line["study"] == "latency"]
    openssl = [line for line in told if line["name"] == "openssl"]
    assert {line["bytes"] for line in openssl} == {16, 256, 1024, 4096}
    assert {line["mode"] for line in openssl} == {"gcm", "ctr"}
    for line in told:
        assert line["repeats"] == 1
        assert line["samples"] >= 200
        assert 0 < line["microseconds_min"] <= line["microseconds_p50"] <= line["microseconds_p99"]
        assert line["microseconds_p99"] <= line["microseconds_max"]
        assert line["microseconds_p50"] == pytest.approx(1e3 * line["milliseconds"])


def test_energy_is_measured_or_left_out(lines: list[dict[str, Any]]) -> None:
    told = [line for line in of(lines, "result") if line["study"] == "energy"]
    left_out = [line for line in of(lines, "left_out") if line["study"] == "energy"]
    assert len(told) + len(left_out) == 16
    for line in told:
        assert line["joules_per_gb_with_idle"] > line["joules_per_gb"]
        assert line["accuracy_percent"] > 0


def test_figures_of_others_are_marked(lines: list[dict[str, Any]]) -> None:
    published = of(lines, "published")
    assert {line["study"] for line in published} == {"seed0", "seed1", "seed2", "seed4", "ladder"}
    assert not {line["series"] for line in published} & {line["series"] for line in of(lines, "result")}
    first = next(line for line in published if line["series"] == "shared memory, L4" and line["x"] == 1 << 30)
    assert first["milliseconds"] == 840.46783


def test_page_and_charts(folder: Path, lines: list[dict[str, Any]]) -> None:
    names = {f"{line['study']}-{line['chart']}.svg" for line in of(lines, "chart")}
    assert {path.name for path in folder.iterdir()} == {"results.jsonl", "report.html", *names}
    page = (folder / "report.html").read_text()
    assert page.count("<svg ") == len(names)
    assert re.search(r"<h3>Left out</h3>", page)


@pytest.mark.skipif(browser() is None, reason="no Chromium: chromium-headless-shell of Debian")
@pytest.mark.parametrize("width", [360, 1280])
def test_in_a_browser(folder: Path, width: int, tmp_path: Path) -> None:
    seen = look_at(folder / "report.html", Window(width, LIGHT), tmp_path)
    assert seen.complaints == []
    assert [chart["outside"] for chart in seen.answer["charts"] if chart["outside"]] == []
    assert seen.answer["pageWidth"] <= width


def test_an_interrupted_study_keeps_what_was_measured(tmp_path: Path) -> None:
    command = command_line("lab", "study", "seed0", "-o", tmp_path)
    results = tmp_path / "results.jsonl"
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        deadline = time.monotonic() + 60
        while not (results.is_file() and '"type":"result"' in results.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)  # a shell's background jobs ignore SIGINT
        _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"has what was measured" in complaint
    lines = read(tmp_path)
    assert lines[-1]["type"] == "interrupted"
    assert of(lines, "result")
    succeed("lab", "report", results, "-o", tmp_path / "drawn")
    assert "This run was interrupted" in (tmp_path / "drawn" / "report.html").read_text()


def test_without_openssl_the_rest_is_measured(tmp_path: Path) -> None:
    succeed("lab", "study", "seed1", "-q", "--bytes-limit", "128KiB", "-o", tmp_path,
            env=environment(PATH=str(tmp_path)))  # fmt: skip
    (line,) = [line for line in of(read(tmp_path), "left_out") if "openssl enc" in line["what"]]
    assert line["reason"] == "the program openssl is missing, or does not do it"
    assert {line["series"] for line in of(read(tmp_path), "result")} >= {"OpenSSL in memory, one core"}


def test_openssl_itself_is_measured(tmp_path: Path) -> None:
    succeed("lab", "study", "seed1", "-q", "--bytes-limit", "128KiB", "-o", tmp_path)
    (line,) = [line for line in of(read(tmp_path), "result") if line["worker"] == "program"]
    assert line["bytes"] == 71264
    assert line["verified"]


def test_a_study_that_is_named_twice_is_measured_once(tmp_path: Path) -> None:
    succeed("lab", "study", "seed2", "seed2", "-q", "--bytes-limit", "4KiB", "-o", tmp_path)
    assert [line["study"] for line in of(read(tmp_path), "study")] == ["seed2"]


def test_what_has_not_begun_in_time_is_left_out(tmp_path: Path) -> None:
    succeed(
        "lab", "study", "seed2", "-q", "--bytes-limit", "4KiB", "--time-limit", "0.000001", "-o", tmp_path
    )
    lines = read(tmp_path)
    assert of(lines, "result") == []
    reasons = {line["reason"] for line in of(lines, "left_out") if not line["reason"].startswith("no GPU")}
    assert reasons == {"its time was up (--time-limit)"}


def test_results_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("mine")
    result = run("lab", "study", "timing", "--bytes-limit", "4KiB", "-o", tmp_path)
    assert result.code == 1
    assert "exists already" in result.err
    assert (tmp_path / "results.jsonl").read_text() == "mine"
    succeed("lab", "study", "timing", "-q", "--bytes-limit", "4KiB", "-f", "-o", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["seed9"], 10, "there is no study 'seed9'"),
        (["all", "seed9", "--time-limit", "0.001"], 10, "there is no study 'seed9'"),
        (["seed0", "--bytes-limit", "much"], 2, "'much' is no size"),
        ([], 2, "NAME is required"),
    ],
)
def test_misuse(tmp_path: Path, arguments: list[str], code: int, complaint: str) -> None:
    result = run("lab", "study", *arguments, "-o", tmp_path / "out")
    assert result.code == code
    assert complaint in result.err
    assert not (tmp_path / "out").exists()
