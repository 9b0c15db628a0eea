"""The types that a type checker sees are those of the answers.

mypy reads this file in ./dev lint: it compares each assert_type() with what it has found, and a call that it
has to refuse has a comment that it asks to be removed as soon as it does not. Here the same calls are made.
"""

import inspect
import lzma
import mmap
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
from numpy.typing import NDArray

import warpaes
from warpaes import modes

if not typing.TYPE_CHECKING:
    assert_type = getattr(typing, "assert_type", lambda given, _: given)  # since Python 3.11
else:
    from typing import assert_type

KEY, NONCE = bytes(32), bytes(12)
Bytes = NDArray[np.uint8]


def zeros(*shape: int) -> Bytes:
    return np.zeros(shape, dtype=np.uint8)


def test_one_message() -> None:
    aead = warpaes.AESGCM(KEY)
    of_bytes = assert_type(aead.encrypt(NONCE, b"text", b"aad"), bytes)
    assert type(of_bytes) is bytes
    for given in (bytearray(4), memoryview(bytes(4))):
        assert type(assert_type(aead.encrypt(NONCE, given), bytes)) is bytes
    of_array = assert_type(aead.encrypt(NONCE, zeros(4), b"aad"), Bytes)
    assert type(of_array) is np.ndarray
    assert type(assert_type(aead.decrypt(NONCE, of_bytes, b"aad"), bytes)) is bytes
    assert type(assert_type(aead.decrypt(zeros(12), of_array, b"aad"), Bytes)) is np.ndarray
    memory, array = bytearray(20), zeros(20)
    assert assert_type(aead.encrypt(NONCE, b"text", out=memory), bytearray) is memory
    assert assert_type(aead.encrypt(NONCE, b"text", out=array), Bytes) is array
    assert assert_type(aead.encrypt(NONCE, zeros(4), out=memory), bytearray) is memory
    assert assert_type(aead.encrypt_into(NONCE, b"text", None, array), int) == 20
    assert type(assert_type(aead.generate_key(256), bytes)) is bytes


def test_one_message_of_siv() -> None:
    aead = warpaes.AESSIV(KEY)
    assert type(assert_type(aead.encrypt(b"text", [b"one", zeros(3)]), bytes)) is bytes
    sealed = assert_type(aead.encrypt(zeros(4)), Bytes)
    assert type(assert_type(aead.decrypt(sealed, out=bytearray(4)), bytearray)) is bytearray


def test_batches() -> None:
    aead = warpaes.AESGCM(KEY)
    nonces = [bytes(12), bytes([1]) * 12]
    rows = assert_type(aead.encrypt_batch(nonces, zeros(2, 5)).check(), warpaes.Batch[Bytes, Bytes])
    assert (type(rows.data), type(rows.tags)) == (np.ndarray, np.ndarray)
    lists = assert_type(
        aead.encrypt_batch(nonces, [b"one", b"two"], b"aad"), warpaes.Batch[list[bytes], list[bytes]]
    )
    assert {type(lists.data), type(lists.tags)} == {list}
    assert {*map(type, lists.data), *map(type, lists.tags)} == {bytes}
    arrays = assert_type(aead.encrypt_batch(nonces, [zeros(3)] * 2), warpaes.Batch[list[Bytes], Any])
    assert {*map(type, arrays.data)} == {np.ndarray}
    opened = aead.decrypt_batch(nonces, rows.data, tags=lists.tags, lengths=[5, 5])
    assert_type(opened, warpaes.Batch[Bytes, list[bytes]])
    assert opened.failed() == [0, 1]
    assert_type(aead.encrypt_batch(nonces, rows.data, out=rows.data, tags=rows.tags), warpaes.Batch[Any, Any])
    of_siv = warpaes.AESSIV(KEY).encrypt_batch([b"one"], [[b"name"]])
    assert_type(of_siv, warpaes.Batch[list[bytes], list[bytes]])


def test_parts_and_files(tmp_path: Path) -> None:
    encryptor = warpaes.Cipher(warpaes.AES(KEY), modes.CTR(bytes(16))).encryptor()
    assert type(assert_type(encryptor.update(b"part"), bytes)) is bytes
    assert assert_type(encryptor.update_into(zeros(4), bytearray(19)), int) == 4
    with assert_type(warpaes.open(tmp_path / "file", "wb", key=KEY), warpaes.Writer) as file:
        file.write(b"text")
    with lzma.open(warpaes.open(tmp_path / "other", "wb", key=KEY), "wb") as packed:
        packed.write(b"text")
    for stream in (warpaes.open(tmp_path / "other", "wb", key=KEY), warpaes.open(tmp_path / "file", key=KEY)):
        binary: BinaryIO = stream
        binary.close()
    with assert_type(warpaes.open(tmp_path / "file", key=KEY), warpaes.Reader) as read:
        assert type(assert_type(read.read(), bytes)) is bytes
    with mmap.mmap(-1, 76) as shared:
        assert_type(warpaes.open(shared, "wb", key=KEY), warpaes.Writer).close()
        shared.seek(4)  # nothing is 72 bytes long, encrypted
        shared.write(shared[:72])
        shared.seek(4)
        assert assert_type(warpaes.open(shared, key=KEY), warpaes.Reader).read() == b""


Refused = Callable[[], object]
CIPHER = warpaes.AESGCM(KEY)
REFUSED: list[Refused] = [
    lambda: CIPHER.encrypt(NONCE, "text"),  # type: ignore[call-overload]
    lambda: CIPHER.encrypt("nonce", b"text"),  # type: ignore[call-overload]
    lambda: CIPHER.encrypt(NONCE, b"text", "aad"),  # type: ignore[call-overload]
    lambda: CIPHER.encrypt(NONCE, b"text", out="here"),  # type: ignore[call-overload]
    lambda: CIPHER.decrypt(NONCE, None),  # type: ignore[call-overload]
    lambda: CIPHER.encrypt_into(NONCE, b"text", None, None),  # type: ignore[arg-type]
    lambda: warpaes.AESGCM("key"),  # type: ignore[arg-type]
    lambda: warpaes.AESSIV(KEY).encrypt(b"text", [None]),  # type: ignore[list-item]
    lambda: warpaes.AES(1.5),  # type: ignore[arg-type]
    lambda: modes.CBC("an IV of 16 char"),  # type: ignore[arg-type]
    lambda: warpaes.aes_key_wrap(KEY, "key"),  # type: ignore[arg-type]
    lambda: warpaes.open("file", key=1),  # type: ignore[call-overload]
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_a_type_checker_refuses_is_refused(call: Refused) -> None:
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    "name", [name for name in warpaes.__all__ if inspect.isclass(getattr(warpaes, name))]
)
def test_annotations_exist_at_run_time(name: str) -> None:
    """They are evaluated, as by programs that read them, in every version of Python."""
    for _, function in inspect.getmembers(getattr(warpaes, name), inspect.isfunction):
        if function.__module__.startswith("warpaes"):
            typing.get_type_hints(function)
