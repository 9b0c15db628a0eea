"""./dev gpu runs what was built elsewhere, and says what of it is missing."""

from pathlib import Path

import pytest

from devtools import gpu
from devtools.gpu_run import Run, Suite
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
