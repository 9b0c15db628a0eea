"""Times of the steps: each is counted once, with what its programs used, also if it fails."""

import subprocess
import sys

import pytest

from devtools import steps

BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def test_counts_the_processors_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[steps.Step] = []
    monkeypatch.setattr(steps, "_taken", taken)
    with steps.step("busy"):
        subprocess.run([sys.executable, "-c", BUSY], check=True)
    with pytest.raises(ValueError, match="no"), steps.step("fails"):
        raise ValueError("no")
    assert [step.name for step in taken] == ["busy", "fails"]
    assert taken[0].processor_seconds > 0.25
    assert taken[1].processor_seconds < 0.25


def test_the_table_ends_in_the_sum() -> None:
    lines = steps.table([steps.Step("build", 100, 190), steps.Step("test", 50, 60)]).splitlines()
    assert [line.split() for line in lines] == [
        ["time", "processors", "step"],
        ["100", "s", "190", "s", "build"],
        ["50", "s", "60", "s", "test"],
        ["150", "s", "250", "s", "all", "steps"],
    ]
