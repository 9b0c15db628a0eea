"""Encrypted files in the stores that fsspec knows: what is read and written of them."""

import bisect
import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fsspec.implementations.local import LocalFileSystem

from warpaes._errors import Truncated
from warpaes._secrets import SEALED_CHUNK, FileSecret
from warpaes._streams import (
    WINDOW,
    WRITE_TOGETHER,
    FileSource,
    RawReader,
    Reader,
    SealingStream,
    Source,
    sealed_range,
)
from warpaes.files import NewFile

_MOST_THREADS = 8
NEAR = 4 * SEALED_CHUNK  # what lies so near together is fetched in one request


class Pieces:
    """Some parts of a file, in memory; the others are fetched when they are asked for."""

    file, start = -1, 0

    def __init__(self, store: Any, path: str, length: int) -> None:
        self._store, self._path, self.length = store, path, length
        self._pieces: list[tuple[int, bytes]] = []

    def hold(self, start: int, data: bytes) -> None:
        """What lies at `start`."""
        self._pieces = sorted([*self._pieces, (start, data)], key=lambda piece: piece[0])

    def forget(self) -> None:
        """Frees the memory."""
        self._pieces = []

    def _held(self, start: int, stop: int) -> memoryview | None:
        pieces = self._pieces  # a list that nobody changes: another thread may take another one
        index = bisect.bisect_right(pieces, start, key=lambda piece: piece[0]) - 1
        if index < 0:
            return None
        begins, data = pieces[index]
        return memoryview(data)[start - begins : stop - begins] if stop <= begins + len(data) else None

    def read_into(self, offset: int, into: memoryview) -> None:
        stop = offset + len(into)
        found = self._held(offset, stop)
        if found is None:
            found = memoryview(self._fetched(offset, stop))
        if len(found) != len(into):
            raise Truncated("the file became shorter while it was being read")
        into[:] = found

    def prepare(self, start: int, stop: int) -> None:
        """All of it in one request, whatever parts the library asks for."""
        if self._held(start, stop) is None:
            self.forget()
            self.hold(start, self._fetched(start, stop))

    def _fetched(self, start: int, stop: int) -> bytes:
        return bytes(self._store.cat_file(self._path, start=start, end=stop))

    def close(self) -> None:
        self.forget()


class WholeFile(Pieces):
    """A file that was fetched already."""

    def __init__(self, data: bytes) -> None:
        super().__init__(None, "", len(data))
        self.hold(0, data)


def length_of(store: Any, path: str) -> int:
    """Of the encrypted file, as the store says."""
    length = store.info(path)["size"]
    if length is None:
        raise OSError(
            f"the store does not say how long {path} is, and an encrypted file cannot be read without"
        )
    return int(length)


def open_reader(store: Any, path: str, secret: FileSecret, more_context: bytes, buffer_size: int) -> Reader:
    """A file that exists."""
    return Reader(RawReader(source_of(store, path), secret, more_context), buffer_size)


def source_of(store: Any, path: str) -> Source:
    """A file of this machine is read as it is, without fsspec and a copy in between."""
    if isinstance(store, LocalFileSystem):
        return FileSource(path)
    return Pieces(store, path, length_of(store, path))


def plaintext_of(data: bytes, secret: FileSecret, more_context: bytes) -> bytes:
    """Of a whole file."""
    raw = RawReader(WholeFile(data), secret, more_context)
    return raw.bytes_at(0, raw.size)


def poured(raw: RawReader, target: NewFile) -> Iterator[int]:
    """Writes the plaintext into a file; yields how many bytes each piece had.

    Each piece is read, decrypted and written by one thread, as `warpaes decrypt` does it, and so stays in the
    cache of one processor. A store's file comes in pieces that are fetched one after the other.
    """
    together, threads = (
        (WRITE_TOGETHER, min(_MOST_THREADS, os.cpu_count() or 1)) if raw.is_local else (WINDOW, 1)
    )
    of_thread = threading.local()

    def piece(offset: int) -> int:
        if not hasattr(of_thread, "memory"):
            of_thread.memory = memoryview(bytearray(min(together, raw.size)))
        memory = of_thread.memory[: raw.size - offset]
        raw.read_at(offset, memory)
        target.write_at(offset, memory)
        return len(memory)

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(piece, range(0, raw.size, together))
    raw.check_end()


