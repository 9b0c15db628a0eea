"""1 GiB on the device from Python, as a share of what `warpaes bench` measures in the same minute.

`bench` has calls in a row on the device, and a decryption from Python waits for the verdict of its tag before
the next one begins. What that takes by itself is shown by the C call with the same wait behind it.
"""

import json
import os
import statistics
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from c_calls import DECRYPT, Library
from timing import Call, Line, each_or_skipped

import warpaes

LENGTH = 1 << 30
SAMPLES, TOGETHER = 7, 5
KEY, NONCE = os.urandom(32), os.urandom(12)
GOAL = 0.98
C = "C, which waits"


def lines(program: str) -> Iterator[Line]:
    """program: `warpaes`."""
    before = _bench(program)
    found = list(each_or_skipped((("torch", _of_torch), ("cupy", _of_cupy))))
    after = _bench(program)
    for line in found:
        if line["type"] == "python_array":
            of_bench = max(run[line["direction"]] for run in (before, after))
            share = round(line["gb_per_s"] / of_bench, 4)
            line |= {"bench_gb_per_s": of_bench, "share": share}
            if line["array"] != C:
                line["goal"] = GOAL
        yield line


def _bench(program: str) -> dict[str, float]:
    """GB/s by direction."""
    options = [
        "bench",
        "--json",
        "--mode",
        "gcm",
        "--key-bits",
        "256",
        "--bytes",
        "1GiB",
        "--where",
        "device",
        "--samples",
        "5",
    ]
    done = subprocess.run([program, *options], capture_output=True, text=True, check=True)
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    return {entry["direction"]: entry["gb_per_s"] for entry in entries if entry["type"] == "result"}


def _described(array: str, where: str, direction: str, seconds: float) -> Line:
    rate = round(LENGTH / seconds / 1e9, 2)
    return {
        "type": "python_array",
        "array": array,
        "where": where,
        "direction": direction,
        "bytes": LENGTH,
        "gb_per_s": rate,
    }


def _of_torch() -> Iterator[Line]:
    import torch

    aead, side = warpaes.AESGCM(KEY), torch.cuda.Stream()
    data = torch.randint(-(2**63), 2**63 - 1, (LENGTH // 8,), device="cuda").view(torch.uint8)
    sealed = torch.empty(LENGTH + 16, dtype=torch.uint8, device="cuda")
    back = torch.empty_like(data)
    calls: dict[str, Call] = {
        "encrypt": lambda: aead.encrypt(NONCE, data, out=sealed),
        "decrypt": lambda: aead.decrypt(NONCE, sealed, out=back),
    }

    for direction, call in calls.items():
        yield _described("torch", "current stream", direction, _seconds_by_torch(call))
    _check(data.cpu().numpy(), sealed.cpu().numpy())
    assert torch.equal(data, back)
    yield _described(C, "current stream", "decrypt", _seconds_by_torch(_c_call_that_waits(sealed, back)))
    yield _described("torch", "new memory", "encrypt", _seconds_by_torch(lambda: aead.encrypt(NONCE, data)))
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        for direction, call in calls.items():
            yield _described("torch", "side stream", direction, _seconds_by_torch(call))
    yield from _without_waiting(aead, data, sealed, back)


def _c_call_that_waits(sealed: Any, back: Any) -> Call:
    import torch

    library, stream = Library(KEY, NONCE), torch.cuda.current_stream()
    size = library.workspace_size(LENGTH, DECRYPT)
    workspace = torch.empty(max(16, size), dtype=torch.uint8, device="cuda")
    status = torch.ones(1, dtype=torch.int32).pin_memory()
    message = library.sealed_message(sealed.data_ptr(), LENGTH, back.data_ptr(), status.data_ptr())
    decrypt = library.decrypts_on_device(message, workspace.data_ptr(), size, stream.cuda_stream)

    def call() -> None:
        decrypt()
        stream.synchronize()
        assert status[0] == 0
        assert workspace.is_cuda  # it lives as long as this

    return call


def _seconds_by_torch(call: Call) -> float:
    import torch

    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    return _seconds(call, events, torch.cuda.Event.elapsed_time)


def _seconds_by_cupy(call: Call) -> float:
    import cupy

    return _seconds(call, [cupy.cuda.Event() for _ in range(2)], cupy.cuda.get_elapsed_time)


def _seconds(call: Call, events: list[Any], milliseconds: Callable[[Any, Any], float]) -> float:
    """On the device, of calls that follow each other on the current stream.

    events: two of the array's package. milliseconds: between two events.
    """
    before, after = events
    times = []
    for _ in range(SAMPLES + 1):
        before.record()
        for _ in range(TOGETHER):
            call()
        after.record()
        after.synchronize()
        times.append(milliseconds(before, after) / 1e3 / TOGETHER)
    return statistics.median(times[1:])


def _without_waiting(aead: Any, data: Any, sealed: Any, back: Any) -> Iterator[Line]:
    """In graphs; and a decryption whose verdict is read later, as a batch of one, which waits for nothing."""
    import torch

    graph, opens = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
    sealed.zero_()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        aead.encrypt(NONCE, data, out=sealed)
    yield _described("torch", "graph", "encrypt", _seconds_by_torch(graph.replay))
    nonces = torch.tensor([list(NONCE)], dtype=torch.uint8, device="cuda")
    text, tags, out = sealed[:LENGTH].view(1, -1), sealed[LENGTH:].view(1, -1), back.zero_().view(1, -1)

    def open_later() -> Any:
        return aead.decrypt_batch(nonces, text, tags=tags, out=out)

    yield _described("torch", "current stream, checked later", "decrypt", _seconds_by_torch(open_later))
    open_later().check()
    back.zero_()
    with torch.cuda.graph(opens):
        opened = open_later()
    yield _described("torch", "graph", "decrypt", _seconds_by_torch(opens.replay))
    opened.check()
    assert torch.equal(data, back)


def _of_cupy() -> Iterator[Line]:
    import cupy

    aead = warpaes.AESGCM(KEY)
    data = cupy.random.randint(0, 2**31, LENGTH // 4, dtype="int32").view("uint8")
    sealed, back = cupy.empty(LENGTH + 16, dtype="uint8"), cupy.empty_like(data)
    calls: dict[str, Call] = {
        "encrypt": lambda: aead.encrypt(NONCE, data, out=sealed),
        "decrypt": lambda: aead.decrypt(NONCE, sealed, out=back),
    }

    for where, stream in (
        ("current stream", cupy.cuda.get_current_stream()),
        ("side stream", cupy.cuda.Stream(non_blocking=True)),
    ):
        cupy.cuda.Device().synchronize()
        with stream:
            for direction, call in calls.items():
                yield _described("cupy", where, direction, _seconds_by_cupy(call))
    _check(data.get(), sealed.get())
    assert bool((data == back).all())


def _check(plain: Any, sealed: Any) -> None:
    """By the CPU."""
    on_cpu = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl"))
    assert (on_cpu.encrypt(NONCE, plain) == sealed).all()
