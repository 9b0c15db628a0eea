"""Encrypted files as they are opened for reading, and those of pipes: read once, from beginning to end."""

import io
from typing import Any, NoReturn

from warpaes import _native
from warpaes._arguments import any_items
from warpaes._errors import Damaged, Truncated
from warpaes._given_files import GivenSource
from warpaes._keys import DECRYPT
from warpaes._secrets import BEGINNING, CHUNK, HEADER, SEALED_CHUNK, FileSecret
from warpaes._streams import READ_AHEAD, FileSource, RawReader, Reader, opened
from warpaes.typing import Path

ASKED_FOR = 64 * SEALED_CHUNK  # at once; a pipe gives what it has


def read_given(given: Any, secret: FileSecret) -> Reader:
    """A file object of the caller's."""
    try:
        source = GivenSource(given)
    except io.UnsupportedOperation:
        return Reader(PipeReader(given, secret, closes=False), READ_AHEAD)
    return Reader(RawReader(source, secret), READ_AHEAD)


def read_named(path: Path, secret: FileSecret) -> Reader:
    """A file that exists."""
    found = opened(path)
    if isinstance(found, FileSource):
        return Reader(RawReader(found, secret), READ_AHEAD)
    return Reader(PipeReader(found, secret, closes=True), READ_AHEAD)


class PipeReader(io.RawIOBase):
    """A container, as a stream of its plaintext that cannot seek.

    A chunk is opened when a byte that follows it has come, or the end: that tells whether it is the last one.
    """

    name: str | bytes  # of the file, where it has one
    mode = "rb"

    def __init__(self, given: Any, secret: FileSecret, *, closes: bool) -> None:
        """
        given: a file that is open for bytes and blocks, from whose position on it is read
        closes: close() closes it, too
        """
        super().__init__()
        self._given, self._closes = given, closes
        # What has come up to now, of a pipe; read() of a buffered one would wait for all that was asked for.
        self._more = getattr(given, "read1", given.read)
        name = getattr(given, "name", None)
        if name is not None:
            self.name = name
        self._sealed, self._has_ended = bytearray(), False  # what has come and was not opened
        self._chunks = 0  # so many were opened before
        self._at_once = ASKED_FOR // SEALED_CHUNK
        self._plaintext = memoryview(b"")  # what was opened and is not read yet
        self._is_whole = False  # the last chunk was opened
        try:
            self._fetch(BEGINNING)
            self._container = secret.open(bytes(self._sealed[:BEGINNING]))
            del self._sealed[: secret.header_length + HEADER]
        except BaseException:
            self.close()
            raise

    def _fetch(self, wanted: int) -> None:
        """So many bytes are there afterwards, or all up to the end."""
        while len(self._sealed) < wanted and not self._has_ended:
            got = self._more(ASKED_FOR) or self._given.read(1)  # only that tells an end from "not yet"
            if got is None:
                raise BlockingIOError("the file is not blocking, and has no bytes yet")
            self._sealed += got
            self._has_ended = not got

    def _open_next(self) -> None:
        """The next chunks. Where one of several is damaged, those before it are given first."""
        self._fetch(SEALED_CHUNK + 1)
        while True:
            try:
                self._open_chunks(self._at_once)
            except (Damaged, Truncated):
                if self._at_once == 1:
                    raise
                self._at_once = 1
            else:
                return

    def _open_chunks(self, most: int) -> None:
        before = HEADER + self._chunks * SEALED_CHUNK  # bytes of the container
        is_end = self._has_ended and len(self._sealed) <= most * SEALED_CHUNK
        offset = self._chunks * CHUNK
        if is_end:
            chunks = most
            length = before + len(self._sealed)
            plaintext_length = _native.container_size(DECRYPT, length) - offset
        else:
            chunks = min(most, (len(self._sealed) - 1) // SEALED_CHUNK)
            rest = len(self._sealed) - chunks * SEALED_CHUNK
            # What follows is more than an empty chunk, or it would be opened with these as the end.
            length = before + len(self._sealed) + (16 if rest % SEALED_CHUNK <= 16 else 0)
            plaintext_length = chunks * CHUNK

        def read_at(place: int, into: memoryview) -> None:
            into[:] = self._sealed[place - before : place - before + len(into)]

        opened = self._container.read_bytes(length, read_at, -1, 0, offset, plaintext_length)
        self._plaintext, self._is_whole = memoryview(opened), is_end
        self._chunks += chunks
        del self._sealed[: chunks * SEALED_CHUNK]

    def _next(self) -> memoryview:
        """Plaintext that comes next; nothing at the end, which is genuine then."""
        if self.closed:
            raise ValueError("the file is closed")
        while not self._plaintext and not self._is_whole:
            self._open_next()
        return self._plaintext

    def readinto(self, buffer: Any) -> int:
        """Raises Damaged or Truncated when what lies before that has been read."""
        wanted = any_items(buffer, "buffer")
        got = self._next()[: len(wanted)] if wanted else memoryview(b"")
        wanted[: len(got)] = got
        self._plaintext = self._plaintext[len(got) :]
        return len(got)

    def readall(self) -> bytes:
        """All that is left."""
        pieces = []
        while piece := self._next():
            pieces.append(piece)
            self._plaintext = memoryview(b"")
        return b"".join(pieces)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self._closes:
            self._given.close()
        super().close()

    @property
    def size(self) -> int:
        self._refuse()

    def bytes_at(self, offset: int, length: int) -> bytes:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise io.UnsupportedOperation(
            "the encrypted file comes through a pipe or the like, which is read once and from its beginning "
            "to its end: read() gives it, and a file on a disk, or io.BytesIO, has a size and ranges"
        )

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")
