"""Encrypted files, in the format that `warpaes encrypt` and `cryptography.cobblestone` write.

A file consists of chunks of 16 KiB with a tag each, so any place of it can be read without the rest. What
read() returns is genuine; that the end is not missing is known when the end has been read, or seek() has
counted a place from it.
"""

import errno
import io
import os
import stat
import warnings
from typing import Any, Literal, overload

from warpaes import _native
from warpaes._arguments import shown
from warpaes._given_files import GivenTarget, is_file_object, name_of
from warpaes._machine import Context
from warpaes._pipes import read_given, read_named
from warpaes._secrets import FileSecret, kept_secret
from warpaes._streams import READ_AHEAD, RawReader, Reader, opened_file
from warpaes._writing import SealingStream
from warpaes.typing import HostMemory, Passphrase, Path, ReadableFile, WritableFile

__all__ = ["Reader", "Writer", "open"]

_LONGEST_NAME = 255  # bytes, in the file systems that there are


class NewFile:
    """A file that has a temporary name beside its own until commit().

    A file that it replaces hands on its permissions, and its group and owner as far as this process may set
    them, as `warpaes` does it. A symbolic link stays, and the file that it leads to is replaced, as by
    Python's own open(). What is dropped without commit() leaves nothing, as after Ctrl-C, nor does what is
    still there when the interpreter has ended.
    """

    _temporary = ""

    def __init__(self, path: str, *, durable: bool = True, exclusive: bool = False) -> None:
        """exclusive: the name must be free, now and when the file gets it."""
        if exclusive and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if path.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        _require_folder_of(path)
        self._replaced = _to_be_replaced(path)
        given, path = path, os.path.realpath(path)
        self._path, self._durable, self._exclusive = path, durable, exclusive
        self.length, self._process = 0, os.getpid()
        # The system takes the umask off a new file's permissions. To ask for the umask would mean to change
        # it, which files that other threads make meanwhile would notice.
        mode = 0o666 if self._replaced is None else 0o600
        self._file, self._temporary = _made_beside(path, mode, known_as=given)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Writes all of it."""
        view = memoryview(data)
        while view:
            written = self._file.write(view)
            self.length += written
            view = view[written:]

    def write_at(self, offset: int, data: memoryview) -> None:
        """All of it, at a place of its own; several threads may do so at once."""
        while data:
            written = os.pwrite(self._file.fileno(), data, offset)
            offset, data = offset + written, data[written:]

    def finish(self) -> None:
        """All is written. Only the name is still to come, and no descriptor is kept open for it."""
        if self._file.closed:
            return
        if self._replaced is not None:
            _take_over_permissions(self._file.fileno(), self._replaced)
        if self._durable:
            os.fsync(self._file.fileno())
        self._file.close()

    def commit(self) -> None:
        """The file gets its name. If it is durable, it is on the disk before, and its name afterwards.

        Nothing remains if it cannot get it.
        """
        try:
            self.finish()
            self._take_name()
        except BaseException:
            self.abandon()
            raise
        self._forget_temporary()
        if self._durable:
            _bring_folder_to_disk(os.path.dirname(self._path))

    def _take_name(self) -> None:
        if not self._exclusive:
            os.replace(self._temporary, self._path)
            return
        _take_free_name(self._path)
        try:
            os.replace(self._temporary, self._path)
        except BaseException:
            os.unlink(self._path)
            raise

    def abandon(self) -> None:
        """Nothing remains, or a RuntimeWarning says what does. Does nothing after commit()."""
        left = ""
        if self._temporary:
            try:
                os.unlink(self._temporary)
            except FileNotFoundError:
                pass
            except OSError as error:  # as in a folder that takes new files only (chattr +a)
                left = f"{self._temporary!r} is left, and could not be removed: {error.strerror}"
            self._forget_temporary()
        self._file.close()
        if left:
            warnings.warn(left, RuntimeWarning, stacklevel=3)

    def _forget_temporary(self) -> None:
        _native.forget_temporary(os.fsencode(self._temporary))
        self._temporary = ""

    def __del__(self) -> None:
        if self._temporary and os.getpid() == self._process:  # else it is a copy that a fork has made
            self.abandon()

    def __enter__(self) -> "NewFile":
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is None:
            self.commit()
        else:
            self.abandon()


class Writer(SealingStream):
    """A container that is being written.

    It has a temporary name beside its own, and gets its name when all of it is on the disk: at the end of its
    `with` block, or by close() outside of one. If the block ends in an exception, nothing remains, even if a
    wrapper has closed the file in it. Nor does anything remain of an object that is dropped without close(),
    which a ResourceWarning tells.

    Where it is written to a file object, that is the caller's: what was written remains, and without the last
    chunk it is Truncated or Damaged to whoever reads it.

    name: the path that it was given, or the file object's.
    mode: "wb", or "xb" if the name has to be free.
    """

    _file: NewFile | GivenTarget | None = None

    def __init__(self, target: str | WritableFile, secret: FileSecret, *, exclusive: bool = False) -> None:
        super().__init__(secret)
        self.name = name_of(target)
        self.mode = "xb" if exclusive else "wb"
        self._file = NewFile(target, exclusive=exclusive) if isinstance(target, str) else GivenTarget(target)
        self._tell_if_it_is_lost()
        self._begin()

    def _emit(self, data: bytes | bytearray | memoryview) -> None:
        if self._file is not None:
            self._file.write(data)

    def _complete(self) -> None:
        if self._file is not None:
            self._file.commit()

    def _abandon(self) -> None:
        if self._file is not None:
            self._file.abandon()


def _require_folder_of(path: str) -> None:
    """Raises if the folder of a name is not there, as of "none/../file", which is "file" to realpath()."""
    if not path:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    try:
        os.stat(os.path.join(os.path.dirname(path), os.curdir))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None  # the name that the caller knows


def _to_be_replaced(path: str) -> os.stat_result | None:
    """What is known of the file that is there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(found.st_mode):  # to give a file the name of a device would take the device away
        raise OSError(errno.EINVAL, "not a file, so it cannot be replaced by one", path)
    return found


