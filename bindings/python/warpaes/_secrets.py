"""What files are encrypted under: a key or a passphrase, and what the files are for."""

import contextlib
import io
import os
import stat
import struct
from typing import Any, TypedDict

from warpaes import _native, _passphrases
from warpaes._arguments import TEXT_IS_NO_KEY, bytes_like
from warpaes._errors import Truncated, WrongKey
from warpaes._keys import DECRYPT, ENCRYPT, WipedHolder
from warpaes._machine import Context, context_or_default
from warpaes.typing import HostMemory, Passphrase, Path

HEADER, CHUNK, SEALED_CHUNK = 56, 16384, 16400
SHORTEST = HEADER + 16
BEGINNING = _passphrases.LENGTH + HEADER  # so many bytes say how a file is opened


class SecretOptions(TypedDict, total=False):
    """What functions take that read or write encrypted files; warpaes.open() says what each is.

    key_file, passphrase_file: a file of `warpaes keygen`, or of one line. One of the four is to be given.
    insecure_key_file: such a file may be one that other users can read, which is refused otherwise.
    """

    key: HostMemory
    passphrase: Passphrase
    key_file: Path
    passphrase_file: Path
    insecure_key_file: bool
    context_string: bytes
    context: Context | None


class FileSecret(WipedHolder):
    """A key or a passphrase, for any number of files. It may be used by several threads."""

    __slots__ = ("_derived", "_key", "_new_header", "_passphrase", "context", "context_string")
    _secret_names = ("_key", "_passphrase", "_derived")

    def __init__(
        self,
        key: HostMemory | None = None,
        passphrase: Passphrase | None = None,
        context_string: HostMemory = b"",
        context: Context | None = None,
        *,
        function: str = "scrypt",
    ) -> None:
        if (key is None) == (passphrase is None):
            raise TypeError("pass key= (32 or 16 random bytes) or passphrase=, and not both")
        if isinstance(key, str):
            raise TypeError(
                f"key must be bytes-like, not str: {TEXT_IS_NO_KEY}, "
                "and a passphrase is passed as passphrase="
            )
        _passphrases.require_function(function)
        self._key = None if key is None else bytearray(bytes_like(key, "key"))
        if self._key is not None and len(self._key) not in (16, 32):
            raise ValueError(
                f"a file's key has 32 or 16 bytes, and this one {len(self._key)}: "
                "a passphrase is passed as passphrase="
            )
        self._passphrase = None if passphrase is None else _passphrase_bytes(passphrase)
        self.context_string = bytes(bytes_like(context_string, "context_string"))
        self.context = context
        self._new_header = b""
        self._derived: dict[bytes, bytearray] = {}
        if self._passphrase is not None:
            self._new_header = _passphrases.fresh_header(function)

    @property
    def header_length(self) -> int:
        """Bytes before the container."""
        return len(self._new_header)

    def plaintext_size(self, length: int) -> int:
        """How much plaintext a file of `length` bytes has. Raises Truncated if none so long can be whole."""
        if length < self.header_length + SHORTEST:
            raise Truncated(
                f"an encrypted file has at least {self.header_length + SHORTEST} bytes, and this one {length}"
            )
        return _native.container_size(DECRYPT, length - self.header_length)

    def file_size(self, length: int) -> int:
        """How long the file of `length` bytes of plaintext is."""
        return self.header_length + _native.container_size(ENCRYPT, length)

    def create(self, more_context: bytes = b"") -> tuple[_native.Container, bytes]:
        """The container of a new file, and the file's beginning.

        All files that are made with one object have one salt of the passphrase, so that its key is derived
        once; each has its own salt of the container, and so its own key.
        """
        key = self._key if self._key is not None else self._key_of(self._new_header)
        string = self._new_header + _both(self.context_string, more_context)
        container, header = _native.Container.create(self._native_context(), key, string, None)
        return container, self._new_header + header

    def open(self, beginning: bytes, more_context: bytes = b"") -> _native.Container:
        """The container of a file whose first BEGINNING bytes are these, or as many as it has."""
        with_passphrase = _passphrases.is_header(beginning)
        if with_passphrase and self._passphrase is None:
            raise WrongKey("this file was encrypted with a passphrase and not with a key: pass passphrase=")
        start = self.header_length
        if self._passphrase is not None and len(beginning) >= start and not with_passphrase:
            raise WrongKey(
                "this file does not begin as one that was encrypted with a passphrase: "
                "pass key= if it was encrypted with a key"
            )
        if len(beginning) < start + HEADER:
            raise Truncated(
                f"an encrypted file has at least {start + SHORTEST} bytes: {len(beginning)} are here"
            )
        prefix = bytes(beginning[:start])
        key = self._key if self._key is not None else self._key_of(prefix)
        string = prefix + _both(self.context_string, more_context)
        header = beginning[start : start + HEADER]
        with contextlib.suppress(WrongKey):
            return _native.Container.open(self._native_context(), key, string, header)
        raise self.rejection()  # out here the first one, and the variables of its frames, are not kept

    def rejection(self) -> WrongKey:
        """Of a file that it does not open.

        A container has no mark by which other files could be told from one with another key; a file with a
        passphrase has one.
        """
        if self._passphrase is not None:
            return WrongKey(
                "wrong passphrase or context_string: this file was encrypted with another one, "
                "or its beginning is damaged"
            )
        return WrongKey(
            "wrong key or context_string: this file was encrypted under another one, "
            "or it is no encrypted file, or its beginning is damaged"
        )

    def container_key(self, beginning: bytes, more_context: bytes = b"") -> tuple[bytearray, bytes]:
        """The key of the container that begins so, and its context string."""
        prefix = bytes(beginning[: self.header_length])
        key = self._key if self._key is not None else self._key_of(prefix)
        return key, prefix + _both(self.context_string, more_context)

    def _key_of(self, header: bytes) -> bytearray:
        found = self._derived.get(header)
        if found is None:
            found = self._derived[header] = _passphrases.derive_key(header, self._passphrase)
        return found

    def _native_context(self) -> _native.Context:
        return context_or_default(self.context)._native


