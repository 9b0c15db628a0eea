"""Encrypted files that are being written to the stores that fsspec knows."""

import contextlib
import errno
import os
import shutil
import sys
import tempfile
from typing import Any

from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFile
from fsspec.spec import AbstractBufferedFile

from warpaes._secrets import FileSecret
from warpaes._writing import WRITE_TOGETHER, SealingStream
from warpaes.files import NewFile

_DISCARD_NOTHING = (AbstractBufferedFile.discard, MemoryFile.discard)


class Upload(SealingStream):
    """A file that is being written to a store.

    Up to 4 MiB are stored by one request at the end. What is longer goes through the store's own file, which
    gets its name at the end where the store can do that, as S3 can. Where it cannot, a beginning is removed
    if the upload fails, unless there was a file of that name before. One that remains, as after a power cut
    or if the program ends while the file is open, is Truncated or Damaged to whoever reads it up to its end.

    Files of this machine, long or short, are written as those of warpaes.open(): whole or not at all. Any of
    them gets its name at the end of its own `with` block, whatever wrapper has closed it before.

    In a transaction, nothing goes to a store before the end, but for files of this machine: it is kept in a
    file without a name, encrypted as it is. What is still open at the end is stored by close().

    fs, path: the filesystem that has opened it, and its name there.
    blocksize: bytes that are sent together.
    """

    blocksize = WRITE_TOGETHER

    _committed = _whole = _made_name = False
    _file: Any = None  # the store's
    _kept: Any = None  # for the end of a transaction

    def __init__(
        self,
        store: Any,
        path: str,
        secret: FileSecret,
        more_context: bytes,
        *,
        mode: str,
        autocommit: bool,
        opened_by: Any,
    ) -> None:
        super().__init__(secret, more_context)
        self._store = store
        self.fs, self.path = opened_by, path
        self.name, self.mode = path, mode
        self.autocommit = autocommit
        self._held = bytearray(self.beginning)
        self._tell_if_it_is_lost()

    @property
    def loc(self) -> int:
        """Bytes of plaintext so far."""
        return self.size

    @property
    def details(self) -> dict[str, Any]:
        """What the filesystem knows of the file; raises FileNotFoundError before it has its name."""
        found: dict[str, Any] = self.fs.info(self.path)
        return found

    info = AbstractBufferedFile.info
    full_name = AbstractBufferedFile.full_name

    def flush(self, force: bool = False) -> None:
        """Nothing is sent before its time. force: the file ends here, as by close()."""
        super().flush()
        if force:
            self.close()

    def _emit(self, data: bytes | bytearray | memoryview) -> None:
        self._require_open()  # a signal handler may have discarded it
        if self._kept is not None:
            self._keep(data)
        elif self._file is None and len(self._held) + len(data) <= WRITE_TOGETHER:
            self._held += data
        else:
            self._emit_long(data)

    def _emit_long(self, data: bytes | bytearray | memoryview) -> None:
        if self._file is None:
            held, self._held = self._held, bytearray()
            if not self.autocommit and local_path(self._store, self.path) is None:
                self._kept = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
                self._keep(held)
                self._keep(data)
                return
            self._open_file()
            self._write(held)
        self._write(data)

    def _keep(self, data: bytes | bytearray | memoryview) -> None:
        view = memoryview(data)
        while view:
            view = view[self._kept.write(view) :]

    def _store_kept(self) -> None:
        """What was kept becomes the store's file."""
        self._kept.seek(0)
        self._open_file()
        while piece := self._kept.read(WRITE_TOGETHER):
            self._write(piece)
        self._file.close()
        self._kept.close()

    def _open_file(self) -> None:
        exclusive = "x" in self.mode
        self._file = _new_local_file(self._store, self.path, exclusive=exclusive)
        if self._file is not None:
            return
        made_name = exclusive or not _exists(self._store, self.path)
        self._file = self._store.open(self.path, self.mode, autocommit=False)
        self._made_name = made_name
        # It is committed here, and in no transaction: neither in one of this store nor of one behind it.
        for store in (self._store, getattr(self._file, "fs", None)):
            with contextlib.suppress(AttributeError, ValueError):
                store.transaction.files.remove(self._file)  # type: ignore[union-attr]

    def _write(self, data: bytes | bytearray | memoryview) -> None:
        view = memoryview(data)
        while view:
            piece = bytes(view[:WRITE_TOGETHER])
            taken = self._file.write(piece)
            if taken is None:  # as the files of SFTP answer, which take all of it
                taken = len(piece)
            if not 0 < taken <= len(piece):
                raise OSError(f"the store took {taken} of {len(piece)} bytes of {self.path}")
            view = view[taken:]
        self._file.flush()  # lest a forked process writes what is held back once more, when it drops its copy

    def _complete(self) -> None:
        if self._file is not None:
            self._file.close()
        self._whole = True
        if self.autocommit:
            self.commit()

    def commit(self) -> None:
        """The file gets its name, if it is whole: else close() gives it, as the transaction has ended.

        If it cannot get it, nothing remains.
        """
        self.autocommit = True
        if self._committed or not self._whole:
            return
        try:
            self._take_name()
        except BaseException:
            self.discard()  # fsspec does so itself since 2026.9
            raise
        self._committed = True
        self._held = bytearray()

    def _take_name(self) -> None:
        if self._kept is not None:
            self._store_kept()
        if self._file is None:
            try:
                store_whole(self._store, self.path, self._held, "create" if "x" in self.mode else "overwrite")
            except FileExistsError:  # it came meanwhile
                raise name_is_taken(self.path) from None
        elif hasattr(self._file, "commit"):  # else it has its name already
            self._file.commit()

    def discard(self) -> None:
        """Leaves nothing behind. Does nothing after commit()."""
        if self.closed and self._is_own():
            self._abandon()
        super().discard()

    def _abandon(self) -> None:
        if self._committed:
            return
        self._whole, self._held = False, bytearray()
        if self._kept is not None:
            self._kept.close()
        file, self._file = self._file, None
        if file is None:
            return
        if sys.is_finalizing() and not isinstance(file, _NewLocalFile):
            _forget(file)
            return
        with contextlib.suppress(Exception):
            file.close()  # what was sent is kept until it is discarded
        if not _discarded(file) and self._made_name:
            with contextlib.suppress(Exception):
                self._store.rm_file(self.path)


