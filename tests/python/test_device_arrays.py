"""Arrays on a device: the same answers as in host memory. Without a GPU, on a make-believe device."""

from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_torch
from tests.python.cuda_arrays import (
    DEVICE,
    CudaArray,
    CudaKind,
    MakeBelieve,
    batch_on_host,
    message_on_host,
)
from tests.python.stand_in_for_torch import Tensor, tensor
from warpaes import _kinds, _native

KEY, NONCE = bytes(range(32)), bytes(range(12))
LENGTHS = [0, 1, 15, 16, 17, 1000, 65536, 1_000_003]
ON_DEVICE: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_kinds._BY_PACKAGE, CudaArray.__module__.partition(".")[0], CudaKind())
    if isinstance(DEVICE, MakeBelieve):
        monkeypatch.setattr(_native, "workspace_size", lambda *_: 64)
        monkeypatch.setattr(_native, "batch_on_device", batch_on_host)
        monkeypatch.setattr(_native, "message_on_device", message_on_host)


def pattern(length: int) -> bytes:
    return bytes((7 * index + (index >> 8)) & 0xFF for index in range(length))


def on_device(data: bytes, *shape: int) -> CudaArray:
    return CudaArray(shape or (len(data),), data)


@pytest.mark.parametrize("kind", ON_DEVICE)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("aad", [None, b"header"])
def test_one_message(kind: Any, length: int, aad: bytes | None) -> None:
    cipher = kind(KEY)
    sealed = cipher.encrypt(NONCE, on_device(pattern(length)), aad)
    assert isinstance(sealed, CudaArray)
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(length), aad)
    assert bytes(cipher.decrypt(NONCE, sealed, aad)) == pattern(length)
    damaged = bytearray(bytes(sealed))
    damaged[length // 2] ^= 1
    out = on_device(pattern(length))
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, on_device(bytes(damaged)), aad, out=out)
    assert bytes(out) == bytes(length)


@pytest.mark.parametrize("strings", [[], [b"one"], [b"one", b"", b"three"]])
def test_siv(strings: list[bytes]) -> None:
    cipher = warpaes.AESSIV(bytes(range(64)))
    sealed = cipher.encrypt(on_device(pattern(1000)), strings)
    assert bytes(sealed) == cipher.encrypt(pattern(1000), strings)
    assert bytes(cipher.decrypt(sealed, strings)) == pattern(1000)


@pytest.mark.parametrize("kind", ON_DEVICE)
def test_a_batch(kind: Any) -> None:
    count, length = 50, 333
    cipher, rows = kind(KEY), pattern(count * length)
    nonces = [number.to_bytes(12, "big") for number in range(count)]
    lengths = [(7 * number) % (length + 1) for number in range(count)]
    data, packed = on_device(rows, count, length), on_device(b"".join(nonces), count, 12)
    batch = cipher.encrypt_batch(packed, data, b"for all", lengths=lengths).check()
    found, tags = bytes(batch.data), bytes(batch.tags)
    for number, used in enumerate(lengths):
        start = number * length
        expected = cipher.encrypt(nonces[number], rows[start : start + used], b"for all")
        assert found[start : start + used] + tags[16 * number : 16 * number + 16] == expected
    again = cipher.decrypt_batch(packed, batch.data, b"for all", tags=batch.tags, lengths=lengths).check()
    for number, used in enumerate(lengths):
        start = number * length
        assert bytes(again.data)[start : start + used] == rows[start : start + used]


def test_a_list_and_a_wrong_message() -> None:
    cipher = warpaes.AESGCM(KEY)
    texts = [pattern(length) for length in (5, 100, 3000)]
    nonces = [number.to_bytes(12, "big") for number in range(3)]
    aads = [b"a", b"", b"third"]
    batch = cipher.encrypt_batch(nonces, [on_device(text) for text in texts], aads).check()
    tags = bytearray(bytes(batch.tags))
    for number, text in enumerate(texts):
        joined = bytes(batch.data[number]) + bytes(tags[16 * number : 16 * number + 16])
        assert joined == cipher.encrypt(nonces[number], text, aads[number])
    tags[16] ^= 1
    opened = cipher.decrypt_batch(nonces, batch.data, aads, tags=on_device(bytes(tags), 3, 16))
    assert opened.failed() == [1]
    assert [bytes(one) for one in opened.data] == [texts[0], bytes(100), texts[2]]
    with pytest.raises(warpaes.InvalidTag, match="1 of 3"):
        opened.check()


def test_on_a_stream_of_the_caller_s() -> None:
    cipher, stream = warpaes.AESGCM(KEY), DEVICE.new_stream()
    sealed = cipher.encrypt(NONCE, on_device(pattern(100_000)), stream=stream)
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(100_000))
    assert bytes(cipher.decrypt(NONCE, sealed, stream=stream)) == pattern(100_000)


def test_in_place() -> None:
    cipher = warpaes.AESGCM(KEY)
    batch_data = on_device(pattern(3200), 100, 32)
    nonces = [number.to_bytes(12, "big") for number in range(100)]
    batch = cipher.encrypt_batch(nonces, batch_data, out=batch_data).check()
    assert batch.data is batch_data
    assert bytes(batch_data) != pattern(3200)
    cipher.decrypt_batch(nonces, batch_data, tags=batch.tags, out=batch_data).check()
    assert bytes(batch_data) == pattern(3200)


def test_tensors_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for PyTorch: which of its functions are called, and with what."""
    stand_in_for_torch.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(1000), "cuda")
    sealed = cipher.encrypt(NONCE, data, b"aad")
    assert isinstance(sealed, Tensor)
    assert (sealed.device.type, sealed.shape) == ("cuda", (1016,))
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000), b"aad")
    assert stand_in_for_torch.entered == []
    stream = DEVICE.new_stream()
    assert bytes(cipher.decrypt(NONCE, sealed, b"aad", stream=stream)) == pattern(1000)
    assert stand_in_for_torch.entered == [stream]  # memory is allocated and copied there, too
    rows = tensor(pattern(300), "cuda", 3, 100)
    nonces = tensor(bytes(36), "cuda", 3, 12)
    batch = cipher.encrypt_batch(nonces, rows).check()
    assert (batch.data.shape, batch.tags.shape) == ((3, 100), (3, 16))
    assert bytes(batch.data)[:100] == cipher.encrypt(bytes(12), pattern(300)[:100])[:100]
    assert cipher.encrypt_batch([], tensor(b"", "cuda", 0, 100)).check().data.shape == (0, 100)


def test_tensors_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_torch.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(1000), "cpu")
    sealed = cipher.encrypt(NONCE, data)
    assert isinstance(sealed, Tensor)
    assert sealed.device.type == "cpu"
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000))
    assert bytes(cipher.decrypt(NONCE, sealed, out=data)) == pattern(1000)


def test_tensors_that_will_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_torch.install(monkeypatch)
    for device in ("cpu", "cuda"):
        gaps, gradient = tensor(b"abc", device), tensor(b"abc", device)
        gaps.contiguous, gradient.requires_grad = False, True
        floats = Tensor(3, "float32", device)
        for given, says in ((gaps, "not contiguous"), (gradient, "detach"), (floats, "view")):
            with pytest.raises((TypeError, ValueError), match=says):
                warpaes.AESGCM(KEY).encrypt(NONCE, given)
    with pytest.raises(TypeError, match="only the host and CUDA"):
        warpaes.AESGCM(KEY).encrypt(NONCE, tensor(b"abc", "mps"))
