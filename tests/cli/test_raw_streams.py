"""`warpaes raw` reads, works and writes at the same time: pieces in order, failures of each side, memory."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.cli.peak_memory import MOST_MEMORY, measured, peak_memory
from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import AEAD, IV, key_of
from tests.cli.test_interruptions import started

PIECE = 1 << 20  # of two threads
NONCE = bytes(range(12))
STREAMED = ("gcm", "eax", "ocb3")
KEY = ["--key-hex", key_of(16).hex(), "--quiet", "--threads", "2"]


def options_of(mode: str) -> list[str]:
    nonce = IV if mode == "ctr" else NONCE
    return ["--mode", mode, "--nonce", nonce.hex(), *KEY]


def expected(mode: str, data: bytes) -> bytes:
    if mode == "ctr":
        return Cipher(algorithms.AES(key_of(16)), modes.CTR(IV)).encryptor().update(data)
    return next(row for row in AEAD if row.name == mode).seal(key_of(16), NONCE, data, b"")


@pytest.mark.parametrize("mode", ["ctr", "gcm", "ocb3"])
def test_lengths_around_pieces(mode: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    data = pattern(4 * PIECE + 5)
    for length in (PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, len(data)):
        plain.write_bytes(data[:length])
        sealed = expected(mode, data[:length])
        assert succeed("raw", *options_of(mode), plain).out == sealed
        assert succeed("raw", *options_of(mode), stdin=data[:length]).out == sealed


@pytest.mark.parametrize("mode", ["ctr", *STREAMED])
def test_short_reads(mode: str) -> None:
    data = pattern(20_000)
    command = command_line("raw", *options_of(mode))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as running:
        assert running.stdin
        assert running.stdout
        for at in range(0, len(data), 999):
            running.stdin.write(data[at : at + 999])
            running.stdin.flush()
            time.sleep(0.001)
        running.stdin.close()
        assert running.stdout.read() == expected(mode, data)


@pytest.mark.parametrize("mode", ["ctr", "gcm"])
def test_memory_is_bounded(mode: str, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no space
    command = command_line("raw", *options_of(mode), large)
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(measured(command), stdout=null, stderr=pipe, env=environment()) as running:
        # All at once, input and output take 2 GiB.
        assert peak_memory(running) < MOST_MEMORY


@pytest.mark.parametrize("mode", ["ctr", "gcm"])
def test_reader_goes_away_while_more_input_may_come(mode: str) -> None:
    """Nobody waits for standard input once the output has failed."""
    reading, writing = os.pipe()
    os.close(reading)
    running = subprocess.Popen(
        command_line("raw", *options_of(mode)),
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.close(writing)
    assert running.stdin
    assert running.stderr
    feeding = threading.Thread(target=feed, args=(running.stdin.fileno(),))
    feeding.start()
    assert running.wait(60) == 1
    assert b"Broken pipe" in running.stderr.read()
    feeding.join()
    for stream in (running.stdin, running.stderr):
        stream.close()


def feed(pipe: int) -> None:
    """One piece and a bit, after which the pipe stays open."""
    try:
        for _ in range((PIECE >> 20) + 1):
            os.write(pipe, bytes(1 << 20))
    except BrokenPipeError:
        pass


@pytest.mark.parametrize("mode", ["ctr", *STREAMED])
def test_full_output(mode: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(bytes(3 * PIECE))
    with Path("/dev/full").open("wb") as full:
        result = run("raw", *options_of(mode), plain, stdout=full)
    assert result.code == 1
    assert "No space left on device" in result.err


@pytest.mark.parametrize("mode", ["ctr", *STREAMED])
def test_input_that_cannot_be_read(mode: str, tmp_path: Path) -> None:
    """Page 0 of a program's memory is no page."""
    result = run("raw", *options_of(mode), "/proc/self/mem", "-o", tmp_path / "out")
    assert result.code == 1
    assert "reading /proc/self/mem" in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", ["ctr", "gcm"])
def test_interrupted(mode: str, tmp_path: Path) -> None:
    with started("raw", *options_of(mode), "-", "-o", tmp_path / "out") as running:
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 130
    assert list(tmp_path.iterdir()) == []


def test_a_tag_file_is_not_left_by_a_failure(tmp_path: Path) -> None:
    tag = ["--tag-file", str(tmp_path / "tag")]
    result = run("raw", *options_of("gcm"), *tag, "/proc/self/mem", "-o", tmp_path / "out")
    assert result.code == 1
    assert list(tmp_path.iterdir()) == []
