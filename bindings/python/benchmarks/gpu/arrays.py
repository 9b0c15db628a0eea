"""1 GiB on the device from Python, as a share of the C library's own calls.

The C calls follow each other on the same stream and take turns with Python's, as the clock of a GPU is not
the same from one second to the next; `warpaes bench`, before and behind, says whether they are as fast as
there. A decryption from Python waits for the verdict of its tag before the next one begins. What that takes
by itself is shown by the C call with the same wait behind it.
"""

import json
import os
import statistics
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from c_calls import DECRYPT, ENCRYPT, Library
from timing import Call, Line, each_or_skipped

import warpaes

LENGTH = 1 << 30
# A row of calls begins with the host's work for the first one, while the device waits: 10 µs of the C
# library, and 450 of a batch whose code Python has not run for a moment. For the others it works ahead.
SAMPLES, TOGETHER = 15, 40
KEY, NONCE = os.urandom(32), os.urandom(12)
GOAL = 0.98
DIRECTIONS = {"encrypt": ENCRYPT, "decrypt": DECRYPT}
# Seconds on the device of each of the calls, which take turns.
Seconds = Callable[[dict[str, Call]], dict[str, float]]


def lines(program: str) -> Iterator[Line]:
    """program: `warpaes`."""
    before = _bench(program)
    found = list(each_or_skipped((("torch", _of_torch), ("cupy", _of_cupy))))
    after = _bench(program)
    for line in found:
        if line["type"] == "python_array":
            line["bench_gb_per_s"] = [run[line["direction"]] for run in (before, after)]
        yield line


def _bench(program: str) -> dict[str, float]:
    """GB/s by direction."""
    what = ("--mode", "gcm", "--key-bits", "256", "--bytes", "1GiB", "--where", "device", "--samples", "5")
    done = subprocess.run([program, "bench", "--json", *what], capture_output=True, text=True, check=True)
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    return {entry["direction"]: entry["gb_per_s"] for entry in entries if entry["type"] == "result"}


class Comparison:
    """Arrays of a package with data, the same sealed, and room for both; and the C calls on them."""

    def __init__(self, array: str, seconds: Seconds, addresses: tuple[int, int, int], memory: Any) -> None:
        """addresses: of LENGTH bytes of data, of LENGTH + 16 bytes for them sealed, and of LENGTH bytes.

        memory: (bytes) -> what device memory lives as long as, its address
        """
        self._array, self._seconds = array, seconds
        self._library = Library(KEY, NONCE)
        data, sealed, back = addresses
        self._status, status = memory(4)
        self._messages = {
            "encrypt": self._library.message(data, LENGTH, sealed),
            "decrypt": self._library.sealed_message(sealed, LENGTH, back, status),
        }
        size = max(self._library.workspace_size(LENGTH, direction) for direction in DIRECTIONS.values())
        self._workspace, self._address = memory(max(16, size))
        self._size = size

    def line(self, where: str, direction: str, call: Call, stream: int, wait: Call | None = None) -> Line:
        """stream: what `call` works on. wait: for that stream, if `call` waits for it."""
        message = self._messages[direction]
        c_call = self._library.on_device(DIRECTIONS[direction], message, self._address, self._size, stream)
        calls: dict[str, Call] = {"": call, "c_": c_call}
        if wait is not None:
            calls["waiting_c_"] = lambda: (c_call(), wait())
        times = self._seconds(calls)
        rates = {f"{name}gb_per_s": round(LENGTH / times[name] / 1e9, 2) for name in calls}
        if wait is not None:
            rates["share_of_waiting_c"] = round(times["waiting_c_"] / times[""], 4)
        return {
            **{"type": "python_array", "array": self._array, "where": where, "direction": direction},
            **{"bytes": LENGTH, **rates, "share": round(times["c_"] / times[""], 4), "goal": GOAL},
        }


