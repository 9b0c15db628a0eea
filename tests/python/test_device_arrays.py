"""Arrays on a device: the same answers as in host memory. Without a GPU, on a posed one."""

import gc
import math
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE, CudaArray, CudaKind, Posed
from tests.python.stand_in_for_torch import Tensor, tensor
from warpaes import _kinds, _native

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)

KEY, NONCE = bytes(range(32)), bytes(range(12))
LENGTHS = [0, 1, 15, 16, 17, 1000, 20_001 if isinstance(DEVICE, Posed) else 1_000_003]
ON_DEVICE: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_kinds._BY_PACKAGE, CudaArray.__module__.partition(".")[0], CudaKind())


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


def test_the_default_stream_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """While another one is current. PyTorch takes ExternalStream(0) for any stream of a pool, and a status
    that is read there may be read before it is written."""
    torch = stand_in_for_torch.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(100), "cuda")
    side = DEVICE.new_stream()
    with torch.cuda.stream(torch.cuda.ExternalStream(side)):
        sealed = cipher.encrypt(NONCE, data, stream=0)
        assert bytes(cipher.decrypt(NONCE, sealed, stream=0)) == pattern(100)
        cipher.encrypt(NONCE, data)
    assert stand_in_for_torch.entered == [side, 0, 0]


def test_a_verdict_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On whatever stream it is made: a graph may have been started on any."""
    torch = stand_in_for_torch.install(monkeypatch)
    batch = warpaes.AESGCM(KEY).encrypt_batch([NONCE], tensor(pattern(100), "cuda", 1, 100))
    assert torch.cuda.waited == 0
    assert batch.failed() == []
    assert torch.cuda.waited == 1
    batch.check()
    assert torch.cuda.waited == 2


def test_a_verdict_that_was_not_written_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_torch.install(monkeypatch)
    monkeypatch.setattr(_native, "message_on_device", lambda *_: None)
    monkeypatch.setattr(_native, "batch_on_device", lambda *_: None)
    cipher = warpaes.AESGCM(KEY)
    for made, nonces, rows in (
        (tensor(bytes(116), "cuda"), tensor(bytes(24), "cuda", 2, 12), tensor(bytes(200), "cuda", 2, 100)),
        (on_device(bytes(116)), on_device(bytes(24), 2, 12), on_device(bytes(200), 2, 100)),
    ):
        with pytest.raises(warpaes.Error, match="status -1"):
            cipher.decrypt(NONCE, made)
        batch = cipher.decrypt_batch(nonces, rows, tags=[bytes(16)] * 2)
        assert batch.failed() == [0, 1]


def test_arrays_of_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for CuPy. Its memory is of a pool, so copies to it have to be on the stream it is for."""
    stand_in_for_cupy.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), stand_in_for_cupy.array(pattern(1000))
    sealed = cipher.encrypt(NONCE, data, b"aad")
    assert isinstance(sealed, stand_in_for_cupy.ndarray)
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000), b"aad")
    assert bytes(cipher.decrypt(NONCE, sealed, b"aad")) == pattern(1000)
    assert stand_in_for_cupy.entered == []
    assert stand_in_for_cupy.copied_on == [0, 0]
    stream = DEVICE.new_stream()
    assert bytes(cipher.decrypt(NONCE, sealed, b"aad", stream=stream)) == pattern(1000)
    assert stand_in_for_cupy.entered == [-1, stream]
    assert stand_in_for_cupy.copied_on == [0, 0, stream]
    rows, nonces = (
        stand_in_for_cupy.array(pattern(300), 3, 100),
        [bytes([number]) * 12 for number in range(3)],
    )
    batch = cipher.encrypt_batch(nonces, rows)
    assert stand_in_for_cupy.Device.waited == 0
    assert (batch.data.shape, batch.tags.shape, batch.check()) == ((3, 100), (3, 16), batch)
    assert stand_in_for_cupy.Device.waited == 1
    rows.flags.c_contiguous = False
    for given, problem in ((rows, "not contiguous"), (stand_in_for_cupy.ndarray((3,), "float32"), "view")):
        with pytest.raises((TypeError, ValueError), match=problem):
            cipher.encrypt(NONCE, given)


