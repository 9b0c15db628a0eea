"""Encrypted files: as a Python file, and the same bytes that other programs read and write."""

import errno
import gc
import io
import os
import random
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest
from cryptography import cobblestone

import warpaes
import warpaes.numpy
from tests.python.containers import CHUNK, KEY, PROGRAM, pattern, written

LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 100, (5 << 20) + 3]


@pytest.mark.parametrize("length", LENGTHS)
def test_comes_back(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "file", pattern(length))
    with warpaes.open(path, "rb", key=KEY) as file:
        assert file.size == length
        assert file.read() == pattern(length)
        assert file.read() == b""


@pytest.mark.parametrize("length", LENGTHS)
def test_cryptography_reads_it(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "file", pattern(length), b"purpose")
    other = cobblestone.Cobblestone256Decryptor(KEY, b"purpose")
    assert other.update(path.read_bytes()) + other.finalize() == pattern(length)


@pytest.mark.parametrize("length", LENGTHS)
def test_reads_what_cryptography_writes(tmp_path: Path, length: int) -> None:
    other = cobblestone.Cobblestone256Encryptor(KEY, b"purpose")
    path = tmp_path / "file"
    path.write_bytes(other.update(pattern(length)) + other.finalize())
    with warpaes.open(path, key=KEY, context_string=b"purpose") as file:
        assert file.read() == pattern(length)


def test_the_program_reads_it_and_is_read(tmp_path: Path) -> None:
    assert PROGRAM.is_file(), f"{PROGRAM} is missing: ./dev build"
    key = tmp_path / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    path = written(tmp_path / "file", pattern(50000))
    subprocess.run([PROGRAM, "decrypt", "-q", "-k", key, "-o", tmp_path / "again", path], check=True)
    assert (tmp_path / "again").read_bytes() == pattern(50000)
    subprocess.run(
        [PROGRAM, "encrypt", "-q", "-k", key, "-o", tmp_path / "sealed", tmp_path / "again"], check=True
    )
    with warpaes.open(tmp_path / "sealed", key=KEY) as file:
        assert file.read() == pattern(50000)


def test_is_a_file_like_any_other(tmp_path: Path) -> None:
    """The same calls as on the plaintext in memory, at random places."""
    text = pattern(5 * CHUNK + 77)
    path, memory, choice = written(tmp_path / "file", text), io.BytesIO(text), random.Random(1)
    with warpaes.open(path, key=KEY) as file:
        assert file.readable()
        assert file.seekable()
        assert not file.writable()
        for _ in range(300):
            offset, whence = choice.choice(
                [(choice.randrange(len(text) + 50), 0), (-choice.randrange(99), 2)]
            )
            assert file.seek(offset, whence) == memory.seek(offset, whence)
            length = choice.choice([0, 1, 100, CHUNK, CHUNK + 1, 70000])
            into = bytearray(length)
            assert file.readinto(into) == len(expected := memory.read(length))
            assert into[: len(expected)] == expected
            assert file.tell() == memory.tell()
            assert file.readline() == memory.readline()


def test_ranges(tmp_path: Path) -> None:
    text = pattern(3 * CHUNK)
    with warpaes.open(written(tmp_path / "file", text), key=KEY) as file:
        ranges = [(0, 0), (5, 10), (CHUNK - 1, CHUNK + 1), (2 * CHUNK, 9 * CHUNK), (4 * CHUNK, 5 * CHUNK)]
        assert file.read_ranges(ranges) == [text[start:stop] for start, stop in ranges]
        assert file.tell() == 0
        with pytest.raises(ValueError, match="start <= stop"):
            file.read_ranges([(2, 1)])


def test_wrong_key_and_context(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text", b"purpose")
    for key, context in ((bytes(32), b"purpose"), (KEY, b"other")):
        with pytest.raises(warpaes.WrongKey):
            warpaes.open(path, key=key, context_string=context)


def test_damage_is_found_where_it_is(tmp_path: Path) -> None:
    path = written(tmp_path / "file", pattern(3 * CHUNK + 5))
    sealed = bytearray(path.read_bytes())
    sealed[56 + 16400 + 17] ^= 1
    path.write_bytes(sealed)
    with warpaes.open(path, key=KEY) as file:
        first, last = file.read_ranges([(0, CHUNK), (2 * CHUNK, 3 * CHUNK + 5)])
        assert first + last == pattern(3 * CHUNK + 5)[:CHUNK] + pattern(3 * CHUNK + 5)[2 * CHUNK :]
        with pytest.raises(warpaes.Damaged):
            file.read()


@pytest.mark.parametrize("missing", [1, 16, 21, 22, 16400, 16421, 49206])
def test_a_missing_end_is_found(tmp_path: Path, missing: int) -> None:
    path = written(tmp_path / "file", pattern(3 * CHUNK + 5))
    sealed = path.read_bytes()
    path.write_bytes(sealed[: len(sealed) - missing])
    with pytest.raises((warpaes.Truncated, warpaes.Damaged)):  # noqa: SIM117
        with warpaes.open(path, key=KEY) as file:
            file.read()


@pytest.mark.parametrize("chunks", [0, 1, 2])
def test_an_end_that_was_made_up_is_found(tmp_path: Path, chunks: int) -> None:
    """A file that is cut behind a chunk has a possible length again with any 16 bytes more."""
    path = written(tmp_path / "file", pattern(3 * CHUNK))
    path.write_bytes(path.read_bytes()[: 56 + chunks * 16400] + bytes(16))
    with warpaes.open(path, key=KEY) as file:
        assert file.read_ranges([(0, 5)] if chunks else []) == ([pattern(3 * CHUNK)[:5]] if chunks else [])
        with pytest.raises(warpaes.Damaged):
            file.read()
        file.seek(file.size)
        with pytest.raises(warpaes.Damaged):
            file.read(1)
        with pytest.raises(warpaes.Damaged):
            file.seek(0, io.SEEK_END)


def test_what_was_appended_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text")
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(warpaes.Damaged), warpaes.open(path, key=KEY) as file:
        file.read()


def test_threads_may_write_to_one_file(tmp_path: Path) -> None:
    """A chunk's number is used once, whoever comes first: it would be a nonce that is used twice."""
    parts = [bytes([number]) * (3 << 20) for number in range(8)]
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file, ThreadPoolExecutor(8) as pool:
        list(pool.map(file.write, parts))
    with warpaes.open(tmp_path / "file", key=KEY) as again:
        found = [again.read(3 << 20) for _ in parts]
    assert sorted(found) == parts


def test_a_write_that_fails_ends_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)

    def fails(data: bytes) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(file, "_emit", fails)
    with pytest.raises(OSError, match="no space"):
        file.write(bytes(5 << 20))
    with pytest.raises(ValueError, match="closed"):
        file.write(b"more")
    file.close()
    assert list(tmp_path.iterdir()) == []


