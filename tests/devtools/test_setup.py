"""Set-up happens once for the same lists, again when they change, for the groups asked for, never half."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Never

import pytest

from devtools import pins, setup
from devtools.process import Command, Stop
from devtools.repository import ROOT
from devtools.testing import LISTS_WITH_TORCH


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A set-up in a temporary folder whose two steps only say that they were taken, and with what."""
    made: list[str] = []
    (tmp_path / "venv").mkdir()
    monkeypatch.setattr(setup, "VENV", tmp_path / "venv")
    monkeypatch.setattr(setup, "LISTS", tmp_path)
    monkeypatch.setattr(setup, "works", lambda folder: True)
    for group in setup.GROUPS:
        (tmp_path / f"requirements-{group}.txt").write_text(group)
    (tmp_path / "apt-product.txt").write_text("g++  # the compiler\n")
    monkeypatch.setattr(
        setup, "install_apt_packages", lambda packages: made.append(" ".join(["apt", *packages]))
    )
    monkeypatch.setattr(
        setup,
        "make_virtual_environment",
        lambda requirements: made.append(" ".join(["pip", *(path.stem for path in requirements)])),
    )
    return made


def test_only_once_and_only_what_is_asked_for(calls: list[str]) -> None:
    setup.set_up(False, setup.PRODUCT)
    setup.set_up(False, setup.PRODUCT)
    assert calls == ["apt g++", "pip requirements-product requirements-cuda"]


def test_what_another_verb_needs_besides_comes_later(calls: list[str]) -> None:
    setup.set_up(False, setup.PRODUCT)
    setup.set_up(False, setup.PRODUCT, setup.LINT)
    assert calls[2:] == ["apt", "pip requirements-lint"]