class NumbaArray(CudaArray):
    """An array of Numba."""

    __module__ = "numba.cuda.cudadrv.devicearray"

    def copy_to_host(self) -> Any:
        return np.frombuffer(bytes(self), dtype=np.int32)


def install_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in. A copy from memory that is not page-locked may be under way when the call has returned,
    on a stream that the caller's does not wait for: here it is made as late as can be."""
    under_way: list[tuple[NumbaArray, bytes]] = []

    def to_device(given: Any) -> NumbaArray:
        made = NumbaArray(given.shape, b"\xee" * given.nbytes, given.itemsize)
        under_way.append((made, given.tobytes()))
        return made

    def synchronize() -> None:
        while under_way:
            made, data = under_way.pop()
            DEVICE.write(made.address, data)

    cuda: Any = ModuleType("numba.cuda")
    cuda.to_device, cuda.synchronize = to_device, synchronize
    cuda.device_array = lambda shape, dtype: NumbaArray(shape, b"\xee" * math.prod(shape))
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)


def test_arrays_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    install_numba(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), NumbaArray((1000,), pattern(1000))
    for stream in (None, DEVICE.new_stream()):
        sealed = cipher.encrypt(NONCE, data, b"aad", stream=stream)
        assert isinstance(sealed, NumbaArray)
        assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000), b"aad")
        assert bytes(cipher.decrypt(NONCE, sealed, b"aad", stream=stream)) == pattern(1000)
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, sealed, b"bad", stream=stream)
        rows, nonces, lengths = (
            NumbaArray((3, 100), pattern(300)),
            [bytes([n]) * 12 for n in range(3)],
            [9, 0, 100],
        )
        batch = cipher.encrypt_batch(nonces, rows, lengths=lengths, stream=stream).check()
        for row, length in enumerate(lengths):
            start = 100 * row
            expected = cipher.encrypt(nonces[row], pattern(300)[start : start + length])
            assert bytes(batch.data)[start : start + 100] == expected[:-16] + bytes(100 - length)
            assert bytes(batch.tags)[16 * row : 16 * row + 16] == expected[-16:]


class Foreign:
    """An array of a package that nobody knows, with an array of ours behind it."""

    __module__ = "elsewhere"

    def __init__(self, behind: CudaArray) -> None:
        self._behind = behind
        self.__cuda_array_interface__ = {**behind.__cuda_array_interface__, "stream": 1}


class Jax(Foreign):
    """Whose arrays never change, and may not be there yet."""

    __module__ = "elsewhere"
    ready = False

    def block_until_ready(self) -> None:
        self.ready = True


