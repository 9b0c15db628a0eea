"""What ncu prints about long messages, read: a kernel's longest launch, shares as fractions."""

import json
from pathlib import Path

import pytest

from devtools import gpu_data_path
from devtools.gpu_data_path import CALLS, COUNTS, SHARES, longest_launches, rounds_in
from devtools.process import Stop

VALUES = {"data_path": "98.21", "issue_slots": "60", "alu": "41.5"}


def launch(number: int, kernel: str, look_ups: str, cycles: str = "1,000,000") -> list[str]:
    values = {
        **VALUES,
        "cycles": cycles,
        "wavefronts": "1,700",
        "look_up_wavefronts": look_ups,
        "shuffle_wavefronts": "25",
    }
    metrics = SHARES | COUNTS
    return [f'"{number}","{kernel}","{metrics[name]}","","{value}"' for name, value in values.items()]


def test_the_longest_launch_of_each_kernel_counts() -> None:
    lines = [
        "==PROF== Connected to process 1",
        '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"',
        *launch(0, "ecb<1, 10>(a)", "160"),
        *launch(1, "ecb<1, 10>(a)", "1,600"),
        *launch(2, "ecb<1, 10>(a)", "16"),
        *launch(3, "save(a)", "0"),
        *launch(4, "other<1, 10>(a)", "1,100", "2,000"),
        *launch(5, "ecb<1, 14>(a)", "500"),
        *launch(6, "ecb<1, 12>(a)", "9,000"),
        "==PROF== Disconnected",
    ]
    kernels = longest_launches(lines, ["10", "14"])
    assert kernels.keys() == {"ecb<1, 10>(a)", "ecb<1, 14>(a)"}
    assert json.dumps(kernels["ecb<1, 10>(a)"], sort_keys=True) == json.dumps(
        {
            "alu": 0.415,
            "cycles": 1_000_000,
            "data_path": 0.9821,
            "issue_slots": 0.6,
            "look_up_wavefronts": 1600,
            "shuffle_wavefronts": 25,
            "wavefronts": 1700,
        }
    )


def test_no_counters_are_no_kernels() -> None:
    assert longest_launches(["==ERROR== no counters"], ["10"]) == {}


def test_the_rounds_of_a_call_are_those_of_its_keys() -> None:
    assert rounds_in("--mode gcm --key-bits 192,256 --bytes 1GiB") == ["12", "14"]
    assert all(rounds_in(call) for _, _, call in CALLS)


def test_a_call_of_which_nothing_was_counted_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a kernel has another name."""
    monkeypatch.setattr(gpu_data_path, "watched", lambda *_: ["==PROF== Disconnected"])
    with pytest.raises(Stop, match="no kernel of this name was counted, Gcm"):
        gpu_data_path.busy_parts(Path("ncu"), 1, lambda _: None)
