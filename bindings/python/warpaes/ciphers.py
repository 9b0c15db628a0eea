"""Messages in parts: Cipher(AES(key), mode).encryptor(), as in `cryptography`, and CMAC.

These modes authenticate nothing: whoever can change the ciphertext changes the plaintext, and nobody notices.
Use warpaes.aead unless a format asks for one of them. All memory is host memory.
"""

import contextlib
import hmac
import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

from warpaes import _native
from warpaes._arguments import bytes_like, type_with_module, whole_number
from warpaes._errors import AlreadyFinalized, InvalidSignature
from warpaes._keys import DECRYPT, ENCRYPT, SecretHolder
from warpaes._keys import Mode as Number
from warpaes._machine import Context, context_or_default
from warpaes.algorithms import AES
from warpaes.modes import Mode, ModeWithNonce
from warpaes.typing import HostMemory

__all__ = ["AES", "CMAC", "Cipher", "CipherContext"]


class _DataUnit:
    """A message of XTS that is one data unit, in place of an operation in parts.

    `cryptography` would take a second part for another unit with the same tweak, which nobody can mean.
    """

    __slots__ = ("_busy", "_came", "_direction", "_key", "_tweak")

    def __init__(self, key: _native.Key, direction: int, tweak: bytes | None) -> None:
        self._key, self._direction, self._tweak, self._came = key, direction, tweak, False
        self._busy = threading.Lock()

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("this operation is already working in another thread")
        try:
            yield
        finally:
            self._busy.release()

    def _is_nothing(self, data: HostMemory) -> bool:
        """An empty part changes nothing, as in other modes."""
        if bytes_like(data, "data").nbytes == 0:
            return True
        if self._came:
            raise ValueError(
                "XTS without data_unit= takes a message in one call of update(), as it is one data unit: "
                "make another context for the next unit, or give the mode a data_unit="
            )
        return False

    def update(self, data: HostMemory) -> bytes:
        with self._turn():
            if self._is_nothing(data):
                return b""
            made = self._key.transform(self._direction, self._tweak, data)
            self._came = True
            return made

    def update_into(self, data: HostMemory, buf: HostMemory) -> int:
        with self._turn():
            if self._is_nothing(data):
                return 0
            length = self._key.transform_into(self._direction, self._tweak, data, buf)
            self._came = True
            return length

    def finish(self) -> bytes:
        with self._turn():
            return b""

    def seek(self, offset: int) -> None:
        raise ValueError(f"only a message of CTR can go on at byte {offset}")


class CipherContext(SecretHolder):
    """One message, part after part. For one thread at a time: a call that meets another thread's is a
    RuntimeError, and changes nothing.

    A call whose memory will not do (its kind, or too little room) changes nothing; any other that fails ends
    the message.
    """

    __slots__ = ("_direction", "_key", "_mode", "_operation")

    def __init__(self, key: _native.Key, direction: int, mode: Mode) -> None:
        self._key, self._direction, self._mode = key, direction, mode
        self._operation: _native.Operation | _DataUnit | None
        if mode._number is Number.XTS and not mode._data_unit:
            self._operation = _DataUnit(key, direction, mode._iv)
        else:
            self._operation = _native.Operation(key, direction, mode._iv, mode._data_unit)

    def _open(self) -> _native.Operation | _DataUnit:
        if self._operation is None:
            raise AlreadyFinalized("finalize() was called: make another context for another message")
        return self._operation

    def update(self, data: HostMemory) -> bytes:
        """The next part of the message; what can be answered to it so far."""
        return self._open().update(data)

    def update_into(self, data: HostMemory, buf: HostMemory) -> int:
        """As update(), into memory of at least len(data) + 15 bytes. Returns how many were written.

        XTS with data_unit= answers with whole units: the memory must have len(data) + data_unit - 1 bytes.
        `buf` may begin where `data` does; any other overlap is a ValueError.
        """
        return self._open().update_into(data, buf)

    def finalize(self) -> bytes:
        """The end of the message: the rest of the answer.

        Raises ValueError if the mode has no message of that length, or if the padding is wrong.
        """
        answer = self._open().finish()  # which changes nothing while another thread is in update()
        self._operation = None
        return answer

    def seek(self, offset: int) -> None:
        """CTR: the next part begins with byte `offset` of the message."""
        if not 0 <= whole_number(offset, "offset") < 2**64:
            raise ValueError(f"offset must be 0 to 2**64 - 1, not {offset}")
        self._open().seek(offset)

    def reset_nonce(self, nonce: HostMemory) -> None:
        """CTR: another message begins, from another first counter block.

        Raises ValueError for another mode, and for a nonce that has not 16 bytes.
        """
        operation = self._open()
        if isinstance(operation, _DataUnit) or not isinstance(self._mode, ModeWithNonce):
            raise ValueError(f"{self._mode.name} has no nonce: make another context for another message")
        mode = type(self._mode)(nonce)
        mode._require_iv()
        operation.take_over(_native.Operation(self._key, self._direction, mode._iv, mode._data_unit))


