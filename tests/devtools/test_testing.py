"""Each test is run in one build at least, and what is skipped is said."""

from pathlib import Path

import pytest

from devtools import testing
from devtools.counts import Counts
from devtools.process import Command, Stop
from devtools.setup import TEST, listed

ORDINARY, SANITIZED = Path("ordinary"), Path("sanitized")


def builds(monkeypatch: pytest.MonkeyPatch, *, ordinary: str, labelled: str, sanitized: str) -> None:
    def tests_of(folder: Path, *choice: str) -> list[str]:
        if folder == SANITIZED:
            return sanitized.split()
        return (labelled if choice else ordinary).split()

    monkeypatch.setattr(testing, "tests_of", tests_of)


def test_all_are_run_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    builds(monkeypatch, ordinary="fast slow residue", labelled="slow residue", sanitized="fast slow")
    testing.nothing_is_left_out(ORDINARY, SANITIZED)


def test_one_that_sanitizers_do_not_have_needs_the_label(monkeypatch: pytest.MonkeyPatch) -> None:
    builds(monkeypatch, ordinary="fast residue", labelled="", sanitized="fast")
    with pytest.raises(Stop, match="residue"):
        testing.nothing_is_left_out(ORDINARY, SANITIZED)


def test_skips_are_said_with_their_reasons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / testing.RESULTS).mkdir()
    ran: list[Command] = []

    def exit_code(command: Command, **options: object) -> int:
        del options
        ran.append(command)
        (tmp_path / testing.RESULTS / "pytest.xml").write_text("<testsuites><testcase/></testsuites>")
        return 0

    monkeypatch.setattr(testing, "exit_code", exit_code)
    assert testing.run_pytest(tmp_path, tmp_path / "output") == Counts(passed=1)
    assert "-rs" in ran[0]


def test_pytest_goes_before_what_runs_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else it would be the last to end, and one processor would wait for the other."""
    results = tmp_path / testing.RESULTS
    results.mkdir()
    ran: list[Command] = []

    def exit_code(command: Command, **options: object) -> int:
        del options
        ran.append(command)
        for name in ("pytest.xml", "ctest.xml"):
            (results / name).write_text("<testsuites/>")
        return 0

    monkeypatch.setattr(testing, "exit_code", exit_code)
    testing.run_ctest(tmp_path)
    testing.run_conformance(tmp_path, tmp_path / "output")
    testing.run_pytest(tmp_path, tmp_path / "output")
    assert [command[0] == "nice" for command in ran] == [True, True, False]


def test_what_tests_ask_for_is_installed() -> None:
    """They skip without these programs, which are packages of the same names."""
    assert {"strace", "xxd", "?zsh"} <= {*listed(TEST, "apt")}
