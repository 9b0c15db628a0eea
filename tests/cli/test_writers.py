"""Files that somebody writes to while they are read, also by ways that leave their times as they are."""

import fcntl
import mmap
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.cli.leases import need_leases, need_to_know_writers
from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import key_of
from tests.cli.unprivileged import Unprivileged

LONG = 40 << 20  # more than is kept in memory
OPEN = "is open for writing in another program"


@contextmanager
def stored_to(file: Path) -> Iterator[None]:
    """By a program that has mapped the file and closed it: stores to a page that it has changed before are
    seen by no system call and change no time."""
    with file.open("r+b") as stream:
        memory = mmap.mmap(stream.fileno(), 0)
    memory[:8] = b"pre-text"
    over = threading.Event()

    def store() -> None:
        number = 0
        while not over.is_set():
            number += 1
            memory[:8] = b"%08d" % (number % 10**8)

    thread = threading.Thread(target=store)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        memory.close()


@contextmanager
def held_open(file: Path) -> Iterator[None]:
    """By a program that will write to it some time, as a service to its log."""
    with file.open("ab"):
        yield


Way = Callable[[Path], AbstractContextManager[None]]
WAYS: list[Way] = [stored_to, held_open]


@pytest.mark.parametrize("way", WAYS)
def test_what_somebody_writes_to_is_not_removed(way: Way, key: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(pattern(1 << 20))
    need_leases(log)
    with way(log):
        result = run("encrypt", "--rm", "-k", key, log)
        assert result.code == 1
        assert f"{log} {OPEN}, and would be removed: nothing was made of it" in result.err
        assert sorted(tmp_path.iterdir()) == [key, log]
        succeed("encrypt", "-k", key, log)
    succeed("encrypt", "-f", "--rm", "-k", key, log)
    assert not log.exists()


@pytest.mark.parametrize("way", WAYS)
def test_what_somebody_writes_to_is_not_replaced(way: Way, key: Path, sealed: Path, tmp_path: Path) -> None:
    need_leases(sealed)
    old = sealed.read_bytes()
    arguments: tuple[str | Path, ...] = ("rekey", "-k", key, "--new-key-file", key, sealed)
    with way(sealed):
        result = run(*arguments)
        assert result.code == 1
        assert f"{sealed} {OPEN}, and would be replaced: nothing was made of it" in result.err
        assert sealed.read_bytes()[8:] == old[8:]
    sealed.write_bytes(old)
    succeed(*arguments)


@pytest.mark.parametrize("verb", ["encrypt", "rekey"])
def test_somebody_opens_it_meanwhile_to_write(verb: str, key: Path, tmp_path: Path) -> None:
    """And has written nothing when the file would go."""
    file, options = tmp_path / "plain", ["--rm"]
    file.write_bytes(pattern(100))
    need_leases(file)
    if verb == "rekey":
        succeed("encrypt", "--rm", "-k", key, file)
        file, options = tmp_path / "plain.wa", ["--new-key-file", str(key)]
    old, there = file.read_bytes(), sorted(tmp_path.iterdir())
    slow_disk = ["strace", "-qq", "-f", "-o", "/dev/null", "-e", "trace=fsync"]
    slow_disk += ["-e", "inject=fsync:delay_enter=2000000:when=1"]
    command = [*slow_disk, *command_line(verb, "--threads", "1", "-k", key, *options, file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as running:
        time.sleep(1)
        assert running.poll() is None
        with file.open("ab"):
            _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    ends = {"encrypt": "and is not removed: its output is there", "rekey": "and stays as it is"}
    assert f"{file} {OPEN}, {ends[verb]}" in said
    assert file.read_bytes() == old
    assert sorted(tmp_path.iterdir()) == sorted({*there, tmp_path / "plain.wa"})


def sealed_or_refused(mode: str, key: bytes, file: Path, during: Callable[[], None]) -> None:
    """A message that is sealed meanwhile opens, or the program says that it could not be."""
    out, back = file.with_name("out"), file.with_name("back")
    options = ("raw", "-q", "--mode", mode, "--key-hex", key.hex())
    nonce = ("--nonce", "00" * 7) if mode == "ccm" else ()
    command = command_line(*options, *nonce, file, "-o", out)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as running:
        during()
        _, said = running.communicate(timeout=120)
    if running.returncode != 0:
        assert "was changed while it was read" in said
        assert not out.exists()
        return
    succeed(*options, "-d", *nonce, out, "-o", back)
    out.unlink()
    back.unlink()


@pytest.mark.parametrize("mode", ["siv", "gcm-siv", "ccm"])
def test_a_long_message_whose_pages_are_stored_to(mode: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(pattern(LONG))
    with stored_to(plain):
        sealed_or_refused(mode, key_of(32), plain, lambda: None)


@pytest.mark.parametrize("mode", ["siv", "gcm-siv"])
def test_a_long_message_whose_time_is_set_back(mode: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(pattern(LONG))
    before = plain.stat()

    def write_everywhere() -> None:
        for number in range(20):
            with plain.open("r+b") as stream:
                for offset in range(0, LONG, 1 << 20):
                    stream.seek(offset)
                    stream.write(b"%08d" % number)
            os.utime(plain, ns=(before.st_atime_ns, before.st_mtime_ns))

    for _ in range(4):
        sealed_or_refused(mode, key_of(32), plain, write_everywhere)


def test_a_long_message_is_read_twice_and_not_kept_if_nobody_writes_to_it(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(pattern(LONG))
    need_to_know_writers(plain)
    command = command_line("raw", "-q", "--mode", "siv", "--key-hex", key_of(32).hex(), plain, "-o")
    traced = ["strace", "-qq", "-f", "-e", "trace=pread64,read", "-o", str(tmp_path / "log")]
    nowhere = environment(TMPDIR=str(tmp_path / "missing"))
    subprocess.run([*traced, *command, str(tmp_path / "out")], check=True, env=nowhere, timeout=120)
    lengths = [
        int(length) for length in re.findall(r"= (\d+)$", (tmp_path / "log").read_text(), re.MULTILINE)
    ]
    assert max(lengths) <= 4 << 20
    assert 2 * LONG <= sum(lengths) < 2 * LONG + (1 << 20)


def test_a_file_of_somebody_else(unprivileged: Unprivileged) -> None:
    """Of which there is no lease: it is read once, and removed if its times say that it is as it was."""
    if os.geteuid() != 0:
        pytest.skip("only root can make one")
    key, plain = unprivileged.folder / "key", unprivileged.folder / "plain"
    plain.write_bytes(pattern(LONG))
    plain.chmod(0o644)
    assert unprivileged.run("keygen", "-q", "-o", key).code == 0
    out, back = unprivileged.folder / "out", unprivileged.folder / "back"
    options = ("raw", "-q", "--mode", "siv", "-k", key)
    with stored_to(plain):
        result = unprivileged.run(*options, plain, "-o", out)
        assert result.code == 0, result.err
    result = unprivileged.run(*options, "-d", out, "-o", back)
    assert result.code == 0, result.err
    result = unprivileged.run("encrypt", "-q", "--rm", "-k", key, plain)
    assert result.code == 0, result.err
    assert not plain.exists()


CHANGES = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
static int changed;
int fcntl(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  long value = va_arg(more, long);
  va_end(more);
  if (command == F_SETLEASE && value == F_RDLCK && !changed++) fchmod(file, 0640);
  return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl64"))(file, command, value);
}
int fcntl64(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  long value = va_arg(more, long);
  va_end(more);
  return fcntl(file, command, value);
}
"""


@pytest.mark.parametrize("just_now", [True, False])
def test_a_write_in_the_tick_of_the_last_change(just_now: bool, key: Path, tmp_path: Path) -> None:
    """It would leave the file's times as they are, so what has changed just now is not read at once. And no
    lease is held while it is read, for which others would have to wait."""
    plain, log = tmp_path / "plain", tmp_path / "log"
    plain.write_bytes(pattern(100))
    need_leases(plain)
    time.sleep(0.1)
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(CHANGES)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    trace = ["strace", "-qq", "-f", "-o", str(log), "-e", "trace=fcntl,poll,pread64"]
    trace += ["-E", f"LD_PRELOAD={library}"] if just_now else []
    command = [*trace, *command_line("encrypt", "-q", "--rm", "-k", key, plain)]
    subprocess.run(command, check=True, env=environment(), timeout=60)
    before_reading = log.read_text().split("F_SETLEASE, F_RDLCK")[1].split("pread64")[0]
    assert "F_SETLEASE, F_UNLCK" in before_reading
    assert ("= 0 (Timeout)" in before_reading) == just_now


def test_another_program_has_a_lease(key: Path, tmp_path: Path) -> None:
    """As servers of files have. Asked for it, they give it back."""
    folder = tmp_path / "folder"
    folder.mkdir()
    plain = folder / "plain"
    plain.write_bytes(pattern(100))
    need_leases(plain)
    asked = []
    with plain.open("r+b") as stream:

        def give_back(number: int, frame: object) -> None:
            asked.append((number, frame))
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_UNLCK)

        before = signal.signal(signal.SIGIO, give_back)
        try:
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            succeed("encrypt", "-r", "-k", key, folder)
        finally:
            signal.signal(signal.SIGIO, before)
    assert asked
    assert (folder / "plain.wa").exists()
