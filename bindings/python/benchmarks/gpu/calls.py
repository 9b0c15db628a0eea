"""How much longer a call takes from Python than from C: of short messages, whose work is no part of it."""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

from c_calls import ENCRYPT, Library
from timing import Call, Line, each_or_skipped, host_seconds

import warpaes
from warpaes import _native, _short_ways

LENGTH = 1024
KEY, NONCE = os.urandom(32), os.urandom(12)
GOAL_MICROSECONDS = 5.0
DECRYPT, GENERAL = "decrypt, out=, which waits", "encrypt, out=, the general way"


def lines() -> Iterator[Line]:
    yield from each_or_skipped((("torch", _of_torch), ("cupy", _of_cupy), ("bytes", _of_bytes)))


def _described(array: str, times: dict[str, float], ctypes_takes: float) -> Iterator[Line]:
    c_takes = times.pop("C") - ctypes_takes
    for what, taken in times.items():
        line = {
            "type": "python_call",
            "array": array,
            "call": what,
            "bytes": LENGTH,
            "microseconds": round(1e6 * taken, 2),
        }
        if what != DECRYPT:  # the C call that is measured encrypts
            line["c_microseconds"] = round(1e6 * c_takes, 2)
            line["over_c_microseconds"] = round(1e6 * (taken - c_takes), 2)
        if what not in (DECRYPT, GENERAL):
            line["goal_microseconds"] = GOAL_MICROSECONDS
        yield line


def by_short_way(way: Any, kind: type, call: Call) -> Call:
    """The same call with that short way of the kind, None for none, for as long as it lasts."""

    def called() -> object:
        own, _short_ways.SHORT_WAYS[kind] = _short_ways.SHORT_WAYS[kind], way
        try:
            return call()
        finally:
            _short_ways.SHORT_WAYS[kind] = own

    return called


def _taken(array: str, kind: type) -> Line:
    """Was there a short way at all, and does the package have DLPack's exchange interface?"""
    return {
        "type": "python_short_way",
        "array": array,
        "there": _short_ways.SHORT_WAYS[kind] is not None,
        "exchange": hasattr(kind, "__dlpack_c_exchange_api__"),
    }


def _steps(array: str, calls: dict[str, Call], wait: Call) -> Line:
    """What parts of a call take by themselves, with what Python takes to call them."""
    times = {name: round(1e6 * taken, 3) for name, taken in host_seconds(calls, wait).items()}
    return {"type": "python_call_steps", "array": array, "microseconds": times}


def _steps_of_torch(data: Any, aead: warpaes.AESGCM, size: int) -> dict[str, Call]:
    import torch

    inside = torch._C
    stream = torch.cuda.current_stream().cuda_stream
    calls: dict[str, Call] = {
        "dtype": lambda: data.dtype,
        "data_ptr": data.data_ptr,
        "is_contiguous": data.is_contiguous,
        "new_empty": lambda: data.new_empty((LENGTH + 16,)),
        "torch.cuda.current_stream": torch.cuda.current_stream,
        "workspace_size": lambda: _native.workspace_size(aead._key, 0, 1, LENGTH),
    }
    with contextlib.suppress(AttributeError):  # those that are not public
        get_stream, get_device = inside._cuda_getCurrentRawStream, inside._cuda_getDevice
        allocate = inside._cuda_cudaCachingAllocator_raw_alloc
        release = inside._cuda_cudaCachingAllocator_raw_delete
        empty = inside._dynamo.guards._empty_strided_cuda
        calls |= {
            "current stream": lambda: get_stream(0),
            "current device": get_device,
            "allocate and release": lambda: release(allocate(size, stream)),
            "empty": lambda: empty((LENGTH + 16,), (1,), torch.uint8),
        }
    return calls