ModeT = TypeVar("ModeT", bound=Mode)


class Cipher(SecretHolder, Generic[ModeT]):
    """A key and a mode. `backend` is ignored, as `cryptography` ignores it.

    algorithm, mode: what it was made with, also as attributes, which cannot be assigned.

    >>> from warpaes import modes
    >>> cipher = Cipher(AES(bytes(32)), modes.CTR(bytes(16)))
    >>> encryptor = cipher.encryptor()
    >>> ciphertext = encryptor.update(b"one part, ") + encryptor.update(b"another") + encryptor.finalize()
    >>> decryptor = cipher.decryptor()
    >>> decryptor.update(ciphertext) + decryptor.finalize()
    b'one part, another'
    """

    __slots__ = ("__weakref__", "_algorithm", "_key", "_mode")

    def __init__(
        self, algorithm: AES, mode: ModeT, backend: object = None, *, context: Context | None = None
    ) -> None:
        del backend
        if not isinstance(algorithm, AES):
            raise TypeError(f"algorithm must be warpaes.AES, not {type_with_module(algorithm)}")
        if not isinstance(mode, Mode):
            raise TypeError(f"mode must be one of warpaes.modes, not {type_with_module(mode)}")
        mode.validate_for_algorithm(algorithm)
        native = context_or_default(context)._native
        self._algorithm, self._mode = algorithm, mode
        self._key = _native.Key(native, mode._number, algorithm._bytes, 0, False)

    @property
    def algorithm(self) -> AES:
        """What it was made with. For another key, make another Cipher."""
        return self._algorithm

    @property
    def mode(self) -> ModeT:
        """What it was made with. For another mode or nonce, make another Cipher."""
        return self._mode

    def encryptor(self) -> CipherContext:
        """Begins to encrypt a message. Never two different ones with the same IV."""
        return CipherContext(self._key, ENCRYPT, self._mode)

    def decryptor(self) -> CipherContext:
        """Begins to decrypt a message."""
        return CipherContext(self._key, DECRYPT, self._mode)


class CMAC(SecretHolder):
    """A message authentication code of 16 bytes (SP 800-38B, RFC 4493). `backend` is ignored.

    >>> mac = CMAC(AES(bytes(16)))
    >>> mac.update(b"a message")
    >>> len(mac.finalize())
    16
    """

    __slots__ = ("_operation",)

    def __init__(self, algorithm: AES, backend: object = None, *, context: Context | None = None) -> None:
        del backend
        if not isinstance(algorithm, AES):
            raise TypeError(f"algorithm must be warpaes.AES, not {type_with_module(algorithm)}")
        native = context_or_default(context)._native
        key = _native.Key(native, Number.CMAC, algorithm._bytes, 16, False)
        self._operation: _native.Operation | None = _native.Operation(key, ENCRYPT, None, 0)

    def update(self, data: HostMemory) -> None:
        """Takes the next part of the message."""
        self._open().update(data)

    def finalize(self) -> bytes:
        """The message authentication code of all parts. The object cannot be used any more."""
        code = self._open().finish()  # which changes nothing while another thread is in update()
        self._operation = None
        return code

    def copy(self) -> "CMAC":
        """Another one that has the same parts behind it. Each goes on by itself.

        >>> mac = CMAC(AES(bytes(16)))
        >>> mac.update(b"which all messages ")
        >>> again = mac.copy()
        >>> mac.update(b"begin with")
        >>> again.update(b"have at their beginning")
        >>> mac.finalize() == again.finalize()
        False
        """
        copied = object.__new__(type(self))
        copied._operation = self._open().copy()
        return copied

    def verify(self, signature: HostMemory) -> None:
        """Compares in constant time. Raises InvalidSignature if the code is another one."""
        given = bytes_like(signature, "signature")
        if not hmac.compare_digest(self.finalize(), given):
            raise InvalidSignature("the code does not belong to this message and this key")

    def _open(self) -> _native.Operation:
        if self._operation is None:
            raise AlreadyFinalized("finalize() or verify() was called: make another CMAC")
        return self._operation