def _take_over_permissions(descriptor: int, other: os.stat_result) -> None:
    """Where the group cannot be taken over, group and others may do what both might before, and no more."""
    mode = other.st_mode & 0o777
    if not _handed_over(descriptor, group=other.st_gid):
        of_both = mode >> 3 & mode & 7
        mode = mode & 0o700 | of_both << 3 | of_both
    os.fchmod(descriptor, mode)
    _handed_over(descriptor, owner=other.st_uid)


def _handed_over(descriptor: int, *, owner: int = -1, group: int = -1) -> bool:
    mine = os.fstat(descriptor)
    if owner in (-1, mine.st_uid) and group in (-1, mine.st_gid):
        return True
    try:
        os.fchown(descriptor, owner, group)
    except OSError:
        return False
    return True


def _take_free_name(path: str) -> None:
    """Takes the name by an empty file, which only one process can make. Raises FileExistsError."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)  # of folders, which some file systems do not


def _bring_folder_to_disk(folder: str) -> None:
    """Brings the names in a folder to disk. A folder that may not be read is left alone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            why = f"{error.strerror}: the file is there and whole, but a power cut now may take its name"
            raise OSError(error.errno, why, folder) from None
    finally:
        os.close(descriptor)


def _made_beside(path: str, mode: int, *, known_as: str) -> tuple[io.FileIO, str]:
    """A new file with a name of its own in the same folder, and that name."""

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    folder, name = os.path.split(path)
    # What is added has to fit as well, and the end of a name is cut where a character ends.
    kept = os.fsencode(name)[: _LONGEST_NAME - len("..0123456789abcdef.part")].decode(errors="ignore")
    while True:
        temporary = os.path.join(folder, f".{kept}.{_native.random_bytes(8).hex()}.part")
        _native.remember_temporary(os.fsencode(temporary))  # before: the interpreter may end meanwhile
        try:
            return io.FileIO(temporary, "xb", opener=opened), temporary
        except OSError as error:
            _native.forget_temporary(os.fsencode(temporary))
            if not isinstance(error, FileExistsError):
                raise OSError(error.errno, error.strerror, known_as) from None


