"""./dev gpu runs what was built elsewhere, and says what of it is missing."""

from pathlib import Path

import pytest

from devtools import gpu
from devtools.process import Stop


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sources.sha256").write_text("0" * 64)
    monkeypatch.setattr(gpu, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(gpu, "CONFORMANCE", tmp_path / "warpaes_conformance")
    with pytest.raises(Stop, match="warpaes_conformance is missing"):
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
