"""The kinds of arrays that answers can be made of: where to get memory of the same kind on the same device.

None of these packages is needed: an array that is given brings its package with it.
"""

import array
import contextlib
import sys
from collections.abc import Sequence
from typing import Any

from warpaes import _native
from warpaes._driver import wait_for_device

UNKNOWN = -1  # a status that the device has not written yet: no message counts as genuine by accident


class Kind:
    """Arrays that only their owner can make more of: an answer needs `out=`."""

    name = "this kind of array"
    makes = False  # memory on a device that later work of the caller's stream waits for

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        """Memory for bytes."""
        del shape
        raise TypeError(
            f"warpaes cannot make an array like {type(like).__name__}: pass out=, "
            "an array of PyTorch, CuPy or Numba on the same device; in host memory NumPy's, or a bytearray"
        )

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        """Memory as empty() makes it, all of it zero."""
        return Kind.empty(self, like, shape)

    def finished(self, like: Any, made: Any) -> Any:
        """The answer, of memory that was made here and is filled by now."""
        del like
        return made

    def address(self, made: Any) -> int:
        """The address of memory that was made here."""
        return int(made.__cuda_array_interface__["data"][0])

    def statuses(self, like: Any, count: int) -> Any:
        """Memory for `count` results of 32 bits, each of them UNKNOWN."""
        return self.empty(like, (4 * count,))

    def from_host(self, like: Any, data: bytes) -> Any:
        """A copy of bytes on the device."""
        return self.empty(like, (len(data),))

    def read_statuses(self, statuses: Any) -> list[int]:
        """The results, once the current stream has come so far."""
        raise NotImplementedError

    def current_stream(self, like: Any) -> int:
        """The stream on which the caller's other work is."""
        del like
        return 0

    def on(self, like: Any, stream: int) -> contextlib.AbstractContextManager[Any]:
        """A `with` block in which memory is allocated, copied and read on that stream."""
        del like, stream
        return contextlib.nullcontext()

    def wait(self, like: Any) -> None:
        """Waits for everything that the array's device has been given to do."""


class Bytes(Kind):
    """bytes, bytearray, memoryview and whatever else lends memory of the host: answers are bytes."""

    name = "bytes"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return _native.new_bytes(_count(shape))

    def address(self, made: Any) -> int:
        return int(_native.address_of(made))

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

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return sys.modules["numpy"].zeros(shape, dtype="uint8")

    def address(self, made: Any) -> int:
        return int(_native.address_of(made))

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return sys.modules["numpy"].zeros(count, dtype="int32")

    def read_statuses(self, statuses: Any) -> list[int]:
        return [int(status) for status in statuses]


class Torch(Kind):
    """torch.Tensor, on the host or on a device."""

    name = "torch"
    makes = True

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        uint8 = sys.modules["torch"].uint8
        if like.dtype is uint8:  # to name it takes as long as the rest
            return like.new_empty(shape)
        return like.new_empty(shape, dtype=uint8)

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        return like.new_zeros(shape, dtype=sys.modules["torch"].uint8)

    def address(self, made: Any) -> int:
        return int(made.data_ptr())

    def statuses(self, like: Any, count: int) -> Any:
        torch = sys.modules["torch"]
        return torch.full((count,), UNKNOWN, dtype=torch.int32, device=like.device)

    def from_host(self, like: Any, data: bytes) -> Any:
        torch = sys.modules["torch"]
        return torch.frombuffer(bytearray(data), dtype=torch.uint8).to(like.device)

    def read_statuses(self, statuses: Any) -> list[int]:
        if statuses.numel() == 1:  # one call in place of two
            return [int(statuses.item())]
        return [int(status) for status in statuses.cpu().tolist()]

    def current_stream(self, like: Any) -> int:
        torch = sys.modules["torch"]
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # what PyTorch's own compiled code asks
        if raw is not None:
            return int(raw(like.get_device()))
        return int(torch.cuda.current_stream(like.device).cuda_stream)

    def on(self, like: Any, stream: int) -> contextlib.AbstractContextManager[Any]:
        if stream == self.current_stream(like):
            return contextlib.nullcontext()
        cuda = sys.modules["torch"].cuda
        if stream == 0:  # ExternalStream(0) would be any stream of a pool
            return cuda.stream(cuda.default_stream(like.device))  # type: ignore[no-any-return]
        return cuda.stream(cuda.ExternalStream(stream, device=like.device))  # type: ignore[no-any-return]

    def wait(self, like: Any) -> None:
        if like.is_cuda:
            sys.modules["torch"].cuda.synchronize(like.device)


