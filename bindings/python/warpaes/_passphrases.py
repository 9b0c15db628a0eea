"""The 48 bytes before a container whose key is made of a passphrase (docs/container.md)."""

from typing import Any

from warpaes import _native
from warpaes._arguments import shown
from warpaes._errors import Damaged

LENGTH = 48
_ALGORITHMS = {"scrypt": _native.KDF_SCRYPT, "argon2id": _native.KDF_ARGON2ID}


def require_function(function: str) -> None:
    """Raises ValueError unless it is one that makes keys of passphrases."""
    if not isinstance(function, str) or function not in _ALGORITHMS:
        raise ValueError(f"passphrase_function must be {' or '.join(_ALGORITHMS)}, not {shown(function)}")


def fresh_header(function: str) -> bytes:
    """A header with a random salt and the usual costs."""
    return _native.passphrase_header(_ALGORITHMS[function])


def is_header(beginning: bytes) -> bool:
    """Does a file with this beginning have one, whatever it says?"""
    return _native.passphrase_algorithm(beginning) != 0


def derive_key(header: bytes, passphrase: Any) -> bytearray:
    """The container's key, which takes a part of a second and memory to make.

    Raises Damaged for costs that nobody would choose.
    """
    key = bytearray(32)
    try:
        _native.passphrase_key(header, passphrase, key)
    except ValueError as error:
        raise Damaged(str(error)) from None
    return key
