"""Arrays in the memory of a CUDA device, made with nothing but the driver.

Without a GPU the device is the posed one of tests/posed_gpu, if the library that is loaded brings it: its
memory is the host's, and the kernels run on the emulated GPU. test_posed_device.py sees to that, so all that
Python does for a device is tested everywhere, with the C library's own device calls behind it.
"""

import contextlib
import ctypes
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import warpaes._native  # loads the library  # noqa: F401
from warpaes._kinds import Kind


class Driver:
    """The CUDA driver, with its first device's primary context, which the library uses as well."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        count, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGetCount", ctypes.byref(count))
        if count.value == 0:
            raise OSError("no CUDA device")
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name: str, *arguments: Any) -> None:
        result = getattr(self._library, name)(*arguments)
        if result != 0:
            raise OSError(f"{name}: error {result}")

    def allocate(self, length: int) -> int:
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(length, 1)))
        return address.value

    def free(self, address: int) -> None:
        self._call("cuMemFree_v2", ctypes.c_uint64(address))

    def page_locked(self, length: int) -> int:
        """Host memory, until the process ends."""
        address = ctypes.c_void_p()
        self._call("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(length), 0)
        return address.value or 0

    def write(self, address: int, data: bytes) -> None:
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def wait(self) -> None:
        """For all of the device's work."""
        self._call("cuCtxSynchronize")

    def read(self, address: int, length: int) -> bytes:
        into = ctypes.create_string_buffer(length)
        self.wait()
        self._call("cuMemcpyDtoH_v2", into, ctypes.c_uint64(address), ctypes.c_size_t(length))
        return into.raw

    def new_stream(self) -> int:
        stream = ctypes.c_void_p()
        self._call("cuStreamCreate", ctypes.byref(stream), 1)  # does not wait for the default stream
        return stream.value or 0


class Posed:
    """The posed CUDA of tests/posed_gpu, which a library brings that takes the place of libwarpaes.so."""

    def __init__(self) -> None:
        lines = Path("/proc/self/maps").read_text().splitlines()
        library = next(line.split()[-1] for line in lines if "libwarpaes.so" in line)
        self._library = ctypes.CDLL(library)
        if not hasattr(self._library, "cudaMalloc"):
            raise OSError("this library has no CUDA that can be called")
        self._pool: range | None = None
        self._pools: list[range] = []

    def _call(self, name: str, *arguments: Any) -> None:
        result = getattr(self._library, name)(*arguments)
        if result != 0:
            raise OSError(f"{name}: error {result}")

    def allocate(self, length: int) -> int:
        if self._pool is not None:
            start = self._pool.start
            self._pool = self._pool[-(-max(length, 1) // 256) * 256 :]
            return start
        address = ctypes.c_void_p()
        self._call("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(max(length, 1)))
        return address.value or 0

    def page_locked(self, length: int) -> int:
        """Host memory, until the process ends."""
        address = ctypes.c_void_p()
        self._call("cudaHostAlloc", ctypes.byref(address), ctypes.c_size_t(length), 0)
        return address.value or 0

    def free(self, address: int) -> None:
        if not any(address in pool for pool in self._pools):
            self._call("cudaFree", ctypes.c_void_p(address))

    @contextlib.contextmanager
    def pool(self, length: int) -> Iterator[None]:
        """In which memory comes from a pool that remains: while a stream is captured, CUDA allocates none."""
        start = self.allocate(length)
        self._pool = range(start, start + length)
        self._pools.append(self._pool)
        try:
            yield
        finally:
            self._pool = None

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(address, data, len(data))

    def wait(self) -> None:
        """Its work is done as soon as it has begun."""

    def read(self, address: int, length: int) -> bytes:
        return ctypes.string_at(address, length)

    def new_stream(self) -> int:
        stream = ctypes.c_void_p()
        self._call("cudaStreamCreateWithFlags", ctypes.byref(stream), 1)
        return stream.value or 0

    def in_graph(self, stream: int, call: Callable[[], object]) -> Callable[[], None]:
        """What the call has started on the stream, to be done again."""
        graph, ready = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cudaStreamBeginCapture", ctypes.c_void_p(stream), 0)
        call()
        self._call("cudaStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
        self._call("cudaGraphInstantiate", ctypes.byref(ready), graph, ctypes.c_ulonglong(0))
        return lambda: self._call("cudaGraphLaunch", ready, ctypes.c_void_p(stream))


def the_device() -> Driver | Posed | None:
    """None if there is neither a GPU nor a library that poses as one."""
    for kind in (Posed, Driver):
        with contextlib.suppress(OSError):
            return kind()
    return None


DEVICE: Any = the_device()


class CudaArray:
    """Bytes, or numbers of 32 bits, on device 0."""

    alive = 0  # so many there are

    def __init__(self, shape: tuple[int, ...], data: bytes = b"", itemsize: int = 1) -> None:
        self.length = math.prod(shape) * itemsize
        self.address = DEVICE.allocate(self.length) if self.length else 0  # as PyTorch's
        CudaArray.alive += 1
        if data:
            DEVICE.write(self.address, data)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": "|u1" if itemsize == 1 else "<i4",
            "data": (self.address, False),
            "version": 3,
        }

    def __bytes__(self) -> bytes:
        """Waits for the device."""
        return DEVICE.read(self.address, self.length) if self.length else b""

    def __del__(self) -> None:
        if self.address:
            DEVICE.free(self.address)
        CudaArray.alive -= 1


def pattern(length: int) -> bytes:
    return bytes((7 * index + (index >> 8)) & 0xFF for index in range(length))


def on_device(data: bytes, *shape: int) -> CudaArray:
    return CudaArray(shape or (len(data),), data)


class CudaKind(Kind):
    """How the package makes more of them."""

    name = "cuda of the tests"
    makes = True

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return CudaArray(shape)

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return CudaArray(shape, bytes(math.prod(shape)))

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return CudaArray((count,), b"\xff" * 4 * count, itemsize=4)

    def from_host(self, like: Any, data: bytes) -> Any:
        del like
        return CudaArray((len(data),), data)

    def read_statuses(self, statuses: Any) -> list[int]:
        return list(memoryview(bytes(statuses)).cast("i"))