class Cupy(Kind):
    """cupy.ndarray."""

    name = "cupy"
    makes = True

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        return _on_device_of(like, shape, "uint8")

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        made = self.empty(like, shape)
        stream = sys.modules["cupy"].cuda.get_current_stream(like.data.device_id)
        made.data.memset_async(0, made.nbytes, stream)
        return made

    def address(self, made: Any) -> int:
        return int(made.data.ptr)

    def statuses(self, like: Any, count: int) -> Any:
        made = _on_device_of(like, (count,), "int32")
        stream = sys.modules["cupy"].cuda.get_current_stream(like.data.device_id)
        made.data.memset_async(UNKNOWN & 0xFF, made.nbytes, stream)
        return made

    def from_host(self, like: Any, data: bytes) -> Any:
        made = self.empty(like, (len(data),))
        stream = sys.modules["cupy"].cuda.get_current_stream(like.data.device_id)
        made.set(sys.modules["numpy"].frombuffer(data, dtype="uint8"), stream=stream)
        stream.synchronize()  # the bytes are the caller's; and in a graph this is refused
        return made

    def read_statuses(self, statuses: Any) -> list[int]:
        return [int(status) for status in statuses.get()]

    def current_stream(self, like: Any) -> int:
        return int(sys.modules["cupy"].cuda.get_current_stream(like.data.device_id).ptr)

    def on(self, like: Any, stream: int) -> contextlib.AbstractContextManager[Any]:
        if stream == self.current_stream(like):
            return contextlib.nullcontext()
        both = contextlib.ExitStack()
        both.enter_context(like.device)
        both.enter_context(_cupy_stream(stream))
        return both

    def wait(self, like: Any) -> None:
        like.device.synchronize()


class _StreamNumber:
    """A stream for those who ask by the CUDA stream protocol."""

    def __init__(self, stream: int) -> None:
        self._stream = stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._stream


def _cupy_stream(stream: int) -> Any:
    cuda = sys.modules["cupy"].cuda
    if hasattr(cuda.Stream, "from_external"):  # since CuPy 14
        return cuda.Stream.from_external(_StreamNumber(stream))
    return cuda.ExternalStream(stream)


