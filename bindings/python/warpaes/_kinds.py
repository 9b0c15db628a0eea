"""The kinds of arrays that answers can be made of: where to get memory of the same kind on the same device.

None of these packages is needed: an array that is given brings its package with it.
"""

import array
import contextlib
import sys
from collections.abc import Sequence
from typing import Any

from warpaes import _native


class Kind:
    """Arrays that only their owner can make more of: an answer needs `out=`."""

    name = "this kind of array"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        """Memory for bytes."""
        del shape
        raise TypeError(
            f"warpaes cannot make an array like {type(like).__name__}: pass out=, "
            "or a PyTorch or CuPy array that shares the memory"
        )

    def statuses(self, like: Any, count: int) -> Any:
        """Memory for `count` results of 32 bits."""
        return self.empty(like, (4 * count,))

    def from_host(self, like: Any, data: bytes) -> Any:
        """A copy of bytes on the device."""
        return self.empty(like, (len(data),))

    def read_statuses(self, statuses: Any) -> list[int]:
        """Waits for the current stream."""
        raise NotImplementedError

    def current_stream(self, like: Any) -> int:
        """On which the caller's other work is."""
        del like
        return 0

    def on(self, like: Any, stream: int | None) -> contextlib.AbstractContextManager[Any]:
        """In which memory is allocated and copied on that stream."""
        del like, stream
        return contextlib.nullcontext()


class Bytes(Kind):
    """bytes, bytearray, memoryview and whatever else lends memory of the host: answers are bytes."""

    name = "bytes"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return _native.new_bytes(_count(shape))

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return array.array("i", bytes(4 * count))

    def read_statuses(self, statuses: Any) -> list[int]:
        return list(memoryview(statuses).cast("B").cast("i"))


class Numpy(Kind):
    """numpy.ndarray."""

    name = "numpy"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return sys.modules["numpy"].empty(shape, dtype="uint8")

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return sys.modules["numpy"].zeros(count, dtype="int32")

    def read_statuses(self, statuses: Any) -> list[int]:
        return [int(status) for status in statuses]


class Torch(Kind):
    """torch.Tensor, on the host or on a device."""

    name = "torch"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        return like.new_empty(shape, dtype=sys.modules["torch"].uint8)

    def statuses(self, like: Any, count: int) -> Any:
        torch = sys.modules["torch"]
        return torch.empty(count, dtype=torch.int32, device=like.device)

    def from_host(self, like: Any, data: bytes) -> Any:
        torch = sys.modules["torch"]
        return torch.frombuffer(bytearray(data), dtype=torch.uint8).to(like.device)

    def read_statuses(self, statuses: Any) -> list[int]:
        return [int(status) for status in statuses.cpu().tolist()]

    def current_stream(self, like: Any) -> int:
        torch = sys.modules["torch"]
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # what PyTorch's own compiled code asks
        if raw is not None:
            return int(raw(like.get_device()))
        return int(torch.cuda.current_stream(like.device).cuda_stream)

    def on(self, like: Any, stream: int | None) -> contextlib.AbstractContextManager[Any]:
        if stream is None:
            return contextlib.nullcontext()
        cuda = sys.modules["torch"].cuda
        return cuda.stream(cuda.ExternalStream(stream, device=like.device))  # type: ignore[no-any-return]


class Cupy(Kind):
    """cupy.ndarray."""

    name = "cupy"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        return _on_device_of(like, shape, "uint8")

    def statuses(self, like: Any, count: int) -> Any:
        return _on_device_of(like, (count,), "int32")

    def from_host(self, like: Any, data: bytes) -> Any:
        made = self.empty(like, (len(data),))
        made.set(sys.modules["numpy"].frombuffer(data, dtype="uint8"))
        return made

    def read_statuses(self, statuses: Any) -> list[int]:
        return [int(status) for status in statuses.get()]

    def current_stream(self, like: Any) -> int:
        return int(sys.modules["cupy"].cuda.get_current_stream(like.data.device_id).ptr)

    def on(self, like: Any, stream: int | None) -> contextlib.AbstractContextManager[Any]:
        if stream is None:
            return contextlib.nullcontext()
        cuda = sys.modules["cupy"].cuda
        return cuda.ExternalStream(stream, like.data.device_id)  # type: ignore[no-any-return]


def _on_device_of(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """CuPy allocates on the current device, and to make one current takes it as long as all else."""
    cupy = sys.modules["cupy"]
    if cupy.cuda.runtime.getDevice() == like.data.device_id:
        return cupy.ndarray(shape, dtype)
    with like.device:
        return cupy.ndarray(shape, dtype)


BYTES, NUMPY, OTHER = Bytes(), Numpy(), Kind()
_BY_PACKAGE: dict[str, Kind] = {"numpy": NUMPY, "torch": Torch(), "cupy": Cupy()}


_kinds: dict[type, Kind] = {bytes: BYTES, bytearray: BYTES, memoryview: BYTES}


def kind_of(given: Any) -> Kind:
    """By the package that the type is of."""
    found = _kinds.get(type(given))
    if found is None:
        found = _of_package(type(given))
        if found is None:
            return BYTES if _lends_memory(given) else OTHER
        _kinds[type(given)] = found
    return found


def _of_package(given: type) -> Kind | None:
    packages = (base.__module__.partition(".")[0] for base in given.__mro__)
    return next((_BY_PACKAGE[package] for package in packages if package in _BY_PACKAGE), None)


def _lends_memory(given: Any) -> bool:
    try:
        memoryview(given)
    except TypeError:
        return False
    return True


def _count(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count
