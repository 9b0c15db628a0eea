"""Arrays on a device: the same answers as in host memory. Without a GPU, on a posed one."""

import gc
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import warpaes
from tests.python.cuda_arrays import DEVICE, CudaArray, CudaKind, Posed, on_device, pattern
from warpaes import _kinds

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)

KEY, NONCE = bytes(range(32)), bytes(range(12))
LENGTHS = [0, 1, 15, 16, 17, 1000, 20_001 if isinstance(DEVICE, Posed) else 1_000_003]
ON_DEVICE: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_kinds._BY_PACKAGE, CudaArray.__module__.partition(".")[0], CudaKind())


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


def test_siv() -> None:
    cipher = warpaes.AESSIV(bytes(range(64)))
    sealed = cipher.encrypt(on_device(pattern(1000)), [b"one"])
    assert bytes(sealed) == cipher.encrypt(pattern(1000), [b"one"])
    assert bytes(cipher.decrypt(sealed, [b"one"])) == pattern(1000)
    for strings in (None, [], [b"one", b"", b"three"], [b"x"] * 126):
        sealed = cipher.encrypt(on_device(pattern(1000)), strings)
        assert bytes(sealed) == cipher.encrypt(pattern(1000), strings)
        assert bytes(cipher.decrypt(sealed, strings)) == pattern(1000)


@pytest.mark.parametrize("strings", [1, 3])
def test_a_batch_of_siv(strings: int) -> None:
    cipher, rows = warpaes.AESSIV(bytes(range(64))), on_device(pattern(3000), 30, 100)
    listed = [[bytes([n]) * (n + s) for s in range(strings)] for n in range(30)]
    arrays = [[on_device(one) for one in some] for some in listed]
    even = [[pattern(10 * n + s)[-10:].rjust(10) for s in range(strings)] for n in range(30)]
    array = on_device(b"".join(one for some in even for one in some), 30, strings, 10)
    for given, same in ((listed, listed), (arrays, listed), (array, even)):
        batch = cipher.encrypt_batch(rows, given).check()
        for n in range(30):
            sealed = cipher.encrypt(pattern(3000)[100 * n : 100 * n + 100], same[n])
            assert bytes(batch.tags)[16 * n : 16 * n + 16] == sealed[:16]
            assert bytes(batch.data)[100 * n : 100 * n + 100] == sealed[16:]
        opened = cipher.decrypt_batch(batch.data, given, tags=batch.tags).check()
        assert bytes(opened.data) == pattern(3000)
        wrong = on_device(bytes(16) + bytes(batch.tags)[16:], 30, 16)
        assert cipher.decrypt_batch(batch.data, given, tags=wrong).failed() == [0]


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
        assert not any(found[start + used : start + length])
    again = cipher.decrypt_batch(packed, batch.data, b"for all", tags=batch.tags, lengths=lengths).check()
    for number, used in enumerate(lengths):
        start = number * length
        assert bytes(again.data)[start : start + used] == rows[start : start + used]


@pytest.mark.parametrize("shape", [(6,), (2, 3)])
def test_rows_of_the_host_are_copied_as_rows(shape: tuple[int, ...]) -> None:
    """What belongs to messages of a device may lie in host memory, and be an array there."""
    cipher, data = warpaes.AESGCM(KEY), on_device(pattern(600), *shape, 100)
    nonces = np.frombuffer(pattern(72), dtype=np.uint8).reshape(*shape, 12)
    aads = np.frombuffer(pattern(60), dtype=np.uint8).reshape(*shape, 10)
    batch = cipher.encrypt_batch(nonces, data, aads).check()
    for number in range(6):
        sealed = cipher.encrypt(
            pattern(72)[12 * number : 12 * number + 12],
            pattern(600)[100 * number : 100 * number + 100],
            pattern(60)[10 * number : 10 * number + 10],
        )
        assert bytes(batch.data)[100 * number : 100 * number + 100] == sealed[:-16]
        assert bytes(batch.tags)[16 * number : 16 * number + 16] == sealed[-16:]
    tags = np.frombuffer(bytes(batch.tags), dtype=np.uint8).reshape(*shape, 16)
    assert bytes(cipher.decrypt_batch(nonces, batch.data, aads, tags=tags).check().data) == pattern(600)
    siv, strings = warpaes.AESSIV(bytes(range(64))), aads.reshape(*shape, 2, 5)
    batch = siv.encrypt_batch(data, strings).check()
    sealed = siv.encrypt(pattern(600)[500:], [pattern(60)[50:55], pattern(60)[55:]])
    assert bytes(batch.tags)[-16:] + bytes(batch.data)[-100:] == sealed
    with pytest.raises(ValueError, match="nonces is not contiguous"):
        cipher.encrypt_batch(np.zeros((*shape, 16), dtype=np.uint8)[..., :12], data)


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


