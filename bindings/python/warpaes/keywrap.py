"""Key wrap: a key under another key, deterministic and authentic (RFC 3394, RFC 5649)."""

from warpaes import _native
from warpaes._arguments import bytes_like
from warpaes._errors import InvalidTag, InvalidUnwrap
from warpaes._keys import DECRYPT, ENCRYPT, Mode
from warpaes._machine import Context, context_or_default
from warpaes.typing import HostMemory


def aes_key_wrap(
    wrapping_key: HostMemory,
    key_to_wrap: HostMemory,
    backend: object = None,
    *,
    context: Context | None = None,
) -> bytes:
    """Wraps a key whose length is a multiple of 8, 16 bytes or more (RFC 3394). 8 bytes longer.

    `backend` is ignored here and in the functions below, as `cryptography` ignores it.

    >>> aes_key_unwrap(bytes(32), aes_key_wrap(bytes(32), b"sixteen byte key")).decode()
    'sixteen byte key'
    """
    del backend
    if _length(wrapping_key, key_to_wrap, "key_to_wrap") < 16:
        raise ValueError("the key to wrap must have at least 16 bytes; aes_key_wrap_with_padding takes fewer")
    return _native_key(Mode.KW, wrapping_key, context).transform(ENCRYPT, None, key_to_wrap)


def aes_key_unwrap(
    wrapping_key: HostMemory,
    wrapped_key: HostMemory,
    backend: object = None,
    *,
    context: Context | None = None,
) -> bytes:
    """Raises InvalidUnwrap if it was not wrapped by this key."""
    del backend
    return _unwrapped(Mode.KW, wrapping_key, wrapped_key, context)


def aes_key_wrap_with_padding(
    wrapping_key: HostMemory,
    key_to_wrap: HostMemory,
    backend: object = None,
    *,
    context: Context | None = None,
) -> bytes:
    """Wraps a key of any length but 0 (RFC 5649). 8 to 15 bytes longer."""
    del backend
    _length(wrapping_key, key_to_wrap, "key_to_wrap")
    return _native_key(Mode.KWP, wrapping_key, context).transform(ENCRYPT, None, key_to_wrap)


def aes_key_unwrap_with_padding(
    wrapping_key: HostMemory,
    wrapped_key: HostMemory,
    backend: object = None,
    *,
    context: Context | None = None,
) -> bytes:
    """Raises InvalidUnwrap if it was not wrapped by this key."""
    del backend
    return _unwrapped(Mode.KWP, wrapping_key, wrapped_key, context)


def _length(wrapping_key: HostMemory, given: HostMemory, name: str) -> int:
    """The length of what is to be wrapped or unwrapped. Types are looked at first, as in `cryptography`."""
    bytes_like(wrapping_key, "wrapping_key")
    return bytes_like(given, name).nbytes


def _native_key(mode: Mode, key: HostMemory, context: Context | None) -> _native.Key:
    return _native.Key(context_or_default(context)._native, mode, key, 0, False)


def _unwrapped(
    mode: Mode, wrapping_key: HostMemory, wrapped_key: HostMemory, context: Context | None
) -> bytes:
    length = _length(wrapping_key, wrapped_key, "wrapped_key")
    if length < (24 if mode == Mode.KW else 16) or length % 8 != 0:
        raise InvalidUnwrap(f"nothing that was wrapped has {length} bytes")
    key = _native_key(mode, wrapping_key, context)
    try:
        return key.transform(DECRYPT, None, wrapped_key)
    except InvalidTag:
        raise InvalidUnwrap("this was wrapped by another key, or is damaged") from None
