"""The way between a file and a device: pieces that are read or written, copied and computed at the same time.

A stage is memory of the host that the device copies by itself (pinned), and as much on the device. While one
stage is copied and its chunks are sealed or opened, threads read the file into others, or write others to it.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch

from warpaes._memory import host_bytes
from warpaes._secrets import CHUNK, SEALED_CHUNK
from warpaes.torch._chunks import Run

PINNED = 16 << 20  # bytes of a stage; PyTorch pins powers of two
TOGETHER = PINNED // SEALED_CHUNK  # chunks that are sealed or opened by one call
STAGES = 8  # of each direction: as many threads as read
# Named, as the default may be another device (torch.set_default_device(), `with torch.device()`).
HOST = "cpu"


class Stage:
    """Memory for the sealed chunks of a run, on the host and on the device."""

    def __init__(self, chunks: int, device: Any) -> None:
        size = chunks * SEALED_CHUNK
        on_cuda = device.type == "cuda"
        self.host = torch.empty(size, dtype=torch.uint8, device=HOST, pin_memory=on_cuda)
        self.there = torch.empty(size, dtype=torch.uint8, device=device)
        self._copied = torch.cuda.Event(blocking=True) if on_cuda else None

    def to_device(self, length: int) -> Any:
        """Starts the copy."""
        self.there[:length].copy_(self.host[:length], non_blocking=True)
        self._record()
        return self.there

    def to_host(self, length: int) -> None:
        """Starts the copy; wait() before the host's memory is read."""
        self.host[:length].copy_(self.there[:length], non_blocking=True)
        self._record()

    def wait(self) -> None:
        """Waits for the copy that was started last. Other threads of Python go on."""
        if self._copied is not None:
            self._copied.synchronize()

    def memory(self, length: int) -> memoryview:
        """Memory of the host."""
        return host_bytes(self.host, "a stage")[:length]

    def _record(self) -> None:
        if self._copied is not None:
            self._copied.record(torch.cuda.current_stream(self.there.device))


def runs_of(first: int, end: int, size: int) -> Iterator[Run]:
    """The chunks from `first` to before `end` of a plaintext of `size` bytes; the last may be shorter."""
    whole = min(end, size // CHUNK)
    for number in range(first, whole, TOGETHER):
        yield Run(number, min(TOGETHER, whole - number))
    if whole < end:
        yield Run(whole, 1, size % CHUNK)


def read_ahead(
    runs: Iterable[Run], chunks: int, device: Any, read: Callable[[int, memoryview], None]
) -> Generator[tuple[Run, Stage], None, None]:
    """Yields runs with stages whose host memory holds what `read(first, memory)` has read.

    chunks: of all runs together. To ask for the next run, start the copy of the last one first.
    """
    pending = iter(runs)
    together = min(TOGETHER, chunks)
    stages = [Stage(together, device) for _ in range(min(STAGES, -(-chunks // TOGETHER)))]

    def fill(stage: Stage, run: Run) -> None:
        stage.wait()
        read(run.first, stage.memory(run.sealed))

    waiting: deque[tuple[Run, Stage, Future[None]]] = deque()
    with ThreadPoolExecutor(max(1, len(stages))) as pool:
        for stage, run in zip(stages, pending, strict=False):
            waiting.append((run, stage, pool.submit(fill, stage, run)))
        while waiting:
            run, stage, filled = waiting.popleft()
            filled.result()
            yield run, stage
            following = next(pending, None)
            if following is not None:
                waiting.append((following, stage, pool.submit(fill, stage, following)))


class WriteBehind:
    """Stages that one thread writes in their order, while the next are made."""

    def __init__(self, chunks: int, device: Any, write: Callable[[Run, memoryview], None]) -> None:
        count = min(STAGES, -(-chunks // TOGETHER))
        self._free = deque(Stage(min(TOGETHER, chunks), device) for _ in range(count))
        self._busy: deque[tuple[Stage, Future[None]]] = deque()
        self._write = write
        self._pool = ThreadPoolExecutor(1)

    def stage(self) -> Stage:
        """One that may be filled. Raises what writing has raised."""
        if not self._free:
            self._reclaim()
        return self._free.popleft()

    def take(self, stage: Stage, run: Run) -> None:
        """The stage's memory on the device holds the run, sealed, when the current stream has come so far."""
        stage.to_host(run.sealed)

        def copied_and_written() -> None:
            stage.wait()
            self._write(run, stage.memory(run.sealed))

        self._busy.append((stage, self._pool.submit(copied_and_written)))

    def _reclaim(self) -> None:
        stage, written = self._busy.popleft()
        written.result()
        self._free.append(stage)

    def __enter__(self) -> "WriteBehind":
        return self

    def __exit__(self, *exception: object) -> None:
        """Waits until all is written, unless it cannot be any more."""
        try:
            while self._busy and exception[0] is None:
                self._reclaim()
        finally:
            self._pool.shutdown(cancel_futures=True)
