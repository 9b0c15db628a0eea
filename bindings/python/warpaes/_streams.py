"""Containers as streams of their plaintext, wherever their bytes are kept."""

import functools
import io
import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from warpaes._arguments import bytes_like, whole_number
from warpaes._errors import Damaged, Truncated
from warpaes._secrets import BEGINNING, CHUNK, HEADER, SEALED_CHUNK, FileSecret

READ_AHEAD = 16 * CHUNK
WINDOW = 4096 * CHUNK  # 64 MiB: no more of a file is held in memory while a part of it is read
WRITE_TOGETHER = 256 * CHUNK  # 4 MiB: enough for all threads


class Source(Protocol):
    """Where the bytes of an encrypted file come from."""

    length: int
    file: int  # whose bytes these are from `start` on, or -1
    start: int

    def read_into(self, offset: int, into: memoryview) -> None:
        """Fills memory with what lies at `offset`; all of it lies in the file."""

    def prepare(self, start: int, stop: int) -> None:
        """Bytes from `start` to before `stop` will be asked for next."""

    def close(self) -> None:
        """Nothing is read any more."""


def sealed_range(start: int, stop: int, container_length: int) -> tuple[int, int]:
    """Which bytes of a container hold the plaintext from `start` to before `stop`."""
    first = HEADER + start // CHUNK * SEALED_CHUNK
    last = HEADER + (stop + CHUNK - 1) // CHUNK * SEALED_CHUNK
    if last + 16 >= container_length:  # the last chunk may be empty, and it says that this is the end
        last = container_length
    return first, min(last, container_length)


class RawReader(io.RawIOBase):
    """A container, as a stream of its plaintext: short at the end and before damage. It closes its source."""

    def __init__(self, source: Source, secret: FileSecret, more_context: bytes = b"") -> None:
        super().__init__()
        self._source = source
        self._start = secret.header_length
        self._length = source.length - self._start  # of the container
        self._position = 0
        self._end_is_genuine = False
        try:
            self.beginning = bytes(self._fetched(0, min(BEGINNING, source.length)))
            self._container = secret.open(self.beginning, more_context)
            self.size = secret.plaintext_size(source.length)
        except BaseException:
            self.close()
            raise

    @property
    def is_local(self) -> bool:
        """Is it a file of this machine, of which several parts may well be read at once?"""
        return self._source.file >= 0

    @property
    def _place(self) -> tuple[int, Callable[[int, memoryview], None], int, int]:
        """Where the container is, as the native module wants it."""
        return self._length, self._read_at, self._source.file, self._source.start + self._start

    def _fetched(self, offset: int, length: int) -> bytearray:
        into = bytearray(length)
        self._source.read_into(offset, memoryview(into))
        return into

    def _read_at(self, offset: int, into: memoryview) -> None:
        self._source.read_into(self._start + offset, into)

    def read_at(self, offset: int, into: Any) -> int:
        """Fills memory with the plaintext at `offset`, and leaves the position alone."""
        wanted = bytes_like(into, "buffer")
        if offset >= self.size and self._end_is_genuine and not self.closed:
            return 0
        done = 0
        try:
            for piece in _windows(offset, wanted):
                self._prepare(offset + done, piece.nbytes)
                done += self._container.read(*self._place, offset + done, piece)
        except BaseException:
            wanted[:] = bytes(wanted.nbytes)
            raise
        # A read up to the end has opened the last chunk, also if that is empty.
        self._end_is_genuine |= offset + wanted.nbytes >= self.size
        return done

    def bytes_at(self, offset: int, length: int) -> bytes:
        """The plaintext at `offset`, or as much of it as there is; the position is left alone."""
        offset = min(offset, self.size)
        length = max(0, min(length, self.size - offset))
        self._prepare(offset, length)
        data = self._container.read_bytes(*self._place, offset, length)
        self._end_is_genuine |= offset + length >= self.size
        return data

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _prepare(self, offset: int, length: int) -> None:
        self._require_open()
        if offset < self.size and length:
            stop = min(offset + length, self.size)
            first, last = sealed_range(offset, stop, self._length)
            self._source.prepare(self._start + first, self._start + last)

    def check_end(self) -> None:
        """Raises Truncated or Damaged unless the last chunk proves that the end is not missing."""
        self.read_at(self.size, bytearray())

    def read_sealed(self, first_chunk: int, into: memoryview) -> None:
        """Chunks with their tags, as they are in the file: for whoever opens them elsewhere."""
        self._read_at(HEADER + first_chunk * SEALED_CHUNK, into)

    def readinto(self, buffer: Any) -> int:
        """Reading ahead may meet damage that the caller never comes to: what lies before is given first."""
        wanted = bytes_like(buffer, "buffer")
        try:
            got = self.read_at(self._position, wanted)
        except Damaged:
            first = CHUNK - self._position % CHUNK
            if first >= wanted.nbytes:
                raise
            got = self.read_at(self._position, wanted[:first])
        self._position += got
        return got

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        self._require_open()
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._require_open()
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}
        if whence not in base:
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        if base[whence] + offset < 0:
            raise ValueError("a position before the beginning of the file")
        self._position = base[whence] + offset
        return self._position

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


