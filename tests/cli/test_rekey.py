"""`warpaes rekey`: another key or passphrase for a file, and what becomes of its name and its permissions."""

import os
import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.program import command_line, damage_end, environment, run, succeed
from tests.cli.unprivileged import NOBODY, Unprivileged


def test_rekey(key: Path, word: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    before = sorted(tmp_path.iterdir())
    sealed.chmod(0o640)
    succeed("rekey", "-k", key, "--new-key-file", new, sealed)
    assert sorted(tmp_path.iterdir()) == before
    assert sealed.stat().st_mode & 0o777 == 0o640
    assert run("verify", "-k", key, sealed).code == 12
    succeed("rekey", "-k", new, "--new-passphrase-file", word, sealed)
    assert run("verify", "-k", new, sealed).code == 12
    succeed("rekey", "--passphrase-file", word, "--new-key-file", key, "--new-context", "x", sealed)
    opened = succeed("decrypt", "-k", key, "--context", "x", sealed, "-o", "-").out
    assert opened == plain.read_bytes()


def test_rekey_names_files_as_they_were_named(key: Path, sealed: Path, tmp_path: Path) -> None:
    result = run("rekey", "-k", key, "--new-key-file", key, sealed.name, cwd=tmp_path)
    assert result.code == 0
    assert f"{sealed.name} -> {sealed.name}: " in result.err
    twice = run("rekey", "-k", key, "--new-key-file", key, sealed, sealed)
    assert twice.code == 2
    assert f"{sealed} is named twice" in twice.err
    twice = run("rekey", "-k", key, "--new-key-file", key, sealed.name, f"./{sealed.name}", cwd=tmp_path)
    assert twice.code == 2
    assert f"./{sealed.name} is named twice" in twice.err


def test_rekey_offers_no_standard_output(key: Path, sealed: Path) -> None:
    assert run("rekey", "-k", key, "--new-key-file", key, sealed, "-o", "-").code == 2
    text = succeed("rekey", "--help").out
    assert b"Name of the output\n" in text
    assert b"or - for standard output" not in text
    assert b"or - for standard output" in succeed("decrypt", "--help").out


def test_rekey_of_what_has_no_name(key: Path, sealed: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.wa"
    os.mkfifo(pipe)
    again: list[str | Path] = ["rekey", "-k", key, "--new-key-file", key]
    result = run(*again, "/dev/stdin", stdin=sealed.read_bytes())
    assert result.code == 2
    assert result.err.splitlines() == [
        "warpaes: error: /dev/stdin is no file, so the output has no name",
        "warpaes: hint: -o FILE",
    ]
    result = run(*again, sealed, "-o", pipe)
    assert result.code == 1
    assert f"{pipe} is not a file" in result.err
    assert "-o -" not in result.err
    with sealed.open("rb") as stream:
        succeed(*again, f"/dev/fd/{stream.fileno()}", pass_fds=[stream.fileno()])
    succeed("verify", "-k", key, sealed)


def test_rekey_keeps_the_context(key: Path, word: Path, plain: Path) -> None:
    """Only the key of what is bound to something was to be another. An empty one takes it away."""
    sealed = plain.with_name("plain.wa")
    succeed("encrypt", "-k", key, "--context", "x", plain)
    succeed("rekey", "-k", key, "--context", "x", "--new-passphrase-file", word, sealed)
    assert run("verify", "--passphrase-file", word, sealed).code == 12
    succeed("rekey", "--passphrase-file", word, "--context", "x", "--new-key-file", key, sealed)
    assert run("verify", "-k", key, sealed).code == 12
    assert succeed("decrypt", "-k", key, "--context", "x", sealed, "-o", "-").out == plain.read_bytes()
    succeed("rekey", "-k", key, "--context", "x", "--new-key-file", key, "--new-context", "", sealed)
    succeed("verify", "-k", key, sealed)


def test_rekey_takes_no_context_that_does_not_open(key: Path, sealed: Path) -> None:
    result = run("rekey", "-k", key, "--new-key-file", key, "--new-context", "x" * 953, sealed)
    assert result.code == 2
    assert "longer than 952 bytes" in result.err
    succeed("rekey", "-k", key, "--new-key-file", key, "--new-context", "x" * 512, sealed)
    succeed("verify", "-k", key, "--context", "x" * 512, sealed)


def test_rekey_in_place_waits_for_the_disk(key: Path, sealed: Path, tmp_path: Path) -> None:
    result = run("rekey", "--no-sync", "-k", key, "--new-key-file", key, sealed)
    assert result.code == 2
    assert "could lose the old file and the new one" in result.err
    succeed("rekey", "--no-sync", "-k", key, "--new-key-file", key, sealed, "-o", tmp_path / "new.wa")


def test_rekey_keeps_the_permissions_whatever_the_umask(key: Path, sealed: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    sealed.chmod(0o664)
    succeed("rekey", "-k", key, "--new-key-file", new, sealed, umask=0o077)
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o664


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_rekey_keeps_owner_and_group(key: Path, sealed: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    os.chown(sealed, 1234, 5678)
    sealed.chmod(0o640)
    result = succeed("rekey", "-k", key, "--new-key-file", new, sealed)
    after = sealed.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (1234, 5678, 0o640)
    assert "warning" not in result.err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a file of somebody else's")
@pytest.mark.parametrize(("before", "after"), [(0o664, 0o644), (0o604, 0o600), (0o646, 0o644)])
def test_rekey_of_another_user_s_file(
    before: int, after: int, key: Path, sealed: Path, unprivileged: Unprivileged
) -> None:
    """Who may not give the file to its group does not give the group's permissions to another one."""
    keys = [unprivileged.folder / name for name in ("old", "new")]
    keys[0].write_bytes(key.read_bytes())
    succeed("keygen", "-q", "-o", keys[1])
    theirs = unprivileged.folder / "theirs.wa"
    theirs.write_bytes(sealed.read_bytes())
    for path in keys:
        path.chmod(0o600)
        os.chown(path, NOBODY, NOBODY)
    theirs.chmod(before)
    result = unprivileged.run("rekey", "-k", keys[0], "--new-key-file", keys[1], theirs)
    assert result.code == 0, result.err
    assert "gets another owner or group" in result.err
    now = theirs.stat()
    assert (now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)) == (NOBODY, NOBODY, after)
    succeed("verify", "-k", keys[1], theirs)


def test_rekey_follows_links(key: Path, sealed: Path, tmp_path: Path) -> None:
    new, link = tmp_path / "new", tmp_path / "link.wa"
    succeed("keygen", "-q", "-o", new)
    link.symlink_to(sealed)
    succeed("rekey", "-k", key, "--new-key-file", new, link)
    assert link.is_symlink()
    succeed("verify", "-k", new, sealed)


def test_rekey_of_a_damaged_file_changes_nothing(key: Path, sealed: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    damage_end(sealed)
    content = sealed.read_bytes()
    assert run("rekey", "-k", key, "--new-key-file", new, sealed).code == 13
    assert sealed.read_bytes() == content
    for variables in (environment(), environment(WARPAES_KEY_FILE=str(key))):
        result = run("rekey", "-k", key, sealed, env=variables)
        assert result.code == 2
        assert "no new key" in result.err
    assert run("rekey", "-k", key, "--new-key-file", new, "-").code == 2


@contextmanager
def renaming_late(
    *arguments: str | Path, trace: Path = Path("/dev/null")
) -> Iterator["subprocess.Popen[bytes]"]:
    """The program, which waits two seconds before each of its calls that rename.

    trace: where these calls are written, with what came of them
    """
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    calls = "renameat,renameat2"
    late = ["-e", f"trace={calls}", "-e", f"inject={calls}:delay_enter=2000000"]
    strace = ["strace", "-qq", "-f", "-o", str(trace), *late]
    with subprocess.Popen(
        [*strace, *command_line(*arguments)], stderr=subprocess.PIPE, env=environment()
    ) as running:
        yield running


def put(content: str, file: Path) -> None:
    """As programs do that replace a file."""
    (file.parent / content).write_text(content)
    (file.parent / content).rename(file)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.parametrize("change", ["another file", "none"])
def test_what_comes_to_the_name_at_the_last_moment_stays(
    change: str, key: Path, sealed: Path, tmp_path: Path
) -> None:
    """After the last look at it: rename(2) would end what another program has put there."""
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    before = set(tmp_path.iterdir())
    with renaming_late("rekey", "-q", "-k", key, "--new-key-file", new, sealed) as running:
        wait_until(lambda: set(tmp_path.iterdir()) != before)  # it is there, under another name
        if change == "none":
            sealed.unlink()
        else:
            put("of another program", sealed)
        assert running.stderr
        message = running.stderr.read().decode()
        assert running.wait(60) == 1
    assert "was changed while it was read, and stays as it is" in message
    if change == "none":
        assert set(tmp_path.iterdir()) == before - {sealed}
    else:
        assert sealed.read_text() == "of another program"
        assert set(tmp_path.iterdir()) == before


def test_what_comes_to_the_name_when_it_has_just_become_free_stays_too(
    key: Path, sealed: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """There is nothing to exchange names with, and then there is."""
    new, trace = tmp_path / "new", tmp_path_factory.mktemp("trace") / "calls"
    succeed("keygen", "-q", "-o", new)
    before = set(tmp_path.iterdir())
    with renaming_late("rekey", "-q", "-k", key, "--new-key-file", new, sealed, trace=trace) as running:
        wait_until(lambda: set(tmp_path.iterdir()) != before)
        sealed.unlink()
        wait_until(lambda: "ENOENT" in trace.read_text())
        put("of another program", sealed)
        assert running.stderr
        message = running.stderr.read().decode()
        assert running.wait(60) == 1
    assert "was changed while it was read, and stays as it is" in message
    assert sealed.read_text() == "of another program"
    assert set(tmp_path.iterdir()) == before


def test_what_comes_to_the_name_while_another_file_is_put_back_stays_too(
    key: Path, sealed: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    before = set(tmp_path.iterdir())
    with renaming_late("rekey", "-q", "-k", key, "--new-key-file", new, sealed) as running:
        wait_until(lambda: set(tmp_path.iterdir()) != before)
        put("first", sealed)
        wait_until(lambda: sealed.read_bytes() != b"first")  # they have exchanged names
        put("second", sealed)
        assert running.stderr
        message = running.stderr.read().decode()
        assert running.wait(60) == 1
    (left,) = set(tmp_path.iterdir()) - before
    assert f"warning: what was {sealed} is {left} now" in message
    assert (sealed.read_text(), left.read_text()) == ("first", "second")
