"""The 48 bytes before a container whose key is made of a passphrase (docs/container.md)."""

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from warpaes import _native
from warpaes._errors import Damaged

LENGTH = 48
_LAYOUT = struct.Struct(">16s3I4s16s")  # name, costs, zero, salt

# The most that is accepted from a file, which must not be able to take all memory or hours of its reader.
_MOST_MEMORY = 1 << 30
_MOST_SCRYPT_WORK = 1 << 24  # N * r * p
_MOST_ARGON2ID_WORK = 1 << 22  # KiB that are filled, in all passes
_MOST_LANES = 64

Costs = tuple[int, int, int]


class _Request(NamedTuple):
    makes_sense: bool
    memory: int = 0
    takes_too_long: bool = False


class _Function(NamedTuple):
    name: bytes
    usual: Costs
    request: Callable[[Costs], _Request]
    derive: Callable[[Any, bytes, Costs, bytearray], None]


def _scrypt_request(costs: Costs) -> _Request:
    n, r, p = costs
    if n < 2 or n & (n - 1) or not 1 <= r <= 1024 or not 1 <= p <= _MOST_LANES:
        return _Request(False)
    return _Request(True, 128 * r * (n + p), n * r * p > _MOST_SCRYPT_WORK)


def _argon2id_request(costs: Costs) -> _Request:
    iterations, kib, lanes = costs
    if iterations < 1 or not 1 <= lanes <= _MOST_LANES or kib < 8 * lanes:
        return _Request(False)
    return _Request(True, kib << 10, iterations * kib > _MOST_ARGON2ID_WORK)


def _scrypt(passphrase: Any, salt: bytes, costs: Costs, into: bytearray) -> None:
    _native.scrypt(passphrase, salt, *costs, into)


def _argon2id(passphrase: Any, salt: bytes, costs: Costs, into: bytearray) -> None:
    _native.argon2id(passphrase, salt, *costs, into)


_FUNCTIONS = {
    # 128 MiB; N = 2^17, r = 8, p = 1.
    "scrypt": _Function(b"warpaes.scrypt.1", (1 << 17, 8, 1), _scrypt_request, _scrypt),
    # RFC 9106 section 4, the second choice: 3 passes, 64 MiB, 4 lanes.
    "argon2id": _Function(b"warpaes.argon2id", (3, 1 << 16, 4), _argon2id_request, _argon2id),
}


def fresh_header(function: str) -> bytes:
    """With a random salt and the usual costs."""
    chosen = _FUNCTIONS.get(function)
    if chosen is None:
        raise ValueError(f"passphrase_function must be {' or '.join(_FUNCTIONS)}, not {function!r}")
    return _LAYOUT.pack(chosen.name, *chosen.usual, bytes(4), _native.random_bytes(16))


def is_header(beginning: bytes) -> bool:
    """Does a file with this beginning have one?"""
    return len(beginning) >= LENGTH and any(beginning.startswith(row.name) for row in _FUNCTIONS.values())


def derive_key(header: bytes, passphrase: Any) -> bytearray:
    """The container's key, which takes a part of a second and memory to make.

    Raises Damaged for costs that nobody would choose.
    """
    name, *numbers, reserved, salt = _LAYOUT.unpack(header)
    function = next(row for row in _FUNCTIONS.values() if row.name == name)
    costs = (numbers[0], numbers[1], numbers[2])
    request = function.request(costs)
    if not request.makes_sense or any(reserved):
        raise Damaged(
            "what the file says about its passphrase makes no sense: it is damaged, or of a newer version"
        )
    if request.memory > _MOST_MEMORY or request.takes_too_long:
        long = " and very long" if request.takes_too_long else ""
        raise Damaged(
            f"to make the file's key of a passphrase would take {request.memory >> 20} MiB of memory{long}: "
            "more than any file of warpaes does"
        )
    key = bytearray(32)
    function.derive(passphrase, salt, costs, key)
    return key
