"""--rm and --force on many files: whatever is among them, nothing is lost by it."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.unprivileged import Unprivileged


def test_the_key_is_among_the_files(tmp_path: Path) -> None:
    """Encrypted under itself and removed, it would be lost, and everything else with it."""
    key = tmp_path / "key"
    (tmp_path / "notes").write_text("notes")
    succeed("keygen", "-q", "-o", key)
    os.link(key, tmp_path / "other name")
    for arguments in (["-r", tmp_path], [tmp_path / "notes", tmp_path / "other name"]):
        for variables in (environment(), environment(WARPAES_KEY_FILE=str(key))):
            given = () if "WARPAES_KEY_FILE" in variables else ("-k", key)
            result = run("encrypt", "--rm", *given, *arguments, env=variables)
            assert result.code == 2
            assert "holds the key, and --rm would remove it" in result.err
    assert {path.name for path in tmp_path.iterdir()} == {"key", "notes", "other name"}
    succeed("encrypt", "-r", "-k", key, tmp_path)  # what stays may be encrypted


def test_the_key_s_descriptor_is_of_one_of_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    key, word = folder / "key", folder / "word"
    succeed("keygen", "-q", "-o", key)
    word.write_text("a long way to the sea\n")
    for file, option, what in ((key, "--key-fd", "key"), (word, "--passphrase-fd", "passphrase")):
        with file.open("rb") as stream:
            given = (option, str(stream.fileno()))
            result = run("encrypt", "--rm", "-r", *given, folder, pass_fds=(stream.fileno(),))
            assert result.code == 2
            assert f"{file} holds the {what}, and --rm would remove it" in result.err
            result = run("encrypt", "-f", *given, word, "-o", file, pass_fds=(stream.fileno(),))
            assert result.code == 1
    assert {path.name for path in folder.iterdir()} == {"key", "word"}
    assert word.read_text() == "a long way to the sea\n"


WITHOUT_PROC = """
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int stat(const char* path, struct stat* into) {
  if (strncmp(path, "/proc/", 6) == 0) return errno = ENOENT, -1;
  return syscall(SYS_newfstatat, -100, path, into, 0);
}
"""


def test_the_key_s_descriptor_where_proc_is_missing(key: Path, plain: Path, tmp_path: Path) -> None:
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(WITHOUT_PROC)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    without_proc = environment(LD_PRELOAD=str(library))
    old = key.read_bytes()
    with key.open("rb") as stream:
        given = ("--key-fd", str(stream.fileno()))
        options: dict[str, Any] = {"pass_fds": (stream.fileno(),), "env": without_proc}
        result = run("encrypt", "--rm", *given, key, plain, **options)
        assert result.code == 2
        assert "holds the key, and --rm would remove it" in result.err
        stream.seek(0)
        result = run("encrypt", "--force", *given, plain, "-o", key, **options)
        assert result.code == 1
        assert "holds the key, and would be replaced" in result.err
    assert key.read_bytes() == old


def test_the_passphrase_is_among_the_files(tmp_path: Path) -> None:
    word = tmp_path / "word"
    word.write_text("a long way to the sea\n")
    word.chmod(0o600)
    result = run("encrypt", "--rm", "-r", "--passphrase-file", word, tmp_path)
    assert result.code == 2
    assert "holds the passphrase" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["word"]


@pytest.mark.parametrize("more", [["--force"], ["--force", "--rm"]])
def test_an_output_that_is_another_input(more: list[str], key: Path, tmp_path: Path) -> None:
    """notes becomes notes.wa, which becomes notes.wa.wa: if it was read before, --rm takes the new one."""
    notes, sealed = tmp_path / "notes", tmp_path / "notes.wa"
    notes.write_text("new")
    sealed.write_text("old")
    for inputs in ([notes, sealed], [sealed, notes]):
        result = run("encrypt", *more, "-k", key, *inputs)
        assert result.code == 2
        assert f"{notes} would become {sealed}, which is to be read as well" in result.err
    assert (notes.read_text(), sealed.read_text()) == ("new", "old")
    nested = tmp_path / "notes.wa.wa"
    nested.write_bytes(b"")
    result = run("decrypt", "-r", *more, "-k", key, tmp_path)
    assert result.code == 2
    assert f"{nested} would become {sealed}" in result.err
    assert nested.exists()


def test_rekey_of_a_file_that_is_named_twice(key: Path, sealed: Path, tmp_path: Path) -> None:
    new, link = tmp_path / "new", tmp_path / "link.wa"
    succeed("keygen", "-q", "-o", new)
    link.symlink_to(sealed)
    result = run("rekey", "-k", key, "--new-key-file", new, sealed, link)
    assert result.code == 2
    assert "would both become" in result.err
    succeed("verify", "-k", key, sealed)


@pytest.mark.parametrize("more", [["--force"], ["--force", "--rm"]])
def test_two_inputs_whose_folders_are_one_in_the_output_folder(
    more: list[str], key: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes").write_text(name)
    (out / "one").mkdir(parents=True)
    (out / "two").symlink_to("one")
    inputs = [tmp_path / name for name in ("one", "two")]
    result = run("encrypt", "-r", *more, "-k", key, "--output-folder", out, *inputs)
    assert result.code == 2
    assert "would both become" in result.err
    assert [(folder / "notes").read_text() for folder in inputs] == ["one", "two"]


def test_two_inputs_beside_a_folder_that_is_a_link(key: Path, tmp_path: Path) -> None:
    """What link/.. is depends on where the link leads to."""
    real = tmp_path / "real"
    (real / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(real / "below")
    for name in ("x.wa", "x.WA"):
        (tmp_path / "x").write_text(name)
        succeed("encrypt", "--rm", "-k", key, tmp_path / "x", "-o", real / name)
    inputs = ("real/x.wa", "link/../x.WA")
    result = run("decrypt", "--force", "--rm", "-k", key, *inputs, cwd=tmp_path)
    assert result.code == 2
    assert "would both become" in result.err
    assert {path.name for path in real.iterdir()} == {"below", "x.wa", "x.WA"}


def test_two_inputs_whose_folder_is_still_to_be_made(key: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text(name)
    (tmp_path / "link").symlink_to(tmp_path)
    for other, says in [("two/x", "would both become"), ("link/two/../one/x", "is named twice")]:
        inputs = ("-k", key, "one/x", other)
        result = run("encrypt", "--force", "--output-folder", "link/new", *inputs, cwd=tmp_path)
        assert result.code == 2
        assert says in result.err
    assert not (tmp_path / "new").exists()


def test_two_names_of_a_file_go_in_one_run(key: Path, plain: Path, tmp_path: Path) -> None:
    """That the first one went is no change of what is in the file."""
    names = [plain, tmp_path / "again", tmp_path / "once more"]
    for name in names[1:]:
        os.link(plain, name)
    succeed("encrypt", "--rm", "-k", key, *names)
    assert {path.name for path in tmp_path.iterdir()} == {"key", "plain.wa", "again.wa", "once more.wa"}


def test_rekey_of_two_names_of_a_file(key: Path, sealed: Path, tmp_path: Path) -> None:
    names = [sealed, tmp_path / "again.wa"]
    os.link(*names)
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    succeed("rekey", "-k", key, "--new-key-file", new, *names)
    succeed("verify", "-k", new, *names)


def test_rekey_tells_of_other_names(key: Path, sealed: Path, tmp_path: Path) -> None:
    os.link(sealed, tmp_path / "again.wa")
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    result = succeed("rekey", "-k", key, "--new-key-file", new, sealed)
    assert f"{sealed} has 2 names: under the others, the old file stays" in result.err
    succeed("verify", "-k", key, tmp_path / "again.wa")


def test_links_and_devices_are_not_removed(key: Path, plain: Path, tmp_path: Path) -> None:
    """Of a link only the link would go, and the plaintext stay."""
    link, fifo = tmp_path / "link", tmp_path / "fifo"
    link.symlink_to(plain)
    os.mkfifo(fifo)
    for path, says in ((link, "is a symbolic link"), (fifo, "is not a file")):
        result = run("encrypt", "--rm", "-k", key, path)
        assert result.code == 1
        assert says in result.err
        assert not path.with_name(f"{path.name}.wa").exists()
    assert link.is_symlink()
    assert fifo.is_fifo()


def test_an_input_that_may_not_be_removed(unprivileged: Unprivileged) -> None:
    """The file is encrypted all the same, which the error says."""
    key, closed, output = (unprivileged.folder / name for name in ("key", "closed", "notes.wa"))
    assert unprivileged.run("keygen", "-q", "-o", key).code == 0
    closed.mkdir()
    (closed / "notes").write_text("notes")
    closed.chmod(0o555)
    result = unprivileged.run("encrypt", "--rm", "-k", key, closed / "notes", "-o", output)
    closed.chmod(0o755)
    assert result.code == 1
    assert f"removing {closed}/notes, whose output is there: Permission denied" in result.err
    assert (closed / "notes").exists()
    assert output.exists()


def test_other_names_are_told(key: Path, plain: Path, tmp_path: Path) -> None:
    os.link(plain, tmp_path / "again")
    assert f"{plain} has 2 names" in succeed("encrypt", "--rm", "-k", key, plain).err
    assert not plain.exists()
    assert "warning" not in succeed("encrypt", "--rm", "-k", key, tmp_path / "again").err


CHANGES = ["append", "replace", "rewrite", "rewrite and unlink"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_changed_meanwhile_is_kept(change: str, key: Path, tmp_path: Path) -> None:
    log, sealed = tmp_path / "log", tmp_path / "log.wa"
    log.write_bytes(pattern(64 << 20))
    message = changed_at_work(change, log, "encrypt", "--rm", "-k", key)
    assert "was changed while it was read, and is not removed" in message
    succeed("verify", "-k", key, sealed)


@pytest.mark.parametrize("change", CHANGES)
def test_rekey_of_a_file_that_is_changed_meanwhile(change: str, key: Path, tmp_path: Path) -> None:
    """What another program has put there since would be lost."""
    plain, sealed, new = tmp_path / "plain", tmp_path / "plain.wa", tmp_path / "new"
    plain.write_bytes(pattern(64 << 20))
    succeed("encrypt", "-q", "-k", key, plain)
    succeed("keygen", "-q", "-o", new)
    message = changed_at_work(change, sealed, "rekey", "-k", key, "--new-key-file", new)
    assert "was changed while it was read, and stays as it is" in message
    assert len(list(tmp_path.iterdir())) == 4


def changed_at_work(change: str, file: Path, *command: str | Path) -> str:
    """What a command says that fails and leaves its file as it is, because somebody writes to it, or puts
    another one in its place, while the command reads."""
    line = command_line(*command, "--threads", "1", file)
    other_name = file.with_name("other name")
    if change == "rewrite and unlink":
        os.link(file, other_name)
    before, end = file.stat(), file.read_bytes()[-14:]
    time.sleep(0.05)  # a file that has changed just now is not read at once
    with subprocess.Popen(line, stderr=subprocess.PIPE, env=environment()) as running:
        descriptors = Path(f"/proc/{running.pid}/fd")
        while not any(os.path.realpath(path) == str(file) for path in listed(descriptors)):
            time.sleep(0.001)
        time.sleep(0.005)  # reading has begun
        if change.startswith("rewrite"):  # and set the time back, as some programs do
            with file.open("r+b") as stream:
                stream.seek(-len(end), os.SEEK_END)
                stream.write(end)
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
            other_name.unlink(missing_ok=True)
        elif change == "append":
            with file.open("ab") as stream:
                stream.write(b"one line more\n")
        else:
            next_one = file.with_name("next")
            next_one.write_bytes(b"another log")
            next_one.rename(file)
        assert running.stderr
        message = running.stderr.read().decode()
        assert running.wait(60) == 1
    ends = {"append": b"one line more\n", "replace": b"another log"}
    assert file.read_bytes()[-14:] == ends.get(change, end)
    return message


def listed(folder: Path) -> list[Path]:
    """A process that ends takes its folder away."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []
