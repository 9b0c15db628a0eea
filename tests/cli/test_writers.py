"""Files that somebody writes to while they are read, also by ways that leave their times as they are."""

import mmap
import os
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


def test_a_long_message_is_not_in_memory_if_nobody_writes_to_it(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(pattern(LONG))
    need_to_know_writers(plain)
    command = command_line("raw", "-q", "--mode", "siv", "--key-hex", key_of(32).hex(), plain, "-o")
    traced = ["strace", "-qq", "-f", "-e", "trace=pread64,read", "-o", str(tmp_path / "log")]
    subprocess.run([*traced, *command, str(tmp_path / "out")], check=True, env=environment(), timeout=120)
    lengths = [line.rsplit("= ", 1)[-1].split()[0] for line in (tmp_path / "log").read_text().splitlines()]
    assert sum(int(length) for length in lengths if length.isdigit()) < 1 << 20