def _windows(offset: int, memory: memoryview) -> Iterator[memoryview]:
    """Parts of memory that end with a chunk, each to be fetched as a whole; one if there is nothing."""
    start = 0
    while start == 0 or start < memory.nbytes:
        stop = start + WINDOW - (offset + start) % CHUNK
        yield memory[start:stop]
        start = stop


class FileSource:
    """A file of this machine."""

    start = 0

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = io.FileIO(path, "rb")
        self.file = descriptor = self._file.fileno()
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            self._file.close()
            raise io.UnsupportedOperation(
                f"{path!r} is a pipe, of which no place can be read again: use `warpaes decrypt`"
            )
        self.length = os.lseek(descriptor, 0, os.SEEK_END)  # also of a disk, of which fstat() says 0

    def read_into(self, offset: int, into: memoryview) -> None:
        done = 0
        while done < len(into):
            got = os.preadv(self._file.fileno(), [into[done:]], offset + done)
            if got == 0:
                raise Truncated("the file became shorter while it was being read")
            done += got

    def prepare(self, start: int, stop: int) -> None:
        """The kernel reads ahead by itself."""

    def close(self) -> None:
        self._file.close()


class Reader(io.BufferedReader):
    """A container, open for reading: read, readinto, seek and the rest of a binary file, and read_ranges."""

    raw: RawReader

    @property
    def size(self) -> int:
        """Bytes of plaintext."""
        return self.raw.size

    def read_ranges(self, ranges: Iterable[tuple[int, int]]) -> list[bytes]:
        """The plaintext from `start` to before `stop`, for each of the ranges. The position stays.

        What lies past the end is left out, as in a slice of bytes. Raises Damaged or Truncated.
        """
        return [self._range(start, stop) for start, stop in ranges]

    def _range(self, start: int, stop: int) -> bytes:
        start, stop = whole_number(start, "start"), whole_number(stop, "stop")
        if not 0 <= start <= stop:
            raise ValueError(f"a range must be (start, stop) with 0 <= start <= stop, not ({start}, {stop})")
        return self.raw.bytes_at(start, stop - start)

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")


def _whole_or_nothing(step: Callable[..., None]) -> Callable[..., None]:
    """A step of a stream after which nothing remains of that if it ends in an exception, as by Ctrl-C.

    Nobody knows then how much was taken, or is in the file, and the next chunk could get a number that is
    used already: two chunks with one nonce give each other away.
    """

    @functools.wraps(step)
    def guarded(stream: "SealingStream", *given: Any) -> None:
        try:
            step(stream, *given)
        except BaseException:
            stream.discard()
            raise

    return guarded