def _of_torch() -> Iterator[Line]:
    import torch

    aead, library = warpaes.AESGCM(KEY), Library(KEY, NONCE)
    data = torch.randint(0, 256, (LENGTH,), dtype=torch.uint8, device="cuda")
    out, of_c = (torch.empty(LENGTH + 16, dtype=torch.uint8, device="cuda") for _ in range(2))
    size = library.workspace_size(LENGTH)
    workspace = torch.empty(max(16, size), dtype=torch.uint8, device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    message = library.message(data.data_ptr(), LENGTH, of_c.data_ptr())
    sealed, back = aead.encrypt(NONCE, data), torch.empty_like(data)
    calls = {
        "C": library.on_device(ENCRYPT, message, workspace.data_ptr() if size else 0, size, stream),
        "encrypt, out=": lambda: aead.encrypt(NONCE, data, out=out),
        "encrypt": lambda: aead.encrypt(NONCE, data),
        DECRYPT: lambda: aead.decrypt(NONCE, sealed, out=back),
    }
    yield _taken("torch", torch.Tensor)
    calls[GENERAL] = by_short_way(None, torch.Tensor, calls["encrypt, out="])
    times = host_seconds(calls, torch.cuda.synchronize)
    assert torch.equal(data, back)
    assert torch.equal(out, of_c)
    assert torch.equal(out, aead.encrypt(NONCE, data))
    assert bytes(out.cpu().tolist()) == aead.encrypt(NONCE, bytes(data.cpu().tolist()))
    yield from _described("torch", times, library.of_ctypes(5))
    yield _steps("torch", _steps_of_torch(data, aead, max(16, size)), torch.cuda.synchronize)


def _of_cupy() -> Iterator[Line]:
    import cupy

    aead, library = warpaes.AESGCM(KEY), Library(KEY, NONCE)
    data = cupy.random.randint(0, 256, LENGTH, dtype="uint8")
    out, of_c = cupy.empty(LENGTH + 16, dtype="uint8"), cupy.empty(LENGTH + 16, dtype="uint8")
    size = library.workspace_size(LENGTH)
    workspace = cupy.empty(max(16, size), dtype="uint8")
    stream = cupy.cuda.get_current_stream().ptr
    message = library.message(data.data.ptr, LENGTH, of_c.data.ptr)
    sealed, back = aead.encrypt(NONCE, data), cupy.empty_like(data)
    calls = {
        "C": library.on_device(ENCRYPT, message, workspace.data.ptr if size else 0, size, stream),
        "encrypt, out=": lambda: aead.encrypt(NONCE, data, out=out),
        "encrypt": lambda: aead.encrypt(NONCE, data),
        DECRYPT: lambda: aead.decrypt(NONCE, sealed, out=back),
    }
    yield _taken("cupy", cupy.ndarray)
    calls[GENERAL] = by_short_way(None, cupy.ndarray, calls["encrypt, out="])
    times = host_seconds(calls, cupy.cuda.Device().synchronize)
    assert (data == back).all()
    assert out.tobytes() == of_c.tobytes() == aead.encrypt(NONCE, data.tobytes())
    yield from _described("cupy", times, library.of_ctypes(5))
    steps: dict[str, Call] = {
        "flags": lambda: data.flags.c_contiguous,
        "pointer": lambda: data.data.ptr,
        "current stream": lambda: cupy.cuda.get_current_stream(0).ptr,
        "current device": cupy.cuda.runtime.getDevice,
        "allocate and release": lambda: cupy.cuda.alloc(max(16, size)),
        "ndarray": lambda: cupy.ndarray((LENGTH + 16,), data.dtype),
    }
    yield _steps("cupy", steps, cupy.cuda.Device().synchronize)


def _of_bytes() -> Iterator[Line]:
    """On the CPU, where short messages go."""
    aead = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl"))
    library, data = Library(KEY, NONCE, b"openssl"), os.urandom(LENGTH)
    out, of_c = bytearray(LENGTH + 16), ctypes.create_string_buffer(LENGTH + 16)
    kept = ctypes.create_string_buffer(data, LENGTH)
    message = library.message(ctypes.addressof(kept), LENGTH, ctypes.addressof(of_c))
    calls = {
        "C": library.encrypts(message),
        "encrypt_into": lambda: aead.encrypt_into(NONCE, data, None, out),
        "encrypt": lambda: aead.encrypt(NONCE, data),
    }
    times = host_seconds(calls, lambda: None)
    assert bytes(out) == of_c.raw == aead.encrypt(NONCE, data)
    yield from _described("bytes", times, library.of_ctypes(2))
