"""File objects have what Python's io and fsspec's own files have."""

import io
import uuid
from pathlib import Path
from typing import Any

import pytest

import warpaes

fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem  # noqa: E402

from warpaes.filesystem import WarpaesFileSystem  # noqa: E402

KEY = bytes(range(32))
CHUNK = 16384
LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 << 20, (5 << 20) + 3]

# What fsspec's files have and ours lack: how its class keeps what it has read or will write, and what is for
# files of the other direction.
OF_THEIR_BUFFER = {"DEFAULT_BLOCK_SIZE", "end", "kwargs", "start"}
LACKING_IN_READERS = {*OF_THEIR_BUFFER, "cache", "autocommit", "commit", "discard"}
LACKING_IN_WRITERS = {*OF_THEIR_BUFFER, "buffer", "forced", "location", "offset", "readuntil"}


@pytest.fixture(params=["memory", "file"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    store = f"file://{tmp_path}" if request.param == "file" else f"memory://{uuid.uuid4().hex}"
    return f"{store}/name"


def filesystem(url: str) -> tuple[Any, str]:
    fs, path = fsspec.url_to_fs(f"warpaes::{url}", warpaes={"key": KEY})
    return fs, path


def public(given: Any) -> set[str]:
    return {name for name in dir(given) if not name.startswith("_")}


class Theirs(AbstractBufferedFile):  # type: ignore[misc]
    """What every store's files are made of."""

    def _initiate_upload(self) -> None:
        pass

    def _upload_chunk(self, final: bool = False) -> bool:
        del final
        return True


def test_files_have_what_those_of_fsspec_have(url: str) -> None:
    fs, path = filesystem(url)
    fs.pipe_file(path, b"text")
    with fs.open(path) as read, fs.open(path, "wb") as written:
        of_reading, of_writing = Theirs(fs, path, "rb", size=4), Theirs(fs, path, "wb")
        assert public(of_reading) - public(read) == LACKING_IN_READERS
        assert public(of_writing) - public(written) == LACKING_IN_WRITERS
        of_writing.discard()


def test_the_filesystem_has_what_those_of_fsspec_have() -> None:
    assert public(AbstractFileSystem) <= public(WarpaesFileSystem)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_file_of_a_store(url: str, length: int) -> None:
    fs, path = filesystem(url)
    written = fs.open(path, "wb")
    assert (written.fs, written.path, written.name, written.mode) == (fs, path, path, "wb")
    assert (written.readable(), written.writable(), written.seekable()) == (False, True, False)
    assert written.full_name == fs.unstrip_protocol(path)
    with pytest.raises(ValueError, match="not available while writing"):
        written.info()
    written.write(bytes(length))
    assert written.size == written.loc == written.tell() == length
    written.close()
    assert (written.closed, written.size, written.details["size"]) == (True, length, length)
    with fs.open(path) as read:
        assert (read.fs, read.path, read.name, read.mode) == (fs, path, path, "rb")
        assert (read.readable(), read.writable(), read.seekable()) == (True, False, True)
        assert (read.size, read.details["size"], read.info()) == (length, length, fs.info(path))
        assert read.details["sealed_size"] > length
        assert (read.full_name, read.blocksize) == (fs.unstrip_protocol(path), 64 * CHUNK)
        read.seek(length)
        assert read.loc == length
        with pytest.raises(io.UnsupportedOperation):
            read.fileno()
    assert read.closed


def test_a_flush_by_force_ends_the_file(url: str) -> None:
    fs, path = filesystem(url)
    file = fs.open(path, "wb")
    file.write(b"text")
    file.flush()
    file.flush(force=False)
    assert not fs.exists(path)
    file.flush(force=True)
    assert fs.cat_file(path) == b"text"
    with pytest.raises(ValueError, match="closed"):
        file.write(b"more")
    with pytest.raises(ValueError, match="closed"):
        file.flush(force=True)
    file.close()


class Cache(MemoryFileSystem):  # type: ignore[misc]
    """As fsspec's caches before HTTP: what they know of a file is what a listing has of it."""

    known = True

    def info(self, path: str, **options: Any) -> Any:
        return {**super().info(path, **options), "size": None}

    def size(self, path: str) -> Any:
        return MemoryFileSystem().size(path) if self.known else None


def test_a_store_that_tells_a_length_in_another_way() -> None:
    store = Cache()
    fs, path = WarpaesFileSystem(fs=store, key=KEY), f"/{uuid.uuid4().hex}"
    fs.pipe_file(path, bytes(100_000))
    with fs.open(path) as file:
        assert (file.seek(-1, io.SEEK_END), file.read()) == (99_999, bytes(1))
    store.known = False
    with pytest.raises(OSError, match="does not say how long"):
        fs.open(path)


def test_reads_until_a_delimiter(url: str) -> None:
    fs, path = filesystem(url)
    fs.pipe_file(path, b"a line\nanother\nthe end")
    with fs.open(path) as file:
        assert [file.readuntil(), file.readuntil(b"o", blocks=2), file.loc] == [b"a line\n", b"ano", 10]
        assert [file.readuntil(b"!"), file.readuntil()] == [b"ther\nthe end", b""]


def test_a_block_size_is_what_is_read_ahead(url: str) -> None:
    fs, path = filesystem(url)
    fs.pipe_file(path, bytes(100))
    with fs.open(path, block_size=12345) as file:
        assert file.blocksize == 12345
    for usual in (None, "default"):
        with fs.open(path, block_size=usual) as file:
            assert file.blocksize == 64 * CHUNK


@pytest.mark.parametrize("length", LENGTHS)
def test_a_file_of_this_machine(tmp_path: Path, length: int) -> None:
    name = tmp_path / "file"
    with warpaes.open(name, "wb", key=KEY) as file:
        assert (file.name, file.mode, file.closed, file.size) == (str(name), "wb", False, 0)
        assert (file.readable(), file.writable(), file.seekable()) == (False, True, False)
        file.write(bytes(length))
        assert file.size == file.tell() == length
    assert (file.closed, file.size) == (True, length)
    with warpaes.open(name, key=KEY) as read:
        assert (Path(read.name), read.mode, read.closed, read.size) == (name, "rb", False, length)
        assert (read.readable(), read.writable(), read.seekable(), read.isatty()) == (
            True,
            False,
            True,
            False,
        )
    assert read.closed


class FailsOnce(MemoryFileSystem):  # type: ignore[misc]
    """A store whose network breaks in one request of several."""

    cachable = False
    requests, failing = 0, 0

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        self.requests += 1
        if self.requests == self.failing:
            raise OSError("planted")
        return bytes(super().cat_file(path, start, end, **kwargs))


@pytest.mark.parametrize("failing", [2, 3])
@pytest.mark.parametrize(
    "step",
    [
        lambda file: file.read(100_000),
        lambda file: file.read(1_500_000),
        lambda file: file.readline(),
        lambda file: next(file, b""),
    ],
    ids=["some", "more than is read ahead", "a line", "the next line"],
)
def test_to_read_again_leaves_no_gap(failing: int, step: Any) -> None:
    """As with fsspec's own files, whose position is as before when the store has failed."""
    store = FailsOnce()
    fs, path = WarpaesFileSystem(fs=store, key=KEY), f"/{uuid.uuid4().hex}"
    text = b"".join(b"%d" % number * (number % 1000) + b"\n" for number in range(3000))
    fs.pipe_file(path, text)
    with fs.open(path) as file:
        store.requests, store.failing = 0, failing
        found, failures = [b"begins"], 0
        while found[-1]:
            try:
                found.append(step(file))
            except OSError:
                failures += 1
        assert (b"".join(found[1:]) == text, failures) == (True, 1)