def _both(context_string: bytes, more_context: bytes) -> bytes:
    """Where there are both, the length of the first comes before them, so that no two pairs read the same."""
    if not context_string or not more_context:
        return context_string + more_context
    return struct.pack("<Q", len(context_string)) + context_string + more_context


def _passphrase_bytes(given: Any) -> bytearray:
    try:
        text = given.encode() if isinstance(given, str) else bytes(bytes_like(given, "passphrase"))
    except UnicodeEncodeError:  # which shows the passphrase, and would be kept as the cause of another one
        text = None
    if text is None:
        raise ValueError("the passphrase is not text that UTF-8 can encode")
    if not text:
        raise ValueError("the passphrase is empty")
    return bytearray(text)


def kept_secret(
    key: HostMemory | None = None,
    passphrase: Passphrase | None = None,
    context_string: HostMemory = b"",
    context: Context | None = None,
    *,
    key_file: Path | None = None,
    passphrase_file: Path | None = None,
    insecure_key_file: bool = False,
    function: str = "scrypt",
    **unknown: object,
) -> FileSecret:
    """A key or a passphrase, or what is read of the file that one is kept in.

    unknown: what a function of ours that hands on its options was given besides; it is refused.
    """
    if unknown:
        raise TypeError(
            f"there is no option {', '.join(unknown)}: pass key=, passphrase=, key_file= or "
            "passphrase_file=, and beside it insecure_key_file=, context_string= or context= if need be"
        )
    if sum(given is not None for given in (key, passphrase, key_file, passphrase_file)) != 1:
        raise TypeError("pass one of key=, passphrase=, key_file= and passphrase_file=")
    if key_file is not None:
        key = key_of_file(key_file, insecure=insecure_key_file)
    if passphrase_file is not None:
        passphrase = passphrase_of_file(passphrase_file, insecure=insecure_key_file)
    return FileSecret(key, passphrase, context_string, context, function=function)


_MOST = 1 << 16  # bytes of such a file
_HEXADECIMAL = frozenset(b"0123456789abcdefABCDEF")


def key_of_file(path: Path, *, insecure: bool = False) -> bytes:
    """What `warpaes keygen` wrote: hexadecimal digits, or the bytes themselves (--raw).

    The tool reads it in the same way: what can be the digits of a key is taken for that.
    """
    text = _secret_text(path, insecure)
    line = _without_line_end(text)
    if len(line) in (32, 64) and _HEXADECIMAL.issuperset(line):
        return bytes.fromhex(line.decode("ascii"))
    if len(text) in (16, 32):
        return text
    raise ValueError(
        f"{os.fspath(path)} is no key file: it must hold 32 or 16 bytes, or their hexadecimal digits"
    )


def passphrase_of_file(path: Path, *, insecure: bool = False) -> bytes:
    """The file's one line."""
    line = _without_line_end(_secret_text(path, insecure))
    if b"\n" in line:
        raise ValueError(f"{os.fspath(path)} holds more than one line: a passphrase is one line")
    return line


def _without_line_end(text: bytes) -> bytes:
    return text.removesuffix(b"\n").removesuffix(b"\r")


def _secret_text(path: Path, insecure: bool) -> bytes:
    """Raises PermissionError for a file that others may use, as the tool refuses it."""
    with io.open(os.fspath(path), "rb") as file:  # noqa: UP020
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISREG(mode) and mode & 0o077 and not insecure:
            raise PermissionError(
                f"{os.fspath(path)} can be used by other users (mode {stat.S_IMODE(mode):04o}): "
                "chmod 600, or pass insecure_key_file=True to use it as it is"
            )
        text = file.read(_MOST + 1)
    if len(text) > _MOST:
        raise ValueError(f"{os.fspath(path)} holds more than {_MOST} bytes, so it is no key or passphrase")
    return text
