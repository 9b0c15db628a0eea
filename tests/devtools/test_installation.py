"""What is installed is what is removed, and nothing else is touched."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

from devtools import installation
from devtools.process import Stop


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(name="staged")
def staged_tree(tmp_path: Path) -> Path:
    staged = tree(tmp_path / "staged", {"bin/warpaes": "1", "lib/libwarpaes.so.0.1.0": "2"})
    (staged / "lib" / "libwarpaes.so.0.1").symlink_to("libwarpaes.so.0.1.0")
    return staged


def contents(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_removes_what_it_has_installed_and_no_more(tmp_path: Path, staged: Path) -> None:
    prefix = tree(tmp_path / "prefix", {"bin/other": "theirs"})
    before = contents(prefix)
    assert installation.place(staged, prefix) == 3
    assert (prefix / "lib" / "libwarpaes.so.0.1").readlink() == Path("libwarpaes.so.0.1.0")
    assert installation.remove(prefix) == 3
    assert contents(prefix) == before


def test_a_newer_version_takes_the_place_of_an_older(tmp_path: Path, staged: Path) -> None:
    prefix = tmp_path / "prefix"
    installation.place(staged, prefix)
    newer = tree(tmp_path / "newer", {"bin/warpaes": "3"})
    installation.place(newer, prefix)
    assert (prefix / "bin" / "warpaes").read_text() == "3"
    assert not (prefix / "lib").exists()


def test_overwrites_nobody_else_s_file(tmp_path: Path, staged: Path) -> None:
    prefix = tree(tmp_path / "prefix", {"bin/warpaes": "theirs"})
    with pytest.raises(Stop, match="bin/warpaes"):
        installation.place(staged, prefix)
    assert contents(prefix) == {"bin", "bin/warpaes"}
    assert (prefix / "bin" / "warpaes").read_text() == "theirs"


def test_a_folder_of_somebody_else_is_refused_before_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> Never:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refuses)
    monkeypatch.setattr(installation, "build", lambda *_, **__: pytest.fail("it was built"))
    with pytest.raises(Stop, match=f"{tmp_path} cannot be written to: Permission denied"):
        installation.install_into(tmp_path / "a" / "b", preset="dev", system_cuda=False)
    assert contents(tmp_path) == set()


def test_so_is_one_in_which_nobody_can_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its permissions would let root do so."""
    monkeypatch.setattr(installation, "build", lambda *_, **__: pytest.fail("it was built"))
    with pytest.raises(Stop, match="/proc cannot be written to") as stop:
        installation.install_into(Path("/proc/x"), preset="dev", system_cuda=False)
    assert "--prefix" in stop.value.hint


def test_overwrites_nobody_else_s_link_that_leads_nowhere(tmp_path: Path, staged: Path) -> None:
    theirs = tree(tmp_path / "prefix", {"lib/other": ""}) / "lib" / "libwarpaes.so.0.1"
    theirs.symlink_to("libwarpaes.so.of-another")
    with pytest.raises(
        Stop, match=r"has files that ./dev install has not put there: lib/libwarpaes\.so\.0\.1"
    ):
        installation.place(staged, tmp_path / "prefix")
    assert theirs.readlink() == Path("libwarpaes.so.of-another")


@pytest.mark.parametrize("in_the_way", ["bin/warpaes/theirs", "bin"])
def test_what_is_in_the_way_is_named_and_stays(tmp_path: Path, staged: Path, in_the_way: str) -> None:
    """A folder in place of an installed file, or a file in place of a folder."""
    prefix = tmp_path / "prefix"
    installation.place(staged, prefix)
    shutil.rmtree(prefix / "bin")
    tree(prefix, {in_the_way: "theirs"})
    with pytest.raises(Stop, match=f"{prefix}/bin/warpaes cannot be put there") as stop:
        installation.place(staged, prefix)
    assert "remove what is in the way" in stop.value.hint
    installation.remove(prefix)
    assert contents(prefix) == contents_of(in_the_way)
    assert (prefix / in_the_way).read_text() == "theirs"


def contents_of(path: str) -> set[str]:
    return {path, *(str(folder) for folder in Path(path).parents if folder != Path())}


Copy = Callable[[Path, Path], None]


@pytest.fixture(name="place_by")
def placing(staged: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Copy, Path], None]:
    """Installs with another way to copy a file."""

    def place_by(copy: Copy, prefix: Path) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(installation, "copy", copy)
            installation.place(staged, prefix)

    return place_by


def test_what_is_half_installed_can_be_removed(
    tmp_path: Path, place_by: Callable[[Copy, Path], None]
) -> None:
    def fails(source: Path, target: Path) -> None:
        raise OSError("no space left on device")

    prefix = tmp_path / "prefix"
    prefix.mkdir()
    with pytest.raises(Stop, match="no space"):
        place_by(fails, prefix)
    installation.remove(prefix)
    assert contents(prefix) == set()


def test_a_killed_installation_leaves_nothing_that_stays(
    tmp_path: Path, staged: Path, place_by: Callable[[Copy, Path], None]
) -> None:
    """In the middle of a file, which has another name until all of it is there."""

    def killed(source: Path, target: Path) -> None:
        tree(target.parent, {target.name + ".new": "half"})
        raise KeyboardInterrupt

    prefix = tmp_path / "prefix"
    with pytest.raises(KeyboardInterrupt):
        place_by(killed, prefix)
    assert "bin/warpaes.new" in contents(prefix)
    installation.place(staged, prefix)
    installation.remove(prefix)
    assert contents(prefix) == set()
    with pytest.raises(KeyboardInterrupt):
        place_by(killed, prefix)
    installation.remove(prefix)
    assert contents(prefix) == set()


