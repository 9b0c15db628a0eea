"""./dev bench finds a mistyped argument before it builds, if there is a program that knows."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from devtools import bench, openssl_speed, sources
from devtools.process import Stop
from devtools.repository import ROOT, STAGED_DATA, WARPAES

pytestmark = pytest.mark.skipif(not WARPAES.is_file(), reason="nothing has been staged")


@pytest.fixture(name="done")
def builds_and_measurements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """In their place, what would have been done; the staged program counts as that of these sources."""
    made: list[str] = []

    def exit_code(command: Sequence[object]) -> int:
        made.append(" ".join(map(str, command[1:])))
        return 0

    def compare(_: Path) -> int:
        made.append("compare")
        return 0

    monkeypatch.setattr(bench, "is_staged", lambda: True)
    monkeypatch.setattr(bench, "build_and_stage", lambda *_, **__: made.append("build"))
    monkeypatch.setattr(bench, "exit_code", exit_code)
    monkeypatch.setattr(openssl_speed, "compare", compare)
    return made


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--bogus", "has no option --bogus"),
        ("--mode gcm --byte=4096", "has no option --byte"),
        ("-q", "has no option -q"),
        ("--bytes x", "--bytes: 'x' is no size"),
        ("--threads abc", "--threads: it takes a number"),
    ],
)
def test_a_mistyped_argument_is_found_before_the_build(
    arguments: str, complaint: str, done: list[str]
) -> None:
    with pytest.raises(Stop, match=complaint) as stop:
        bench.bench(arguments.split(), system_cuda=False)
    assert stop.value.hint == "stage/bin/warpaes bench --help"
    assert done == []


@pytest.mark.parametrize(
    "arguments", ["", "--mode gcm --bytes 4096,1MiB --json", "--samples=3 --key-each", "--limits"]
)
def test_what_is_right_is_built_and_measured(arguments: str, done: list[str]) -> None:
    assert bench.bench(arguments.split(), system_cuda=False) == 0
    assert done == ["build", " ".join(["bench", *arguments.split()])]


def test_the_comparison_takes_no_other_arguments(done: list[str]) -> None:
    with pytest.raises(Stop, match="takes no other arguments: --bogus 1"):
        bench.compare_openssl_speed(["--bogus", "1"], system_cuda=False)
    assert done == []
    assert bench.compare_openssl_speed([], system_cuda=False) == 0
    assert done == ["build", "compare"]


def test_a_program_of_other_sources_is_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It may lack an option that there is now."""
    assert (STAGED_DATA / "sources.sha256").is_file()
    monkeypatch.setattr(bench, "STAGED_DATA", tmp_path)
    assert not bench.is_staged()
    (tmp_path / "sources.sha256").write_text("0" * 64 + "\n")
    assert not bench.is_staged()
    (tmp_path / "sources.sha256").write_text(sources.fingerprint(ROOT) + "\n")
    assert bench.is_staged()
