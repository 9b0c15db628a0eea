"""Encrypted files: as a Python file, and the same bytes that other programs read and write."""

import contextlib
import errno
import gc
import io
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import numpy
import pytest
from cryptography import cobblestone

import warpaes
from tests.python.containers import CHUNK, KEY, PROGRAM, pattern, written
from warpaes import _writing, files

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
        file.seek(0, io.SEEK_END)
        with pytest.raises(warpaes.Damaged):
            file.read(1)


def test_what_was_appended_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text")
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(warpaes.Damaged), warpaes.open(path, key=KEY) as file:
        file.read()


def fail(path: Path) -> None:
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(bytes(5 << 20))
        raise KeyError("planted")


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        fail(tmp_path / "file")
    dropped = warpaes.open(tmp_path / "file", "wb", key=KEY)
    dropped.write(b"text")
    assert not (tmp_path / "file").exists()
    del dropped
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_replaced_by_a_whole_one_only(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"before")
    with pytest.raises(KeyError):
        fail(path)
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"before"
    written(path, b"after")
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"after"


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


def test_what_cannot_be_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        warpaes.open(tmp_path, "wb", key=KEY)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"):
        warpaes.open(pipe, "wb", key=KEY)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_is_replaced_hands_on_its_permissions(tmp_path: Path) -> None:
    path, link = written(tmp_path / "file", b"old"), tmp_path / "link"
    path.chmod(0o640)
    link.symlink_to("file")
    written(link, b"new")
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"new"


@pytest.mark.parametrize("name", ["n" * 255, "ä" * 127, "n" * 240, "x"])
def test_the_longest_names(tmp_path: Path, name: str) -> None:
    """The temporary name is longer than the file's own, unless it is cut."""
    with warpaes.open(written(tmp_path / name, b"text"), key=KEY) as file:
        assert file.read() == b"text"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        warpaes.open(tmp_path / "none" / "file", "wb", key=KEY)
    assert raised.value.filename == str(tmp_path / "none" / "file")  # and not a name that nobody knows


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("may_give_away", [True, False])
def test_a_file_that_is_replaced_hands_on_its_group_and_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_give_away: bool
) -> None:
    """Or else nobody may do more with it than before: its group is another one then."""
    path = tmp_path / "file"
    for mode, without in ((0o640, 0o600), (0o664, 0o644), (0o604, 0o600), (0o666, 0o666)):
        path.write_bytes(b"before")
        os.chown(path, 4321, 1234)
        path.chmod(mode)
        if not may_give_away:
            monkeypatch.setattr(os, "fchown", refused_by_the_system)
        written(path, b"text")
        found = path.stat()
        assert (found.st_uid, found.st_gid) == (
            (4321, 1234) if may_give_away else (os.geteuid(), os.getegid())
        )
        assert found.st_mode & 0o777 == (mode if may_give_away else without)
        monkeypatch.undo()
        path.unlink()


def refused_by_the_system(*_: object) -> None:
    raise PermissionError("planted")


@pytest.mark.parametrize("problem", [None, errno.EINVAL, errno.EIO])
def test_the_folder_comes_to_disk_after_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: int | None
) -> None:
    """A power cut may otherwise take the name, of a file whose predecessor is removed already."""
    path, seen, fsync = tmp_path / "file", list[tuple[str, bool]](), os.fsync

    def looked_at(descriptor: int) -> None:
        seen.append((os.readlink(f"/proc/self/fd/{descriptor}"), path.exists()))
        if problem is not None and path.exists():
            raise OSError(problem, "planted")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", looked_at)
    with (
        contextlib.nullcontext()
        if problem != errno.EIO
        else pytest.raises(OSError, match="planted: the file is there")
    ):
        written(path, b"text")
    (temporary, first), last = seen
    assert temporary.endswith(".part")
    assert not first
    assert last == (str(tmp_path), True)
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"text"


def test_the_umask_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the process: what other threads make meanwhile would get other permissions."""
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")
            path = written(tmp_path / "file", b"text")
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)


def test_a_pipe_is_no_file_to_read_places_of(tmp_path: Path) -> None:
    """It has no length, and was called an encrypted file of 0 bytes that is cut."""
    reading, writing = os.pipe()
    try:
        with pytest.raises(io.UnsupportedOperation, match="is a pipe"):
            warpaes.open(f"/dev/fd/{reading}", key=KEY)
    finally:
        os.close(reading)
        os.close(writing)


def test_an_interrupted_write_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C may come at any line. Whoever goes on writing must not get a file that lacks something, or two
    chunks under one nonce.
    """
    path, first, second = tmp_path / "file", pattern(5 << 20), pattern(100)
    stream_code = {_writing.__file__, files.__file__}

    def interrupted_at(number: int) -> set[bytes | None]:
        """What can be read afterwards: None for nothing; an empty set if the write has no such line."""
        lines = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:
            nonlocal lines
            if frame.f_code.co_filename not in stream_code:
                return None
            lines += event == "line"
            if lines == number:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        file = warpaes.open(path, "wb", key=KEY)
        before, interrupted = sys.gettrace(), False
        sys.settrace(trace)
        try:
            file.write(first)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            sys.settrace(before)
        if not interrupted:
            file.discard()
            return set()
        if file.closed:
            assert os.listdir(tmp_path) == []
            return {None}
        file.write(second)
        file.close()
        with warpaes.open(path, key=KEY) as again:
            text = again.read()
        path.unlink()
        return {text}

    found: set[bytes | None] = set()
    for number in itertools.count(1):
        one = interrupted_at(number)
        if not one:
            break
        found |= one
    assert number > 20
    assert found <= {None, second, first + second}  # not begun, or done already
    assert None in found


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
