"""clang-tidy reads a file again when anything changes that it is made of, and only then."""

import json
import os
import re
from pathlib import Path

import pytest

from devtools import tidy
from devtools.code_text import code_of
from devtools.repository import ROOT, tool


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
    source = tidy.Source(tmp_path / "a.cpp", "")
    assert tidy.Reader(tmp_path, {source: mark}).passes([source]) == passed
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


def source_of(path: Path, text: str, options: str = "-DX") -> tidy.Source:
    path.write_text(text)
    return tidy.Source(path, f"c++ {options} -o {path}.o -c {path}")


def test_files_are_joined_that_share_no_name_of_their_own(tmp_path: Path) -> None:
    own = "namespace {\nconstexpr int kRows[] = {1};\nstruct Case {};\nvoid check(int) {}\n}\n"
    first = source_of(tmp_path / "a.cpp", own)
    same_name = source_of(tmp_path / "b.cpp", "namespace {\nint kRows = 2;\n}\n")
    speaks_of_it = source_of(tmp_path / "c.cpp", "int f() { return check(3); }\n")
    in_a_comment = source_of(tmp_path / "d.cpp", '// kRows and check()\nconst char* text = "Case";\n')
    other_options = source_of(tmp_path / "e.cpp", "", "-DY")
    given = [first, same_name, speaks_of_it, in_a_comment, other_options]
    assert tidy.groups(given, 8) == [[first, in_a_comment], [same_name, speaks_of_it], [other_options]]
    assert tidy.groups(given, 1) == [[source] for source in given]


def test_each_program_has_a_function_for_c_of_its_own(tmp_path: Path) -> None:
    target = 'extern "C" int LLVMFuzzerTestOneInput(const char* data) { return 0; }\n'
    given = [source_of(tmp_path / name, target) for name in ("a.cpp", "b.cpp")]
    assert tidy.groups(given, 8) == [[source] for source in given]


def test_google_tests_namespace_is_not_ours_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "ours.hpp").write_text("namespace warpaes::core::testing {\n}\n")
    ours = source_of(folder / "a.cpp", '#include "ours.hpp"\n')
    also_ours = source_of(folder / "b.cpp", "namespace warpaes::testing {\n}\n")
    google = source_of(folder / "c.cpp", "class Rows : public testing::Test {};\n")
    beside_ours = source_of(folder / "d.cpp", '#include "ours.hpp"\nclass Cells : public testing::Test {};\n')
    full_name = source_of(folder / "e.cpp", '#include "ours.hpp"\nclass Rows : public ::testing::Test {};\n')
    given = [ours, also_ours, google, beside_ours, full_name]
    assert tidy.groups(given, 8) == [[ours, also_ours, full_name], [google], [beside_ours]]