def test_a_list_that_cannot_be_written_leaves_the_earlier_one(
    tmp_path: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, nobody would know what an earlier call has put there."""
    prefix = tmp_path / "prefix"
    installation.place(staged, prefix)
    written = Path.write_text

    def disk_is_full(path: Path, text: str) -> int:
        written(path, "")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", disk_is_full)
        with pytest.raises(Stop, match="No space left on device") as stop:
            installation.place(staged, prefix, way_out="./dev uninstall --prefix p")
    assert stop.value.hint == "./dev uninstall --prefix p removes what is there by now"
    assert installation.remove(prefix) == 3
    assert contents(prefix) == set()


def test_all_users_can_read_what_a_cautious_root_installs(tmp_path: Path, staged: Path) -> None:
    for file in ("bin/warpaes", "lib/libwarpaes.so.0.1.0"):
        (staged / file).chmod(0o644)
    prefix = tmp_path / "prefix"
    before = os.umask(0o077)
    try:
        installation.place(staged, prefix / "deep")
    finally:
        os.umask(before)
    for path in (prefix, *prefix.rglob("*")):
        readable = 0o755 if path.is_dir() else 0o644
        assert path.stat().st_mode & 0o777 == readable, path


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside"])
def test_removes_nothing_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    outside = tree(tmp_path, {"outside": "theirs"}) / "outside"
    prefix = tree(tmp_path / "prefix", {installation.LIST.as_posix(): f"{name}\n"})
    with pytest.raises(Stop, match="is not in"):
        installation.remove(prefix)
    assert outside.is_file()


@pytest.mark.parametrize("content", [b"bin/warpaes\n\xff\n", b"bin/warpaes\nbin/\0\n"])
def test_a_damaged_list_removes_nothing(tmp_path: Path, content: bytes) -> None:
    prefix = tree(tmp_path, {"bin/warpaes": "tool", installation.LIST.as_posix(): ""})
    (prefix / installation.LIST).write_bytes(content)
    with pytest.raises(Stop, match="is damaged"):
        installation.remove(prefix)
    assert {"bin/warpaes", installation.LIST.as_posix()} <= contents(prefix)


def test_says_so_if_nothing_was_installed(tmp_path: Path) -> None:
    with pytest.raises(Stop, match="has put nothing there"):
        installation.remove(tmp_path)


@pytest.fixture(name="ldconfig_calls")
def ldconfig_that_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In the place of ldconfig, a program that writes down its calls into the file that is returned."""
    calls = tmp_path / "calls"
    program = tmp_path / "sbin" / "ldconfig"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "call $*" >> {calls}\n'
        f'echo "{tmp_path}/searched/lib: (from /etc/ld.so.conf.d/libc.conf:2)"\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(installation, "SYSTEM_PROGRAMS", str(program.parent))
    monkeypatch.setattr(installation, "build", lambda *_, **__: tmp_path)
    monkeypatch.setattr(
        installation, "install", lambda _folder, _parts, to: tree(to, {"lib/libwarpaes.so.0.1": "1"})
    )
    return calls


def installs(prefix: Path) -> None:
    assert installation.install_into(prefix, preset="dev", system_cuda=False) == 0


def test_the_way_to_remove_it_can_be_copied(
    tmp_path: Path, ldconfig_calls: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    installs(tmp_path / "of mine")
    assert f"./dev uninstall --prefix '{tmp_path}/of mine' removes them" in capfd.readouterr().out


def test_destdir_is_before_the_prefix(
    tmp_path: Path, ldconfig_calls: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As who makes a package has it: nothing of the machine itself changes, its loader's cache included."""
    monkeypatch.setenv("DESTDIR", f"{tmp_path}/packed here")
    installs(tmp_path / "searched")
    installed = Path(f"{tmp_path}/packed here/{tmp_path}/searched")
    assert (installed / "lib" / "libwarpaes.so.0.1").is_file()
    assert not (tmp_path / "searched").exists()
    told = f"DESTDIR='{tmp_path}/packed here' ./dev uninstall --prefix {tmp_path}/searched removes them"
    assert told in capfd.readouterr().out
    assert installation.uninstall_from(tmp_path / "searched") == 0
    assert contents(installed) == set()
    assert not ldconfig_calls.exists()


def test_the_loader_is_told_of_the_library(
    tmp_path: Path, ldconfig_calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    installs(tmp_path / "searched")
    assert ldconfig_calls.read_text() == "call -N -X -v\ncall \n"
    ldconfig_calls.unlink()
    assert installation.uninstall_from(tmp_path / "searched") == 0
    assert "call \n" in ldconfig_calls.read_text()


def test_who_may_not_tell_the_loader_is_told_to(
    tmp_path: Path, ldconfig_calls: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    installs(tmp_path / "searched")
    assert "sudo ldconfig" in capfd.readouterr().out
    assert ldconfig_calls.read_text() == "call -N -X -v\n"


def test_a_folder_that_the_loader_does_not_search(
    tmp_path: Path, ldconfig_calls: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    installs(tmp_path / "elsewhere")
    assert f" -Wl,-rpath,{tmp_path}/elsewhere/lib " in capfd.readouterr().out
    installs(tmp_path / "My Files")
    assert f" '-Wl,-rpath,{tmp_path}/My Files/lib' " in capfd.readouterr().out  # to be copied into a shell
    assert ldconfig_calls.read_text() == 2 * "call -N -X -v\n"
