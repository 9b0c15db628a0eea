"""Reads of encrypted files that are shared by several threads."""

import os
import random
from pathlib import Path

import pytest

import warpaes
from tests.python.containers import CHUNK, KEY
from warpaes import _native, _streams

LONG = 1200 * CHUNK + 12345  # several of the pieces that threads take, and of the windows below


@pytest.fixture(autouse=True)
def short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_streams, "WINDOW", 512 * CHUNK)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    path, text = tmp_path_factory.mktemp("long") / "file", random.Random(7).randbytes(LONG)
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(text[: CHUNK // 2])  # so that nothing that follows begins with a chunk
        file.write(text[CHUNK // 2 :])
    return path, text


def test_long_reads_by_several_threads(long_file: tuple[Path, bytes]) -> None:
    path, text = long_file
    for context in (None, warpaes.Context(threads=1), warpaes.Context(threads=5)):
        with warpaes.open(path, key=KEY, context=context) as file:
            for start, stop in ((0, LONG), (1, LONG), (5 * CHUNK, LONG + 99), (CHUNK - 1, LONG - CHUNK)):
                assert file.read_ranges([(start, stop)]) == [text[start:stop]]
                into = bytearray(stop - start)
                assert file.raw.read_at(start, into) == len(text[start:stop])
                assert into.startswith(text[start:stop])


@pytest.mark.parametrize("chunk", [0, 300, 1199, 1200])
def test_a_long_read_of_a_damaged_file_gives_nothing(
    long_file: tuple[Path, bytes], tmp_path: Path, chunk: int
) -> None:
    sealed = bytearray(long_file[0].read_bytes())
    sealed[56 + chunk * 16400 + 7] ^= 1
    (tmp_path / "damaged").write_bytes(sealed)
    with warpaes.open(tmp_path / "damaged", key=KEY) as file:
        into = bytearray(b"x" * LONG)
        with pytest.raises(warpaes.Damaged, match=f"chunk {chunk} "):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)
        with pytest.raises(warpaes.Damaged):
            file.read_ranges([(0, LONG)])


def test_a_source_that_fails_while_threads_read(
    long_file: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with warpaes.open(long_file[0], key=KEY) as file:

        def planted(offset: int, into: memoryview) -> None:
            raise OSError(f"planted at {offset} for {len(into)}")

        monkeypatch.setattr(file.raw._source, "read_into", planted)
        monkeypatch.setattr(file.raw._source, "file", -1)
        into = bytearray(b"x" * LONG)
        with pytest.raises(OSError, match="planted"):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)


def test_a_file_that_becomes_shorter_while_it_is_read(long_file: tuple[Path, bytes], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(long_file[0].read_bytes())
    with warpaes.open(tmp_path / "file", key=KEY) as file:
        os.truncate(tmp_path / "file", 5 << 20)
        into = bytearray(b"x" * LONG)
        with pytest.raises(warpaes.Truncated, match="became shorter"):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)


def test_no_memory_for_the_answer() -> None:
    for length in (1 << 60, (1 << 64) - 1):
        with pytest.raises(MemoryError):
            _native.new_bytes(length)
