"""Evidence is fresh only if its machine line has the fingerprint of the sources."""

import json
import subprocess
from pathlib import Path

import pytest

from devtools import evidence, sources
from devtools.process import Stop


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").write_text("a")
    (tmp_path / "evidence").mkdir()
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "lesson.cpp").write_text("a")
    for kind, scope in evidence.KINDS.items():
        write(tmp_path, f"2030-01-02-h200-{kind}.jsonl", sources.fingerprint(tmp_path, scope.recorded))
    write_page(tmp_path)
    return tmp_path


def write(root: Path, name: str, fingerprint: str, commit: str | None = None) -> None:
    """A run of those sources, with one result."""
    kind = next(kind for kind in evidence.KINDS if name.endswith(f"-{kind}.jsonl"))
    lines = [
        {"type": "machine", "sources_sha256": fingerprint, "commit": commit},
        {"type": evidence.KINDS[kind].result},
    ]
    (root / "evidence" / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def write_page(root: Path) -> None:
    run = root / "evidence" / "2030-01-02-h200-lab.jsonl"
    page = root / "docs" / "lab" / "h200.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("<html></html>\n" + evidence.page_mark(run))


def check(root: Path) -> int:
    return evidence.check(root / "evidence", root)


def test_fresh(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(root) == 0
    assert "fresh: 2030-01-02-h200-bench.jsonl" in capsys.readouterr().out


def test_stale_after_a_changed_byte(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "src" / "a.cpp").write_text("b")
    assert check(root) == 1
    assert "stale: 2030-01-02-h200-conformance.jsonl" in capsys.readouterr().out


def test_a_run_that_failed_says_so(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "evidence" / "2030-01-02-h200-bench.jsonl"
    with path.open("a") as file:
        file.writelines(['{"passed": true}\n', '{"passed": false}\n', '{"passed": 7, "failed": 1}\n'])
    check(root)
    lines = len(path.read_text().splitlines())
    assert f"fresh: {path.name}, in which 2 of {lines} lines FAILED" in capsys.readouterr().out


@pytest.mark.parametrize("kind", evidence.KINDS)
def test_a_run_without_a_result_proves_nothing(
    root: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = root / "evidence" / f"2030-01-02-h200-{kind}.jsonl"
    path.write_text(path.read_text().splitlines()[0] + '\n{"type": "seed"}\n')
    write_page(root)
    assert check(root) == 1
    output = capsys.readouterr().out
    assert f"fresh: {path.name}" in output
    assert f'{path.name} proves nothing: it has no line of the type "{evidence.KINDS[kind].result}"' in output


@pytest.mark.parametrize(
    ("kind", "line", "code"),
    [
        ("conformance", '{"type": "conformance", "passed": 7, "failed": 1}', 1),
        ("conformance", '{"type": "random", "passed": 0, "failed": 1}', 1),
        ("conformance", '{"type": "random", "passed": 7, "failed": 0}', 0),
        ("leakage", '{"type": "leakage", "passed": false}', 0),
        ("bank-conflicts", '{"type": "bank_conflicts", "passed": false}', 0),
    ],
)
def test_conformance_must_not_fail(
    root: Path, capsys: pytest.CaptureFixture[str], kind: str, line: str, code: int
) -> None:
    path = root / "evidence" / f"2030-01-02-h200-{kind}.jsonl"
    path.write_text(f"{path.read_text()}{line}\n")
    assert check(root) == code
    assert ("proves nothing: lines of it failed" in capsys.readouterr().out) == bool(code)


def test_no_machine_outweighs_a_failure_on_another(root: Path) -> None:
    right = sources.fingerprint(root, sources.PRODUCT)
    write(root, "2030-01-02-h100-conformance.jsonl", right)
    assert check(root) == 0
    path = root / "evidence" / "2030-01-02-h100-conformance.jsonl"
    path.write_text(path.read_text() + '{"type": "conformance", "passed": 7, "failed": 1}\n')
    assert check(root) == 1


def test_a_failure_of_other_sources_is_only_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "2030-01-02-h100-conformance.jsonl", "of other sources")
    path = root / "evidence" / "2030-01-02-h100-conformance.jsonl"
    path.write_text(path.read_text() + '{"type": "conformance", "passed": 7, "failed": 1}\n')
    assert check(root) == 0
    assert f"stale: {path.name}, in which 1 of 3 lines FAILED" in capsys.readouterr().out


def test_a_lesson_matters_to_the_studies_alone(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "lab" / "lesson.cpp").write_text("b")
    assert check(root) == 1
    output = capsys.readouterr().out
    assert output.count("stale: ") == 1
    assert "stale: 2030-01-02-h200-lab.jsonl" in output


def test_the_newest_file_counts(root: Path) -> None:
    write(root, "2031-01-01-h200-bench.jsonl", "of other sources")
    assert check(root) == 1


def test_another_machine_may_be_the_witness(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = sources.fingerprint(root, sources.PRODUCT)
    write(root, "2030-01-02-h200-bench.jsonl", "of other sources")
    write(root, "2030-01-02-h100-bench.jsonl", right)
    assert check(root) == 0
    output = capsys.readouterr().out
    assert "stale: 2030-01-02-h200-bench.jsonl" in output
    assert "fresh: 2030-01-02-h100-bench.jsonl" in output
    write(root, "2031-01-01-h100-bench.jsonl", "of other sources")
    assert check(root) == 1


def test_a_page_of_another_run(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = root / "evidence" / "2030-01-02-h200-lab.jsonl"
    run.write_text(run.read_text() + '{"type": "result"}\n')
    assert check(root) == 1
    assert "stale: docs/lab/h200.html" in capsys.readouterr().out
    write_page(root)
    assert check(root) == 0


def test_a_missing_page(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "docs" / "lab" / "h200.html").unlink()
    assert check(root) == 1
    assert "missing: docs/lab/h200.html" in capsys.readouterr().out


@pytest.mark.parametrize("kind", evidence.KINDS)
def test_missing(root: Path, kind: str) -> None:
    (root / "evidence" / f"2030-01-02-h200-{kind}.jsonl").unlink()
    assert check(root) == 1


@pytest.mark.parametrize("text", ["", "{}\n", '{"type": "result"}\n', "not json\n"])
def test_no_machine_line(root: Path, text: str) -> None:
    (root / "evidence" / "2030-01-02-h200-bench.jsonl").write_text(text)
    with pytest.raises(Stop):
        check(root)


def git(root: Path, *arguments: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(
        ["git", "-C", root, *author, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_what_has_changed_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "src" / "gone.cpp").write_text("a")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "what was run")
    write(root, "2031-01-01-h200-bench.jsonl", "of other sources", git(root, "rev-parse", "HEAD"))
    (root / "src" / "a.cpp").write_text("b")
    (root / "src" / "gone.cpp").unlink()
    (root / "README.md").write_text("no source")
    assert check(root) == 1
    assert "changed since its commit" in (output := capsys.readouterr().out)
    assert "src/a.cpp, src/gone.cpp\n" in output


@pytest.fixture
def committed(root: Path) -> Path:
    """A run of each kind, of a commit."""
    for name in ("src/kernels/a.cu", "src/c_api/a.cpp", "lab/a.cu", "tests/leakage/a.cpp"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("a")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "what was run")
    for kind in evidence.KINDS:
        write(root, f"2030-01-02-h200-{kind}.jsonl", "of other sources", git(root, "rev-parse", "HEAD"))
    write_page(root)
    return root


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        (None, set()),
        ("README.md", set()),
        ("src/c_api/a.cpp", {"conformance", "properties", "bench"}),
        ("src/kernels/a.cu", set(evidence.KINDS)),
        ("src/engines/cuda/new.cpp", set(evidence.KINDS)),
        ("src/engines/openssl/new.cpp", {"conformance", "properties", "bench"}),
        ("lab/a.cu", {"lab"}),
        ("tests/leakage/a.cpp", {"leakage"}),
        ("CMakePresets.json", set(evidence.KINDS)),
        ("tests/conformance/trial.cpp", {"conformance", "properties"}),
        ("tests/conformance/aead_batches_test.cpp", set()),
        ("CMakeLists.txt", set(evidence.KINDS)),
    ],
)
def test_a_run_is_stale_when_what_decides_it_changes(
    committed: Path, capsys: pytest.CaptureFixture[str], changed: str | None, stale: set[str]
) -> None:
    if changed:
        (committed / changed).parent.mkdir(parents=True, exist_ok=True)
        (committed / changed).write_text("b")
    assert check(committed) == (1 if stale else 0)
    output = capsys.readouterr().out
    for kind in evidence.KINDS:
        word = "stale" if kind in stale else "fresh"
        assert f"{word}: 2030-01-02-h200-{kind}.jsonl" in output


def test_a_run_of_modified_sources_is_of_no_commit(committed: Path) -> None:
    head = git(committed, "rev-parse", "HEAD")
    write(committed, "2030-01-02-h200-leakage.jsonl", "of other sources", f"{head[:12]}-modified")
    assert check(committed) == 1


@pytest.mark.parametrize(
    ("built_with", "since", "fresh"),
    [
        ("README.md", "src/c_api/a.cpp", True),
        ("README.md", "src/kernels/a.cu", False),
        ("src/kernels/a.cu", "README.md", False),
        ("src/c_api/a.cpp", "README.md", False),
    ],
)
def test_a_run_of_a_modified_tree(committed: Path, built_with: str, since: str, fresh: bool) -> None:
    """It is of the commit that its tree came from if that has all the sources that the run depends on."""
    head = git(committed, "rev-parse", "HEAD")
    before = (committed / built_with).read_text() if (committed / built_with).is_file() else ""
    (committed / built_with).write_text("modified")
    recorded = evidence.KINDS["leakage"].recorded
    built = sources.fingerprint(committed, recorded)
    (committed / built_with).write_text(before)
    write(committed, "2030-01-02-h200-leakage.jsonl", built, f"{head[:12]}-modified")
    (committed / since).write_text("changed since")
    assert evidence.is_proven("leakage", committed / "evidence", committed) is fresh


def test_an_unknown_commit_names_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "init", "-q")
    write(root, "2031-01-01-h200-bench.jsonl", "of other sources", "0123456789ab")
    assert check(root) == 1
    assert "changed since" not in (output := capsys.readouterr().out)
    assert "it is of the commit 0123456789ab, which git does not know here" in output


@pytest.mark.parametrize(
    ("name", "matched"),
    [
        ("src/a.cpp", True),
        ("src/deep/er/a.hpp", True),
        ("src/a.md", False),
        ("cli/bench_command.cpp", True),
        ("cli/deeper/bench_command.cpp", False),
        ("cli/program.cpp", False),
        ("cmake/CudaCompiler.cmake", True),
        ("CMakePresets.json", True),
        ("CMakeLists.txt", True),
        ("docs/CMakeLists.txt", False),
        ("tests/src/a.cpp", False),
    ],
)
def test_files_are_matched_as_they_are_listed(name: str, matched: bool) -> None:
    assert sources.is_matched(name, sources.PRODUCT) is matched
