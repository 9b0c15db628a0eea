"""The frames of LMCache's `aesgcm` serde, made and opened by this library.

A frame is a version (1), a nonce of 12 bytes, the ciphertext and its tag of 16 bytes. The key of a tenant is
HKDF-SHA-256 of the master key, with the tenant's cache salt in its info string. A frame says nothing of the
object that it belongs to: whoever can write to the store can swap two objects of one tenant.
"""

import math
from typing import Any

from warpaes import _hkdf, _native
from warpaes._arguments import any_items, bytes_like
from warpaes._errors import InvalidTag
from warpaes._fork_locks import ForkLock
from warpaes._keys import WipedHolder
from warpaes._machine import Context
from warpaes.aead import AESGCM

_VERSION, _NONCE, _TAG = 1, 12, 16
_BEFORE = 1 + _NONCE
_INFO = b"lmcache-l2-aesgcm-v1"
_MOST_TENANTS = 1024  # whose keys are kept: others' are derived again, in some microseconds


class Serde(WipedHolder):
    """LMCache's Serializer and its Deserializer in one object, which several threads may use.

    master_key: what the tenants' keys are derived from. bits: of the derived keys, 128 or 256.

    >>> from types import SimpleNamespace as Some
    >>> serde, tenant = Serde(bytes(32)), Some(cache_salt="tenant")
    >>> frame, back = Some(byte_array=bytearray(29 + 6)), Some(byte_array=bytearray(6))
    >>> serde.serialize(Some(byte_array=b"values"), frame, tenant)
    35
    >>> serde.deserialize(frame, back, tenant)
    >>> bytes(back.byte_array)
    b'values'
    """

    __slots__ = ("_ciphers", "_context", "_lock", "_master", "_size")
    _secret_names = ("_master",)

    def __init__(self, master_key: Any, bits: int = 128, *, context: Context | None = None) -> None:
        if bits not in (128, 256):
            raise ValueError(f"aes_bits must be 128 or 256, not {bits!r}")
        secret = bytes_like(master_key, "master_key")
        if not secret:
            raise ValueError("the master key is empty")
        self._master = _hkdf.extract("sha256", bytes(32), bytes(secret))
        self._size, self._context = bits // 8, context
        self._ciphers: dict[str, AESGCM] = {}
        self._lock = ForkLock()

    def serialize(self, src: Any, dst: Any, key: Any) -> int:
        """Encrypts what `src` holds into `dst`, and returns the frame's length."""
        plain, frame = _bytes_of(src), _bytes_of(dst)
        length = _BEFORE + len(plain) + _TAG
        if len(frame) < length:
            raise ValueError(f"a frame of {length} bytes does not fit into {len(frame)}")
        nonce = _native.random_bytes(_NONCE)
        self._cipher(key.cache_salt).encrypt_into(nonce, plain, None, frame[_BEFORE:length])
        frame[:_BEFORE] = bytes([_VERSION]) + nonce  # last, as the plaintext may be where it is written
        return length

    def deserialize(self, src: Any, dst: Any, key: Any) -> None:
        """Decrypts the frame at the beginning of `src` into all of `dst`, which is zero after InvalidTag."""
        frame, plain = _bytes_of(src), _bytes_of(dst)
        length = _BEFORE + len(plain) + _TAG
        if len(frame) < length or frame[0] != _VERSION:
            raise ValueError("no frame of aesgcm, or one of another version or length")
        try:
            self._cipher(key.cache_salt).decrypt_into(frame[1:_BEFORE], frame[_BEFORE:length], None, plain)
        except InvalidTag:
            raise InvalidTag("the frame is not genuine: another key or cache salt, or damage") from None

    def estimate_serialized_size(self, layout_desc: Any) -> int:
        """Exactly as long as the frame will be."""
        items = zip(layout_desc.shapes, layout_desc.dtypes, strict=True)
        length: int = sum(math.prod(shape) * dtype.itemsize for shape, dtype in items)
        return _BEFORE + length + _TAG

    def _cipher(self, salt: str) -> AESGCM:
        with self._lock:
            found = self._ciphers.pop(salt, None)
            if found is None:
                key = _hkdf.expand("sha256", self._master, _INFO + salt.encode(), self._size)
                found = AESGCM(key, context=self._context)
                key[:] = bytes(len(key))
                if len(self._ciphers) >= _MOST_TENANTS:
                    del self._ciphers[next(iter(self._ciphers))]
            self._ciphers[salt] = found  # the last one used comes last
            return found


def _bytes_of(given: Any) -> memoryview:
    return any_items(given.byte_array, "byte_array")
