"""How much longer a call takes from Python than from C: of short messages, whose work is no part of it."""

import ctypes
import os
from collections.abc import Iterator

from c_calls import Library
from timing import Line, each_or_skipped, host_seconds

import warpaes

LENGTH = 1024
KEY, NONCE = os.urandom(32), os.urandom(12)
GOAL_MICROSECONDS = 5.0


def lines() -> Iterator[Line]:
    yield from each_or_skipped((("torch", _of_torch), ("cupy", _of_cupy), ("bytes", _of_bytes)))


def _described(array: str, times: dict[str, float], ctypes_takes: float) -> Iterator[Line]:
    c_takes = times.pop("C") - ctypes_takes
    for what, taken in times.items():
        yield {
            "type": "python_call",
            "array": array,
            "call": what,
            "bytes": LENGTH,
            "microseconds": round(1e6 * taken, 2),
            "c_microseconds": round(1e6 * c_takes, 2),
            "over_c_microseconds": round(1e6 * (taken - c_takes), 2),
            "goal_microseconds": GOAL_MICROSECONDS,
        }


def _of_torch() -> Iterator[Line]:
    import torch

    aead, library = warpaes.AESGCM(KEY), Library(KEY, NONCE)
    data = torch.randint(0, 256, (LENGTH,), dtype=torch.uint8, device="cuda")
    out, of_c = (torch.empty(LENGTH + 16, dtype=torch.uint8, device="cuda") for _ in range(2))
    size = library.workspace_size(LENGTH)
    workspace = torch.empty(max(16, size), dtype=torch.uint8, device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    message = library.message(data.data_ptr(), LENGTH, of_c.data_ptr())
    calls = {
        "C": library.encrypts_on_device(message, workspace.data_ptr() if size else 0, size, stream),
        "encrypt, out=": lambda: aead.encrypt(NONCE, data, out=out),
        "encrypt": lambda: aead.encrypt(NONCE, data),
    }
    times = host_seconds(calls, torch.cuda.synchronize)
    assert torch.equal(out, of_c)
    assert torch.equal(out, aead.encrypt(NONCE, data))
    assert bytes(out.cpu().tolist()) == aead.encrypt(NONCE, bytes(data.cpu().tolist()))
    yield from _described("torch", times, library.of_ctypes(5))


def _of_cupy() -> Iterator[Line]:
    import cupy

    aead, library = warpaes.AESGCM(KEY), Library(KEY, NONCE)
    data = cupy.random.randint(0, 256, LENGTH, dtype="uint8")
    out, of_c = cupy.empty(LENGTH + 16, dtype="uint8"), cupy.empty(LENGTH + 16, dtype="uint8")
    size = library.workspace_size(LENGTH)
    workspace = cupy.empty(max(16, size), dtype="uint8")
    stream = cupy.cuda.get_current_stream().ptr
    message = library.message(data.data.ptr, LENGTH, of_c.data.ptr)
    calls = {
        "C": library.encrypts_on_device(message, workspace.data.ptr if size else 0, size, stream),
        "encrypt, out=": lambda: aead.encrypt(NONCE, data, out=out),
        "encrypt": lambda: aead.encrypt(NONCE, data),
    }
    times = host_seconds(calls, cupy.cuda.Device().synchronize)
    assert out.tobytes() == of_c.tobytes() == aead.encrypt(NONCE, data.tobytes())
    yield from _described("cupy", times, library.of_ctypes(5))


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
