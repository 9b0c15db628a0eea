"""Encrypted files that come through pipes, of which no place can be read again."""

import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import warpaes
from tests.python.containers import CHUNK, KEY, PROGRAM, pattern

HEADER, SEALED_CHUNK = 56, CHUNK + 16
ASKED_FOR = 64 * SEALED_CHUNK

pytestmark = pytest.mark.filterwarnings("error")


def sealed(content: bytes, **secret: Any) -> bytes:
    """An encrypted file."""
    kept = io.BytesIO()
    with warpaes.open(kept, "wb", **(secret or {"key": KEY})) as file:
        file.write(content)
    return kept.getvalue()


@contextmanager
def pipe_with(data: bytes, step: int = 1 << 20) -> Iterator[io.BufferedReader]:
    """A pipe's end, at whose other one a thread writes so many bytes at a time."""
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb", buffering=0) as file:
            for at in range(0, len(data), step):
                file.write(data[at : at + step])

    thread = threading.Thread(target=write)
    with open(reading, "rb") as end:
        thread.start()
        yield end
        while end.read1():  # a thread that waits would wait for ever
            pass
        thread.join()


LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 64 * CHUNK, 64 * CHUNK + 1, (3 << 20) + 7]


@pytest.mark.parametrize("length", LENGTHS)
def test_comes_back(length: int) -> None:
    with pipe_with(sealed(pattern(length))) as end:
        with warpaes.open(end, key=KEY) as file:
            assert file.read() == pattern(length)
            assert file.read() == b""
        assert not end.closed


@pytest.mark.parametrize("length", [0, 1, CHUNK, 2 * CHUNK + 5])
@pytest.mark.parametrize("step", [1, 100, SEALED_CHUNK, SEALED_CHUNK + 1])
def test_comes_back_in_whatever_pieces_it_comes(length: int, step: int) -> None:
    with pipe_with(sealed(pattern(length)), step) as end, warpaes.open(end, key=KEY) as file:
        assert file.read() == pattern(length)


@pytest.mark.parametrize("wanted", [1000, CHUNK, 5 * CHUNK + 1, 1 << 21])
def test_is_read_in_pieces(wanted: int) -> None:
    content = pattern(9 * CHUNK + 77)
    with pipe_with(sealed(content)) as end, warpaes.open(end, key=KEY) as file:
        assert b"".join(iter(lambda: file.read(wanted), b"")) == content


def test_is_read_line_by_line() -> None:
    content = b"".join(b"line %d\n" % number for number in range(10_000))
    with pipe_with(sealed(content)) as end, warpaes.open(end, key=KEY) as file:
        assert list(file) == content.splitlines(keepends=True)


def test_a_passphrase() -> None:
    data = sealed(b"text", passphrase="horse")
    with pipe_with(data) as end, warpaes.open(end, passphrase="horse") as file:
        assert file.read() == b"text"


@pytest.mark.parametrize("named", [False, True])
def test_names_of_pipes(named: bool, tmp_path: Path) -> None:
    """Such a name is opened once: who writes to it would meet a broken pipe, or wait for ever."""
    content = pattern(5 * CHUNK)
    if named:
        path = str(tmp_path / "fifo")
        os.mkfifo(path)
        thread = threading.Thread(target=lambda: Path(path).write_bytes(sealed(content)))
        thread.start()
        with warpaes.open(path, key=KEY) as file:
            assert (file.read(), file.name) == (content, path)
        thread.join()
        assert file.raw.closed
    else:
        with pipe_with(sealed(content)) as end, warpaes.open(f"/dev/fd/{end.fileno()}", key=KEY) as file:
            assert file.read() == content


