"""Messages, nonces and additional data are bytes: memory whose items are something else is refused."""

import array
import ctypes
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import warpaes
from warpaes import modes

NONCE, TEXT = bytes(12), b"sixteen letters."
WIDE: list[Callable[[], Any]] = [
    lambda: numpy.zeros(4, dtype="float32"),
    lambda: array.array("I", [1, 2, 3, 4]),
    ctypes.c_uint32 * 4,
    lambda: memoryview(bytes(16)).cast("I"),
]
NAMES = ["NumPy", "array", "ctypes", "memoryview"]
AEADS = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESEAX]


@pytest.mark.parametrize("wide", WIDE, ids=NAMES)
@pytest.mark.parametrize("kind", AEADS)
def test_items_of_several_bytes_are_refused(kind: Any, wide: Callable[[], Any]) -> None:
    aead, given = kind(bytes(16)), wide()
    calls: dict[str, list[Callable[[], object]]] = {
        "nonce": [
            lambda: aead.encrypt(given, TEXT),
            lambda: aead.decrypt(given, bytes(32)),
            lambda: aead.encrypt(given, numpy.zeros(4, "uint8")),
            lambda: aead.encrypt_into(given, TEXT, None, bytearray(32)),
        ],
        "associated_data": [
            lambda: aead.encrypt(NONCE, TEXT, given),
            lambda: aead.decrypt(NONCE, bytes(32), given),
            lambda: aead.encrypt(NONCE, numpy.zeros(4, "uint8"), given),
        ],
        "data": [
            lambda: aead.encrypt(NONCE, given),
            lambda: aead.decrypt(NONCE, given),
            lambda: aead.encrypt_into(NONCE, given, None, bytearray(32)),
        ],
        "buf": [lambda: aead.encrypt_into(NONCE, b"", None, given)],
        "out": [lambda: aead.encrypt(NONCE, b"", out=given)],
    }
    for name, of_name in calls.items():
        for call in of_name:
            if name in ("buf", "out") and memoryview(given).readonly:
                continue
            with pytest.raises(TypeError, match=f"{name} is an array of .*: pass its bytes"):
                call()


@pytest.mark.parametrize("wide", WIDE, ids=NAMES)
def test_of_siv_and_of_batches_too(wide: Callable[[], Any]) -> None:
    siv, aead = warpaes.AESSIV(bytes(32)), warpaes.AESGCM(bytes(16))
    calls: list[Callable[[], object]] = [
        lambda: siv.encrypt(TEXT, [b"a", wide()]),
        lambda: siv.encrypt(wide(), [b"a"]),
        lambda: aead.encrypt_batch([NONCE], [wide()]),
        lambda: aead.encrypt_batch([wide()], [TEXT]),
        lambda: aead.encrypt_batch([NONCE], [TEXT], [wide()]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"is an array of .*: pass its bytes"):
            call()


@pytest.mark.parametrize("wide", WIDE, ids=NAMES)
def test_of_keys_ciphers_and_codes_too(wide: Callable[[], Any]) -> None:
    key, mode = warpaes.AES(bytes(16)), modes.CTR(bytes(16))
    calls: list[Callable[[], object]] = [
        lambda: warpaes.AESGCM(wide()),
        lambda: warpaes.AES(wide()),
        lambda: modes.CTR(wide()),
        lambda: modes.CBC(wide()),
        lambda: warpaes.Cipher(key, mode).encryptor().update(wide()),
        lambda: warpaes.Cipher(key, mode).encryptor().update_into(wide(), bytearray(16)),
        lambda: warpaes.Cipher(key, mode).encryptor().update_into(b"", wide()),
        lambda: warpaes.CMAC(key).update(wide()),
        lambda: warpaes.CMAC(key).verify(wide()),
        lambda: warpaes.aes_key_wrap(bytes(16), wide()),
        lambda: warpaes.aes_key_wrap(wide(), bytes(16)),
        lambda: warpaes.aes_key_wrap_with_padding(bytes(16), wide()),
        lambda: warpaes.aes_key_unwrap(bytes(16), wide()),
        lambda: warpaes.open("nowhere", "wb", key=wide()),
    ]
    for number, call in enumerate(calls):
        if number == 6 and memoryview(wide()).readonly:
            continue
        with pytest.raises(TypeError, match=r"is an array of .*: pass its bytes"):
            call()


def test_files_take_any_items_as_those_of_python_do(tmp_path: Path) -> None:
    with warpaes.open(tmp_path / "file", "wb", key=bytes(16)) as file:
        file.write(array.array("I", [1, 2, 3, 4]))
    read = array.array("I", bytes(16))
    with warpaes.open(tmp_path / "file", key=bytes(16)) as file:
        assert file.readinto(read) == 16
    assert read == array.array("I", [1, 2, 3, 4])


def test_items_of_one_byte_are_taken_whatever_they_are_called() -> None:
    aead = warpaes.AESGCM(bytes(16))
    expected = aead.encrypt(NONCE, TEXT, b"aad")
    kinds: list[Callable[[bytes], Any]] = [
        lambda data: memoryview(data).cast("b"),
        lambda data: memoryview(data).cast("c"),
        lambda data: numpy.frombuffer(data, dtype="int8"),
        lambda data: array.array("b", data),
        lambda data: (ctypes.c_uint8 * len(data)).from_buffer_copy(data),
    ]
    for kind in kinds:
        assert bytes(aead.encrypt(kind(NONCE), TEXT, kind(b"aad"))) == expected
        assert bytes(aead.encrypt(NONCE, kind(TEXT), b"aad")) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a class lends memory by __buffer__ since Python 3.12")
def test_a_list_that_changes_while_it_is_read() -> None:
    strings: list[Any] = []

    class Clearing:
        def __buffer__(self, flags: int) -> memoryview:
            strings.clear()
            return memoryview(b"first")

    strings += [Clearing(), *(bytes([number]) * 1000 for number in range(50))]
    expected = list(strings[1:])
    siv = warpaes.AESSIV(bytes(32))
    assert siv.encrypt(TEXT, strings) == siv.encrypt(TEXT, [b"first", *expected])