def sealed(data: Any, secret: FileSecret, more_context: bytes) -> bytes:
    """The whole file of that plaintext."""
    container, beginning = secret.create(more_context)
    return beginning + container.encrypt(0, data, True)


class RangesOfOneFile:
    """Which bytes of a file are needed for ranges of its plaintext, in few requests."""

    def __init__(self, source: Source, secret: FileSecret, more_context: bytes, near: int) -> None:
        self._source = source
        self._raw = RawReader(source, secret, more_context)
        self._header_length, self._near = secret.header_length, near
        self.size = self._raw.size

    def bounds(self, start: int | None, end: int | None) -> tuple[int, int]:
        """As those of a slice."""
        first, last, _ = slice(start, end).indices(self.size)
        return first, max(first, last)

    def requests(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """What to fetch, as one what lies near together. Of a file of this machine, nothing."""
        offset, merged = self._header_length, list[tuple[int, int]]()
        if not isinstance(self._source, Pieces):
            return merged
        length = self._source.length - offset
        for first, last in sorted(sealed_range(*one, length) for one in ranges if one[0] < one[1]):
            if merged and first + offset <= merged[-1][1] + self._near:
                merged[-1] = (merged[-1][0], max(merged[-1][1], last + offset))
            else:
                merged.append((first + offset, last + offset))
        return merged

    def hold(self, start: int, data: bytes) -> None:
        """The answer to a request."""
        if isinstance(self._source, Pieces):
            self._source.hold(start, data)

    def close(self) -> None:
        """Nothing is read any more."""
        self._raw.close()

    def read(self, start: int, stop: int) -> bytes:
        """Plaintext."""
        return self._raw.bytes_at(start, stop - start)


class Upload(SealingStream):
    """A file that is being written to a store.

    Up to 4 MiB are stored by one request at the end. What is longer goes through the store's own file, which
    gets its name at the end where the store can do that: file and S3 can. A beginning that remains elsewhere
    is Truncated or Damaged to whoever reads it.
    """

    _committed = _whole = False
    _file: Any = None

    def __init__(
        self, store: Any, path: str, secret: FileSecret, more_context: bytes, *, mode: str, autocommit: bool
    ) -> None:
        super().__init__(secret, more_context)
        self._store, self._path, self._mode = store, path, mode
        self._autocommit = autocommit
        self._held = bytearray(self.beginning)

    def _emit(self, data: bytes | bytearray | memoryview) -> None:
        if self._file is None and len(self._held) + len(data) <= WRITE_TOGETHER:
            self._held += data
            return
        if self._file is None:
            self._file = self._store.open(self._path, self._mode, autocommit=False)
            with contextlib.suppress(AttributeError, ValueError):  # it is committed here, in no transaction
                self._store.transaction.files.remove(self._file)
            self._write(self._held)
            self._held = bytearray()
        self._write(data)

    def _write(self, data: bytes | bytearray | memoryview) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(bytes(view[:WRITE_TOGETHER])) or len(view) :]
        self._file.flush()  # lest a forked process writes what is held back once more, when it drops its copy

    def _complete(self) -> None:
        if self._file is not None:
            self._file.close()
        self._whole = True
        if self._autocommit:
            self.commit()

    def commit(self) -> None:
        """The file gets its name, in a transaction after close()."""
        if self._committed or not self._whole:
            return
        if self._file is not None:
            self._file.commit()
        else:
            options = {"mode": "create"} if "x" in self._mode else {}
            self._store.pipe_file(self._path, bytes(self._held), **options)
        self._committed = True
        self._held = bytearray()

    def discard(self) -> None:
        """Leaves nothing behind. Does nothing after commit()."""
        if self.closed and self._is_own():
            self._abandon()
        super().discard()

    def _abandon(self) -> None:
        if self._committed:
            return
        self._whole, self._held = False, bytearray()
        file, self._file = self._file, None
        for step in ("close", "discard") if file is not None else ():  # what was sent is kept until discard()
            with contextlib.suppress(Exception):
                getattr(file, step)()
