"""Set-up happens once for the same lists, again when they change, and never half."""

from pathlib import Path

import pytest

from devtools import setup
from devtools.process import Stop


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A set-up in a temporary folder whose two steps only say that they were taken."""
    made: list[str] = []
    monkeypatch.setattr(setup, "VENV", tmp_path)
    for name in ("APT_PACKAGES", "TOOLS", "CUDA"):
        path = tmp_path / name
        path.write_text(name)
        monkeypatch.setattr(setup, name, path)
    monkeypatch.setattr(setup, "install_apt_packages", lambda packages: made.append("apt"))
    monkeypatch.setattr(setup, "make_virtual_environment", lambda requirements: made.append("venv"))
    return made


def test_only_once(calls: list[str]) -> None:
    setup.set_up(system_cuda=False)
    setup.set_up(system_cuda=False)
    assert calls == ["apt", "venv"]


def test_again_after_a_changed_list(calls: list[str]) -> None:
    setup.set_up(system_cuda=False)
    setup.TOOLS.write_text("another")
    setup.set_up(system_cuda=False)
    assert calls == ["apt", "venv"] * 2


def test_the_compiler_is_not_needed_with_the_system_s(calls: list[str]) -> None:
    setup.set_up(system_cuda=True)
    setup.CUDA.write_text("another")
    setup.set_up(system_cuda=True)
    assert calls == ["apt", "venv"]


def test_not_done_if_it_failed(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(requirements: list[Path]) -> None:
        raise Stop("no network")

    with monkeypatch.context() as patched:
        patched.setattr(setup, "make_virtual_environment", fails)
        with pytest.raises(Stop):
            setup.set_up(system_cuda=False)
    setup.set_up(system_cuda=False)
    assert calls[-1] == "venv"


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
