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
