"""As much of CuPy as the package uses, over the made-up device. install() makes it the module `cupy`."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.python.cuda_arrays import DEVICE, CudaArray
from warpaes import _driver, _short_ways

DEFAULT_STREAM = 0
current = [DEFAULT_STREAM]  # the last is the current stream
entered: list[int] = []
waited_for: list[int] = []
copied_on: list[int] = []  # the streams of copies from the host
current_device = [0]
held: list[int] = []  # memory without an array


class Device:
    id = 0
    waited = 0

    def __enter__(self) -> None:
        entered.append(-1)

    def __exit__(self, *exception: object) -> None:
        pass

    def synchronize(self) -> None:
        Device.waited += 1


class Stream:
    def __init__(self, ptr: int) -> None:
        self.ptr = ptr

    @classmethod
    def from_external(cls, named: Any) -> "Stream":
        return cls(named.__cuda_stream__()[1])

    def synchronize(self) -> None:
        waited_for.append(self.ptr)
        DEVICE.wait()

    def __enter__(self) -> None:
        entered.append(self.ptr)
        current.append(self.ptr)

    def __exit__(self, *exception: object) -> None:
        current.pop()


class Pointer:
    """cupy.cuda.MemoryPointer."""

    device_id = 0

    def __init__(self, ptr: int) -> None:
        self.ptr = ptr

    def memset_async(self, value: int, length: int, stream: Stream) -> None:
        assert stream.ptr == current[-1]
        DEVICE.write(self.ptr, bytes([value]) * length)


class Memory(Pointer):
    """What cupy.cuda.alloc() gives, which frees itself."""

    def __init__(self, length: int) -> None:
        super().__init__(int(DEVICE.allocate(length)))
        held.append(self.ptr)

    def __del__(self) -> None:
        held.remove(self.ptr)
        DEVICE.free(self.ptr)


class PinnedMemory:
    """cupy.cuda.PinnedMemoryPointer."""

    def __init__(self, length: int) -> None:
        self.ptr = int(DEVICE.page_locked(length))


class ndarray:  # noqa: N801
    device = Device()

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.nbytes = int(np.prod(shape)) * self.dtype.itemsize
        self.flags = SimpleNamespace(c_contiguous=True)
        self.strides = tuple(2 * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))  # with gaps
        self._memory = CudaArray((self.nbytes,))
        self.data = Pointer(self._memory.address)

    def set(self, given: Any, stream: Stream) -> None:
        copied_on.append(stream.ptr)
        DEVICE.write(self.data.ptr, given.tobytes())

    def get(self) -> Any:
        return np.frombuffer(bytes(self), self.dtype).reshape(self.shape)

    def __bytes__(self) -> bytes:
        return bytes(self._memory)

    @property
    def __cuda_array_interface__(self) -> Any:
        return {**self._memory.__cuda_array_interface__, "shape": self.shape}


def install(monkeypatch: pytest.MonkeyPatch) -> Any:
    module: Any = ModuleType("cupy")
    module.ndarray = ndarray
    module.cuda = SimpleNamespace(
        Stream=Stream,
        get_current_stream=lambda device: Stream(current[-1]),
        runtime=SimpleNamespace(getDevice=lambda: current_device[0]),
        alloc=Memory,
        alloc_pinned_memory=PinnedMemory,
    )
    monkeypatch.setattr(_driver, "address_of_stream_wait", lambda: 0)  # which knows no stand-in's streams
    _short_ways.SHORT_WAYS.clear()
    _short_ways.VERDICTS.clear()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(ndarray, "__module__", "cupy")
    entered.clear()
    waited_for.clear()
    copied_on.clear()
    Device.waited = 0
    return module


def array(data: bytes, *shape: int) -> ndarray:
    made = ndarray(shape or (len(data),), "uint8")
    DEVICE.write(made.data.ptr, data)
    return made
