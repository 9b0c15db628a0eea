"""clang-tidy reads a file again when anything changes that it is made of, and only then."""

import json
import os
from pathlib import Path

import pytest

from devtools import tidy


@pytest.fixture(name="source")
def source_with_headers(tmp_path: Path) -> tidy.Source:
    (tmp_path / "system").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "system" / "vector").write_text("#include <bits>\n")
    (tmp_path / "system" / "bits").write_text("")
    (tmp_path / "include" / "far.hpp").write_text('# include "near.hpp"\n')
    near = '#include "far.hpp"\n#if 0\n#include <windows.h>\n#endif\n'
    (tmp_path / "include" / "near.hpp").write_text(near)
    (tmp_path / "include" / "unrelated.hpp").write_text("")
    path = tmp_path / "main.cpp"
    path.write_text('#include "far.hpp"\n#include <vector>\n')
    return tidy.Source(path, f"c++ -DX -I{tmp_path}/include -c main.cpp")


def key(source: tidy.Source, settings: bytes = b"settings") -> str:
    return tidy.key(source, tidy.Includes((str(source.path.parent / "system"),)), settings)


def test_all_that_is_included_counts(source: tidy.Source) -> None:
    folder = source.path.parent
    closure = tidy.Includes((str(folder / "system"),)).closure(source)
    names = {os.path.relpath(path, folder) for path in closure}
    assert names == {"main.cpp", "include/far.hpp", "include/near.hpp", "system/vector", "system/bits"}


@pytest.mark.parametrize("name", ["main.cpp", "include/near.hpp", "system/bits"])
def test_changes_with_any_of_its_files(source: tidy.Source, name: str) -> None:
    before = key(source)
    path = source.path.parent / name
    path.write_text(path.read_text() + "// more\n")
    assert key(source) != before


def test_changes_with_a_header_that_comes_to_be_found_first(source: tidy.Source) -> None:
    before = key(source)
    (source.path.parent / "far.hpp").write_text("")
    assert key(source) != before


def test_changes_with_settings_and_flags(source: tidy.Source) -> None:
    assert key(source, b"other settings") != key(source)
    assert key(tidy.Source(source.path, source.command + " -DY")) != key(source)


def test_stays_when_nothing_of_it_changes(source: tidy.Source) -> None:
    before = key(source)
    (source.path.parent / "include" / "unrelated.hpp").write_text("changed")
    os.utime(source.path, (0, 0))
    assert key(source) == before


def test_marks_that_nobody_asks_for_go(tmp_path: Path) -> None:
    for name in ("used", "recent", "old"):
        (tmp_path / name).touch()
    os.utime(tmp_path / "used", (0, 0))
    os.utime(tmp_path / "old", (0, 0))
    tidy.keep(["used", "failed"], tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"used", "recent"}


@pytest.mark.parametrize("passed", [True, False])
def test_only_a_file_that_passed_leaves_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: bool
) -> None:
    """Programs that pass or fail in clang-tidy's place."""
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    monkeypatch.setattr(tidy, "tool", lambda name: Path("/bin/true" if passed else "/bin/false"))
    mark = tmp_path / "mark"
    mark.touch()
    assert tidy.passes(tidy.Source(tmp_path / "a.cpp", ""), tmp_path, mark) == passed
    assert mark.is_file() == passed


def test_only_sources_of_the_repository_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what the build generates, nor what a package in .venv brings, wherever .venv really is."""
    real = tmp_path / "elsewhere"
    real.mkdir()
    (tmp_path / "venv").symlink_to(real)
    monkeypatch.setattr(tidy, "VENV", tmp_path / "venv")
    folder = tmp_path / "build"
    folder.mkdir()
    files = [
        tmp_path / "a.cpp",
        folder / "b.cpp",
        tmp_path / "venv" / "c.cpp",
        real / "d.cpp",
        tmp_path / "e.cu",
    ]
    entries = [{"file": str(file), "command": "c++"} for file in files]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    assert [source.path.name for source in tidy.sources_to_read(folder)] == ["a.cpp"]
