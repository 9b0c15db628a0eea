"""What compiles wheels is pinned: pip installs it by hashes, and fetches nothing while it builds."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from devtools import pins, setup, wheels
from devtools.process import Command
from devtools.repository import ROOT, VENV

Calls = list[tuple[list[str], Mapping[str, str]]]


@pytest.fixture(name="calls")
def calls_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The programs that are started, which make nothing but empty files."""
    made: Calls = []

    def run(command: Command, *, extra_environment: Mapping[str, str] | None = None) -> None:
        words = [str(word) for word in command]
        made.append((words, extra_environment or {}))
        if {"wheel", "repair"} & set(words):
            folder = Path(words[words.index("--wheel-dir") + 1])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "warpaes.whl").touch()
        if "--sdist" in words:
            (tmp_path / "warpaes.tar.gz").touch()

    monkeypatch.setattr(wheels, "WHEELS", tmp_path)
    monkeypatch.setattr(wheels, "run", run)
    monkeypatch.setattr(setup, "run", run)
    return made


def made_by(calls: Calls, word: str) -> tuple[list[str], Mapping[str, str]]:
    (found,) = (call for call in calls if word in call[0])
    return found


def test_a_wheel_is_compiled_by_what_is_pinned(calls: Calls, tmp_path: Path) -> None:
    wheels.wheel_of(tmp_path / "warpaes.tar.gz", "python3.10", tmp_path / "dev", "system")
    assert calls[0][0] == ["python3.10", "-m", "venv", str(tmp_path / "environment")]
    inside = str(tmp_path / "environment" / "bin" / "python")
    install, _ = made_by(calls, "install")
    assert install[0] == inside
    assert {"--require-hashes", "--no-deps", "--only-binary=:all:", str(setup.BACKEND)} <= set(install)
    command, environment = made_by(calls, "wheel")
    assert command[0] == inside
    assert {"--no-index", "--no-build-isolation", "--no-deps"} <= set(command)
    assert environment["PATH"].split(os.pathsep)[0] == str(VENV / "bin")


def test_so_is_the_archive_of_sources(calls: Calls, tmp_path: Path) -> None:
    wheels.archive_of_sources(tmp_path)
    assert "--require-hashes" in made_by(calls, "install")[0]
    command, environment = made_by(calls, "--sdist")
    assert command[0] == str(tmp_path / "environment" / "bin" / "python")
    assert "--no-isolation" in command
    assert environment["PATH"].split(os.pathsep)[0] == str(VENV / "bin")


def test_its_list_has_what_the_package_asks_for() -> None:
    """And the nanobind of the ordinary build, which is in the bill of materials."""
    listed = pins.pinned(setup.BACKEND.read_text())
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert set(asked) <= set(listed)
    product = pins.pinned(setup.list_of(setup.PRODUCT, "requirements").read_text())
    assert [one for one in listed if one.startswith("nanobind")] == [
        one for one in product if one.startswith("nanobind")
    ]


def test_every_python_has_its_hashes() -> None:
    """Python 3.10, which no other list is for, takes a wheel of tomli's that is for all Pythons."""
    assert pins.PYTHONS_OF_WHEELS[0] == "3.10"
    block = re.search(r"^tomli==.*(?:\n +--hash.*)+", setup.BACKEND.read_text(), re.MULTILINE)
    assert block
    assert block[0].count("--hash") == len(pins.PYTHONS_OF_WHEELS)
