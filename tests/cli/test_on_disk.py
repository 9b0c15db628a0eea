"""What the tool asks of the system before it gives outputs their names, and what it does when that fails."""

import itertools
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, succeed
from tests.cli.unprivileged import Unprivileged

FUSE = "@arg2=46557365"  # what fstatfs(2) gives of a file system of another process, byte by byte

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@dataclass(frozen=True)
class Traced:
    code: int
    message: str
    calls: list[str]  # "syncfs(7) = 0"

    def names(self) -> list[str]:
        return [call.partition("(")[0] for call in self.calls]


def traced(
    calls: str,
    command: list[str],
    log: Path,
    *inject: str,
    before: tuple[str, ...] = (),
    folder: Path | None = None,
) -> Traced:
    options = [word for text in inject for word in ("-e", f"inject={text}")]
    strace = [*before, "strace", "-qq", "-f", "-o", str(log), "-e", f"trace={calls}", *options]
    done = subprocess.run(
        [*strace, *command],
        check=False,
        timeout=120,
        env=environment(),
        cwd=folder,
        capture_output=True,
        text=True,
    )
    lines = re.findall(r"^\d+ +(\w+\(.*)", log.read_text(), re.MULTILINE)
    return Traced(done.returncode, done.stderr, lines)


@pytest.fixture(name="folder")
def folder_of_short_files(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(10):
        (folder / f"{number}").write_text("hello")
    return folder


def encrypted(folder: Path) -> list[Path]:
    return list(folder.glob("*.wa"))


def test_a_group_is_brought_to_disk_by_one_call(key: Path, folder: Path, tmp_path: Path) -> None:
    command = command_line("encrypt", "-q", "-r", "-k", key, folder)
    done = traced("fsync,syncfs", command, tmp_path / "log")
    assert done.code == 0
    assert sorted(done.names()) == ["fsync", "syncfs"]  # the folder, and all files
    assert len(encrypted(folder)) == 10


def test_a_file_system_of_another_process_has_to_be_asked_for_each_file(
    key: Path, folder: Path, tmp_path: Path
) -> None:
    """It is not told of syncfs(2), so what it has may be nowhere yet, and --rm would lose the input."""
    command = command_line("encrypt", "-q", "-r", "--rm", "-k", key, folder)
    done = traced("fsync,syncfs,fstatfs", command, tmp_path / "log", f"fstatfs:poke_exit={FUSE}")
    assert done.code == 0
    assert done.names().count("fsync") == 11
    assert "syncfs" not in done.names()
    assert len(encrypted(folder)) == len(list(folder.iterdir())) == 10


def test_what_could_not_be_written_though_syncfs_says_nothing(
    key: Path, folder: Path, tmp_path: Path
) -> None:
    """As it does on Linux before 5.8."""
    command = command_line("encrypt", "-q", "-r", "--rm", "-k", key, folder)
    done = traced("sync_file_range", command, tmp_path / "log", "sync_file_range:error=EIO:when=3")
    assert done.code != 0
    assert "to disk: Input/output error" in done.message
    assert len(encrypted(folder)) == 9
    assert len(list(folder.iterdir())) == 10


def test_new_folders_are_on_disk_before_an_input_goes(key: Path, tmp_path: Path) -> None:
    source = tmp_path / "one" / "two" / "three"
    source.mkdir(parents=True)
    (source / "plain").write_text("hello")
    command = command_line("encrypt", "-q", "-r", "--rm", "-k", key, "one", "--output-folder", "new/out")
    done = traced("mkdir,fsync,unlinkat", command, tmp_path / "log", folder=tmp_path)
    assert (done.code, done.message) == (0, "")
    assert (tmp_path / "new" / "out" / "one" / "two" / "three" / "plain.wa").exists()
    assert done.names() == [*("mkdir", "fsync") * 5, "fsync", "fsync", "unlinkat"]


def test_a_slow_disk_does_not_use_up_open_files(key: Path, tmp_path: Path) -> None:
    """While one group waits for it, each of many threads filled one more."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number}").write_text("hello")
    command = command_line("encrypt", "-q", "-r", "--threads", "8", "-k", key, folder)
    done = traced(
        "syncfs", command, tmp_path / "log", "syncfs:delay_enter=300000", before=("prlimit", "--nofile=100")
    )
    assert (done.code, done.message) == (0, "")
    assert len(encrypted(folder)) == 300


def test_a_folder_that_may_be_written_to_and_not_read(unprivileged: Unprivileged) -> None:
    """It cannot be opened to be brought to disk by itself."""
    key, plain = unprivileged.folder / "key", unprivileged.folder / "plain"
    assert unprivileged.run("keygen", "-q", "-o", key).code == 0
    plain.write_text("hello")
    drop = unprivileged.folder / "drop"
    drop.mkdir()
    drop.chmod(0o777)
    out, log = drop / "out", unprivileged.folder / "log"
    drop.chmod(0o333)
    command = ("encrypt", "-q", "-k", key, plain, "-o", out)
    strace = ("strace", "-qq", "-f", "-o", str(log), "-e", "trace=syncfs")
    result = unprivileged.run(*command, before=strace)
    drop.chmod(0o777)
    assert (result.code, result.err) == (0, "")
    assert out.exists()
    assert log.read_text().count("syncfs(") == 1


def test_what_a_server_could_not_take(key: Path, tmp_path: Path) -> None:
    """Some write what they were given when the file is closed, and say only then that there is no room."""
    (tmp_path / "plain").write_text("hello")
    command = command_line("encrypt", "-q", "--no-sync", "-k", key, tmp_path / "plain")
    calls = traced("fcntl,close", command, tmp_path / "log").calls
    (tmp_path / "plain.wa").unlink()
    handed = next(at for at, call in enumerate(calls) if "F_DUPFD_CLOEXEC" in call)
    number = sum(call.startswith("close(") for call in calls[: handed + 2])
    done = traced("fcntl,close", command, tmp_path / "log", f"close:error=EDQUOT:when={number}")
    assert done.code == 1
    assert "the quota is used up" in done.message
    assert not encrypted(tmp_path)


@pytest.mark.parametrize("call", ["fsync", "linkat", "renameat", "renameat2"])
def test_a_tag_and_its_ciphertext_are_replaced_together(call: str, key: Path, tmp_path: Path) -> None:
    """A new tag beside the old ciphertext would be the end of the old message."""
    tag, out, log = tmp_path / "tag", tmp_path / "out", tmp_path / "log"
    gcm = ("raw", "--mode", "gcm", "-q", "-f", "-k", key, "--tag-file", tag)
    for content in ("old", "new"):
        (tmp_path / content).write_text(content)
    command = command_line(*gcm, tmp_path / "new", "-o", out)
    found = set()
    for number in itertools.count(1):
        succeed(*gcm, tmp_path / "old", "-o", out)
        there = set(tmp_path.iterdir()) | {log}
        done = traced(call, command, log, f"{call}:error=EIO:when={number}")
        decrypted = succeed(*gcm, "-d", out, "-o", "-").out
        assert done.code != 0 or decrypted == b"new"
        assert set(tmp_path.iterdir()) == there
        found.add(decrypted)
        if "(INJECTED)" not in str(done.calls):
            break
    assert done.code == 0
    assert number > 1
    assert found == {b"old", b"new"} or call == "renameat2"


def test_a_new_tag_without_its_ciphertext_does_not_stay(key: Path, plain: Path, tmp_path: Path) -> None:
    tag, out = tmp_path / "tag", tmp_path / "out"
    command = command_line("raw", "-m", "gcm", "-q", "-k", key, "--tag-file", tag, plain, "-o", out)
    done = traced("linkat", command, tmp_path / "log", "linkat:error=EIO:when=2")
    assert done.code == 1
    assert f"naming {out}: Input/output error" in done.message
    assert not tag.exists()
    assert not out.exists()
