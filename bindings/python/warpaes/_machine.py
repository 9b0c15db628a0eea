"""What can do the work on this machine."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, SupportsIndex

from warpaes import _native
from warpaes._arguments import whole_number
from warpaes._errors import Error

TIMINGS = ("leaky", "conflict-free", "strict")


def _numbers_of(device: Any) -> list[int]:
    """The numbers of the devices that were named; empty if all are meant."""
    if isinstance(device, str) and device == "all":
        return []
    several = isinstance(device, Iterable) and not isinstance(device, (str, bytes, bytearray, memoryview))
    given = list(device) if several else [device]
    if not given or not all(isinstance(number, SupportsIndex) for number in given):
        raise ValueError(f'device must be a number, several, or "all", not {device!r}')
    return [_device_number(number) for number in given]


def _device_number(device: SupportsIndex) -> int:
    number = whole_number(device, "device")
    if not 0 <= number < 2**31:
        raise ValueError(f"device must be 0 or more, and less than 2**31, not {device}")
    return number


class Context:
    """Which engines may do the work, on which device, with how many threads.

    Everything takes a `context=`; without one, all share a context with the defaults. Making one tests its
    engines with known answers and sets up the device, so make few and keep them.

    engine: "auto" for the best one for each call, or a name that engines() lists, as "cuda" or "openssl".
    device: number of the CUDA device, or those of several that share calls on host memory, or "all".
    devices: the attribute that has what was given as `device`; `device` has the one for device arrays.
    threads: CPU threads for host memory, 0 for one on each processor that this process may run on.
    timing: the weakest class that is acceptable: "leaky" accepts all, then "conflict-free" and "strict".

    Raises ValueError for an engine or timing class that does not exist, and Error if it cannot run here.

    >>> Context(engine="openssl", threads=1).engine
    'openssl'
    """

    __slots__ = ("_native", "device", "devices", "engine", "threads", "timing")

    def __init__(
        self,
        *,
        engine: str = "auto",
        device: SupportsIndex | Sequence[SupportsIndex] | str = 0,
        threads: int = 0,
        timing: str = "leaky",
    ) -> None:
        if timing not in TIMINGS:
            raise ValueError(f"timing must be one of {', '.join(TIMINGS)}, not {timing!r}")
        if not isinstance(engine, str):
            what = type(engine).__name__
            raise TypeError(f'engine must be "auto" or a name that engines() lists, as a str, not {what}')
        numbers = _numbers_of(device)
        rows = engines(numbers[0] if numbers else 0)
        known = {name for row in rows for name in (row.name, f"{row.name}/{row.kernel}")}
        if engine not in known and engine != "auto":
            raise ValueError(f"there is no engine {engine!r}: engines() lists {', '.join(sorted(known))}")
        if not 0 <= whole_number(threads, "threads") <= 4096:
            raise ValueError(f"threads must be 0 (all) to 4096, not {threads}")
        self.engine, self.devices, self.threads, self.timing = engine, device, threads, timing
        self.device = numbers[0] if numbers else 0  # of calls on device arrays
        self._native = _native.Context(engine, numbers, not numbers, threads, TIMINGS.index(timing))

    def engine_for(self, length: int) -> str:
        """The engine that `length` bytes of host memory go to."""
        if not 0 <= whole_number(length, "length") < 2**64:
            raise ValueError(f"length must be 0 to 2**64 - 1, not {length}")
        return self._native.engine_for(length)

    def __repr__(self) -> str:
        parts = f"engine={self.engine!r}, device={self.devices!r}, threads={self.threads}"
        return f"Context({parts}, timing={self.timing!r})"

    def __reduce__(self) -> str:
        raise TypeError("a Context belongs to its process and cannot be pickled: make one in each process")


_default: Context | None = None


def context_or_default(context: Context | None) -> Context:
    """The one given, or the one that all share who give none."""
    global _default  # noqa: PLW0603
    if context is not None:
        if not isinstance(context, Context):
            raise TypeError(f"context must be a warpaes.Context, not {type(context).__name__}")
        return context
    if _default is None:
        # No lock, for which a signal handler that interrupts this could wait for ever: threads that meet make
        # one each, and all take the one that was there first.
        made = Context()
        _default = _default or made
    return _default


class Engine(NamedTuple):
    """A way to compute AES. `reason` says why it is not available; "" if it is."""

    name: str
    kernel: str
    description: str
    timing: str
    on_device: bool
    available: bool
    failed_self_test: bool
    reason: str


class Device(NamedTuple):
    """A CUDA device. Memory is in bytes."""

    number: int
    name: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    memory_size: int
    memory_free: int


def engines(device: SupportsIndex = 0) -> list[Engine]:
    """All engines, the best first, and whether they can run here on that device.

    >>> any(engine.name == "portable" and engine.available for engine in engines())
    True
    """
    rows = _native.engines(_device_number(device))
    return [
        Engine(name, kernel, description, TIMINGS[timing], on_device, available, failed, reason)
        for name, kernel, description, timing, on_device, available, failed, reason in rows
    ]


def devices() -> list[Device]:
    """The CUDA devices of this machine; none without a driver, which is no error."""
    return [Device(*row) for row in _native.devices()]


def selftest(device: SupportsIndex = 0) -> list[Engine]:
    """Checks every engine that can run here with known answers, and returns those that passed.

    Raises Error if one computes wrongly.

    >>> len(selftest()) > 0
    True
    """
    rows = engines(device)
    wrong = [f"{row.name}/{row.kernel}: {row.reason}" for row in rows if row.failed_self_test]
    if wrong:
        raise Error(f"these engines compute wrongly: {'; '.join(wrong)}", "WARPAES_ERROR_SELF_TEST", 205)
    return [row for row in rows if row.available]