def test_in_a_graph() -> None:
    """Captured once, and run on what is there then. Memory comes from a pool meanwhile, as PyTorch's does."""
    if not isinstance(DEVICE, Posed):
        pytest.skip("the folder on_gpu has that for GPUs")
    cipher, stream = warpaes.AESGCM(KEY), DEVICE.new_stream()
    data, sealed, back = on_device(pattern(3000)), on_device(bytes(3016)), on_device(bytes(3000))
    rows, nonces = on_device(pattern(3000), 30, 100), on_device(bytes(360), 30, 12)
    batch = cipher.encrypt_batch(nonces, rows)
    out, tags = batch.data, batch.tags
    opened: Any = None

    def both() -> None:
        nonlocal opened
        cipher.encrypt(NONCE, data, out=sealed, stream=stream)
        opened = cipher.decrypt_batch(nonces, out, tags=tags, stream=stream)

    with DEVICE.pool(1 << 16):
        again = DEVICE.in_graph(stream, both)
    for text in (pattern(3000), pattern(6000)[3000:]):
        DEVICE.write(data.address, text)
        again()
        assert bytes(sealed) == cipher.encrypt(NONCE, text)
        assert bytes(opened.check().data) == pattern(3000)
    DEVICE.write(tags.address + 3 * 16, bytes(16))
    again()
    assert opened.failed() == [3]
    assert bytes(cipher.decrypt(NONCE, sealed, out=back)) == pattern(6000)[3000:]


def test_memory_that_is_not_the_device_s() -> None:
    cipher, out = warpaes.AESGCM(KEY), on_device(bytes(1016))
    addresses = [id(KEY)]  # of the host
    if isinstance(DEVICE, Posed):  # and of an array that is gone, where a GPU might have put another one
        addresses.append(on_device(bytes(1 << 20)).address)
    for address in addresses:
        data = on_device(bytes(1000))
        data.__cuda_array_interface__["data"] = (address, False)
        with pytest.raises((ValueError, warpaes.Error), match="memory"):
            cipher.encrypt(NONCE, data, out=out)
        with pytest.raises((ValueError, warpaes.Error), match="memory"):
            cipher.encrypt(NONCE, on_device(bytes(1000)), data, out=out)
    assert bytes(out) == bytes(1016)


def test_another_device() -> None:
    """Its number is what the array says, as CuPy's do."""
    data = on_device(pattern(1000))
    data.device = SimpleNamespace(id=1)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="on device 1, and the context of this AESGCM works on device 0"):
        warpaes.AESGCM(KEY).encrypt(NONCE, data)
    with pytest.raises(ValueError, match="out must have exactly 1016 bytes on device 0"):
        warpaes.AESGCM(KEY).encrypt(NONCE, on_device(pattern(1000)), out=data)


def test_what_does_not_fit() -> None:
    cipher, data = warpaes.AESGCM(KEY), on_device(pattern(1000))
    for length in (1015, 1017):
        with pytest.raises(ValueError, match="out must have exactly 1016 bytes on device 0"):
            cipher.encrypt(NONCE, data, out=on_device(bytes(length)))
    with pytest.raises(ValueError, match="out must have exactly 1016 bytes on device 0"):
        cipher.encrypt(NONCE, data, out=bytearray(1016))
    with pytest.raises(ValueError, match="same place"):
        cipher.encrypt(NONCE, pattern(1000), out=on_device(bytes(1016)))
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, on_device(bytes(15)))
    with pytest.raises(ValueError, match="nonce"):
        cipher.encrypt(b"", data)
    memory, inside = on_device(bytes(3000)), on_device(bytes(1016))
    memory.__cuda_array_interface__["shape"] = (1000,)
    inside.__cuda_array_interface__["data"] = (memory.address + 8, False)
    with pytest.raises(ValueError, match="overlap"):
        cipher.encrypt(NONCE, memory, out=inside)
    with pytest.raises(warpaes.Error, match="device"):
        warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl")).encrypt(NONCE, data)


