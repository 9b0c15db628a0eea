"""Each test is run in one build at least."""

from pathlib import Path

import pytest

from devtools import testing
from devtools.process import Stop

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
