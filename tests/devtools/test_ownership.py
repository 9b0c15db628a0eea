"""`sudo ./dev install` leaves nothing of root in the tree; what is another's is named with its owner."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools import build, installation, ownership, setup
from devtools.process import Stop, exit_code

NOBODY = 65534

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture(name="place")
def place_that_all_can_enter() -> Iterator[Path]:
    """pytest's own folders are for one user. The tree in it is nobody's."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        (place / "tree").mkdir()
        os.chown(place / "tree", NOBODY, NOBODY)
        yield place


@pytest.fixture(name="prepared")
def prepared_as_root(place: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The build and its staged files are one file each. Returned is who has installed packages."""
    prepared: list[int] = []

    def install(folder: Path, _parts: object, staged: Path) -> None:
        (staged / "bin").mkdir()
        (staged / "bin" / "warpaes").write_text((folder / "built").read_text())

    def build(*_: object, **__: object) -> Path:
        (place / "tree" / "built").write_text(f"by {os.getuid()}:{os.getgid()} {os.getgroups()}")
        return place / "tree"

    monkeypatch.setenv("SUDO_UID", str(NOBODY))
    monkeypatch.setattr(ownership, "ROOT", place / "tree")
    monkeypatch.setattr(installation, "install_apt_packages_of", lambda *_: prepared.append(os.geteuid()))
    monkeypatch.setattr(installation, "build", build)
    monkeypatch.setattr(installation, "install", install)
    return prepared


def test_the_owner_of_the_tree_builds_and_root_copies(place: Path, prepared: list[int]) -> None:
    assert installation.install_into(place / "prefix", preset="dev", system_cuda=False) == 0
    installed = place / "prefix" / "bin" / "warpaes"
    assert installed.read_text() == f"by {NOBODY}:{NOBODY} [{NOBODY}]"
    assert (installed.stat().st_uid, (place / "tree" / "built").stat().st_uid) == (0, NOBODY)
    assert (prepared, os.geteuid()) == ([0], 0)


def test_what_the_owner_cannot_build_is_not_installed(
    place: Path, prepared: list[int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def build(*_: object, **__: object) -> Path:
        raise Stop("no compiler", hint="get one")

    monkeypatch.setattr(installation, "build", build)
    assert installation.install_into(place / "prefix", preset="dev", system_cuda=False) == 1
    assert capfd.readouterr().err == "dev: error: no compiler\ndev: hint: get one\n"
    assert not (place / "prefix").exists()


def test_root_s_own_tree_is_built_by_root(
    place: Path, prepared: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chown(place / "tree", 0, 0)
    assert installation.install_into(place / "prefix", preset="dev", system_cuda=False) == 0
    assert (place / "prefix" / "bin" / "warpaes").read_text().startswith("by 0:0 ")
    os.chown(place / "tree", NOBODY, NOBODY)
    monkeypatch.delenv("SUDO_UID")  # as in a container, where root is whom it looks like
    assert installation.install_into(place / "prefix", preset="dev", system_cuda=False) == 0
    assert (place / "prefix" / "bin" / "warpaes").read_text().startswith("by 0:0 ")


def test_what_cannot_be_written_to_is_named_with_its_owner(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (place / "tree" / "build").mkdir()  # which is root's

    def require(*paths: Path) -> int:
        ownership.require_writable(*paths)
        return 0

    tree = place / "tree"
    assert ownership.run_as(tree.stat(), lambda: require(tree, tree / "new" / "folder")) == 0
    assert (
        ownership.run_as(tree.stat(), lambda: require(tree, tree / "build" / "dev" / "CMakeCache.txt")) == 1
    )
    said = capfd.readouterr().err
    assert f"dev: error: {tree}/build cannot be written to; it belongs to root\n" in said
    assert "dev: hint: sudo chown -R nobody " in said


@pytest.mark.parametrize("missing", ["product", ""])
def test_a_tree_that_cannot_be_written_to_is_told_before_set_up_and_build(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(setup, "is_set_up", lambda group: group != missing)
    monkeypatch.setattr(setup, "run", lambda *_: pytest.fail("it was set up"))
    monkeypatch.setattr(build, "run", lambda *_, **__: pytest.fail("it was configured"))
    with pytest.raises(Stop, match="cannot be written to; it belongs to root") as stop:
        build.configure("dev", system_cuda=True, folder=tmp_path)
    assert "a copy of these sources" in stop.value.hint


def test_a_folder_of_root_s_in_path_is_no_obstacle(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is looked for there, as nvidia-smi is, is not there for somebody who cannot enter it."""
    (place / "closed").mkdir(mode=0o700)
    monkeypatch.setenv("PATH", str(place / "closed"))
    owner = (place / "tree").stat()
    assert ownership.run_as(owner, lambda: len(build.architectures_here())) == 0
    assert ownership.run_as(owner, lambda: exit_code(["nvidia-smi"])) == 127
