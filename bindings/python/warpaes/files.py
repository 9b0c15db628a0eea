"""Encrypted files, in the format that `warpaes encrypt` and `cryptography.cobblestone` write.

A file consists of chunks of 16 KiB with a tag each, so any place of it can be read without the rest. What
read() returns is genuine; that the end is not missing is known when the end has been read.
"""

import contextlib
import io
import os
import tempfile
import threading
from collections.abc import Iterable
from typing import Any, Literal, overload

from warpaes import _native
from warpaes._errors import Truncated
from warpaes._keys import DECRYPT
from warpaes._machine import Context, context_or_default

HEADER, CHUNK = 56, 16384
READ_AHEAD = 16 * CHUNK
WRITE_TOGETHER = 256 * CHUNK  # 4 MiB: enough for all threads


class RawReader(io.RawIOBase):
    """A container, as a stream of its plaintext. It is never short but at the end."""

    def __init__(self, file: io.FileIO, key: Any, context_string: bytes, context: Context | None) -> None:
        super().__init__()
        self._file = file
        self._length = os.fstat(file.fileno()).st_size
        header = os.pread(file.fileno(), HEADER, 0)
        if len(header) < HEADER:
            raise Truncated(f"an encrypted file has at least {HEADER + 16} bytes, and this one {len(header)}")
        native = context_or_default(context)._native
        self._container = _native.Container.open(native, key, context_string, header)
        self.size = _native.container_size(DECRYPT, self._length)
        self._position = 0

    def _read_at(self, offset: int, into: memoryview) -> None:
        done = 0
        while done < len(into):
            got = os.preadv(self._file.fileno(), [into[done:]], offset + done)
            if got == 0:
                raise Truncated("the file became shorter while it was being read")
            done += got

    def read_at(self, offset: int, into: Any) -> int:
        """Fills memory with the plaintext at `offset`, and leaves the position alone."""
        if self.closed:
            raise ValueError("the file is closed")
        return self._container.read(self._length, self._read_at, offset, into)

    def readinto(self, buffer: Any) -> int:
        got = self.read_at(self._position, memoryview(buffer).cast("B"))
        self._position += got
        return got

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}
        if whence not in base:
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        if base[whence] + offset < 0:
            raise ValueError("a position before the beginning of the file")
        self._position = base[whence] + offset
        return self._position

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


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
        if not 0 <= start <= stop:
            raise ValueError(f"a range must be (start, stop) with 0 <= start <= stop, not ({start}, {stop})")
        length = max(0, min(stop, self.size) - start)
        if length == 0:
            return b""
        into = bytearray(length)
        self.raw.read_at(start, into)
        return bytes(into)

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")


class Writer(io.BufferedIOBase):
    """A container that is being written.

    It has a temporary name beside its own until close(), which gives it its name when all of it is on the
    disk. If the `with` block ends in an exception, or the object is dropped without close(), nothing remains.
    """

    def __init__(self, path: str, key: Any, context_string: bytes, context: Context | None) -> None:
        super().__init__()
        self._path = path
        self._lock = threading.RLock()
        self._pending = bytearray()
        self._chunks = 0
        self._temporary = ""
        native = context_or_default(context)._native
        self._container, header = _native.Container.create(native, key, context_string, None)
        folder, name = os.path.split(path)
        descriptor, self._temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder or ".")
        self._file = os.fdopen(descriptor, "wb", buffering=0)
        self._file.write(header)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Takes all of it. It is encrypted 4 MiB at a time."""
        if self.closed:
            raise ValueError("the file is closed")
        view = memoryview(data).cast("B")
        length = len(view)
        with self._lock:
            while view:
                piece = view[: WRITE_TOGETHER - len(self._pending)]
                self._pending += piece
                view = view[len(piece) :]
                if len(self._pending) == WRITE_TOGETHER:
                    self._seal(ends=False)
        return length

    def tell(self) -> int:
        """Bytes of plaintext so far."""
        return self._chunks * CHUNK + len(self._pending)

    def _seal(self, *, ends: bool) -> None:
        """Encrypts what is pending. Under the lock: a chunk's number must not be used twice."""
        try:
            self._write_all(self._container.encrypt(self._chunks, self._pending, ends))
        except BaseException:
            self.discard()  # nobody knows how much of it is in the file
            raise
        self._chunks += len(self._pending) // CHUNK
        self._pending.clear()

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]

    def close(self) -> None:
        """Ends the container, and gives it its name."""
        with self._lock:
            if not self.closed:
                self._finish()

    def _finish(self) -> None:
        try:
            self._seal(ends=True)
            os.fsync(self._file.fileno())
            os.chmod(self._temporary, 0o666 & ~_umask())
            os.replace(self._temporary, self._path)
            self._temporary = ""
        finally:
            self.discard()

    def discard(self) -> None:
        """Closes, and leaves nothing behind. Does nothing after close()."""
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = ""
        if hasattr(self, "_file"):
            self._file.close()
        self._pending = bytearray()
        super().close()

    def __exit__(self, *exception: object) -> None:
        if exception[0] is None:
            self.close()
        else:
            self.discard()

    def __del__(self) -> None:
        self.discard()


def _umask() -> int:
    """Of this process: there is no way but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@overload
def open(  # noqa: A001
    path: str | os.PathLike[str],
    mode: Literal["rb"] = "rb",
    *,
    key: Any,
    context_string: bytes = b"",
    context: Context | None = None,
) -> Reader: ...


@overload
def open(  # noqa: A001
    path: str | os.PathLike[str],
    mode: Literal["wb"],
    *,
    key: Any,
    context_string: bytes = b"",
    context: Context | None = None,
) -> Writer: ...


def open(  # noqa: A001
    path: str | os.PathLike[str],
    mode: str = "rb",
    *,
    key: Any,
    context_string: bytes = b"",
    context: Context | None = None,
) -> Reader | Writer:
    """Opens an encrypted file: "rb" to read it, "wb" to write a new one, or in place of another.

    key: 32 or 16 uniformly random bytes, not a passphrase. context_string: any bytes that both sides know,
    such as the file's name; they are authenticated and not stored.

    Raises WrongKey and Truncated here, and Truncated and Damaged while reading.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with open(f"{folder.name}/file", "wb", key=bytes(32)) as file:
    ...     _ = file.write(b"a secret")
    >>> with open(f"{folder.name}/file", key=bytes(32)) as file:
    ...     file.read_ranges([(2, 8)])
    [b'secret']
    >>> folder.cleanup()
    """
    if mode == "wb":
        return Writer(os.fsdecode(path), key, context_string, context)
    if mode != "rb":
        raise ValueError(f'mode must be "rb" or "wb", not {mode!r}')
    file = io.FileIO(path, "rb")
    try:
        return Reader(RawReader(file, key, context_string, context), READ_AHEAD)
    except BaseException:
        file.close()
        raise
