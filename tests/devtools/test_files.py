"""./dev files measures what it says, counts what it skips, and its page says what the run says."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import files_bench
from devtools.evidence import newest_of_each_machine
from devtools.files_bench import Contestant, Place, compared, ratios
from devtools.files_figures import section
from devtools.process import Stop

MACHINE = {
    "type": "machine",
    "cpu": "a CPU",
    "cpus": 2,
    "load": 1.5,
    "peers": {"age": "1.1"},
    "commit": "abc",
}


def timed(who: str, seconds: float, case: str = "a new file", place: str = "tmpfs") -> dict[str, Any]:
    line = {"type": "files", "place": place, "case": case, "who": who, "bytes": 10**9}
    return {**line, "seconds": seconds, "cpu_seconds": 2 * seconds}


def test_everybody_takes_turns(tmp_path: Path) -> None:
    def note(who: str) -> Contestant:
        return Contestant(who, f"test ! -e out && echo {who} | tee -a turns > out")

    absent = Contestant("absent", "false", needs="no-such-program")
    lines = list(compared(Place("tmpfs", tmp_path), "a case", 5, [note("a"), note("b"), absent], turns=2))
    assert (tmp_path / "turns").read_text().split() == ["a", "b"] * 3  # once to warm up
    assert [(line["type"], line["who"]) for line in lines] == [
        ("files", "a"),
        ("files", "b"),
        ("skipped", "absent"),
    ]
    assert all(line["samples"] == 2 for line in lines[:2])
    assert not (tmp_path / "out").exists()


def test_a_failure_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(Stop, match="exit code 3"):
        list(compared(Place("tmpfs", tmp_path), "a case", 5, [Contestant("a", "exit 3")], turns=1))


def test_eight_dd_copy_the_file(tmp_path: Path) -> None:
    content = bytes(range(256)) * (16 << 12)
    (tmp_path / "plain").write_bytes(content)
    files_bench.shell(files_bench.parallel_dd(len(content), ""), tmp_path)
    assert (tmp_path / "out").read_bytes() == content


def test_ratios_are_to_the_faster_peer() -> None:
    lines = [timed("cp", 3), timed("8 dd", 2), timed("warpaes encrypt", 4), timed("age", 12)]
    found = {(line["who"], line["beside"]): line["value"] for line in ratios(lines)}
    assert found == {("warpaes encrypt", "cp or 8 dd"): 0.5, ("warpaes encrypt", "age"): 3.0}


def test_what_a_gpu_adds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = files_bench.DEVICE_MEMORY
    program = tmp_path / "device_files"
    to_device = timed("warpaes, file to device memory", 0.25, case)
    lines = [json.dumps(line) for line in (to_device, timed("read and copy", 0.2, case))]
    program.write_text("#!/bin/sh\ncat <<'END'\n" + "\n".join(lines) + "\nEND\n")
    program.chmod(0o755)
    monkeypatch.setattr(files_bench, "STAGED_TESTS", tmp_path)
    measured = list(files_bench.device_memory(tmp_path, 10**9, 1))
    assert measured[0] == to_device
    place = Place("tmpfs", tmp_path, choices=("--engine cuda", "--engine openssl"))
    forced = [timed(each.who, 1 + i) for i, each in enumerate(files_bench.with_choices(place, "encrypt", ""))]
    found = {(line["who"], line["beside"]): line["value"] for line in ratios([*measured, *forced])}
    both = "warpaes encrypt --engine cuda or warpaes encrypt --engine openssl"
    assert found == {("warpaes, file to device memory", "read and copy"): 0.8, ("warpaes encrypt", both): 2.0}
    assert "| warpaes, file to device memory | 4.00 |" in section("run.jsonl", [MACHINE, *measured])


def test_processor_time_is_of_short_files() -> None:
    short = [timed("warpaes encrypt", 3, files_bench.SHORT), timed("age", 2, files_bench.SHORT)]
    (line,) = ratios(short)
    assert line["figure"] == "cpu_seconds"
    page = section("run.jsonl", [MACHINE, *short, line])
    assert (
        "| processor time of warpaes encrypt, as a multiple of age | tmpfs, 10 files of 6 bytes | 1.50 |"
        in page
    )


def test_the_page() -> None:
    memory = {"type": "memory", "who": "warpaes decrypt", "bytes": 4 << 30, "peak_bytes": 24 << 20}
    skipped = {"type": "skipped", "place": "disk", "reason": "no room"}
    lines = [
        MACHINE,
        timed("cp", 0.5),
        timed("cp", 0.25, "over an old file"),
        timed("age", 2),
        memory,
        skipped,
    ]
    page = section("run.jsonl", lines)
    assert "| cp | 2.00 | 4.00 |" in page
    assert "| age | 0.50 |  |" in page
    assert "| memory of warpaes decrypt | a file of 4 GiB | 24 MiB |" in page
    assert "Skipped: disk: no room." in page


def test_the_newest_run_of_each_machine(tmp_path: Path) -> None:
    for name in (
        "2030-01-01-h200-files",
        "2031-01-01-h200-files",
        "2030-06-01-2-cpus-files",
        "2030-01-01-a-bench",
    ):
        (tmp_path / f"{name}.jsonl").touch()
    assert sorted(path.name for path in newest_of_each_machine("files", tmp_path)) == [
        "2030-06-01-2-cpus-files.jsonl",
        "2031-01-01-h200-files.jsonl",
    ]
