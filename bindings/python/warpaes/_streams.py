"""Containers that are read, as streams of their plaintext, wherever their bytes are kept."""

import errno
import io
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from warpaes._arguments import any_items, whole_number
from warpaes._errors import Damaged, Truncated
from warpaes._secrets import BEGINNING, CHUNK, HEADER, SEALED_CHUNK, FileSecret

READ_AHEAD = 16 * CHUNK
WINDOW = 4096 * CHUNK  # 64 MiB: no more of a file is held in memory while a part of it is read


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


class _KeptOpen:
    """A source that stays open while somebody reads it, whoever closes it meanwhile.

    The number of a descriptor that is closed may be another file's at once. There is no lock, for which a
    signal handler, or the child of a fork, could wait for ever: each step is one of a list's, and a source
    may be closed twice.
    """

    def __init__(self, source: Source) -> None:
        self._source, self._readers, self._ended = source, list[None](), False

    def __enter__(self) -> None:
        self._readers.append(None)
        if self._ended:
            self.__exit__()
            raise ValueError("the file is closed")

    def __exit__(self, *exception: object) -> None:
        self._readers.pop()
        self._close_unless_read()

    def close(self) -> None:
        self._ended = True
        self._close_unless_read()

    def _close_unless_read(self) -> None:
        if self._ended and not self._readers:
            self._source.close()


