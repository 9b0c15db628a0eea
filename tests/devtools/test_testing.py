"""Each test is run in one build at least, and what is skipped is said."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from devtools import testing
from devtools.counts import Counts
from devtools.process import Command, Stop
from devtools.repository import BUILD, ROOT, STAGED_PYTHON, WARPAES
from devtools.setup import TEST, TORCH, listed

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


class Started(NamedTuple):
    command: Command
    environment: Mapping[str, str]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Started]:
    """pytest that, instead of being run, is written down, and reports that one test passed."""
    (tmp_path / testing.RESULTS).mkdir()
    ran: list[Started] = []

    def exit_code(
        command: Command, *, extra_environment: Mapping[str, str], output: Path | None = None
    ) -> int:
        del output
        ran.append(Started(command, extra_environment))
        (report,) = (str(one) for one in command if str(one).startswith("--junitxml="))
        Path(report.partition("=")[2]).write_text("<testsuites><testcase/></testsuites>")
        return 0

    monkeypatch.setattr(testing, "exit_code", exit_code)
    return ran


def test_skips_are_said_with_their_reasons(started: list[Started], tmp_path: Path) -> None:
    for suite in (testing.run_pytest_of_tool, testing.run_pytest_of_all_else):
        assert suite(tmp_path, tmp_path / "output") == Counts(passed=1)
    assert testing.run_extension(tmp_path) == Counts(passed=1)
    assert testing.run_with_torch(Path("python"), tmp_path) == Counts(passed=1)
    assert all("-rs" in command for command, _ in started)


def test_torch_is_tried_with_the_staged_package(started: list[Started], tmp_path: Path) -> None:
    """By its own interpreter, and what the other pytest has reported stays."""
    testing.run_pytest_of_all_else(tmp_path, tmp_path / "output")
    assert testing.run_with_torch(Path("build/torch/bin/python"), tmp_path) == Counts(passed=1)
    ordinary, torch = started
    assert torch.command[0] == Path("build/torch/bin/python")
    assert torch.command[-1] == ROOT / "tests" / "python"
    assert torch.environment == {"WARPAES": str(WARPAES), "PYTHONPATH": str(STAGED_PYTHON)}
    assert torch.environment == ordinary.environment
    assert len(list((tmp_path / testing.RESULTS).iterdir())) == 2


def test_what_an_earlier_run_reported_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / testing.RESULTS).mkdir()
    (tmp_path / testing.RESULTS / "torch.xml").write_text("<testsuites><testcase/></testsuites>")
    monkeypatch.setattr(testing, "exit_code", lambda command, **options: 127)
    with pytest.raises(Stop, match=r"no torch.xml \(exit code 127\)"):
        testing.run_with_torch(Path("python"), tmp_path)


@pytest.mark.parametrize("torch", [True, False])
def test_torch_is_a_suite_of_its_own_where_it_is_asked_for(
    torch: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    summarized: dict[str, Counts] = {}
    environments: list[Path] = []

    def environment_with(folder: Path, requirements: Sequence[Path]) -> Path:
        assert TORCH in requirements
        environments.append(folder)
        return folder / "python"

    def run_with_torch(python: Path, folder: Path) -> Counts:
        assert (python, folder) == (BUILD / "torch" / "python", tmp_path)
        return Counts(passed=3)

    def summarize(results: dict[str, Counts]) -> int:
        summarized.update(results)
        return 0

    for name in ("set_up", "nothing_is_left_out", "say_steps"):
        monkeypatch.setattr(testing, name, lambda *_, **__: None)
    for name in ("build", "build_and_stage"):
        monkeypatch.setattr(testing, name, lambda *_, **__: tmp_path)
    monkeypatch.setattr(testing, "run_side_by_side", lambda *_: {"all others": Counts(passed=1)})
    monkeypatch.setattr(testing, "environment_with", environment_with)
    monkeypatch.setattr(testing, "run_with_torch", run_with_torch)
    monkeypatch.setattr(testing, "summarize", summarize)
    assert testing.test(system_cuda=False, extension=False, torch=torch) == 0
    assert environments == ([BUILD / "torch"] if torch else [])
    assert summarized == {
        "all others": Counts(passed=1),
        **({"Python with PyTorch": Counts(passed=3)} if torch else {}),
    }


def test_pytest_goes_before_what_runs_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else it would be the last to end, and one processor would wait for the other."""
    results = tmp_path / testing.RESULTS
    results.mkdir()
    ran: list[Command] = []

    def exit_code(command: Command, **options: object) -> int:
        del options
        ran.append(command)
        for name in ("pytest.xml", "pytest-tool.xml", "ctest.xml"):
            (results / name).write_text("<testsuites/>")
        return 0

    monkeypatch.setattr(testing, "exit_code", exit_code)
    testing.run_ctest(tmp_path)
    testing.run_conformance(tmp_path, tmp_path / "output")
    testing.run_pytest_of_tool(tmp_path, tmp_path / "output")
    testing.run_pytest_of_all_else(tmp_path, tmp_path / "output")
    assert [command[0] == "nice" for command in ran] == [True, True, False, False]


def test_the_two_of_pytest_have_each_test_once(started: list[Started], tmp_path: Path) -> None:
    """Whatever folder is new: the second has all that the first does not have."""
    testing.run_pytest_of_tool(tmp_path, tmp_path / "output")
    testing.run_pytest_of_all_else(tmp_path, tmp_path / "output")
    first, second = (
        [str(argument) for argument in command if str(ROOT) in str(argument) and "xml" not in str(argument)]
        for command, _ in started
    )
    assert len(first) == 2  # the interpreter, and a folder
    assert second[1:] == [str(ROOT / "tests"), f"--ignore={first[1]}"]


def test_what_tests_ask_for_is_installed() -> None:
    """They skip without these programs, which are packages of the same names."""
    assert {"strace", "xxd", "?zsh"} <= {*listed(TEST, "apt")}
