"""The fingerprint changes with the sources, and with nothing else."""

import os
import subprocess
from pathlib import Path

import pytest

from devtools import build, sources
from devtools.process import Stop
from devtools.repository import ROOT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "src/kernels/counter.cu": "kernel",
        "src/CMakeLists.txt": "list",
        "include/warpaes/warpaes.h": "header",
        "benchmarks/bench.cpp": "bench",
        "docs/design.md": "prose",
        "CMakeLists.txt": "options",
        "CMakePresets.json": "{}",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "src/kernels/counter.cu",
        "include/warpaes/warpaes.h",
        "src/CMakeLists.txt",
        "CMakeLists.txt",
        "CMakePresets.json",
    ],
)
def test_changes_with_one_byte(tree: Path, name: str) -> None:
    before = sources.fingerprint(tree)
    (tree / name).write_text((tree / name).read_text() + "\n")
    assert sources.fingerprint(tree) != before


@pytest.mark.parametrize("name", ["CMakeLists.txt", "CMakePresets.json"])
def test_kernels_change_with_the_builds_settings(tree: Path, name: str) -> None:
    before = sources.fingerprint(tree, sources.KERNELS)
    (tree / name).write_text("other options")
    assert sources.fingerprint(tree, sources.KERNELS) != before


@pytest.mark.parametrize("patterns", [sources.PRODUCT, sources.KERNELS])
def test_each_pattern_finds_a_source(patterns: tuple[str, ...]) -> None:
    assert [pattern for pattern in patterns if not any(sources.files(ROOT, (pattern,)))] == []


def test_test_programs_are_no_part_of_what_writes_evidence(tree: Path) -> None:
    before = sources.fingerprint(tree)
    folder = tree / "tests" / "conformance"
    folder.mkdir(parents=True)
    for name in ("cipher_batch_endings_test.cpp", "planted_faults_test.cpp", "cipher_batches_fixture.hpp"):
        (folder / name).write_text("test")
    assert sources.fingerprint(tree) == before
    (folder / "engines_under_test.cpp").write_text("what the evidence is of")
    assert sources.fingerprint(tree) != before


@pytest.mark.parametrize("pattern", sources.TEST_PROGRAMS)
def test_each_pattern_of_test_programs_finds_one(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


def test_changes_with_a_name(tree: Path) -> None:
    before = sources.fingerprint(tree)
    (tree / "src/kernels/counter.cu").rename(tree / "src/kernels/counters.cu")
    assert sources.fingerprint(tree) != before


def test_changes_with_a_new_file(tree: Path) -> None:
    before = sources.fingerprint(tree)
    (tree / "src/modes").mkdir()
    (tree / "src/modes/gcm.cpp").write_text("mode")
    assert sources.fingerprint(tree) != before


def test_ignores_what_decides_nothing(tree: Path) -> None:
    before = sources.fingerprint(tree)
    (tree / "docs/design.md").write_text("other prose")
    (tree / "src/kernels/counter.cu.orig").write_text("left by an editor")
    os.utime(tree / "src/kernels/counter.cu", (0, 0))
    assert sources.fingerprint(tree) == before


def test_does_not_depend_on_the_order_of_files(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    again = tmp_path_factory.mktemp("again")
    for path in sorted(tree.rglob("*"), reverse=True):
        if path.is_file():
            copy = again / path.relative_to(tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    assert sources.fingerprint(again) == sources.fingerprint(tree)


def test_a_repository_that_git_refuses_is_not_taken_for_one_in_which_all_has_changed(tmp_path: Path) -> None:
    """As one of another owner, in a container; here it is of a format to come."""
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "config", "core.repositoryformatversion", "99"], check=True)
    with pytest.raises(Stop, match=r"git does not say what has changed: fatal: .*99"):
        sources.changed_since("abc", tmp_path, ("src/**/*",))


POLICY = """struct LaunchPolicy {
  int threads = 256;
};
/// Turing.
inline constexpr LaunchPolicy kTuring = without_multiply_add({.capability = 75,
                                                              .blocks = 2});
inline constexpr LaunchPolicy kHopper{.capability = 90, .blocks = 3};
/// All rows.
inline constexpr LaunchPolicy kAll[] = {kTuring, kHopper, same_for(91, kHopper)};
"""


def commands_of_git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def first_commit(folder: Path) -> str:
    commands_of_git(folder, "init", "--quiet")
    commands_of_git(folder, "add", "-A")
    commands_of_git(folder, "commit", "--quiet", "-m", "what was run")
    return commands_of_git(folder, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("a.hpp", "int a = 1;  // one, in other words\n", False),
        ("a.hpp", "int a = 2;  // one\n", True),
        ("a.json", "1  // one, in other words\n", True),  # has no comments
        ("b.hpp", "// A new file.\n", True),
        ("a.hpp", None, True),
    ],
)
def test_comments_do_not_count(tmp_path: Path, name: str, text: str | None, changed: bool) -> None:
    source = tmp_path / "src" / name
    source.parent.mkdir()
    (tmp_path / "src" / "a.hpp").write_text("int a = 1;  // one\n")
    (tmp_path / "src" / "a.json").write_text("1  // one\n")
    commit = first_commit(tmp_path)
    if text is None:
        source.unlink()
    else:
        source.write_text(text)
    found = sources.changed_since(commit, tmp_path, ("src/**/*",))
    assert found == ([f"src/{name}"] if changed else [])


@pytest.mark.parametrize(
    ("old", "new", "capability", "changed"),
    [
        (".blocks = 2", ".blocks = 1", "9.0", False),
        ("/// Turing.\n", "/// Older.\n", "9.0", False),
        (".blocks = 2", ".blocks = 1", "7.5", True),
        (".blocks = 3", ".blocks = 1", "9.0", True),
        (".blocks = 3", ".blocks = 1", "7.5", True),  # may have run the machine code of another
        ("int threads = 256", "int threads = 128", "9.0", True),
        ("same_for(91, kHopper)", "kTuring", "9.0", True),
        ("{.capability = 90,", "= kTuring; // {.capability = 90,", "9.0", True),
        (".blocks = 2", ".blocks = 1", "9.1", True),  # has no row of its own
        (".blocks = 2", ".blocks = 1", "", True),
    ],
)
def test_rows_for_other_gpus_do_not_count(
    tmp_path: Path, old: str, new: str, capability: str, changed: bool
) -> None:
    policy = tmp_path / sources.POLICY
    policy.parent.mkdir(parents=True)
    policy.write_text(POLICY)
    commit = first_commit(tmp_path)
    assert POLICY.count(old) == 1
    policy.write_text(POLICY.replace(old, new))
    found = sources.changed_since(commit, tmp_path, ("src/**/*",), capability)
    assert found == ([sources.POLICY] if changed else [])


def test_the_committed_policy_has_rows_of_that_form() -> None:
    text = (ROOT / sources.POLICY).read_text()
    assert sources.BUILT_ALWAYS.replace(".", "") == build.EVERYDAY_ARCHITECTURE
    kept = sources.policy_for(text, sources.BUILT_ALWAYS)
    assert "LaunchPolicy kTuring" in text
    assert "LaunchPolicy kTuring" not in kept
    assert "LaunchPolicy kHopper" in kept
    assert "kAll[]" in kept