class SealingStream(io.BufferedIOBase):
    """A container that is being written. Those below say where to.

    If the `with` block ends in an exception, or the object is dropped without close(), nothing remains.
    It belongs to the process that made it: a copy that another one has after a fork can neither write, which
    would be other chunks under the same nonces, nor take anything away when it is dropped.
    """

    _process = -1

    def __init__(self, secret: FileSecret, more_context: bytes = b"") -> None:
        super().__init__()
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._pending = bytearray()
        self._chunks = 0
        self._ended = False
        self._container, self.beginning = secret.create(more_context)

    @_whole_or_nothing
    def _begin(self) -> None:
        self._emit(self.beginning)

    def _emit(self, data: bytes | bytearray | memoryview) -> None:
        """Writes bytes of the file behind those before."""
        raise NotImplementedError

    def _complete(self) -> None:
        """All is written: the file gets its name."""
        raise NotImplementedError

    def _abandon(self) -> None:
        """Nothing may remain, whatever happened before."""
        raise NotImplementedError

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Takes all of it. It is encrypted 4 MiB at a time.

        An exception on the way, Ctrl-C among them, discards the file.
        """
        view = bytes_like(data, "data")
        self._require_own()  # before the lock, which a thread that is not there any more may have
        with self._lock:
            self._require_open()
            if self._ended:
                raise ValueError("the container has its last chunk")
            self._take(view)
        return len(view)

    @_whole_or_nothing
    def _take(self, view: memoryview) -> None:
        while view:
            piece = view[: WRITE_TOGETHER - len(self._pending)]
            view = view[len(piece) :]
            if len(piece) == WRITE_TOGETHER:
                self._seal(piece, ends=False)
                continue
            self._pending += piece
            if len(self._pending) == WRITE_TOGETHER:
                self._seal_pending(ends=False)

    def write_sealed(self, data: bytes | bytearray | memoryview, chunks: int) -> None:
        """Whole chunks with their tags that were sealed elsewhere, under the numbers that come next."""
        with self._lock:
            self._require_open()
            if len(self._pending) % CHUNK or len(data) != chunks * SEALED_CHUNK:
                raise ValueError("sealed chunks must be whole, and begin where a chunk begins")
            self._take_sealed(data, chunks)

    @_whole_or_nothing
    def _take_sealed(self, data: bytes | bytearray | memoryview, chunks: int) -> None:
        self._seal_pending(ends=False)
        self._emit(data)
        self._chunks += chunks

    def write_last_sealed(self, data: bytes | bytearray | memoryview) -> None:
        """The last chunk, sealed elsewhere as well."""
        with self._lock:
            self.write_sealed(b"", 0)
            self._take_sealed(data, 0)
            self._ended = True

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _is_own(self) -> bool:
        return os.getpid() == self._process

    def _require_own(self) -> None:
        if not self._is_own():
            raise RuntimeError(
                "this file is being written by another process, from which this one was forked: "
                "only that one can write to it and close it"
            )

    def tell(self) -> int:
        """Bytes of plaintext so far."""
        self._require_open()
        return self._chunks * CHUNK + len(self._pending)

    def _seal_pending(self, *, ends: bool) -> None:
        if ends or self._pending:
            self._seal(self._pending, ends=ends)
            self._pending.clear()

    def _seal(self, plain: bytearray | memoryview, *, ends: bool) -> None:
        """Encrypts what comes next. Under the lock: a chunk's number must not be used twice."""
        self._emit(self._container.encrypt(self._chunks, plain, ends))
        self._chunks += len(plain) // CHUNK

    def close(self) -> None:
        """Ends the container, and gives it its name."""
        if self.closed:
            return
        self._require_own()
        with self._lock:
            if self.closed:
                return
            self._finish()
            self._pending = bytearray()
            super().close()

    @_whole_or_nothing
    def _finish(self) -> None:
        if not self._ended:
            self._seal_pending(ends=True)
        self._complete()

    def discard(self) -> None:
        """Closes, and leaves nothing behind. Does nothing after close()."""
        if not self.closed:
            self._pending = bytearray()
            super().close()
            if self._is_own():
                self._abandon()

    def __exit__(self, *exception: object) -> None:
        if exception[0] is None:
            self.close()
        else:
            self.discard()

    def __del__(self) -> None:
        self.discard()

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")
