"""Device arrays of PyTorch, CuPy, Numba and others: what is asked of these packages, and what is waited for.

By stand-ins for them. Without a GPU, on a posed one.
"""

import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_jax, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE, CudaArray, CudaKind, on_device, pattern
from tests.python.stand_in_for_torch import Tensor, tensor
from warpaes import _kinds, _native

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)

KEY, NONCE = bytes(range(32)), bytes(range(12))
NONCES = [number.to_bytes(12, "big") for number in range(10)]


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_kinds._BY_PACKAGE, CudaArray.__module__.partition(".")[0], CudaKind())


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


def test_arrays_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in. Its arrays are there when they have been waited for, and so is an answer when the call
    returns, as JAX could not wait for it."""
    device = stand_in_for_jax.install(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), stand_in_for_jax.Array((1000,), pattern(1000))
    sealed = cipher.encrypt(NONCE, data, b"aad")
    assert isinstance(sealed, stand_in_for_jax.Array)
    assert (sealed.shape, device.waited) == ((1016,), 1)
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(1000), b"aad")
    assert bytes(cipher.decrypt(NONCE, sealed, b"aad")) == pattern(1000)
    assert device.waited > 1
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed, b"bad")
    with pytest.raises(TypeError, match="out is read-only"):
        cipher.encrypt(NONCE, data, b"aad", out=sealed)
    out, before = on_device(bytes(1016)), device.waited
    assert cipher.encrypt(NONCE, data, b"aad", out=out) is out  # whose package is asked for all else
    assert (bytes(out), device.waited) == (bytes(sealed), before)


def test_batches_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    device = stand_in_for_jax.install(monkeypatch)
    cipher, rows = warpaes.AESGCM(KEY), stand_in_for_jax.Array((3, 100), pattern(300))
    lengths = [100, 7, 0]
    batch = cipher.encrypt_batch(NONCES[:3], rows, b"aad", lengths=lengths)
    assert device.waited == 1
    for answer, shape in ((batch.data, (3, 100)), (batch.tags, (3, 16)), (batch.statuses, (3,))):
        assert isinstance(answer, stand_in_for_jax.Array)
        assert answer.shape == shape
    assert batch.failed() == []
    for row, length in enumerate(lengths):
        expected = cipher.encrypt(NONCES[row], pattern(300)[100 * row : 100 * row + length], b"aad")
        assert bytes(batch.data)[100 * row : 100 * row + 100] == expected[:-16] + bytes(100 - length)
        assert bytes(batch.tags)[16 * row : 16 * row + 16] == expected[-16:]
    wrong = stand_in_for_jax.Array((3, 16), bytes(batch.tags)[:-1] + b"?")
    opened = cipher.decrypt_batch(NONCES[:3], batch.data, b"aad", tags=wrong, lengths=lengths)
    assert opened.failed() == [2]
    assert bytes(opened.data)[:107] == pattern(300)[:107]


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
    batch = cipher.encrypt_batch(NONCES, rows, b"aad", out=sealed)
    tags = batch.check().tags
    opened = on_device(bytes(1000), 10, 100)
    sealed.__cuda_array_interface__["shape"] = (10, 100)
    cipher.decrypt_batch(NONCES, kind(sealed), b"aad", tags=tags, out=opened).check()
    assert bytes(opened) == pattern(1000)
    for call in (
        lambda: cipher.encrypt(NONCE, data),
        lambda: cipher.encrypt(NONCE, data, out=kind(out)),
        lambda: cipher.encrypt_batch(NONCES, rows),
    ):
        with pytest.raises(TypeError, match=r"pass out=, an array of PyTorch, CuPy or Numba|is read-only"):
            call()
    if kind is Jax:
        with pytest.raises(TypeError, match="out is read-only"):
            cipher.encrypt(NONCE, on_device(pattern(1000)), out=kind(out))


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