def test_beside_another_step_it_is_none_of_its_own(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def step(name: str) -> Never:
        raise AssertionError(f"a step, {name}")

    monkeypatch.setattr(setup, "step", step)
    setup.set_up(True, setup.PEERS, timed=False)
    assert calls == ["apt", "pip requirements-peers"]


def test_again_after_a_changed_list(calls: list[str], tmp_path: Path) -> None:
    setup.set_up(False, setup.PRODUCT)
    (tmp_path / "requirements-product.txt").write_text("another")
    setup.set_up(False, setup.PRODUCT)
    assert calls[2:] == ["apt g++", "pip requirements-product"]


def test_the_compiler_is_not_needed_with_the_system_s(calls: list[str], tmp_path: Path) -> None:
    setup.set_up(True, setup.PRODUCT)
    assert calls == ["apt g++", "pip requirements-product"]


def test_all_of_it_if_the_environment_is_broken(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is cleared, and with it what was installed for other groups."""
    setup.set_up(True, setup.PRODUCT)
    monkeypatch.setattr(setup, "works", lambda folder: False)
    setup.set_up(True, setup.PRODUCT, setup.LINT)
    assert calls[2:] == ["apt g++", "pip requirements-product requirements-lint"]


def test_not_done_if_it_failed(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(requirements: list[Path]) -> None:
        raise Stop("no network")

    with monkeypatch.context() as patched:
        patched.setattr(setup, "make_virtual_environment", fails)
        with pytest.raises(Stop):
            setup.set_up(False, setup.PRODUCT)
    setup.set_up(False, setup.PRODUCT)
    assert calls[-1] == "pip requirements-product requirements-cuda"


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that make an environment apart from .venv: instead of being run, they are written down."""
    made: list[str] = []
    (tmp_path / "list.txt").write_text("torch==1")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / "venv")
    monkeypatch.setattr(setup, "tool", lambda name: tmp_path / "venv" / name)
    monkeypatch.setattr(setup, "text_of", lambda command: f"3.11 of {command[0]}")
    monkeypatch.setattr(setup, "works", lambda folder: True)

    def run(command: Command) -> None:
        made.append(" ".join(str(argument).removeprefix(f"{tmp_path}/") for argument in command))
        (tmp_path / "apart").mkdir(exist_ok=True)

    monkeypatch.setattr(setup, "run", run)
    return made


def test_an_environment_apart_is_of_the_same_python_and_pinned(apart: list[str], tmp_path: Path) -> None:
    python = setup.environment_with(tmp_path / "apart", [tmp_path / "list.txt"])
    venv, install, check = apart
    assert python == tmp_path / "apart" / "bin" / "python"
    assert venv == "venv/python -m venv apart"
    assert install.startswith("apart/bin/python -m pip ")
    assert {"--require-hashes", "--no-deps", "list.txt"} <= set(install.split())
    assert check == "apart/bin/python -m pip --disable-pip-version-check check"


def made_again(folder: Path, apart: list[str]) -> bool:
    """Is it, and from nothing?"""
    (folder / "apart" / "of-the-old-one").touch()
    before = len(apart)
    setup.environment_with(folder / "apart", [folder / "list.txt"])
    assert (folder / "apart" / "of-the-old-one").exists() == (len(apart) == before)
    return len(apart) > before


def test_an_environment_apart_is_kept_until_something_changes(
    apart: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.environment_with(tmp_path / "apart", [tmp_path / "list.txt"])
    assert not made_again(tmp_path, apart)
    (tmp_path / "list.txt").write_text("torch==2")
    assert made_again(tmp_path, apart)
    monkeypatch.setattr(setup, "text_of", lambda command: "3.12")
    assert made_again(tmp_path, apart)
    assert not made_again(tmp_path, apart)
    monkeypatch.setattr(setup, "works", lambda folder: False)
    assert made_again(tmp_path, apart)


def test_half_of_an_environment_apart_is_none(
    apart: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(python: Path, requirements: list[Path]) -> None:
        raise Stop("no network")

    with monkeypatch.context() as patched:
        patched.setattr(setup, "install_pinned", fails)
        with pytest.raises(Stop):
            setup.environment_with(tmp_path / "apart", [tmp_path / "list.txt"])
    assert made_again(tmp_path, apart)


def test_an_environment_that_was_moved_does_not_work(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "one"], check=True)
    assert setup.works(tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "moved")
    assert not setup.works(tmp_path / "moved")


def test_every_requirement_has_hashes() -> None:
    groups = ("product", "cuda", "test", "peers", "lint", "wheel", "backend", "torch", "pins")
    assert {path.stem for path in setup.REQUIREMENTS} == {f"requirements-{group}" for group in groups}
    for path in setup.REQUIREMENTS:
        text = path.read_text()
        for requirement in pins.pinned(text):
            assert f"{requirement} \\\n    --hash=sha256:" in text, requirement


def test_hashes_replace_those_of_an_older_version() -> None:
    before = "# Tools.\ncmake==4.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n\n# More.\nninja==1\n"
    after = pins.with_hashes(before, {"cmake==4.0": {"bb", "aa"}, "ninja==1": {"cc"}})
    assert after == (
        "# Tools.\ncmake==4.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n\n"
        "# More.\nninja==1 \\\n    --hash=sha256:cc\n"
    )
    assert pins.pinned(after) == ["cmake==4.0", "ninja==1"]


def report(*wheels: tuple[str, dict[str, str]]) -> dict[str, Any]:
    """What pip would write about wheels of these names with these hashes, as far as it is read."""
    return {
        "install": [
            {"metadata": {"name": name}, "download_info": {"archive_info": {"hashes": hashes}}}
            for name, hashes in wheels
        ]
    }


def test_hashes_are_those_of_the_index() -> None:
    """For each name as the list writes it, which may not be how the project does."""
    told = report(("jinja2", {"sha256": "aa"}), ("ML.Dtypes", {"md5": "00", "sha256": "bb"}))
    assert pins.in_report(told, ["ml_dtypes==0.6", "Jinja2==3.1"]) == {
        "ml_dtypes==0.6": "bb",
        "Jinja2==3.1": "aa",
    }


@pytest.mark.parametrize("told", [report(), report(("torch", {})), report(("torch", {"md5": "00"}))])
def test_an_index_without_hashes_is_refused(told: dict[str, Any]) -> None:
    with pytest.raises(Stop, match="torch==2"):
        pins.in_report(told, ["torch==2"])


def test_no_wheel_is_downloaded_for_its_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: Command) -> None:
        assert {"--dry-run", "--no-deps", "--only-binary=:all:", "3.12"} <= set(command)
        wanted = Path(command[command.index("--report") + 1])
        wanted.write_text(json.dumps(report(("torch", {"sha256": "aa"}))))

    monkeypatch.setattr(pins, "run", run)
    assert pins.indexed(Path("python"), ["torch==2"], "3.12") == {"torch==2": "aa"}


def test_what_asks_for_hashes_has_one_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[Command] = []
    monkeypatch.setattr(pins, "run", calls.append)
    monkeypatch.setattr(setup, "run", calls.append)
    pins.environment(tmp_path)
    installs = [call for call in calls if "install" in call]
    assert [("--require-hashes" in call, setup.PINS in call) for call in installs] == [(True, True)]
    assert [pin.partition("==")[0] for pin in pins.pinned(setup.PINS.read_text())] == ["pip"]


def test_lists_of_one_environment_name_no_package_twice() -> None:
    """pip refuses that, or takes one of two versions."""
    listed = [pin for path in LISTS_WITH_TORCH for pin in pins.pinned(path.read_text())]
    names = [pins.normalized(pin.partition("==")[0]) for pin in listed]
    assert "torch" in names
    assert len(names) == len(set(names))


def test_asking_for_help_changes_no_list() -> None:
    before = {path: path.stat().st_mtime_ns for path in setup.REQUIREMENTS}
    done = subprocess.run(
        [sys.executable, "-m", "devtools.pins", "--help"],
        cwd=ROOT,
        env={**os.environ, "PIP_NO_INDEX": "1"},  # it would have to ask for each package
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "writes the hashes into the lists" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in setup.REQUIREMENTS} == before


def test_pip_refuses_what_has_another_hash(tmp_path: Path) -> None:
    """A package of one line, made here: pip needs no network to refuse it."""
    wheel = tmp_path / "tiny-1-py3-none-any.whl"
    wheel.write_bytes(b"not what was pinned")
    requirement = tmp_path / "requirements.txt"
    requirement.write_text(f"tiny @ {wheel.as_uri()} --hash=sha256:{'0' * 64}\n")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--no-index"]
    done = subprocess.run(
        [*command, "--dest", tmp_path / "into", "--requirement", requirement],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


def test_who_has_no_network_is_told_where_else_pip_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: Command) -> None:
        raise Stop(f"exit code 1: {command[0]}")

    monkeypatch.setattr(setup, "run", fails)
    with pytest.raises(Stop, match="exit code 1") as stop:
        setup.install_pinned(Path("python"), [Path("requirements.txt")])
    assert "PIP_INDEX_URL" in stop.value.hint


def test_names_the_packages_where_not_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/" + name)
    monkeypatch.setattr(setup, "is_installed", lambda package: package != "libfmt-dev")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(Stop, match="libfmt-dev") as stop:
        setup.install_apt_packages(["g++", "libfmt-dev"])
    assert "sudo apt-get install --yes --no-install-recommends libfmt-dev" in stop.value.hint


def test_clears_nothing_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("of another checkout")
    link = tmp_path / ".venv"
    link.symlink_to(elsewhere)
    monkeypatch.setattr(setup, "VENV", link)
    monkeypatch.setattr(setup, "run", lambda command: None)
    setup.make_virtual_environment([])
    assert (elsewhere / "file").is_file()
    assert not link.is_symlink()


@pytest.mark.parametrize("known", [True, False])
def test_optional_packages_are_installed_where_they_exist(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/" + name)
    monkeypatch.setattr(setup, "is_installed", lambda package: package not in {"browser", "libfmt-dev"})
    monkeypatch.setattr(setup, "is_available", lambda package: known)
    monkeypatch.setattr(setup, "run", lambda command, **_: calls.append(command))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    setup.install_apt_packages(["?browser", "g++", "libfmt-dev"])
    assert [call[1] for call in calls] == ["update", "install"]
    assert calls[1][-2:] == (["libfmt-dev", "browser"] if known else ["-qq", "libfmt-dev"])


def test_an_optional_package_alone_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/" + name)
    monkeypatch.setattr(setup, "is_installed", lambda package: package == "g++")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    setup.install_apt_packages(["?browser", "g++"])