def _on_device_of(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """CuPy allocates on the current device, and to make one current takes it as long as all else."""
    cupy = sys.modules["cupy"]
    if cupy.cuda.runtime.getDevice() == like.data.device_id:
        return cupy.ndarray(shape, dtype)
    with like.device:
        return cupy.ndarray(shape, dtype)


def _copied_by_numba(given: Any) -> Any:
    """CUDA may return before such a copy has arrived, and only the default stream waits for it."""
    cuda = sys.modules["numba.cuda"]
    made = cuda.to_device(given)
    cuda.synchronize()
    return made


class Numba(Kind):
    """Arrays of numba.cuda. What is copied to them waits for the device."""

    name = "numba"
    makes = True

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return sys.modules["numba.cuda"].device_array(shape, dtype="uint8")

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return _copied_by_numba(sys.modules["numpy"].zeros(shape, dtype="uint8"))

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return _copied_by_numba(sys.modules["numpy"].full(count, UNKNOWN, dtype="int32"))

    def from_host(self, like: Any, data: bytes) -> Any:
        del like
        return _copied_by_numba(sys.modules["numpy"].frombuffer(data, dtype="uint8"))

    def read_statuses(self, statuses: Any) -> list[int]:
        self.wait(statuses)
        return [int(status) for status in statuses.copy_to_host()]

    def wait(self, like: Any) -> None:
        del like
        sys.modules["numba.cuda"].synchronize()


class Jax(Numpy):
    """jax.Array, on the host or on a device.

    Such arrays never change once somebody has them. On the host, answers are written to memory of NumPy's,
    which becomes an array then. On a device the answer is an array of JAX's from the beginning, which nobody
    has until the call returns it; as JAX names no stream, the call waits.
    """

    name = "jax"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        return super().empty(like, shape) if self.is_on_host(like) else self.zeros(like, shape)

    def zeros(self, like: Any, shape: tuple[int, ...]) -> Any:
        return (
            super().zeros(like, shape) if self.is_on_host(like) else _filled_by_jax(like, shape, 0, "uint8")
        )

    def statuses(self, like: Any, count: int) -> Any:
        if self.is_on_host(like):
            return super().statuses(like, count)
        return _filled_by_jax(like, (count,), UNKNOWN, "int32")

    def from_host(self, like: Any, data: bytes) -> Any:
        (device,) = like.devices()
        copied = sys.modules["numpy"].frombuffer(data, dtype="uint8")
        return sys.modules["jax"].device_put(copied, device).block_until_ready()

    def address(self, made: Any) -> int:
        pointer = getattr(made, "unsafe_buffer_pointer", None)
        return super().address(made) if pointer is None else int(pointer())

    def read_statuses(self, statuses: Any) -> list[int]:
        self.wait(statuses)
        return super().read_statuses(sys.modules["numpy"].asarray(statuses))

    def finished(self, like: Any, made: Any) -> Any:
        (device,) = like.devices()
        return sys.modules["jax"].device_put(made, device)  # NumPy's memory itself, which nobody else knows

    def wait(self, like: Any) -> None:
        if hasattr(like, "devices") and not self.is_on_host(like):
            like.block_until_ready()
            (device,) = like.devices()
            wait_for_device(device.local_hardware_id)

    def is_on_host(self, given: Any) -> bool:
        """Raises ValueError for an array that is spread over several devices."""
        devices = given.devices()
        if len(devices) != 1:
            raise ValueError(f"an array of JAX must lie on one device, and not on {len(devices)}")
        return bool(next(iter(devices)).platform == "cpu")


def _filled_by_jax(like: Any, shape: tuple[int, ...], value: int, dtype: str) -> Any:
    """A new array beside `like`, in which JAX has nothing left to write."""
    (device,) = like.devices()
    made = sys.modules["jax"].numpy.full(shape, value, dtype=dtype, device=device)
    return made.block_until_ready()


class JaxTracer(Kind):
    """What stands for an array while JAX looks at a function, and has no bytes."""

    name = "jax tracer"


BYTES, NUMPY, OTHER = Bytes(), Numpy(), Kind()
_BY_PACKAGE: dict[str, Kind] = {
    "numpy": NUMPY,
    "torch": Torch(),
    "cupy": Cupy(),
    "numba": Numba(),
    "jaxlib": Jax(),
    "jax": JaxTracer(),
}


_kinds: dict[type, Kind] = {bytes: BYTES, bytearray: BYTES, memoryview: BYTES}


def kind_of(given: Any) -> Kind:
    """The kind of an array, by the package that its type is of."""
    found = _kinds.get(type(given))
    if found is None:
        found = _of_package(type(given))
        if found is None:
            return BYTES if _lends_memory(given) else OTHER
        if _package_of(type(given)) in _BY_PACKAGE:  # others may come and go, and would stay for ever
            _kinds[type(given)] = found
    return found


def _of_package(given: type) -> Kind | None:
    if issubclass(given, (bytes, bytearray)):  # NumPy has one of its own
        return BYTES
    packages = map(_package_of, given.__mro__)
    return next((_BY_PACKAGE[package] for package in packages if package in _BY_PACKAGE), None)


def _package_of(given: type) -> str:
    return given.__module__.partition(".")[0]


def _lends_memory(given: Any) -> bool:
    try:
        memoryview(given)
    except (TypeError, BufferError):  # JAX's arrays on a device have the protocol, and refuse
        return False
    return True


def _count(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count
