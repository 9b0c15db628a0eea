"""Names near the longest that a file may have."""

from pathlib import Path

import pytest

from tests.cli.program import run, succeed


@pytest.mark.parametrize("length", [245, 252])
def test_names_almost_too_long(length: int, key: Path, tmp_path: Path) -> None:
    plain = tmp_path / ("ä" * (length // 2) + "x" * (length % 2))
    plain.write_bytes(b"hello")
    for force in ([], ["--force"]):
        succeed("encrypt", *force, "-k", key, plain)
    succeed("decrypt", "--force", "-k", key, f"{plain}.wa")
    assert sorted(tmp_path.iterdir()) == sorted([key, plain, Path(f"{plain}.wa")])


def test_a_name_too_long_is_known_before_the_work(key: Path, tmp_path: Path) -> None:
    plain = tmp_path / ("x" * 253)
    plain.write_bytes(b"hello")
    plain_and_key = sorted(tmp_path.iterdir())
    result = run("encrypt", "-k", key, plain)
    assert result.code == 1
    assert f"{plain}.wa: File name too long" in result.err
    assert sorted(tmp_path.iterdir()) == plain_and_key


def test_a_suffix_and_nothing_else_is_no_name(key: Path, tmp_path: Path) -> None:
    (tmp_path / ".wa").write_bytes(b"")
    result = run("decrypt", "-k", key, ".wa", cwd=tmp_path)
    assert result.code == 2
    assert ".wa has nothing before its .wa, so the output has no name" in result.err


def test_a_suffix_and_nothing_else_is_told_by_the_input(key: Path, tmp_path: Path) -> None:
    """Not by a name in the folder of the outputs, where there is no such file."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / ".wa").write_bytes(b"")
    result = run("decrypt", "-k", key, "-r", "notes", "--output-folder", "back", cwd=tmp_path)
    assert result.code == 2
    assert result.err.startswith("warpaes: error: notes/.wa has nothing before its .wa")