@overload
def open(  # noqa: A001
    path: Path | ReadableFile,
    mode: Literal["rb"] = "rb",
    *,
    key: HostMemory | None = None,
    passphrase: Passphrase | None = None,
    key_file: Path | None = None,
    passphrase_file: Path | None = None,
    insecure_key_file: bool = False,
    context_string: bytes = b"",
    context: Context | None = None,
) -> Reader: ...


@overload
def open(  # noqa: A001
    path: Path | WritableFile,
    mode: Literal["wb", "xb"],
    *,
    key: HostMemory | None = None,
    passphrase: Passphrase | None = None,
    key_file: Path | None = None,
    passphrase_file: Path | None = None,
    insecure_key_file: bool = False,
    passphrase_function: Literal["scrypt", "argon2id"] = "scrypt",
    context_string: bytes = b"",
    context: Context | None = None,
) -> Writer: ...


@overload
def open(  # noqa: A001
    path: Path | ReadableFile | WritableFile,
    mode: str,
    *,
    key: HostMemory | None = None,
    passphrase: Passphrase | None = None,
    key_file: Path | None = None,
    passphrase_file: Path | None = None,
    insecure_key_file: bool = False,
    passphrase_function: str = "scrypt",
    context_string: bytes = b"",
    context: Context | None = None,
) -> Reader | Writer: ...


def open(  # noqa: A001
    path: Path | ReadableFile | WritableFile,
    mode: str = "rb",
    *,
    key: HostMemory | None = None,
    passphrase: Passphrase | None = None,
    key_file: Path | None = None,
    passphrase_file: Path | None = None,
    insecure_key_file: bool = False,
    passphrase_function: str = "scrypt",
    context_string: bytes = b"",
    context: Context | None = None,
) -> Reader | Writer:
    """Opens an encrypted file: "rb" to read it, "wb" to write a new one, or in place of another, "xb" to
    write one whose name must be free.

    path: its name, or a file object that is open for bytes and stays open. The encrypted file is what lies
    between its position and its end. What cannot seek, as a pipe, is read once, from beginning to end: it has
    no size, no ranges and no seek(), and read() gives what has come and is genuine.
    key: 32 or 16 uniformly random bytes. passphrase: text or bytes in place of a key, which takes a part of
    a second and 128 MiB; passphrase_function: how the key of a new file is made of it. key_file,
    passphrase_file: where one of the two is, as a file of `warpaes keygen` or of one line;
    insecure_key_file=True for one that other users can read, which is refused otherwise. context_string: any
    bytes that both sides know, such as the file's name; they are authenticated and not stored.

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
    if mode not in ("rb", "wb", "xb"):
        raise ValueError(f'mode must be "rb", "wb" or "xb", not {shown(mode)}')
    secret = kept_secret(
        key,
        passphrase,
        context_string,
        context,
        key_file=key_file,
        passphrase_file=passphrase_file,
        insecure_key_file=insecure_key_file,
        function=passphrase_function,
    )
    given: Any = path
    if is_file_object(given, "read" if mode == "rb" else "write"):
        if mode == "xb":
            raise ValueError('mode "xb" is for names: a file object is there already, and "wb" writes to it')
        return read_given(given, secret) if mode == "rb" else Writer(given, secret)
    try:
        return read_named(given, secret) if mode == "rb" else writer(given, secret, exclusive=mode == "xb")
    except FileNotFoundError as error:
        if "://" not in os.fsdecode(given):
            raise
        number, what = error.errno, error.strerror
    hint = f'{what}. Is it a URL? fsspec.open("warpaes::…", warpaes={{"key": key}}) opens those'
    raise FileNotFoundError(number, hint, os.fsdecode(given))


def reader(path: Path, secret: FileSecret) -> Reader:
    """A file that exists, and that can be read anywhere."""
    return Reader(RawReader(opened_file(path), secret), READ_AHEAD)


def writer(path: Path, secret: FileSecret, *, exclusive: bool = False) -> Writer:
    """A new file. exclusive: the name must be free."""
    return Writer(os.fsdecode(path), secret, exclusive=exclusive)
