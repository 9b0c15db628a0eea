"""What the tests of this folder need: a GPU, and a package that makes arrays on it."""

import os
from typing import Any

import pytest

import warpaes

KEY, NONCE = bytes(range(32)), bytes(range(12))
LENGTHS = [0, 1, 15, 16, 17, 1000, 65536, 1_000_003]
KINDS: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


def package(name: str) -> Any:
    """The package; without it or without a GPU the tests of the file are skipped."""
    if not warpaes.devices():
        pytest.skip("no GPU here", allow_module_level=True)
    return pytest.importorskip(name)


def text(length: int) -> bytes:
    """Random, so that no answer is right by chance."""
    return os.urandom(length)


def nonces_of(count: int) -> list[bytes]:
    return [number.to_bytes(12, "big") for number in range(count)]