def test_a_list_that_a_forced_engine_does_not_take() -> None:
    """The message tells what is with the batch, and names what takes it: each of them does."""
    texts, nonces = [b"one", b"three"], [bytes([n]) * 12 for n in range(2)]
    cipher = warpaes.AESGCM(KEY, context=warpaes.Context(engine="cuda/bitsliced"))
    says = (
        "cuda/bitsliced has no GCM in batches whose messages have lengths or places of their own, as in a "
        "list: take cuda/lane_private_tables, an engine of the CPU, or one array with messages of one length"
    )
    with pytest.raises(warpaes.Error, match=f"^{says}$"):
        cipher.encrypt_batch(nonces, texts)
    expected = warpaes.AESGCM(KEY).encrypt_batch(nonces, texts)
    for engine in ("cuda/lane_private_tables", "openssl"):
        taken = warpaes.AESGCM(KEY, context=warpaes.Context(engine=engine)).encrypt_batch(nonces, texts)
        assert (taken.data, taken.tags) == (expected.data, expected.tags)
    rows = np.frombuffer(b"one two ", np.uint8).reshape(2, 4)
    in_rows = cipher.encrypt_batch(np.frombuffer(b"".join(nonces), np.uint8).reshape(2, 12), rows)
    alike = warpaes.AESGCM(KEY).encrypt_batch(nonces, [bytes(row) for row in rows])
    assert [bytes(row) for row in in_rows.data] == alike.data
    assert [bytes(row) for row in in_rows.tags] == alike.tags


def test_memory_and_references_stay_as_they_are() -> None:
    cipher, data, wrong = warpaes.AESGCM(KEY), on_device(pattern(160), 10, 16), on_device(bytes(100))
    nonces = [number.to_bytes(12, "big") for number in range(10)]

    def rounds(count: int) -> list[int]:
        for _ in range(count):
            cipher.decrypt(NONCE, cipher.encrypt(NONCE, data, b"aad"), b"aad")
            with pytest.raises(warpaes.InvalidTag):
                cipher.decrypt(NONCE, wrong, b"aad")
            with pytest.raises(ValueError, match="exactly"):
                cipher.encrypt(NONCE, data, b"aad", out=wrong)
            batch = cipher.encrypt_batch(nonces, data, [b"aad"] * 10)
            cipher.decrypt_batch(nonces, batch.data, [b"aad"] * 10, tags=batch.tags).check()
        gc.collect()
        return [CudaArray.alive, *(sys.getrefcount(one) for one in (cipher, data, wrong, NONCE, KEY))]

    assert rounds(1) == rounds(20)


def test_in_place() -> None:
    cipher = warpaes.AESGCM(KEY)
    batch_data = on_device(pattern(3200), 100, 32)
    nonces = [number.to_bytes(12, "big") for number in range(100)]
    batch = cipher.encrypt_batch(nonces, batch_data, out=batch_data).check()
    assert batch.data is batch_data
    assert bytes(batch_data) != pattern(3200)
    cipher.decrypt_batch(nonces, batch_data, tags=batch.tags, out=batch_data).check()
    assert bytes(batch_data) == pattern(3200)


@pytest.mark.parametrize("kind", ON_DEVICE)
def test_a_nonce_that_is_missing(kind: Any) -> None:
    cipher = kind(KEY)
    for call in (cipher.encrypt, cipher.decrypt):
        for data in (on_device(pattern(100)), pattern(100)):
            with pytest.raises(TypeError, match="nonce must be bytes-like, not None"):
                call(None, data)
