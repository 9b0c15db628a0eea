"""Bytes in host memory beside `cryptography`, on one thread."""

import os
from collections.abc import Iterator

from timing import Line, each_or_skipped, host_seconds

import warpaes

SIZES = (64, 1 << 10, 16 << 10, 1 << 20, 64 << 20)
KEY, NONCE = os.urandom(32), os.urandom(12)
GOAL = 0.9


def lines() -> Iterator[Line]:
    yield from each_or_skipped((("cryptography", _beside_cryptography),))


def _beside_cryptography() -> Iterator[Line]:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    ours = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl", threads=1))
    theirs = AESGCM(KEY)
    for length in SIZES:
        text, of_us, of_them = os.urandom(length), bytearray(length + 16), bytearray(length + 16)
        calls = {
            "warpaes": lambda: ours.encrypt_into(NONCE, text, None, of_us),  # noqa: B023
            "cryptography": lambda: theirs.encrypt_into(NONCE, text, None, of_them),  # noqa: B023
        }
        times = host_seconds(calls, lambda: None, rounds=7, together=max(1, (4 << 20) // (length + 4096)))
        assert of_us == of_them
        yield {
            "type": "python_bytes",
            "bytes": length,
            "gb_per_s": round(length / times["warpaes"] / 1e9, 3),
            "cryptography_gb_per_s": round(length / times["cryptography"] / 1e9, 3),
            "times_cryptography": round(times["cryptography"] / times["warpaes"], 3),
            "goal": GOAL,
        }
