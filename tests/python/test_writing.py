"""What a signal handler, a __del__() or a callback may do in the middle of a write: nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import warpaes
from tests.python.containers import CHUNK, KEY, pattern

TOGETHER = 4 << 20  # so many bytes are encrypted by one call


class Interrupting:
    """In the place of a container: when encrypt() has used the numbers, something else is asked for."""

    def __init__(self, stream: Any, action: Callable[[], object]) -> None:
        self._container, self._action = stream._container, action
        self.refused = 0
        self.numbers: list[int] = []
        stream._container = self

    def encrypt(self, first: int, data: Any, ends: bool) -> bytes:
        count = len(data) // CHUNK + ends
        self.numbers += range(first, first + count)
        sealed: bytes = self._container.encrypt(first, data, ends)
        with pytest.raises(RuntimeError, match="reentrant call"):
            self._action()
        self.refused += 1
        return sealed


ACTIONS: list[Callable[[Any], object]] = [
    lambda file: file.write(pattern(TOGETHER)),
    lambda file: file.write(b"a little"),
    lambda file: file.write_sealed(bytes(16400), 1),
    lambda file: file.write_last_sealed(bytes(16)),
    lambda file: file.close(),
]


@pytest.mark.parametrize("action", ACTIONS, ids=["write", "write little", "sealed", "last sealed", "close"])
def test_no_step_begins_inside_another(tmp_path: Path, action: Callable[[Any], object]) -> None:
    text = pattern(2 * TOGETHER + 5)
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    container = Interrupting(file, lambda: action(file))
    file.write(text)
    file.close()
    assert container.refused == 3
    assert container.numbers == list(range(2 * TOGETHER // CHUNK + 1))
    with warpaes.open(tmp_path / "file", key=KEY) as again:
        assert again.read() == text


@pytest.mark.parametrize("action", ACTIONS, ids=["write", "write little", "sealed", "last sealed", "close"])
def test_of_an_upload_neither(action: Callable[[Any], object]) -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")
    fs, path = fsspec.url_to_fs("warpaes::memory://reentrant/name", warpaes={"key": KEY})
    text = pattern(2 * TOGETHER + 5)
    file = fs.open(path, "wb")
    container = Interrupting(file, lambda: action(file))
    file.write(text)
    file.close()
    assert container.refused == 3
    assert fs.cat_file(path) == text


def test_a_number_is_taken_before_it_is_used(tmp_path: Path) -> None:
    """So that even an interruption that is not refused could not use it twice."""
    seen = []
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    encrypt = file._container.encrypt

    class Looking:
        def encrypt(self, first: int, data: Any, ends: bool) -> bytes:
            seen.append((first, file._chunks))
            return encrypt(first, data, ends)

    file._container = Looking()  # type: ignore[assignment]
    file.write(bytes(TOGETHER + 5))
    file.close()
    whole = TOGETHER // CHUNK
    assert seen == [(0, whole), (whole, whole)]


def test_nothing_is_written_behind_the_end(tmp_path: Path) -> None:
    """As between the last chunk and the moment when the file is closed."""
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    complete = file._complete

    def interrupted() -> None:
        complete()
        for call in (lambda: file.write(b"more"), file.close):
            with pytest.raises(RuntimeError, match="reentrant call"):
                call()

    file._complete = interrupted  # type: ignore[method-assign]
    file.write(b"text")
    file.close()
    with warpaes.open(tmp_path / "file", key=KEY) as again:
        assert again.read() == b"text"


class Discarding:
    """The same, whose encrypt() discards the file."""

    def __init__(self, stream: Any) -> None:
        self._container, self._stream = stream._container, stream

    def encrypt(self, *given: Any) -> bytes:
        self._stream.discard()
        sealed: bytes = self._container.encrypt(*given)
        return sealed


def test_what_is_discarded_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")
    fs, _ = fsspec.url_to_fs(f"warpaes::file://{tmp_path}/name", warpaes={"key": KEY})
    for file in (warpaes.open(tmp_path / "file", "wb", key=KEY), fs.open(f"{tmp_path}/name", "wb")):
        file._container = Discarding(file)
        with pytest.raises(ValueError, match="closed"):
            file.write(bytes(2 * TOGETHER))
        assert list(tmp_path.iterdir()) == []


def test_the_size_counts_chunks_that_were_sealed_elsewhere(tmp_path: Path) -> None:
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    file.write(bytes(CHUNK))
    file.write_sealed(bytes(CHUNK + 16), 1)
    assert file.size == file.tell() == 2 * CHUNK
    file.write_last_sealed(bytes(100 + 16))
    file.close()
    assert file.size == 2 * CHUNK + 100
