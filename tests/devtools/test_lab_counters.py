"""The counters of the ladder: what ncu prints becomes rows beside those of the study, or a reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import lab_counters
from devtools.gpu_run import lines_of
from devtools.process import Command, Stop

OUTPUT = f"""==PROF== Connected to process 1
byte_by_byte: ctr encrypt 128 bits, 64 MiB: the same bytes as OpenSSL has
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","lesson_kernel<a, b>(c)","{lab_counters.LOADS}","inst","41,943,040"
"0","lesson_kernel<a, b>(c)","{lab_counters.CONFLICTS}","","10,485,760"
"0","lesson_kernel<a, b>(c)","{lab_counters.ALU}","%","37.5"
"0","lesson_kernel<a, b>(c)","{lab_counters.OCCUPANCY}","%","n/a"
"0","lesson_kernel<a, b>(c)","{lab_counters.REGISTERS}","register/thread","96"
"""
NCU = Path("ncu")


def chart(study: str, panel: str, field: str) -> dict[str, Any]:
    y = {"label": "Throughput", "unit": "GB/s", "scale": "linear", "field": field}
    x = {"label": "Step", "scale": "category", "names": ["bytes", "production"]}
    name = f"{panel}-{field}"
    title = "CTR: Throughput"
    return {"type": "chart", "study": study, "panel": panel, "chart": name, "title": title, "x": x,
            "y": y}  # fmt: skip


def result(study: str, panel: str, x: int, worker: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": "result", "study": study, "panel": panel, "series": "this GPU", "x": x, "step": name,
            "worker": worker, "name": name, "mode": "ctr", **more}  # fmt: skip


RESULTS: list[dict[str, Any]] = [
    {"type": "study", "study": "ladder"},
    chart("ladder", "ctr", "gb_per_s"),
    chart("ladder", "ctr", "registers"),
    chart("ladder", "literature", "gb_per_s"),
    chart("seed1", "ctr", "gb_per_s"),
    result("ladder", "ctr", 0, "lesson", "byte_by_byte", registers=40),
    result("ladder", "ctr", 1, "engine", "cuda"),
    result("ladder", "literature", 1, "engine", "cuda"),
    result("seed1", "ctr", 1, "lesson", "byte_by_byte"),
]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Those that ran."""
    ran: list[list[str]] = []

    def text_of(command: Command, *, timeout: float) -> str:
        assert timeout <= lab_counters.SECONDS_EACH
        ran.append([str(word) for word in command])
        return OUTPUT

    monkeypatch.setattr(lab_counters, "text_of", text_of)
    return ran


def test_each_step_that_was_measured_has_a_row(commands: list[list[str]]) -> None:
    lines = lab_counters.counters_of(RESULTS, NCU)
    rows = [line for line in lines if line["type"] == "counters"]
    assert [(row["x"], row["name"]) for row in rows] == [(0, "byte_by_byte"), (1, "cuda")]
    assert "lab" in commands[0]
    assert "bench" in commands[1]
    # 2^22 blocks: 320 loads of a lane each, and a conflict in every fourth of a warp.
    assert rows[0]["shared_loads_per_block"] == 320
    assert rows[0]["bank_conflicts_per_load"] == 0.25
    assert rows[0]["alu_percent"] == 37.5
    assert "shared_percent" not in rows[0]
    assert "registers" not in rows[0]  # it told them itself
    assert rows[1]["registers"] == 96
    assert "occupancy" not in rows[1]


def test_charts_are_over_the_same_steps(commands: list[list[str]]) -> None:
    del commands
    charts = [line for line in lab_counters.counters_of(RESULTS, NCU) if line["type"] == "chart"]
    assert [made["y"]["field"] for made in charts] == [field for field, *_ in lab_counters.QUANTITIES]
    assert charts[0]["title"] == "CTR: Loads from shared memory"
    assert {json.dumps(made["x"]) for made in charts} == {json.dumps(RESULTS[1]["x"])}


def test_an_ncu_that_knows_fewer_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def text_of(command: Command, *, timeout: float) -> str:
        del timeout
        words = [str(word) for word in command]
        asked.append(words[words.index("--metrics") + 1])
        if lab_counters.ALU in asked[-1]:
            raise Stop("exit code 1")
        return OUTPUT

    monkeypatch.setattr(lab_counters, "text_of", text_of)
    rows = [line for line in lab_counters.counters_of(RESULTS, NCU) if line["type"] == "counters"]
    assert len(rows) == 2
    assert len(asked) == len(lab_counters.METRICS) + 1  # what it does not know is not tried again


@pytest.mark.parametrize("output", ["==ERROR== ERR_NVGPUCTRPERM", None])
def test_no_counters_at_all(monkeypatch: pytest.MonkeyPatch, output: str | None) -> None:
    def text_of(command: Command, *, timeout: float) -> str:
        del command, timeout
        if output is None:
            raise Stop("exit code 1: ncu")
        return output

    monkeypatch.setattr(lab_counters, "text_of", text_of)
    (line,) = lab_counters.counters_of(RESULTS, NCU)
    assert line["type"] == "left_out"
    assert line["reason"].startswith("ncu reads none here: ")


def test_one_step_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def text_of(command: Command, *, timeout: float) -> str:
        del timeout
        if "bench" in command:
            raise Stop("exit code 1: bench\nand more")
        return OUTPUT

    monkeypatch.setattr(lab_counters, "text_of", text_of)
    lines = [line for line in lab_counters.counters_of(RESULTS, NCU) if line["type"] != "chart"]
    assert [line["type"] for line in lines] == ["counters", "left_out"]
    assert lines[1]["reason"] == "exit code 1: bench"


def test_time_that_is_over(commands: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_counters, "SECONDS", -1.0)
    lines = lab_counters.counters_of(RESULTS, NCU)
    assert commands == []
    assert {line["type"] for line in lines} == {"left_out"}


def test_a_line_that_was_cut_short(tmp_path: Path) -> None:
    (tmp_path / "results").write_text('{"type":"machine"}\n{"type":"study"}\n{"type":"res')
    assert [line["type"] for line in lines_of(tmp_path / "results")] == ["machine", "study"]