class RawReader(io.RawIOBase):
    """A container, as a stream of its plaintext: short at the end and before damage. It closes its source."""

    name: str | bytes  # of the file, where it has one
    mode = "rb"

    def __init__(self, source: Source, secret: FileSecret, more_context: bytes = b"") -> None:
        super().__init__()
        self._source, self._kept_open = source, _KeptOpen(source)
        name = getattr(source, "name", None)
        if name is not None:
            self.name = name
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
        wanted, offset = any_items(into, "buffer"), self._within(offset)
        if offset >= self.size and self._end_is_genuine and not self.closed:
            return 0
        done = 0
        try:
            with self._kept_open:
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
        offset = self._within(offset)
        length = max(0, min(whole_number(length, "length"), self.size - offset))
        with self._kept_open:
            self._prepare(offset, length)
            data = self._container.read_bytes(*self._place, offset, length)
        self._end_is_genuine |= offset + length >= self.size
        return data

    def _within(self, offset: int) -> int:
        """The place, or the end if it lies behind that."""
        offset = whole_number(offset, "offset")
        if offset < 0:
            raise ValueError(f"offset must be 0 or more, not {offset}")
        return min(offset, self.size)

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _prepare(self, offset: int, length: int) -> None:
        if offset < self.size and length:
            stop = min(offset + length, self.size)
            first, last = sealed_range(offset, stop, self._length)
            self._source.prepare(self._start + first, self._start + last)

    def check_end(self) -> None:
        """Raises Truncated or Damaged unless the last chunk proves that the end is not missing."""
        self.read_at(self.size, bytearray())

    def read_sealed(self, first_chunk: int, into: memoryview) -> None:
        """Chunks with their tags, as they are in the file: for whoever opens them elsewhere."""
        with self._kept_open:
            self._read_at(HEADER + first_chunk * SEALED_CHUNK, into)

    def readinto(self, buffer: Any) -> int:
        """Reading ahead may meet damage that the caller never comes to: what lies before is given first."""
        wanted = any_items(buffer, "buffer")
        try:
            got = self.read_at(self._position, wanted)
        except Damaged:
            first = CHUNK - self._position % CHUNK
            if first >= wanted.nbytes:
                raise
            got = self.read_at(self._position, wanted[:first])
        self._position += got
        return got

    def readall(self) -> bytes:
        """All that is left: a file of this machine in one piece, a store's in windows."""
        self._require_open()
        most = self.size if self.is_local else WINDOW
        pieces, position = [], self._position
        while position < self.size or not self._end_is_genuine:
            pieces.append(self.bytes_at(position, most - position % CHUNK))
            position += len(pieces[-1])
        self._position = position
        return b"".join(pieces)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        self._require_open()
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Raises Truncated or Damaged if a place is counted from an end that is not genuine."""
        self._require_open()
        offset = whole_number(offset, "offset")
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}
        if whence not in base:
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        if whence == io.SEEK_END:
            self.check_end()
        position = base[whence] + offset
        if position < 0:
            raise OSError(errno.EINVAL, "a position before the beginning of the file")
        if position >= 2**63:
            raise OverflowError(f"a position must be less than 2**63, not {position}")
        self._position = position
        return self._position

    def close(self) -> None:
        self._kept_open.close()
        super().close()

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")


def _pair(given: Any) -> tuple[Any, Any]:
    """The bounds of a range."""
    try:
        start, stop = given
    except (TypeError, ValueError):
        what = type(given).__name__
    else:
        return start, stop
    raise TypeError(
        f"ranges must be pairs, as in read_ranges([(start, stop)]), and one of them is this {what}"
    )


def _windows(offset: int, memory: memoryview) -> Iterator[memoryview]:
    """Parts of memory that end with a chunk, each to be fetched as a whole; one if there is nothing."""
    start = 0
    while start == 0 or start < memory.nbytes:
        stop = start + WINDOW - (offset + start) % CHUNK
        yield memory[start:stop]
        start = stop


def opened(path: str | os.PathLike[str]) -> "FileSource | io.FileIO":
    """A file of this machine; one that is a pipe or the like has no places, and is only open."""
    name = os.fspath(path)  # first: FileIO would take a number, and close what is not its own
    file = io.FileIO(name, "rb")
    try:
        return FileSource(name, file)
    except OSError as error:
        if error.errno in (errno.ESPIPE, errno.EINVAL):
            return file
        file.close()  # such as that of a disk that fails
        raise


def opened_file(path: str | os.PathLike[str]) -> "FileSource":
    """A file of this machine that can be read anywhere."""
    found = opened(path)
    if isinstance(found, FileSource):
        return found
    found.close()
    raise io.UnsupportedOperation(
        f"{path!r} is a pipe or the like, and this reads a file at several places: "
        "warpaes.open() reads a pipe from its beginning to its end"
    )


class FileSource:
    """A file of this machine."""

    start = 0

    def __init__(self, name: str | bytes, file: io.FileIO) -> None:
        self.name, self._file, self.file = name, file, file.fileno()
        self.length = os.lseek(file.fileno(), 0, os.SEEK_END)  # also of a disk, of which fstat() says 0

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


class PartOfSource:
    """A part of a file, as a file of its own."""

    def __init__(self, source: Source, start: int, length: int) -> None:
        self._source, self.start, self.length = source, source.start + start, length
        self.file = source.file
        if start + length > source.length:
            self.length = max(0, source.length - start)  # the container is found to be cut

    def read_into(self, offset: int, into: memoryview) -> None:
        self._source.read_into(self.start + offset, into)

    def prepare(self, start: int, stop: int) -> None:
        self._source.prepare(self.start + start, self.start + stop)

    def close(self) -> None:
        """Nothing: the file stays open for its other parts."""


class Reader(io.BufferedReader):
    """A container, open for reading: read, readinto, seek and the rest of a binary file, and read_ranges.

    One that comes through a pipe has no places: size, seek, tell and read_ranges raise
    io.UnsupportedOperation.
    """

    raw: RawReader
    """Its unbuffered stream, as every BufferedReader has one."""

    @property
    def size(self) -> int:
        """Bytes of plaintext, by the file's length: seek(0, os.SEEK_END) raises unless it is the true one."""
        return self._attached().size

    def read_ranges(self, ranges: Iterable[tuple[int, int]]) -> list[bytes]:
        """The plaintext from `start` to before `stop`, for each of the ranges. The position stays.

        What lies past the end is left out, as in a slice of bytes. Raises Damaged or Truncated.
        """
        return [self._range(*_pair(one)) for one in ranges]

    def _range(self, start: int, stop: int) -> bytes:
        start, stop = whole_number(start, "start"), whole_number(stop, "stop")
        if not 0 <= start <= stop:
            raise ValueError(f"a range must be (start, stop) with 0 <= start <= stop, not ({start}, {stop})")
        return self._attached().bytes_at(start, stop - start)

    def _attached(self) -> RawReader:
        raw: RawReader | None = self.raw
        if raw is None:
            raise ValueError("the file's raw stream was detached: use what detach() returned")
        return raw

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")