@pytest.fixture(name="headers")
def folders_with_headers(tmp_path: Path) -> Path:
    """one/ and two/ have a header of their own each, and one of the same name."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.hpp").touch()
        (tmp_path / folder / "same.hpp").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (("one", "-DX -I{0}/one -O2"), ("two", "-DX -isystem {0}/two -Os -fPIC"), True),
        (("one", "-DX -I{0}/one"), ("two", "-DY -I{0}/two"), False),
        (("same", "-I{0}/one -I{0}/two"), ("same", "-I{0}/one"), True),
        (("same", "-I{0}/one -I{0}/two"), ("same", "-I{0}/two"), False),
        (("one", "-I{0}/one"), ("same", "-I{0}/two"), False),
    ],
)
def test_files_that_look_for_their_headers_in_other_folders(
    headers: Path, first: tuple[str, str], second: tuple[str, str], together: bool
) -> None:
    """Each file includes a header of that name."""
    given = [
        source_of(headers / f"{file}.cpp", f'#include "{name}.hpp"\n', options.format(headers))
        for file, (name, options) in (("a", first), ("b", second))
    ]
    assert (tidy.groups(given, 8) == [given]) == together


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("void f() {\n}\nint late;\n", "int late() { return 0; }\n", False),
        ("int size;\n", "int f(Row row) { return row.size + std::size(row.cells) + row.to->size; }\n", True),
        ("int size;\n", "int f(Row row) { return size; }\n", False),
        ("constexpr int kRows = 1, kColumns = 2;\n", "int f() { return kColumns; }\n", False),
        ("using Row = int;\n", "namespace {\nusing Row = int;\n}  // namespace\nRow f();\n", True),
        ("using Row = int;\n", "namespace {\nusing Row = char;\n}  // namespace\nRow f();\n", False),
        ("using Row = int;\n", "Row f();\n", False),
        ("using Row = int;\n", "int f();\n", True),
    ],
)
def test_what_a_name_of_one_file_could_change_in_the_next(
    tmp_path: Path, first: str, second: str, together: bool
) -> None:
    behind = "int g() {\n}\n"
    given = [
        source_of(tmp_path / "a.cpp", f"namespace {{\n{first}}}  // namespace\n{behind}"),
        source_of(tmp_path / "b.cpp", second),
    ]
    assert (tidy.groups(given, 8) == [given]) == together


def test_joined_texts_include_a_header_once_and_keep_what_one_repeats_itself() -> None:
    first, second = "#include <a>\n#include <a>\nint x;\n", "#include <a>\n#include <b>\nint y;\n"
    assert tidy.joined([first, second]) == first + "\n\n#include <b>\nint y;\n"


@pytest.mark.skipif(not tool("clang-tidy").is_file(), reason="clang-tidy is installed by ./dev lint")
@pytest.mark.parametrize("fault", ["int* p = 0;", "bool same(int a) { return a == a; }", "syntax error"])
def test_a_fault_in_joined_files_is_reported_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    (tmp_path / ".clang-tidy").write_text((ROOT / ".clang-tidy").read_text())
    texts = {
        "good.cpp": "int f() { return 1; }\n",
        "bad.cpp": f"{fault}\n",
        "fine.cpp": "int g() { return 2; }\n",
    }
    group = [source_of(tmp_path / name, text) for name, text in texts.items()]
    entries = [{"directory": str(tmp_path), "file": str(s.path), "command": s.command} for s in group]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    marks = {source: tmp_path / f"{source.path.name}.passed" for source in group}
    assert not tidy.Reader(tmp_path, marks).passes(group)
    assert [mark.exists() for mark in marks.values()] == [True, False, True]
    said = capsys.readouterr().out
    assert "bad.cpp: FAILED" in said
    assert "good.cpp: ok" in said
    assert "error:" in said


def test_folders_whose_names_have_spaces(tmp_path: Path) -> None:
    """A header that had changed in such a folder was not seen, and what includes it counted as read."""
    ours, theirs = tmp_path / "My Files" / "include", tmp_path / "My Files" / "packages (1)"
    for folder, name in ((ours, "ours.hpp"), (theirs, "theirs.hpp")):
        folder.mkdir(parents=True)
        (folder / name).touch()
    path = ours.parent / "main.cpp"
    path.write_text('#include <theirs.hpp>\n\n#include "ours.hpp"\n')
    source = tidy.Source(path, f'c++ -I"{ours}" -isystem "{theirs}" -DX -Wall -o a.o -c "{path}"')
    assert tidy.Includes(()).closure(source) == {str(path), f"{ours}/ours.hpp", f"{theirs}/theirs.hpp"}
    assert source.dialect == ["-DX", "-Wall"]


def test_what_only_instantiates_has_nothing_of_its_own() -> None:
    """Such a file is left out, so nothing else may ever be written into it."""
    files = sorted(ROOT.glob(tidy.ONLY_INSTANTIATE))
    assert len(files) == 2
    definition = re.compile(
        r"""namespace\ warpaes::core\ \{\s*
        constinit\ const\ Engine\ \w+\ =\s*
        lane_private_engine<EmulatedGpu<\w+>>\(\s*emulated_row\([^()]*\)\);\s*
        \}\s*""",
        re.VERBOSE,
    )
    for path in files:
        code = "".join(
            line for line in code_of(path.read_text()).splitlines(True) if not line.startswith("#include")
        )
        assert definition.fullmatch(code), path
