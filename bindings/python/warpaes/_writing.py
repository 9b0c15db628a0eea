"""Containers that are written, wherever their bytes go to."""

import atexit
import functools
import io
import os
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from warpaes._arguments import any_items
from warpaes._secrets import CHUNK, SEALED_CHUNK, FileSecret
from warpaes.typing import HostMemory

StreamT = TypeVar("StreamT", bound="SealingStream")

WRITE_TOGETHER = 256 * CHUNK  # 4 MiB: enough for all threads


def _whole_or_nothing(step: Callable[..., None]) -> Callable[..., None]:
    """A step of a stream after which nothing remains of that if it ends in an exception, as by Ctrl-C.

    Nobody knows then how much was taken, or is in the file, and the next chunk could get a number that is
    used already: two chunks with one nonce give each other away. For the same reason no step begins inside
    another one: the lock does not keep a thread from itself, and a signal handler, a __del__() or a callback
    of the garbage collector may run in the middle of a step. It is refused there, and the step goes on.
    """

    @functools.wraps(step)
    def guarded(stream: "SealingStream", *given: Any) -> None:
        stream._require_idle()
        try:
            stream._busy = True
            step(stream, *given)
            stream._busy = False
        except BaseException:
            stream.discard()
            raise

    return guarded


if TYPE_CHECKING:

    class _BinaryFile(io.BufferedIOBase, BinaryIO):
        """What Python's own binary files are to type checkers."""

        name: Any

else:
    _BinaryFile = io.BufferedIOBase


class SealingStream(_BinaryFile):
    """A container that is being written. Those below say where to.

    In a `with` block of its own it gets its name at the end of that, also if close() is called before, as
    wrappers do that end in an exception. If the block ends in one, or the object is dropped without close(),
    nothing remains. A ResourceWarning tells of an object that was dropped.

    It belongs to the process that made it: a copy that another one has after a fork can neither write, which
    would be other chunks under the same nonces, nor take anything away when it is dropped.
    """

    mode = "wb"
    _process = -1
    _in_last_chunk = 0  # bytes, once the file is whole; those before are in whole chunks
    _busy = False  # in the middle of a step; only looked at under the lock
    _can_be_lost = False  # is there a file, which is nobody else's to end?
    _blocks = 0  # of `with`, in which it is
    _nameless = False  # closed, and the block that gives it its name has not ended

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

    def write(self, data: HostMemory) -> int:
        """Takes all of it. It is encrypted 4 MiB at a time.

        An exception on the way, Ctrl-C among them, discards the file.
        """
        view = any_items(data, "data")
        self._require_own()  # before the lock, which a thread that is not there any more may have
        with self._lock:
            self._require_ready()
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
            self._require_room_for(data, chunks)
            self._take_sealed(data, chunks)

    @_whole_or_nothing
    def _take_sealed(self, data: bytes | bytearray | memoryview, chunks: int) -> None:
        self._seal_pending(ends=False)
        self._chunks += chunks
        self._emit(data)

    def write_last_sealed(self, data: bytes | bytearray | memoryview) -> None:
        """The last chunk, sealed elsewhere as well."""
        with self._lock:
            self._require_room_for(b"", 0)
            self._take_last_sealed(data)

    @_whole_or_nothing
    def _take_last_sealed(self, data: bytes | bytearray | memoryview) -> None:
        self._ended = True
        self._seal_pending(ends=False)
        self._in_last_chunk = len(data) - (SEALED_CHUNK - CHUNK)
        self._emit(data)

    def _require_room_for(self, data: bytes | bytearray | memoryview, chunks: int) -> None:
        self._require_ready()
        if len(self._pending) % CHUNK or len(data) != chunks * SEALED_CHUNK:
            raise ValueError("sealed chunks must be whole, and begin where a chunk begins")

    def _require_ready(self) -> None:
        self._require_open()
        self._require_idle()
        if self._ended:
            raise ValueError("the container has its last chunk")

    def _require_idle(self) -> None:
        if self._busy:
            raise RuntimeError(f"reentrant call inside {self!r}")

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

    @property
    def size(self) -> int:
        """Bytes of plaintext so far, and of the whole file after close()."""
        return self._chunks * CHUNK + len(self._pending) + self._in_last_chunk

    def tell(self) -> int:
        """Bytes of plaintext so far."""
        self._require_open()
        return self.size

    def _seal_pending(self, *, ends: bool) -> None:
        if ends or self._pending:
            self._seal(self._pending, ends=ends)
            self._pending.clear()

    def _seal(self, plain: bytearray | memoryview, *, ends: bool) -> None:
        """Encrypts what comes next. A chunk's number is taken before it is used, lest it be used twice."""
        first = self._chunks
        self._chunks += len(plain) // CHUNK
        self._emit(self._container.encrypt(first, plain, ends))

    def close(self) -> None:
        """Ends the container, and gives it its name; in its `with` block, the end of that gives the name."""
        if self.closed:
            return
        self._require_own()
        with self._lock:
            if not self.closed:
                self._finish()

    @_whole_or_nothing
    def _finish(self) -> None:
        if not self._ended:
            self._ended = True
            last = len(self._pending) % CHUNK
            self._seal_pending(ends=True)
            self._in_last_chunk = last
        if self._blocks:
            self._nameless = True
        else:
            self._complete()
        self._pending = bytearray()
        super().close()

    @_whole_or_nothing
    def _name(self) -> None:
        self._complete()
        self._nameless = False

    def _is_unfinished(self) -> bool:
        return not self.closed or self._nameless

    def discard(self) -> None:
        """Closes, and leaves nothing behind. Does nothing after the file has its name."""
        if self._is_unfinished():
            self._nameless = False
            self._pending = bytearray()
            super().close()
            if self._is_own():
                self._abandon()

    def __enter__(self: StreamT) -> StreamT:
        super().__enter__()
        self._blocks += 1
        return self

    def __exit__(self, *exception: object) -> None:
        self._blocks -= 1
        if exception[0] is not None:
            self.discard()
            return
        self.close()
        if self._nameless and not self._blocks:
            self._require_own()
            with self._lock:
                self._name()

    def _tell_if_it_is_lost(self) -> None:
        """From now on a warning tells if it is dropped unfinished. For files that nobody else would end."""
        self._can_be_lost = True
        _may_be_lost.add(weakref.ref(self, _may_be_lost.discard))

    def _warn_if_unfinished(self, why: str) -> None:
        if self._can_be_lost and self._is_unfinished() and self._is_own():
            what = f"the encrypted file {self.name!r} {why}"
            warnings.warn(what, ResourceWarning, stacklevel=3, source=self)

    def __del__(self) -> None:
        try:
            self._warn_if_unfinished("was dropped without close(), and what was written to it is lost")
        finally:  # the warning may be an exception
            self.discard()

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")


_may_be_lost = set["weakref.ref[SealingStream]"]()


@atexit.register
def _warn_of_what_is_open() -> None:
    """Other functions at the program's end may still close it, as those of logging do."""
    for reference in list(_may_be_lost):
        stream = reference()
        if stream is not None:
            stream._warn_if_unfinished("is open as the program ends: it is lost unless it is closed yet")
