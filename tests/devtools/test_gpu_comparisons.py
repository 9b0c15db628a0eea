"""Two builds, and the automatic choice beside what it chooses from: what is made of their speeds."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import gpu_choice, gpu_compare, gpu_run
from devtools.gpu_compare import Speeds
from devtools.gpu_run import Run, Skipped
from devtools.process import Stop
from devtools.repository import STAGE

MACHINE = {"gpu": "a GPU", "date": "2030-01-02"}


def row(speed: float, **changes: Any) -> tuple[tuple[str, ...], float]:
    what = dict.fromkeys(gpu_compare.WHICH, 0) | {"mode": "gcm"} | changes
    return tuple(json.dumps(what[name]) for name in gpu_compare.WHICH), speed


def by_turns(monkeypatch: pytest.MonkeyPatch, before: list[float], now: list[float]) -> list[str]:
    """Has the programs find these speeds, one after the other; the order in which they were asked."""
    asked: list[str] = []

    def measured(program: Path, call: str, seconds: float) -> Speeds:
        del call, seconds
        which = "before" if program == gpu_compare.OTHER else "now"
        asked.append(which)
        return dict([row((before if which == "before" else now).pop(0))])

    monkeypatch.setattr(gpu_compare, "measured", measured)
    return asked


def test_what_is_no_slower_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = by_turns(monkeypatch, [100.0], [99.5])
    (found,) = gpu_compare.compared("a call", 1)
    assert (found["mode"], found["ratio"], found["rounds"]) == ("gcm", 0.995, 1)
    assert asked == ["before", "now"]


def test_what_is_slower_is_measured_again_in_the_other_order(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = by_turns(monkeypatch, [100.0, 110.0], [90.0, 99.0])
    (found,) = gpu_compare.compared("a call", 1)
    assert (found["other_gb_per_s"], found["gb_per_s"], found["ratio"], found["rounds"]) == (
        105,
        94.5,
        0.9,
        2,
    )
    assert asked == ["before", "now", "now", "before"]


def test_only_rows_of_both_are_compared() -> None:
    found = gpu_compare.joined([dict([row(1), row(2, mode="old")])], [dict([row(3), row(4, mode="new")])])
    assert [(each["mode"], each["ratio"]) for each in found] == [("gcm", 3.0)]


@pytest.mark.parametrize("printed", [{"type": "result", "verified": False}, {"type": "summary"}])
def test_a_wrong_output_stops_the_comparison(
    printed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_run, "text_of", lambda *_, **__: json.dumps(printed) + "\n")
    with pytest.raises(Stop, match="no output, or a wrong one: warpaes bench --mode gcm"):
        gpu_run.bench_results(Path("warpaes"), "--mode gcm", 1)


@pytest.mark.parametrize(("ratio", "passes"), [(0.985, False), (0.99, True)])
def test_a_slower_row_fails_the_suite(
    ratio: float, passes: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(gpu_compare, "OTHER", Path(__file__))
    monkeypatch.setattr(gpu_compare, "machine_line", lambda _: {"commit": "older"})
    monkeypatch.setattr(gpu_compare, "compared", lambda *_: [{"ratio": 1.2}, {"ratio": ratio}])
    assert gpu_compare.compare(Run(MACHINE, tmp_path), 1) is passes
    first, *rows = (tmp_path / "2030-01-02-a-gpu-compare.jsonl").read_text().splitlines()
    assert (json.loads(first)["other_commit"], len(rows)) == ("older", 2 * len(gpu_compare.CALLS))


def test_without_another_program_nothing_is_compared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpu_compare, "OTHER", STAGE / "nowhere")
    with pytest.raises(Skipped, match="nowhere"):
        gpu_compare.compare(Run(MACHINE, tmp_path), 1)


def test_the_choice_is_compared_with_the_better_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    speeds = {"openssl": 40.0, "cuda": 50.0, "shared": 49.0}

    def measured(engine: str, where: str, seconds: float) -> list[tuple[gpu_choice.What, float]]:
        del seconds
        return [
            (("gcm", "encrypt", 8), speeds[engine] - (30 if (engine, where) == ("cuda", "pageable") else 0))
        ]

    monkeypatch.setattr(gpu_choice, "measured", measured)
    assert gpu_choice.choice(Run(MACHINE, tmp_path), 1)
    lines = [
        json.loads(line) for line in (tmp_path / "2030-01-02-a-gpu-choice.jsonl").read_text().splitlines()
    ]
    assert [(line["where"], line["share_of_the_better"], line["rounds"]) for line in lines[1:]] == [
        ("pageable", 1.225, gpu_choice.ROUNDS),
        ("pinned", 0.98, gpu_choice.ROUNDS),
    ]
    speeds["shared"] = 47.0
    assert not gpu_choice.choice(Run(MACHINE, tmp_path), 1)