def _forget(file: Any) -> None:
    """A store's file, at the end of the program: what was sent of it remains.

    The threads with which modules of stores work have ended, and whoever asks them waits for ever. Nothing
    can be sent to a store any more, nor be removed there; nor by the file's own __del__(), which closes it.
    Before, while functions of atexit run, others of them may still close the file, as those of logging do.
    """
    with contextlib.suppress(Exception):  # not all files of stores can be told
        file.closed = True


def _discarded(file: Any) -> bool:
    """Has the store's file gone by its own way, if it has one?"""
    discard = getattr(file, "discard", None)
    if discard is None or getattr(discard, "__func__", None) in _DISCARD_NOTHING:
        return False
    try:
        discard()
    except Exception:  # whatever it is: the name is removed instead
        return False
    return True


def store_whole(
    store: Any, path: str, data: bytes | bytearray, mode: str = "overwrite", **options: Any
) -> None:
    """A whole file by one request. mode: "create" for a name that must be free."""
    local = _new_local_file(store, path, exclusive=mode == "create")
    if local is None:
        if mode != "overwrite":
            options["mode"] = mode
        store.pipe_file(path, bytes(data), **options)
        return
    with local:
        local.write(data)


def copy_whole(store: Any, path1: str, path2: str, **options: Any) -> None:
    """A file as it is, by the store's own way; but that of this machine destroys the old one if it fails."""
    local = _new_local_file(store, path2, exclusive=False)
    if local is None:
        store.cp_file(path1, path2, **options)
        return
    _, source = _innermost(store, path1)
    with local:
        if not os.path.isfile(source):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path1)
        with open(source, "rb") as file:
            shutil.copyfileobj(file, local, WRITE_TOGETHER)


def name_is_taken(path: str) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def require_free(store: Any, path: str) -> None:
    """Raises FileExistsError for a name that is taken, if the store can say so before it is written to."""
    taken = False
    with contextlib.suppress(Exception):
        taken = store.exists(path)
    if taken:
        raise name_is_taken(path)


def _exists(store: Any, path: str) -> bool:
    """If the store cannot say it, yes: then the name is not this upload's to remove."""
    try:
        return bool(store.exists(path))
    except Exception:
        return True


def local_path(store: Any, path: str) -> str | None:
    """Where a file of this machine is."""
    store, path = _innermost(store, path)
    return path if isinstance(store, LocalFileSystem) else None


def _innermost(store: Any, path: str) -> tuple[Any, str]:
    """The store in which a folder of another one lies, and the path there."""
    while isinstance(store, DirFileSystem):
        store, path = store.fs, store._join(path)
    return store, path


class _NewLocalFile(NewFile):
    """A file of this machine, with the methods of fsspec's.

    Its own is made in the folder for temporary files, and takes neither permissions nor links into account.
    """

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """commit() or discard() is still to come."""
        self.finish()

    def discard(self) -> None:
        self.abandon()


def _new_local_file(store: Any, path: str, *, exclusive: bool) -> _NewLocalFile | None:
    """None if the store is elsewhere."""
    store, path = _innermost(store, path)
    if not isinstance(store, LocalFileSystem):
        return None
    if store.auto_mkdir:
        store.makedirs(store._parent(path), exist_ok=True)
    return _NewLocalFile(path, durable=False, exclusive=exclusive)
