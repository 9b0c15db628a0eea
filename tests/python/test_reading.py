"""Files that are opened: their names, the files of their keys, and memory after an exception."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any

import numpy
import pytest

import warpaes
from tests.python.containers import KEY, pattern, written
from warpaes._secrets import FileSecret
from warpaes._streams import READ_AHEAD, RawReader, Reader, Source, opened_file


def memory_of_the_library(traceback: TracebackType | None) -> list[memoryview]:
    """That which frames of an exception still name."""
    found = []
    while traceback is not None:
        found.append(traceback.tb_frame.f_locals.get("into"))
        traceback = traceback.tb_next
    return [one for one in found if isinstance(one, memoryview)]


def test_a_failed_read_takes_its_memory_back(tmp_path: Path) -> None:
    path = written(tmp_path / "file", pattern(1 << 20))
    with warpaes.open(path, key=KEY) as file:
        os.truncate(path, 100_000)
        with pytest.raises(warpaes.Truncated, match="became shorter") as raised:
            file.read_ranges([(500_000, 600_000)])
        views = memory_of_the_library(raised.tb)
        assert views
        for view in views:
            with pytest.raises(ValueError, match="released"):
                bytes(view)


class Keeping:
    """A source that shares the memory which it is to fill, and fails behind the file's beginning."""

    file, start = -1, 0

    def __init__(self, source: Source) -> None:
        self._source, self.length = source, source.length
        self.kept: list[Any] = []

    def read_into(self, offset: int, into: memoryview) -> None:
        if offset:
            self.kept.append(numpy.frombuffer(into, dtype="uint8"))
            raise OSError("planted")
        self._source.read_into(offset, into)

    def prepare(self, start: int, stop: int) -> None:
        self._source.prepare(start, stop)

    def close(self) -> None:
        self._source.close()


def test_memory_that_cannot_be_taken_back_hides_no_exception(tmp_path: Path) -> None:
    source = Keeping(opened_file(written(tmp_path / "file", pattern(1 << 20))))
    with RawReader(source, FileSecret(KEY)) as raw, pytest.raises(OSError, match="planted"):
        raw.bytes_at(500_000, 1000)
    assert source.kept


class Waiting(Keeping):
    """One that waits in the middle of a read until it may go on."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.begun, self.may_go_on, self.is_closed = Event(), Event(), False

    def read_into(self, offset: int, into: memoryview) -> None:
        if offset:
            self.begun.set()
            assert self.may_go_on.wait(60)
        self._source.read_into(offset, into)

    def close(self) -> None:
        self.is_closed = True
        super().close()


def test_what_is_closed_in_the_middle_of_a_read_stays_open_for_that(tmp_path: Path) -> None:
    """The descriptor could be another file's by then, and this one would be called damaged."""
    text = pattern(1 << 20)
    source = Waiting(opened_file(written(tmp_path / "file", text)))
    reader = Reader(RawReader(source, FileSecret(KEY)), READ_AHEAD)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(reader.read_ranges, [(500_000, 501_000)])
        assert source.begun.wait(60)
        reader.close()
        assert not source.is_closed
        source.may_go_on.set()
        assert read.result() == [text[500_000:501_000]]
    assert source.is_closed
    with pytest.raises(ValueError, match="closed"):
        reader.read_ranges([(0, 1)])


def test_names_and_modes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with warpaes.open(path, "wb", key=KEY) as writer:
        assert (writer.name, writer.mode) == (str(path), "wb")
        writer.write(b"text")
    for given in (path, str(path), os.fsencode(path)):
        with warpaes.open(given, key=KEY) as reader:  # type: ignore[arg-type]
            assert (reader.name, reader.mode) == (os.fspath(given), "rb")


def test_places_that_no_file_has(tmp_path: Path) -> None:
    """By the exceptions of Python's own files. Far behind the end there is nothing, as is well known."""
    with warpaes.open(written(tmp_path / "file", b"text"), key=KEY) as file:
        raw, into = file.raw, bytearray(2)
        for far in ((2**70,), (2**63 - 1, os.SEEK_CUR)):
            raw.seek(1)
            with pytest.raises(OverflowError, match="less than"):
                raw.seek(*far)
            assert raw.read(1) == b"e"
        for before in (lambda: raw.read_at(-1, into), lambda: raw.bytes_at(-1, 4)):
            with pytest.raises(ValueError, match="offset must be 0 or more, not -1"):
                before()
        untyped: Any = raw
        with pytest.raises(TypeError, match="offset must be an int"):
            untyped.read_at("1", into)
        with pytest.raises(TypeError, match="length must be an int"):
            untyped.bytes_at(0, 1.5)
        assert (raw.read_at(2**70, into), raw.bytes_at(2**70, 4), file.read_ranges([(2**70, 2**71)])) == (
            0,
            b"",
            [b""],
        )
        assert (raw.read_at(2, into), raw.bytes_at(1, 2**70)) == (2, b"ext")


def test_a_stream_that_was_detached(tmp_path: Path) -> None:
    """As Python's own files say it."""
    file = warpaes.open(written(tmp_path / "file", b"text"), key=KEY)
    with file.detach():
        for call in (lambda: file.size, lambda: file.read_ranges([(0, 1)]), lambda: file.name):
            with pytest.raises(ValueError, match="detached"):
                call()


def secret_file(path: Path, text: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(text)
    path.chmod(mode)
    return path


def test_secrets_of_files(tmp_path: Path) -> None:
    key = secret_file(tmp_path / "key", KEY.hex().encode() + b"\n")
    phrase = secret_file(tmp_path / "phrase", b"a passphrase\n")
    path = tmp_path / "file"
    with warpaes.open(path, "wb", key_file=key) as writer:
        writer.write(b"text")
    with warpaes.open(path, key=KEY) as reader:
        assert reader.read() == b"text"
    with warpaes.open(path, "rb", key_file=str(key)) as reader:
        assert reader.read() == b"text"
    with warpaes.open(path, "wb", passphrase_file=phrase, passphrase_function="argon2id") as writer:
        writer.write(b"more")
    with warpaes.open(path, passphrase="a passphrase") as reader:
        assert reader.read() == b"more"


def test_secrets_of_files_that_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text")
    open_to_all = secret_file(tmp_path / "key", KEY, 0o644)
    with pytest.raises(PermissionError, match="chmod 600"):
        warpaes.open(path, key_file=open_to_all)
    with warpaes.open(path, key_file=open_to_all, insecure_key_file=True) as reader:
        assert reader.read() == b"text"
    for given in ({}, {"key": KEY, "key_file": open_to_all}, {"key": KEY, "passphrase": "both"}):
        with pytest.raises(TypeError, match="pass one of key="):
            warpaes.open(path, **given)


def test_no_place_is_counted_from_an_end_that_is_not_genuine(tmp_path: Path) -> None:
    """Far before it, the chunks are genuine, and other ones than those that were meant."""
    content = pattern(2 << 20)
    path = written(tmp_path / "file", content)
    whole = path.read_bytes()
    with warpaes.open(path, key=KEY) as file:
        assert file.seek(-1_000_000, os.SEEK_END) == len(content) - 1_000_000
        assert file.read(10) == content[-1_000_000:][:10]
        assert file.seek(0, os.SEEK_END) == len(content)
    for changed in (whole[:-500_000], whole + bytes(16400 * 100)):
        path.write_bytes(changed)
        for offset in (-1_000_000, 0):
            with warpaes.open(path, key=KEY) as file:
                with pytest.raises(warpaes.Damaged):
                    file.seek(offset, os.SEEK_END)
                assert file.read(10) == content[:10]
