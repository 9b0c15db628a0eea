"""Arrays of the device on several streams: what is waited for before a call, and behind it.

Without a GPU, on a posed one.
"""

from collections.abc import Callable
from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_torch
from tests.python.cuda_arrays import DEVICE, CudaArray, CudaKind, on_device, pattern
from tests.python.stand_in_for_torch import tensor
from warpaes import _kinds, _native

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)

KEY, NONCE = bytes(range(32)), bytes(range(12))
NONCES = [number.to_bytes(12, "big") for number in range(10)]


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The library's calls, and the waits for the device, in their order."""
    noted: list[str] = []

    def noting(call: Callable[..., None]) -> Callable[..., None]:
        def calls(*given: Any) -> None:
            noted.append("call")
            call(*given)

        return calls

    for name in ("message_on_device", "batch_on_device"):
        monkeypatch.setattr(_native, name, noting(getattr(_native, name)))
    monkeypatch.setattr(CudaKind, "wait", lambda *_: noted.append("wait"))
    monkeypatch.setitem(_kinds._BY_PACKAGE, CudaArray.__module__.partition(".")[0], CudaKind())
    return noted


def test_the_streams_of_other_arrays_are_waited_for(happened: list[str]) -> None:
    """Which an array names if there is work left on it: before the call, unless it is the call's own."""
    cipher, stream, other = warpaes.AESGCM(KEY), DEVICE.new_stream(), DEVICE.new_stream()

    def named(data: bytes, number: int | None, *shape: int) -> Any:
        made: Any = on_device(data, *shape)
        made.__cuda_array_interface__["stream"] = number
        return made

    def rows(number: int | None) -> Any:
        return named(pattern(300), number, 3, 100)

    nonces = NONCES[:3]
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


class ByDlpack:
    """An array of the device that speaks DLPack and nothing else."""

    __module__ = "elsewhere"

    def __init__(self, data: bytes) -> None:
        self.behind = on_device(data)

    def __dlpack__(self, **_: Any) -> "ByDlpack":
        """The native module is asked about a capsule; what it answers about this is made up here."""
        return self


def test_packages_with_streams_of_their_own_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch, happened: list[str]
) -> None:
    """Before the call, as work on another stream may not be done; and behind it, as its own may not. Not
    where a stream is named for the call. What DLPack gives is ready on the default stream."""
    torch = stand_in_for_torch.install(monkeypatch)

    def dlpack(given: ByDlpack) -> Any:
        behind = given.behind
        return behind, behind.address, (3,), None, 8, 2, 0, False

    monkeypatch.setattr(_native, "dlpack", dlpack)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda _: happened.append("wait"))
    cipher, stream, side = warpaes.AESGCM(KEY), DEVICE.new_stream(), DEVICE.new_stream()
    tensors = (tensor(pattern(9), "cuda"), tensor(bytes(25), "cuda"))
    arrays = (on_device(pattern(9)), on_device(bytes(25)))
    rows = (tensor(pattern(300), "cuda", 3, 100), on_device(bytes(300), 3, 100))
    other = ByDlpack(b"aad")

    def calls() -> list[list[str]]:
        made = []
        for call in (
            lambda: cipher.encrypt(NONCE, tensors[0], out=arrays[1]),
            lambda: cipher.encrypt(NONCE, arrays[0], out=tensors[1]),
            lambda: cipher.encrypt(NONCE, tensors[0], arrays[0], out=tensors[1]),
            lambda: cipher.encrypt_batch(NONCES[:3], rows[0], out=rows[1]),
            lambda: cipher.encrypt(NONCE, tensors[0], arrays[0], out=tensors[1], stream=stream),
            lambda: cipher.encrypt(NONCE, tensors[0], b"aad", out=tensors[1]),
        ):
            happened.clear()
            call()
            made.append(list(happened))
        return made

    both = ["wait", "call", "wait"]
    assert calls() == 6 * [["call"]], "all of it on the default stream"
    with torch.cuda.stream(torch.cuda.ExternalStream(side)):
        assert calls() == 4 * [both] + 2 * [["call"]]
        happened.clear()
        cipher.encrypt(NONCE, tensors[0], other, out=tensors[1])
        assert happened == both
    happened.clear()
    cipher.encrypt(NONCE, tensors[0], other, out=tensors[1])
    assert happened == ["call", "wait"]
