"""./dev gpu runs what was built elsewhere, and says what of it is missing."""

from pathlib import Path

import pytest

from devtools import gpu, gpu_run
from devtools.gpu_run import Run, Suite, lines_of, whole_lines
from devtools.process import Stop


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sources.sha256").write_text("0" * 64)
    monkeypatch.setattr(gpu, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(gpu, "CONFORMANCE", tmp_path / "warpaes_conformance")
    with pytest.raises(Stop, match="warpaes_conformance is missing"):
        gpu.gpu(tmp_path, ["conformance"])


def test_a_suite_that_cannot_go_on_keeps_no_other_from_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stops(run: Run, seconds: float) -> bool:
        raise Stop(f"{run.machine['gpu']} took more than {seconds} s")

    for name in ("sources.sha256", "conformance", "faults"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(gpu, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(gpu, "CONFORMANCE", tmp_path / "conformance")
    monkeypatch.setattr(gpu, "PLANTED_FAULTS", tmp_path / "faults")
    monkeypatch.setattr(gpu, "machine_line", lambda: {"gpu": "a GPU", "date": "2030-01-02"})
    monkeypatch.setattr(gpu, "SUITES", (Suite("first", 7, stops), Suite("second", 8, lambda *_: True)))
    assert gpu.gpu(tmp_path, ["first", "second"]) == 1
    output = capsys.readouterr().out
    assert "a GPU took more than 7 s" in output
    assert "first: FAILED" in output
    assert "second: passed" in output


def test_why_there_is_no_gpu_is_said_in_the_library_s_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("sources.sha256", "conformance", "faults"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(gpu, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(gpu, "CONFORMANCE", tmp_path / "conformance")
    monkeypatch.setattr(gpu, "PLANTED_FAULTS", tmp_path / "faults")
    monkeypatch.setattr(gpu, "machine_line", lambda: {"gpu": None, "cpu": "a processor"})
    summary = '{"type": "summary", "devices": 0, "reason": "no NVIDIA driver is installed"}\n'
    monkeypatch.setattr(gpu_run, "text_of", lambda command: summary)
    with pytest.raises(Stop, match=r"^no GPU here: no NVIDIA driver is installed$"):
        gpu.gpu(tmp_path, ["conformance"])


def test_limits_are_measured_once(tmp_path: Path) -> None:
    results = tmp_path / "bench.jsonl"
    arguments = ["--limits", "--mode", "ecb"]
    assert gpu.with_limits_of(results, arguments) == arguments
    results.write_text('{"type": "machine"}\n')
    assert gpu.with_limits_of(results, arguments) == arguments
    results.write_text('{"type": "machine"}\n{"type": "limit", "name": "lop3", "value": 1}\n')
    assert gpu.with_limits_of(results, arguments) == ["--limits-from", str(results), "--mode", "ecb"]
    assert gpu.with_limits_of(results, arguments[1:]) == arguments[1:]


def bench_that_prints(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str, code: int) -> None:
    """In place of warpaes."""
    (folder / "text").write_text(text)
    script = folder / "warpaes"
    script.write_text(f"#!/bin/sh\ncat '{folder}/text'\nexit {code}\n")
    script.chmod(0o755)
    monkeypatch.setattr(gpu, "WARPAES", script)


WHOLE = '{"type": "machine"}\n{"type": "result", "mode": "ecb"}\n'


@pytest.mark.parametrize(
    ("text", "code", "passes"),
    [
        (f'{WHOLE}{{"type": "summary"}}\n', 0, True),
        (f'{WHOLE}{{"type": "res', 1, False),
        (f'{WHOLE}{{"type": "res', 0, False),
    ],
)
def test_a_line_that_is_cut_short_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, code: int, passes: bool
) -> None:
    bench_that_prints(monkeypatch, tmp_path, text, code)
    results = tmp_path / "bench.jsonl"
    assert gpu.measured(results, ("--mode ecb", "--mode ctr"), 10) is passes
    one_machine, result = WHOLE.splitlines()
    assert results.read_text().splitlines() == [one_machine, result, result]


def test_lines_are_whole_up_to_one_that_is_not(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b'{"type": "machine"}\n{"gpu": "\xc3')
    assert whole_lines(path) == ['{"type": "machine"}']
    assert lines_of(path) == [{"type": "machine"}]
