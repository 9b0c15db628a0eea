"""How fast memory goes to GPUs and back without anything else: the limit of what shares them on host memory.

The driver's library is called directly: a machine with a GPU has it, and may have nothing else of CUDA. This
runs as a process of its own, whose end gives everything back.
"""

import ctypes
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

from devtools.process import Stop

BYTES = 1 << 30
ROUNDS = 20
STREAM_WITHOUT_ORDER = 1  # CU_STREAM_NON_BLOCKING: does not wait for what the process does elsewhere
FOR_ALL_CONTEXTS = 1  # CU_MEMHOSTALLOC_PORTABLE


class Driver:
    """CUDA's driver interface; a call that fails ends the program."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)

    def __call__(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            raise Stop(f"{name}: CUDA's error {code}")


class Link:
    """A GPU with memory on both sides of its bus, and a stream for each way."""

    def __init__(self, driver: Driver, number: int) -> None:
        self._driver = driver
        self._context = ctypes.c_void_p()
        device = ctypes.c_int()
        driver("cuDeviceGet", ctypes.byref(device), number)
        driver("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        self._enter()
        self._host = [ctypes.c_void_p() for _ in range(2)]
        self._device = [ctypes.c_uint64() for _ in range(2)]
        self._streams = [ctypes.c_void_p() for _ in range(2)]
        for host, memory, stream in zip(self._host, self._device, self._streams, strict=True):
            driver("cuMemHostAlloc", ctypes.byref(host), ctypes.c_size_t(BYTES), FOR_ALL_CONTEXTS)
            ctypes.memset(host, 1, BYTES)
            driver("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(BYTES))
            driver("cuStreamCreate", ctypes.byref(stream), STREAM_WITHOUT_ORDER)

    def begin(self) -> None:
        """Starts a copy each way."""
        self._enter()
        size = ctypes.c_size_t(BYTES)
        there, back = self._streams
        self._driver("cuMemcpyHtoDAsync_v2", self._device[0], self._host[0], size, there)
        self._driver("cuMemcpyDtoHAsync_v2", self._host[1], self._device[1], size, back)

    def end(self) -> None:
        self._enter()
        for stream in self._streams:
            self._driver("cuStreamSynchronize", stream)

    def _enter(self) -> None:
        self._driver("cuCtxSetCurrent", self._context)


def copies_both_ways(numbers: Sequence[int]) -> float:
    """GB/s each way, of all these GPUs together, which copy at the same time; the median."""
    driver = Driver()
    links = [Link(driver, number) for number in numbers]
    rounds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for link in links:
            link.begin()
        for link in links:
            link.end()
        rounds.append(time.perf_counter() - begun)
    return len(links) * BYTES / median(rounds) * 1e-9


if __name__ == "__main__":
    try:
        print(copies_both_ways([int(number) for number in sys.argv[1:]]))
    except (OSError, Stop) as error:  # without a driver there is no library
        sys.exit(str(error))
