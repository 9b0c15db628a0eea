"""Set-up happens once for the same lists, again when they change, for the groups asked for, never half."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Never

import pytest

from devtools import pins, setup
from devtools.process import Stop
from devtools.repository import ROOT


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A set-up in a temporary folder whose two steps only say that they were taken, and with what."""
    made: list[str] = []
    (tmp_path / "venv").mkdir()
    monkeypatch.setattr(setup, "VENV", tmp_path / "venv")
    monkeypatch.setattr(setup, "LISTS", tmp_path)
    monkeypatch.setattr(setup, "works", lambda python: True)
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
    monkeypatch.setattr(setup, "works", lambda python: False)
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


def test_every_requirement_has_hashes() -> None:
    assert {path.stem for path in setup.REQUIREMENTS} == {
        f"requirements-{group}" for group in ("product", "cuda", "test", "peers", "lint", "wheel", "backend")
    }
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