def test_misuse(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        warpaes.open(tmp_path / "none", key=KEY)
    with pytest.raises(ValueError, match="mode must be"):
        warpaes.open(tmp_path / "file", "ab", key=KEY)
    with pytest.raises(ValueError, match="32"):
        warpaes.open(tmp_path / "file", "wb", key=b"a passphrase")
    assert list(tmp_path.iterdir()) == []
    closed = warpaes.open(written(tmp_path / "file", b"text"), key=KEY)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.read()
    with pytest.raises(warpaes.Truncated):
        warpaes.open(Path("/dev/null"), key=KEY)


def test_a_descriptor_stays_the_callers(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    with path.open("rb") as file:
        with pytest.raises(TypeError, match="PathLike"):
            warpaes.open(file.fileno(), key=KEY)  # type: ignore[call-overload]
        gc.collect()
        assert file.read() == b""


def test_what_is_no_encrypted_file_may_be_that(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a text of some length " * 50)
    with pytest.raises(warpaes.WrongKey, match="or it is no encrypted file"):
        warpaes.open(path, key=KEY)
    with pytest.raises(warpaes.WrongKey, match="does not begin as one that was encrypted with a passphrase"):
        warpaes.open(path, passphrase="text")


def test_places_are_whole_numbers(tmp_path: Path) -> None:
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file:
        file.write(b"text")
    with warpaes.open(tmp_path / "file", key=KEY) as read, pytest.raises(TypeError, match="offset must be"):
        read.raw.seek(1.5)  # type: ignore[arg-type]


def test_what_lies_before_damage_can_be_read(tmp_path: Path) -> None:
    content = pattern(5 * CHUNK)
    path = written(tmp_path / "file", content)
    sealed = bytearray(path.read_bytes())
    sealed[56 + 2 * 16400 + 7] ^= 1
    path.write_bytes(sealed)
    with warpaes.open(path, key=KEY) as file:
        assert file.read(10) == content[:10]
        assert file.read(2 * CHUNK - 10) == content[10 : 2 * CHUNK]
        with pytest.raises(warpaes.Damaged, match="chunk 2"):
            file.read(1)
        file.seek(3 * CHUNK)
        assert file.read() == content[3 * CHUNK :]


@pytest.mark.filterwarnings("error")
def test_a_pipe_is_no_file_to_read_places_of() -> None:
    """It has no length, and was called an encrypted file of 0 bytes that is cut. /proc has others."""
    reading, writing = os.pipe()
    try:
        for path in (f"/dev/fd/{reading}", "/proc/self/maps"):
            with pytest.raises(io.UnsupportedOperation, match=f"{path}' is a pipe or the like"):
                warpaes.numpy.load_file(path, key=KEY)
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.filterwarnings("error")
def test_a_file_of_proc_is_read_as_a_pipe() -> None:
    with pytest.raises(warpaes.WrongKey, match="no encrypted file"):
        warpaes.open("/proc/self/maps", key=KEY)


@pytest.mark.filterwarnings("error")
def test_a_disk_that_fails_is_no_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> int:
        raise OSError(errno.EIO, "planted")

    path = tmp_path / "file"
    path.write_bytes(b"")
    monkeypatch.setattr(os, "lseek", fails)
    with pytest.raises(OSError, match="planted"):
        warpaes.open(path, key=KEY)


def test_what_is_closed_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text")
    reader, writer = warpaes.open(path, key=KEY), warpaes.open(tmp_path / "other", "wb", key=KEY)
    reader.close()
    writer.close()
    calls: list[Callable[[], object]] = [
        reader.tell,
        reader.raw.tell,
        lambda: reader.raw.seek(0),
        lambda: reader.read_ranges([(0, 0)]),
        writer.tell,
    ]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()


def test_memory_of_other_shapes_and_places_past_the_end(tmp_path: Path) -> None:
    path, rows = tmp_path / "file", numpy.arange(6, dtype="<u2").reshape(2, 3)
    with warpaes.open(path, "wb", key=KEY) as file:
        assert file.write(numpy.zeros((0, 3))) == 0
        assert file.write(rows) == 12
    with warpaes.open(path, key=KEY) as file:
        into = numpy.zeros((2, 3), dtype="<u2")
        assert file.raw.readinto(numpy.zeros((3, 0))) == 0
        assert file.raw.readinto(into) == 12
        assert (into == rows).all()
        assert file.read_ranges([(1 << 70, 1 << 71), (10, 1 << 70)]) == [b"", rows.tobytes()[10:]]
        with pytest.raises(TypeError, match="start must be an int"):
            file.read_ranges([(0.0, 5)])  # type: ignore[list-item]
