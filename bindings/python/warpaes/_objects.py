"""Encrypted files in the stores that fsspec knows: what is read of them, and whole files."""

import bisect
import functools
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fsspec.implementations.local import LocalFileSystem
from fsspec.spec import AbstractBufferedFile

from warpaes._arguments import any_items
from warpaes._errors import Truncated
from warpaes._secrets import FileSecret
from warpaes._streams import (
    WINDOW,
    RawReader,
    Reader,
    Source,
    opened_file,
)
from warpaes._writing import WRITE_TOGETHER
from warpaes.files import NewFile

MOST_THREADS = 8


class Pieces:
    """Some parts of a file, in memory; the others are fetched when they are asked for."""

    file, start = -1, 0

    def __init__(self, store: Any, path: str, length: int, options: dict[str, Any] | None = None) -> None:
        self._store, self._path, self.length = store, path, length
        self.name, self._options = path, options or {}
        self._pieces: list[tuple[int, bytes]] = []

    def hold(self, start: int, data: bytes) -> None:
        """Keeps what lies at `start`."""
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
        return self.asked_for(
            start, stop, bytes(self._store.cat_file(self._path, start=start, end=stop, **self._options))
        )

    def asked_for(self, start: int, stop: int, answer: bytes) -> bytes:
        """What was asked for, of the store's answer, which is short where the file has become that.

        Some HTTP servers know no ranges, and answer with the whole file. It is cut here. Raises OSError for
        what is neither.
        """
        if len(answer) <= stop - start:
            return answer
        if len(answer) != self.length:
            raise OSError(
                f"the store answered with {len(answer)} bytes where {stop - start} of {self._path} "
                "were asked for: it ignores ranges, or the file has changed"
            )
        return answer[start:stop]

    def close(self) -> None:
        self.forget()


class WholeFile(Pieces):
    """A file that was fetched already."""

    def __init__(self, data: bytes) -> None:
        super().__init__(None, "", len(data))
        self.hold(0, data)


def length_of(store: Any, path: str, options: dict[str, Any]) -> int:
    """The length of the encrypted file, as the store says."""
    length = store.info(path, **options)["size"]
    if length is None and not options:  # size() knows no options, such as the version of a file
        length = store.size(path)  # which caches ask the store behind them for, and info() not always
    if length is None:
        raise OSError(
            f"the store does not say how long {path} is, and an encrypted file cannot be read without"
        )
    return int(length)


class StoredReader(Reader):
    """A file in a store, open for reading, with what fsspec's own files have besides those of Python.

    fs, path: the filesystem that has opened it, and its name there.
    blocksize: bytes that are read ahead.
    """

    def __init__(self, raw: RawReader, fs: Any, path: str, blocksize: int, options: dict[str, Any]) -> None:
        super().__init__(raw, blocksize)
        self.fs, self.path, self.blocksize, self._options = fs, path, blocksize, options

    def _from_here(self, read: Callable[[int | None], bytes], size: int | None) -> bytes:
        """If the store fails, the position is as before, as in fsspec's own files: to try again leaves no
        gap."""
        start = self.tell()
        try:
            return read(size)
        except BaseException:
            self.seek(start)
            raise

    def read(self, size: int | None = -1, /) -> bytes:
        return self._from_here(super().read, size)

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._from_here(super().readline, size)

    @property
    def loc(self) -> int:
        """The position."""
        return self.tell()

    @functools.cached_property
    def details(self) -> dict[str, Any]:
        """What the filesystem knows of the file; `size` is that of the plaintext."""
        found: dict[str, Any] = self.fs.info(self.path, **self._options)
        return found

    def info(self) -> dict[str, Any]:
        """The same as `details`."""
        return self.details

    full_name = AbstractBufferedFile.full_name
    readuntil = AbstractBufferedFile.readuntil


def source_of(store: Any, path: str, options: dict[str, Any]) -> Source:
    """A file of this machine is read as it is, without fsspec and a copy in between.

    options: what the store is told besides, such as version_id=.
    """
    if not isinstance(store, LocalFileSystem):
        return Pieces(store, path, length_of(store, path, options), options)
    if options:
        raise TypeError(f"files of this machine have no {', '.join(options)}")
    return opened_file(path)


def plaintext_of(data: bytes, secret: FileSecret, more_context: bytes) -> bytes:
    """The plaintext of a whole file."""
    raw = RawReader(WholeFile(data), secret, more_context)
    return raw.bytes_at(0, raw.size)


def poured(raw: RawReader, target: NewFile) -> Iterator[int]:
    """Writes the plaintext into a file; yields how many bytes each piece had.

    Each piece is read, decrypted and written by one thread, as `warpaes decrypt` does it, and so stays in the
    cache of one processor. A store's file comes in pieces that are fetched one after the other.
    """
    together, threads = (
        (WRITE_TOGETHER, min(MOST_THREADS, os.cpu_count() or 1)) if raw.is_local else (WINDOW, 1)
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
    return beginning + container.encrypt(0, any_items(data, "value"), True)