def _of_torch() -> Iterator[Line]:
    import torch

    aead, side = warpaes.AESGCM(KEY), torch.cuda.Stream()
    data = torch.randint(-(2**63), 2**63 - 1, (LENGTH // 8,), device="cuda").view(torch.uint8)
    sealed = torch.empty(LENGTH + 16, dtype=torch.uint8, device="cuda")
    back = torch.empty_like(data)

    def memory(size: int) -> tuple[Any, int]:
        made = torch.empty(size, dtype=torch.uint8, device="cuda")
        return made, made.data_ptr()

    addresses = (data.data_ptr(), sealed.data_ptr(), back.data_ptr())
    comparison = Comparison("torch", _seconds_by_torch, addresses, memory)
    calls: dict[str, Call] = {
        "encrypt": lambda: aead.encrypt(NONCE, data, out=sealed),
        "decrypt": lambda: aead.decrypt(NONCE, sealed, out=back),
    }
    for where, stream in (("current stream", torch.cuda.current_stream()), ("side stream", side)):
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            yield comparison.line(where, "encrypt", calls["encrypt"], stream.cuda_stream)
            yield comparison.line(where, "decrypt", calls["decrypt"], stream.cuda_stream, stream.synchronize)
    assert torch.equal(data, back)  # by whose turn was the last
    sealed.zero_()
    back.zero_()
    for call in calls.values():
        call()
    _check(data.cpu().numpy(), sealed.cpu().numpy())
    assert torch.equal(data, back)
    yield comparison.line("new memory", "encrypt", lambda: aead.encrypt(NONCE, data), 0)
    assert torch.equal(aead.encrypt(NONCE, data), sealed)
    yield from _without_waiting(comparison, aead, data, sealed, back)


def _seconds_by_torch(calls: dict[str, Call]) -> dict[str, float]:
    import torch

    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    return _seconds(calls, events, torch.cuda.Event.elapsed_time)


def _seconds_by_cupy(calls: dict[str, Call]) -> dict[str, float]:
    import cupy

    return _seconds(calls, [cupy.cuda.Event() for _ in range(2)], cupy.cuda.get_elapsed_time)


def _seconds(
    calls: dict[str, Call], events: list[Any], milliseconds: Callable[[Any, Any], float]
) -> dict[str, float]:
    """On the device, of one of some calls that follow each other on the current stream: medians of all turns.

    Each turn begins with another contestant, lest one always come behind the same other one.

    events: two of the array's package. milliseconds: between two events.
    """
    before, after = events
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(SAMPLES + 1):
        for name in rotated(list(calls), turn):
            call = calls[name]
            before.record()
            for _ in range(TOGETHER):
                call()
            after.record()
            after.synchronize()
            if turn:
                times[name].append(milliseconds(before, after) / 1e3 / TOGETHER)
    return {name: statistics.median(taken) for name, taken in times.items()}


def rotated(names: list[str], turn: int) -> list[str]:
    """The same ones in another order: the first one differs from turn to turn, and the direction."""
    first = turn % len(names)
    order = names[first:] + names[:first]
    return order[::-1] if turn // len(names) % 2 else order


def _without_waiting(comparison: Comparison, aead: Any, data: Any, sealed: Any, back: Any) -> Iterator[Line]:
    """In graphs; and a decryption whose verdict is read later, as a batch of one, which waits for nothing."""
    import torch

    graph, opens = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
    sealed.zero_()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        aead.encrypt(NONCE, data, out=sealed)
    yield comparison.line("graph", "encrypt", graph.replay, 0)
    sealed.zero_()  # of the C calls
    graph.replay()
    nonces = torch.tensor([list(NONCE)], dtype=torch.uint8, device="cuda")
    text, tags, out = sealed[:LENGTH].view(1, -1), sealed[LENGTH:].view(1, -1), back.zero_().view(1, -1)

    def open_later() -> Any:
        return aead.decrypt_batch(nonces, text, tags=tags, out=out)

    yield comparison.line("current stream, checked later", "decrypt", open_later, 0)
    back.zero_()
    open_later().check()
    assert torch.equal(data, back)
    back.zero_()
    with torch.cuda.graph(opens):
        opened = open_later()
    opens.replay()
    opened.check()
    assert torch.equal(data, back)
    yield comparison.line("graph", "decrypt", opens.replay, 0)


def _of_cupy() -> Iterator[Line]:
    import cupy

    aead = warpaes.AESGCM(KEY)
    data = cupy.random.randint(0, 2**31, LENGTH // 4, dtype="int32").view("uint8")
    sealed, back = cupy.empty(LENGTH + 16, dtype="uint8"), cupy.empty_like(data)

    def memory(size: int) -> tuple[Any, int]:
        made = cupy.empty(size, dtype="uint8")
        return made, made.data.ptr

    addresses = (data.data.ptr, sealed.data.ptr, back.data.ptr)
    comparison = Comparison("cupy", _seconds_by_cupy, addresses, memory)
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
            yield comparison.line(where, "encrypt", calls["encrypt"], stream.ptr)
            yield comparison.line(where, "decrypt", calls["decrypt"], stream.ptr, stream.synchronize)
    cupy.cuda.Device().synchronize()
    assert bool((data == back).all())  # by whose turn was the last
    sealed.fill(0)
    back.fill(0)
    for call in calls.values():
        call()
    _check(data.get(), sealed.get())
    assert bool((data == back).all())


def _check(plain: Any, sealed: Any) -> None:
    """By the CPU."""
    on_cpu = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl"))
    assert (on_cpu.encrypt(NONCE, plain) == sealed).all()
