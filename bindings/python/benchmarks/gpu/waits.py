"""Where the time goes of decryptions of 1 GiB that wait for what the device says of the tag.

Python's call and the C library's, with each way to wait that there could be: all take turns on the same
memory and stream, in another order each time. No way of waiting is faster than the kernel alone, with nothing
beside it: calls that do not wait begin beside the end of the one before.
"""

import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from arrays import rotated
from c_calls import DECRYPT, Library
from calls import by_short_way
from timing import Call, Line, each_or_skipped

import warpaes
from warpaes import _driver, _kinds, _short_ways

LENGTH = 1 << 30
SAMPLES, TOGETHER = 24, 4
KEY, NONCE = os.urandom(32), os.urandom(12)
UNKNOWN, NOT_READY = -1, 600
SLEEP_CYCLES = 1 << 20  # of the device, while the host gets something ready: half a millisecond


def lines() -> Iterator[Line]:
    yield from each_or_skipped((("torch", _of_torch),))


class Driver:
    """Its ways to wait for a stream."""

    def __init__(self, stream: int) -> None:
        library = ctypes.CDLL("libcuda.so.1")
        self._wait, self._ask = library.cuStreamSynchronize, library.cuStreamQuery
        self._stream = ctypes.c_void_p(stream)

    def wait(self) -> None:
        if self._wait(self._stream) != 0:
            raise RuntimeError("cuStreamSynchronize failed")

    def ask(self) -> None:
        ask, stream, result = self._ask, self._stream, NOT_READY
        while result == NOT_READY:
            result = ask(stream)
        if result != 0:
            raise RuntimeError(f"cuStreamQuery: {result}")


def _of_torch() -> Iterator[Line]:
    import torch

    aead, library = warpaes.AESGCM(KEY), Library(KEY, NONCE)
    data = torch.randint(-(2**63), 2**63 - 1, (LENGTH // 8,), device="cuda").view(torch.uint8)
    sealed, back = aead.encrypt(NONCE, data), torch.empty_like(data)
    decrypts = lambda: aead.decrypt(NONCE, sealed, out=back)  # noqa: E731
    ways = {"Python": _short_ways.SHORT_WAYS[torch.Tensor], "Python, the package waits": _way(data, 0)}
    asks = _asks()
    if asks:
        ways["Python, cuStreamQuery"] = _way(data, asks)
    for where, stream in (
        ("current stream", torch.cuda.current_stream()),
        ("side stream", torch.cuda.Stream()),
    ):
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            c_calls = _c_calls(library, sealed, back, stream.cuda_stream)
            calls = c_calls | {name: by_short_way(way, torch.Tensor, decrypts) for name, way in ways.items()}
            yield _line(where, calls, c_calls["C"])
        back.zero_()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            assert torch.equal(data, decrypts())


def _way(data: Any, wait: int) -> Any:
    """The short way that waits by the function at an address; at 0, by the package as it once did."""
    kind = type(data)
    by_wait = mock.patch.object(_driver, "address_of_stream_wait", return_value=wait)
    with by_wait, mock.patch.dict(_short_ways.SHORT_WAYS):
        _short_ways.learn(data, _kinds.kind_of(data))
        return _short_ways.SHORT_WAYS[kind]


def _asks() -> int:
    """The address of a function that waits by cuStreamQuery; 0 if no compiler makes it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        library, source = Path(folder) / "asks.so", Path(__file__).with_name("asks.c")
        built = subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library], check=False)
        if built.returncode != 0:
            return 0
        made = ctypes.CDLL(str(library))
    made.asks_by(ctypes.CDLL("libcuda.so.1").cuStreamQuery)
    return ctypes.cast(made.asks, ctypes.c_void_p).value or 0


def _c_calls(library: Library, sealed: Any, back: Any, stream: int) -> dict[str, Call]:
    """The C call without waiting, and with each way to wait."""
    import torch

    on_device = torch.empty(1, dtype=torch.int32, device="cuda")
    on_host = torch.empty(1, dtype=torch.int32, pin_memory=True)
    size = max(16, library.workspace_size(LENGTH, DECRYPT))
    workspace = torch.empty(size, dtype=torch.uint8, device="cuda")
    driver, verdict = Driver(stream), ctypes.c_int32.from_address(on_host.data_ptr())

    def with_status(status: Any) -> Call:
        message = library.sealed_message(sealed.data_ptr(), LENGTH, back.data_ptr(), status.data_ptr())
        call = library.on_device(DECRYPT, message, workspace.data_ptr(), size, stream)
        keeps = (status, workspace, message)
        return lambda: (call(), keeps)

    plain, to_host = with_status(on_device), with_status(on_host)

    def by_verdict() -> None:
        verdict.value = UNKNOWN
        to_host()
        while verdict.value == UNKNOWN:
            pass
        driver.wait()

    return {
        "C": plain,
        "C, cuStreamSynchronize": lambda: (plain(), driver.wait()),
        "C, verdict in host memory, cuStreamSynchronize": lambda: (to_host(), driver.wait()),
        "C, verdict in host memory, cuStreamQuery": lambda: (to_host(), driver.ask()),
        "C, verdict in host memory, read until it is there": by_verdict,
    }


def _line(where: str, calls: dict[str, Call], c_call: Call) -> Line:
    import torch

    before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    on_device: dict[str, list[float]] = {name: [] for name in calls}
    on_host: dict[str, list[float]] = {name: [] for name in calls}
    alone: list[float] = []
    for turn in range(SAMPLES + 1):
        for name in rotated(list(calls), turn):
            call = calls[name]
            before.record()
            start = time.perf_counter()
            for _ in range(TOGETHER):
                call()
            end = time.perf_counter()
            after.record()
            after.synchronize()
            if turn:
                on_device[name].append(1e3 * before.elapsed_time(after) / TOGETHER)
                on_host[name].append(1e6 * (end - start) / TOGETHER)
        torch.cuda._sleep(SLEEP_CYCLES)
        before.record()
        c_call()
        after.record()
        after.synchronize()
        if turn:
            alone.append(1e3 * before.elapsed_time(after))
    on_device["the C call's kernel alone"] = alone
    return {
        "type": "python_wait",
        "where": where,
        "bytes": LENGTH,
        "microseconds": {name: round(statistics.median(taken), 1) for name, taken in on_device.items()},
        "least_microseconds": {name: round(min(taken), 1) for name, taken in on_device.items()},
        "host_microseconds": {name: round(statistics.median(taken), 1) for name, taken in on_host.items()},
    }
