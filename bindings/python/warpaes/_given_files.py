"""File objects that a caller has opened: others' containers are read from them and written to them.

They stay the caller's: they are never closed here, and nothing of them is taken away or gets a name.
"""

import errno
import io
import os
import threading
from typing import Any

from warpaes._errors import Truncated
from warpaes._fork_locks import ForkLock


def is_file_object(given: Any, method: str) -> bool:
    """Has it this method of files, and is it no name of one? Paths of some packages have it, too."""
    if isinstance(given, io.IOBase):
        return True
    return hasattr(given, method) and not isinstance(given, (type, str, bytes, os.PathLike))


def name_of(given: Any) -> Any:
    """A path is its own; a file object without one has an empty one, as gzip's files say it."""
    return given if isinstance(given, str) else getattr(given, "name", None) or ""


def require_bytes(given: Any) -> None:
    if isinstance(given, io.TextIOBase):
        raise TypeError(
            "the file is open for text, and encrypted files are bytes: open it with a b in its mode"
        )


class GivenSource:
    """What lies in a file object from its position to its end; one that can seek."""

    file, start = -1, 0

    def __init__(self, given: Any) -> None:
        require_bytes(given)
        self._given, self._lock, self._reading_thread = given, ForkLock(), 0
        name = getattr(given, "name", None)
        if name is not None:
            self.name = name
        try:
            self._begin = given.tell()
            given.seek(0, os.SEEK_END)
            self.length = given.tell() - self._begin
        except (AttributeError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in (None, errno.ESPIPE):
                raise
            raise io.UnsupportedOperation("the file cannot seek") from None

    def read_into(self, offset: int, into: memoryview) -> None:
        """Several threads may ask, and each of them has to move the position and to read from there."""
        with self._lock:
            thread = threading.get_ident()
            if self._reading_thread == thread:  # which a signal handler has interrupted
                raise RuntimeError("reentrant call while the file is being read")
            self._reading_thread = thread  # in the child of a fork, there may be another one that is gone
            try:
                self._read_into(self._begin + offset, into)
            finally:
                self._reading_thread = 0

    def _read_into(self, offset: int, into: memoryview) -> None:
        while into:
            self._given.seek(offset)
            got = self._given.read(len(into))
            if got is None:
                raise BlockingIOError("the file is not blocking, and has no bytes yet")
            if not got:
                raise Truncated("the file became shorter while it was being read")
            if len(got) > len(into):
                raise OSError(f"the file answered with {len(got)} bytes where {len(into)} were asked for")
            into[: len(got)] = got
            offset, into = offset + len(got), into[len(got) :]

    def prepare(self, start: int, stop: int) -> None:
        """Nothing is known of how the file reads."""

    def close(self) -> None:
        """The file is the caller's."""


class GivenTarget:
    """A file object that is written to from its position on, with the methods of a NewFile."""

    def __init__(self, given: Any) -> None:
        require_bytes(given)
        self._given = given

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Writes all of it, and leaves nothing for the file to hold back: after a fork both processes would
        write that."""
        rest = bytes(data)  # which the file may keep
        while rest:
            taken = self._given.write(rest)
            if taken is None and isinstance(self._given, io.RawIOBase):
                raise BlockingIOError("the file is not blocking, and took no bytes")
            if taken is None:  # as files of other packages answer, which take all of it
                break
            if not 0 < taken <= len(rest):
                raise OSError(f"the file took {taken} of {len(rest)} bytes")
            rest = rest[taken:]
        if hasattr(self._given, "flush"):
            self._given.flush()

    def commit(self) -> None:
        """All is written."""

    def abandon(self) -> None:
        """What was written stays: without its last chunk it is Truncated or Damaged to whoever reads it."""