def test_standard_input_that_the_program_writes(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY.hex())
    (tmp_path / "key").chmod(0o600)
    encrypt = [str(PROGRAM), "encrypt", "-q", "-k", str(tmp_path / "key"), "-"]
    script = (
        f"import sys, warpaes; sys.stdout.buffer.write(warpaes.open(sys.stdin.buffer, key={KEY!r}).read())"
    )
    content = pattern(3 << 20)
    with subprocess.Popen(encrypt, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        reader = subprocess.Popen(
            [sys.executable, "-c", script], stdin=program.stdout, stdout=subprocess.PIPE
        )
        assert program.stdin
        program.stdin.write(content)
        program.stdin.close()
        assert reader.communicate()[0] == content
    assert (program.returncode, reader.returncode) == (0, 0)


def test_a_socket() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb") as given:
        theirs.sendall(sealed(b"text"))
        theirs.shutdown(socket.SHUT_WR)
        with warpaes.open(given, key=KEY) as file:
            assert file.read() == b"text"


class Plain:
    """A file object of another package: it reads, and nothing else."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int = -1, /) -> bytes:
        return self._file.read(min(size, 1000))


def test_an_object_that_only_reads() -> None:
    content = pattern(2 * CHUNK + 9)
    with warpaes.open(Plain(sealed(content)), key=KEY) as file:
        assert file.read() == content


def test_a_chunk_is_given_when_the_next_byte_has_come() -> None:
    content = pattern(3 * CHUNK)
    data = sealed(content)
    reading, writing = os.pipe()
    with open(writing, "wb", buffering=0) as to, open(reading, "rb") as end:
        to.write(data[: HEADER + SEALED_CHUNK + 1])
        with warpaes.open(end, key=KEY) as file:
            assert file.read(CHUNK) == content[:CHUNK]
            to.write(data[HEADER + SEALED_CHUNK + 1 :])
            to.close()
            assert file.read() == content[CHUNK:]


@pytest.mark.parametrize("buffering", [0, 1 << 16])
def test_a_pipe_that_does_not_block(buffering: int) -> None:
    """A buffered one has nothing to give at its end, and while there is nothing yet."""
    content = pattern(100)
    data = sealed(content)
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with open(writing, "wb", buffering=0) as to, open(reading, "rb", buffering=buffering) as end:
        with pytest.raises(BlockingIOError, match="no bytes yet"):
            warpaes.open(end, key=KEY)
        to.write(data[:-1])
        with warpaes.open(end, key=KEY) as file:
            with pytest.raises(BlockingIOError, match="no bytes yet"):
                file.read(1)
            to.write(data[-1:])
            to.close()
            assert file.read() == content


def outcome(file: io.BufferedReader) -> tuple[bytes, type[BaseException] | None, str]:
    """What is read, chunk by chunk, until the end or an error."""
    got = b""
    try:
        while piece := file.read(CHUNK):
            got += piece
    except (warpaes.Damaged, warpaes.Truncated) as error:
        return got, type(error), str(error)
    return got, None, ""


CONTENT = pattern(3 * CHUNK + 100)
WHOLE = sealed(CONTENT)
DAMAGED = {
    "flipped": WHOLE[: HEADER + 2 * SEALED_CHUNK + 7] + b"?" + WHOLE[HEADER + 2 * SEALED_CHUNK + 8 :],
    "last tag flipped": WHOLE[:-1] + bytes([WHOLE[-1] ^ 1]),
    "a byte more": WHOLE + b"!",
    "a chunk more": WHOLE + bytes(SEALED_CHUNK),
    "chunks exchanged": WHOLE[: HEADER + SEALED_CHUNK]
    + WHOLE[HEADER + 2 * SEALED_CHUNK : HEADER + 3 * SEALED_CHUNK]
    + WHOLE[HEADER + SEALED_CHUNK : HEADER + 2 * SEALED_CHUNK]
    + WHOLE[HEADER + 3 * SEALED_CHUNK :],
    **{
        f"cut at {cut}": WHOLE[:cut]
        for chunks in range(4)
        for cut in (HEADER + chunks * SEALED_CHUNK + more for more in (0, 1, 15, 16, 17, SEALED_CHUNK - 1))
        if cut < len(WHOLE)
    },
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("step", [1000, 1 << 20])
def test_what_is_damaged_or_cut(data: bytes, step: int) -> None:
    """All chunks before it come, and then the error, again and again; no plaintext of what is not genuine."""
    with pipe_with(data, step) as end, warpaes.open(end, key=KEY) as file:
        got, error, message = outcome(file)
        assert error is not None
        assert got == CONTENT[: len(got)]
        with pytest.raises(error) as again:
            file.read(1)
        assert str(again.value) == message
    try:
        with warpaes.open(io.BytesIO(data), key=KEY) as at_places:
            assert outcome(at_places)[1:] == (error, message)
    except warpaes.Truncated:  # it knows the length before it reads
        assert error is warpaes.Truncated


@pytest.mark.parametrize(
    ("name", "chunks"),
    [
        ("flipped", 2),
        ("last tag flipped", 3),
        ("a byte more", 3),
        ("a chunk more", 3),
        ("chunks exchanged", 1),
        *((f"cut at {HEADER + chunks * SEALED_CHUNK + 1}", chunks) for chunks in range(4)),
    ],
)
def test_what_lies_before_damage_is_given(name: str, chunks: int) -> None:
    with pipe_with(DAMAGED[name]) as end, warpaes.open(end, key=KEY) as file:
        assert outcome(file)[0] == CONTENT[: chunks * CHUNK]


@pytest.mark.parametrize("length", [0, 1, HEADER - 1])
def test_less_than_a_header(length: int) -> None:
    with pipe_with(WHOLE[:length]) as end, pytest.raises(warpaes.Truncated, match=f"{length} are here"):
        warpaes.open(end, key=KEY)


@pytest.mark.parametrize(
    "secret", [{"key": bytes(32)}, {"passphrase": "horse"}, {"key": KEY, "context_string": b"other"}]
)
def test_another_key(secret: dict[str, Any], tmp_path: Path) -> None:
    with pipe_with(WHOLE) as end:
        with pytest.raises(warpaes.WrongKey):
            warpaes.open(end, **secret)
        assert not end.closed


@pytest.mark.parametrize(
    "call",
    [
        lambda file: file.size,
        lambda file: file.read_ranges([(0, 1)]),
        lambda file: file.seek(0),
        lambda file: file.tell(),
    ],
)
def test_has_no_places(call: Callable[[Any], Any]) -> None:
    with pipe_with(WHOLE) as end, warpaes.open(end, key=KEY) as file:
        assert (file.readable(), file.writable(), file.seekable()) == (True, False, False)
        with pytest.raises(io.UnsupportedOperation):
            call(file)
        assert file.read() == CONTENT


def test_a_closed_one() -> None:
    with pipe_with(WHOLE) as end:
        with warpaes.open(end, key=KEY) as file:
            file.read(1)
        with pytest.raises(ValueError, match="closed"):
            file.read(1)
        with pytest.raises(ValueError, match="closed"):
            file.raw.read(1)
        file.close()


def test_is_not_pickled() -> None:
    with pipe_with(WHOLE) as end, warpaes.open(end, key=KEY) as file:
        for each in (file, file.raw):
            with pytest.raises(TypeError, match="cannot be pickled"):
                each.__reduce__()


def test_text() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with open(reading) as end, pytest.raises(TypeError, match="a b in its mode"):
        warpaes.open(end, key=KEY)  # type: ignore[call-overload]
