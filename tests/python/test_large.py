"""Messages of more than 2 GiB, more than `cryptography` takes in one call; it takes them in parts."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import warpaes

KEY, NONCE = bytes(range(32)), bytes(range(12))
LENGTH = (2 << 30) + 12345  # no multiple of anything
PART = 64 << 20
NEEDED = 6 << 30  # bytes: a message, an answer, and what other tests have meanwhile


def available() -> int:
    """Bytes of memory that can be had."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.split()[0]) << 10
    return 0


pytestmark = [
    pytest.mark.large,
    pytest.mark.skipif(available() < NEEDED, reason=f"less than {NEEDED >> 30} GiB of memory are available"),
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor would take too long"),
]


def parts(memory: Any) -> Iterator[memoryview]:
    """To be compared as bytes: Python compares views of memory an element at a time."""
    view = memoryview(memory)
    return (view[start : start + PART] for start in range(0, len(view), PART))


MARKS = {
    0: b"one",
    (2 << 30) - 3: b"middle",
    LENGTH - 3: b"end",
}  # among zeros, on both sides of 2 GiB as well


def message() -> bytearray:
    made = bytearray(LENGTH)
    for place, mark in MARKS.items():
        made[place : place + len(mark)] = mark
    return made


def is_message(memory: Any) -> bool:
    """It is looked at where it lies, part by part."""
    zeros = bytes(PART)
    for place, mark in MARKS.items():
        if memory[place : place + len(mark)] != mark:
            return False
        memory[place : place + len(mark)] = bytes(len(mark))
    return all(part.tobytes() == zeros[: len(part)] for part in parts(memory))


def test_is_what_cryptography_makes_of_it_in_parts() -> None:
    """The answer is bytes."""
    text = message()
    sealed = warpaes.AESGCM(KEY).encrypt(NONCE, text, b"header")
    assert len(sealed) == LENGTH + 16
    theirs = Cipher(algorithms.AES(KEY), modes.GCM(NONCE)).encryptor()
    theirs.authenticate_additional_data(b"header")
    room = bytearray(PART + 15)
    for plain, ours in zip(parts(text), parts(memoryview(sealed)[:LENGTH]), strict=True):
        assert room[: theirs.update_into(plain, room)] == ours.tobytes()
    theirs.finalize()
    assert theirs.tag == sealed[LENGTH:]


def test_in_place_and_damaged_behind_two_gibibytes() -> None:
    memory = message() + bytearray(16)
    inside = memoryview(memory)[:LENGTH]
    aead = warpaes.AESGCM(KEY)
    assert aead.encrypt_into(NONCE, inside, None, memory) == LENGTH + 16
    assert aead.decrypt_into(NONCE, memory, None, inside) == LENGTH
    assert is_message(inside)
    memory[(2 << 30) + 100] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        aead.decrypt_into(NONCE, memory, None, inside)
    assert not any(any(part[:1000]) or any(part[-1000:]) for part in parts(inside))


def test_a_part_of_a_message() -> None:
    memory = message()
    encryptor = warpaes.Cipher(warpaes.AES(KEY), warpaes.modes.CTR(bytes(16))).encryptor()
    assert encryptor.update_into(memory, memory) == LENGTH
    theirs = Cipher(algorithms.AES(KEY), modes.CTR(bytes(16))).decryptor()
    room = bytearray(PART + 15)
    for ours in parts(memory):
        length = theirs.update_into(ours, room)
        ours[:] = memoryview(room)[:length]
    assert is_message(memory)