@pytest.mark.parametrize("kind", [Foreign, Jax])
def test_arrays_of_others(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    """With an answer of a kind that more memory can be made of; and the call waits, as nobody else knows
    when their memory may be used again."""
    waited = 0

    def wait(self: Any, like: Any) -> None:
        nonlocal waited
        waited += 1

    monkeypatch.setattr(CudaKind, "wait", wait)
    cipher, data = warpaes.AESGCM(KEY), kind(on_device(pattern(1000)))
    out, back = on_device(bytes(1016)), on_device(bytes(1000))
    assert cipher.encrypt(NONCE, data, b"aad", out=out) is out
    assert bytes(out) == cipher.encrypt(NONCE, pattern(1000), b"aad")
    assert waited == 1
    assert getattr(data, "ready", True)
    if kind is Foreign:
        cipher.encrypt(NONCE, on_device(pattern(1000)), b"aad", out=kind(out))
        assert waited == 2
    cipher.encrypt(NONCE, on_device(pattern(1000)), kind(on_device(b"aad")), out=out)
    assert waited == (3 if kind is Foreign else 2)
    cipher.encrypt(NONCE, on_device(pattern(1000)), b"", out=on_device(bytes(1016)))
    cipher.encrypt(NONCE, on_device(pattern(1000)), b"aad", out=out)
    assert waited == (3 if kind is Foreign else 2)
    assert bytes(cipher.decrypt(NONCE, kind(out), b"aad", out=back)) == pattern(1000)
    rows, sealed, tags = kind(on_device(pattern(1000), 10, 100)), on_device(bytes(1000), 10, 100), None
    batch = cipher.encrypt_batch([NONCE] * 10, rows, b"aad", out=sealed)
    tags = batch.check().tags
    opened = on_device(bytes(1000), 10, 100)
    sealed.__cuda_array_interface__["shape"] = (10, 100)
    cipher.decrypt_batch([NONCE] * 10, kind(sealed), b"aad", tags=tags, out=opened).check()
    assert bytes(opened) == pattern(1000)
    for call in (
        lambda: cipher.encrypt(NONCE, data),
        lambda: cipher.encrypt(NONCE, data, out=kind(out)),
        lambda: cipher.encrypt_batch([NONCE] * 10, rows),
    ):
        with pytest.raises(TypeError, match=r"pass out=, an array of PyTorch, CuPy or Numba|is read-only"):
            call()
    if kind is Jax:
        with pytest.raises(TypeError, match="out is read-only"):
            cipher.encrypt(NONCE, on_device(pattern(1000)), out=kind(out))


def test_the_streams_of_other_arrays_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which an array names if there is work left on it: before the call, unless it is the call's own."""
    happened: list[str] = []

    def noted(call: Callable[..., None]) -> Callable[..., None]:
        def noting(*given: Any) -> None:
            happened.append("call")
            call(*given)

        return noting

    for name in ("message_on_device", "batch_on_device"):
        monkeypatch.setattr(_native, name, noted(getattr(_native, name)))
    monkeypatch.setattr(CudaKind, "wait", lambda *_: happened.append("wait"))
    cipher, stream, other = warpaes.AESGCM(KEY), DEVICE.new_stream(), DEVICE.new_stream()

    def named(data: bytes, number: int | None, *shape: int) -> Any:
        made: Any = on_device(data, *shape)
        made.__cuda_array_interface__["stream"] = number
        return made

    def rows(number: int | None) -> Any:
        return named(pattern(300), number, 3, 100)

    nonces = [bytes(12)] * 3
    for call, waits in (
        (lambda: cipher.encrypt(NONCE, named(pattern(9), stream), named(b"aad", stream)), False),
        (lambda: cipher.encrypt(NONCE, named(pattern(9), None), named(b"aad", 1)), False),
        (lambda: cipher.encrypt(NONCE, named(pattern(9), stream), named(b"aad", None)), False),
        (lambda: cipher.encrypt(NONCE, named(pattern(9), stream), named(b"aad", other)), True),
        (lambda: cipher.encrypt(NONCE, named(pattern(9), other), stream=stream), True),
        (lambda: cipher.encrypt(NONCE, on_device(pattern(9)), out=named(bytes(25), other)), True),
        (lambda: cipher.encrypt_batch(nonces, rows(stream)), False),
        (lambda: cipher.encrypt_batch(nonces, rows(stream), stream=other), True),
        (lambda: cipher.encrypt_batch(nonces, rows(stream), rows(other)), True),
    ):
        happened.clear()
        call()
        assert happened == (["wait", "call"] if waits else ["call"])


def test_tensors_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_torch.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(1000), "cpu")
    sealed = cipher.encrypt(NONCE, data)
    assert isinstance(sealed, Tensor)
    assert sealed.device.type == "cpu"
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000))
    assert bytes(cipher.decrypt(NONCE, sealed, out=data)) == pattern(1000)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_nonces_and_headers_in_tensors_of_the_host(monkeypatch: pytest.MonkeyPatch, device: str) -> None:
    stand_in_for_torch.install(monkeypatch)
    cipher, data, siv = warpaes.AESGCM(KEY), tensor(pattern(100), device), warpaes.AESSIV(bytes(range(64)))
    nonce, header = tensor(NONCE, "cpu"), tensor(b"header", "cpu")
    sealed = cipher.encrypt(nonce, data, header)
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(100), b"header")
    assert bytes(cipher.decrypt(nonce, sealed, header)) == pattern(100)
    assert bytes(siv.encrypt(data, [header, b""])) == siv.encrypt(pattern(100), [b"header", b""])
    with pytest.raises(TypeError, match="nonce must lie in host memory"):
        cipher.encrypt(tensor(NONCE, "cuda"), data)
    if device == "cpu":
        with pytest.raises(TypeError, match="associated_data must lie in host memory"):
            cipher.encrypt(NONCE, data, tensor(b"header", "cuda"))


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
