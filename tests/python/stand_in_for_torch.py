"""As much of PyTorch's interface as the package uses, over the made-up device: PyTorch itself is 4 GB.

install() makes it the module `torch`, and types that say that they are of it.
"""

import contextlib
import ctypes
import math
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.python.cuda_arrays import DEVICE, CudaArray
from tests.python.dlpack import Description
from warpaes import _driver, _short_ways

ITEMS = {"uint8": 1, "int32": 4, "float32": 4}
DEFAULT_STREAM = 0
current = [DEFAULT_STREAM]  # the last is the current stream
entered: list[int] = []  # the streams that were made current, in their order
waited_for: list[int] = []
captured: list[int] = []  # streams that a graph captures
filled: list[int] = []  # how many numbers each fill had
LIVE_AS_LONG_AS_THE_PROCESS: list[Any] = []


class Device:
    def __init__(self, kind: str) -> None:
        self.type = kind
        self.index = 0 if kind == "cuda" else None

    def __repr__(self) -> str:
        return self.type


class PartOfArray:
    def __init__(self, whole: CudaArray, start: int, length: int) -> None:
        self._whole, self.address, self.length = whole, whole.address + start, length

    def __bytes__(self) -> bytes:
        return bytes(DEVICE.read(self.address, self.length))


class Tensor:
    def __init__(self, shape: Any, dtype: str, device: Any, data: bytes = b"") -> None:
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = dtype
        self.device = device if isinstance(device, Device) else Device(str(device))
        self.requires_grad = False
        self.contiguous = True
        self.layout = "torch.strided"
        self.is_nested = False
        self.kept: tuple[Any, Any] | None = None  # what a description points to
        length = math.prod(self.shape) * ITEMS[dtype]
        self._memory: Any = np.zeros(length, dtype="uint8")
        if self.device.type == "cuda":
            self._memory = CudaArray((length,), data)
        elif data:
            self._memory[:] = np.frombuffer(data, dtype="uint8")

    def data_ptr(self) -> int:
        return int(self._memory.address if self.device.type == "cuda" else self._memory.ctypes.data)

    @property
    def is_cpu(self) -> bool:
        return bool(self.device.type == "cpu")

    @property
    def is_cuda(self) -> bool:
        return bool(self.device.type == "cuda")

    def get_device(self) -> int:
        return self.device.index if self.device.index is not None else -1

    def numel(self) -> int:
        return int(math.prod(self.shape))

    def __getitem__(self, items: slice) -> "Tensor":
        """A part of a tensor of one dimension, in the same memory."""
        start, stop, _ = items.indices(self.shape[0])
        part = Tensor(0, self.dtype, self.device)
        part.shape = (stop - start,)
        part._memory = PartOfArray(
            self._memory, start * ITEMS[self.dtype], (stop - start) * ITEMS[self.dtype]
        )
        return part

    def new_empty(self, shape: Any, dtype: str = "") -> "Tensor":
        return Tensor(shape, dtype or self.dtype, self.device)

    def new_zeros(self, shape: Any, dtype: str) -> "Tensor":
        return Tensor(shape, dtype, self.device, bytes(math.prod(shape) * ITEMS[dtype]))

    def element_size(self) -> int:
        return ITEMS[self.dtype]

    def is_contiguous(self) -> bool:
        return self.contiguous

    def stride(self) -> tuple[int, ...]:
        """Twice as far as they could be."""
        return tuple(2 * math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))

    def view(self, dtype: str) -> "Tensor":
        assert ITEMS[dtype] == ITEMS[self.dtype]
        return self

    def numpy(self) -> Any:
        assert self.device.type == "cpu"
        return self._memory.reshape(self.shape)

    def to(self, device: Device) -> "Tensor":
        return Tensor(self.shape, self.dtype, device, bytes(self))

    def cpu(self) -> "Tensor":
        return self.to(Device("cpu"))

    @property
    def nbytes(self) -> int:
        return self.numel() * ITEMS[self.dtype]

    def item(self) -> int:
        (value,) = self.tolist()
        return value

    def tolist(self) -> list[int]:
        return list(memoryview(bytes(self)).cast("i"))

    def __bytes__(self) -> bytes:
        return bytes(self._memory) if self.device.type == "cuda" else bytes(self._memory.tobytes())


class Stream:
    """ExternalStream(0) is any stream of a pool, as PyTorch's is."""

    def __init__(self, address: int, device: Any = None) -> None:
        if device is not None and address == DEFAULT_STREAM:
            address = 4711
        self.cuda_stream = address
        self.device = device

    def synchronize(self) -> None:
        waited_for.append(self.cuda_stream)
        DEVICE.wait()


class Cuda:
    """torch.cuda."""

    waited = 0
    device = 0  # the current one

    ExternalStream = Stream

    @staticmethod
    def current_stream(device: Device | int) -> Stream:
        assert device == 0 if isinstance(device, int) else device.type == "cuda"
        return Stream(current[-1])

    @staticmethod
    def default_stream(device: Device) -> Stream:
        assert device.type == "cuda"
        return Stream(DEFAULT_STREAM)

    @staticmethod
    def synchronize(device: Device) -> None:
        assert device.type == "cuda"
        Cuda.waited += 1

    @staticmethod
    def current_device() -> int:
        return Cuda.device

    @staticmethod
    def is_current_stream_capturing() -> bool:
        return current[-1] in captured

    @staticmethod
    @contextlib.contextmanager
    def stream(stream: Stream) -> Iterator[None]:
        entered.append(stream.cuda_stream)
        current.append(stream.cuda_stream)
        yield
        current.pop()


class Internals:
    """torch._C, of which some is not public: what it was asked for."""

    def __init__(self) -> None:
        self.device = 0  # the current one
        self.held: dict[int, int] = {}  # memory without a tensor: address and length
        self.streams: list[int] = []  # for which there was some
        self._dynamo = SimpleNamespace(guards=SimpleNamespace(_empty_strided_cuda=self._empty))

    def _cuda_getDevice(self) -> int:  # noqa: N802
        return self.device

    def _cuda_getCurrentRawStream(self, device: int) -> int:  # noqa: N802
        assert device == 0
        return current[-1]

    def _cuda_cudaCachingAllocator_raw_alloc(self, length: int, stream: int) -> int:  # noqa: N802
        address = int(DEVICE.allocate(length))
        self.held[address] = length
        self.streams.append(stream)
        return address

    def _cuda_cudaCachingAllocator_raw_delete(self, address: int) -> None:  # noqa: N802
        del self.held[address]
        DEVICE.free(address)

    def _empty(self, shape: Any, strides: Any, dtype: str) -> Tensor:
        assert tuple(strides) == (1,)
        return Tensor(shape, dtype, "cuda")


class Exchange(ctypes.Structure):
    """DLPackExchangeAPI of dlpack.h."""

    Describe = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Description))
    CurrentStream = ctypes.PYFUNCTYPE(
        ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)
    )
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("earlier", ctypes.c_void_p),
        ("others", ctypes.c_void_p * 3),
        ("describe", Describe),
        ("current_stream", CurrentStream),
    )


def described(given: Tensor, into: Any) -> int:
    """A sparse tensor has no description."""
    if given.layout != "torch.strided":
        return -1
    axes = ctypes.c_int64 * len(given.shape)
    strides = [math.prod(given.shape[axis + 1 :]) for axis in range(len(given.shape))]
    given.kept = (axes(*given.shape), axes(*(strides if given.contiguous else given.stride())))
    into[0] = Description(
        data=given.data_ptr(),
        device_type={"cpu": 1, "cuda": 2}[given.device.type],
        device=given.device.index or 0,
        ndim=len(given.shape),
        code={"uint8": 1, "int32": 0, "float32": 2}[given.dtype],
        bits=8 * ITEMS[given.dtype],
        lanes=1,
        shape=given.kept[0],
        strides=given.kept[1],
    )
    return 0


def current_stream_of(device_type: int, device: int, into: Any) -> int:
    assert (device_type, device) == (2, 0)
    into[0] = current[-1]
    return 0


def exchange(*, major: int = 1) -> Any:
    """What PyTorch 2.11 and newer have as Tensor.__dlpack_c_exchange_api__. It may never go."""
    functions = Exchange(
        major=major,
        minor=3,
        describe=Exchange.Describe(described),
        current_stream=Exchange.CurrentStream(current_stream_of),
    )
    LIVE_AS_LONG_AS_THE_PROCESS.append(functions)
    make = ctypes.pythonapi.PyCapsule_New
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    make.restype = ctypes.py_object
    return make(ctypes.addressof(functions), b"dlpack_exchange_api", None)


def install(monkeypatch: pytest.MonkeyPatch, *, internals: bool = False, exchanges: Any = None) -> Any:
    """internals: with what is not public, which short ways need. exchanges: what tensors have for C code."""
    if exchanges is not None:
        monkeypatch.setattr(Tensor, "__dlpack_c_exchange_api__", exchanges, raising=False)
    module: Any = ModuleType("torch")
    module.uint8, module.int32, module.cuda, module.Tensor = "uint8", "int32", Cuda, Tensor
    module.strided = "torch.strided"
    module._C = Internals() if internals else ModuleType("torch._C")
    monkeypatch.setattr(_driver, "address_of_stream_wait", lambda: 0)  # which knows no stand-in's streams
    _short_ways.SHORT_WAYS.clear()
    _short_ways.VERDICTS.clear()
    module.full, module.empty = full, empty
    module.inference_mode = contextlib.nullcontext
    module.frombuffer = lambda data, dtype: Tensor(len(data), dtype, "cpu", bytes(data))
    monkeypatch.setitem(sys.modules, "torch", module)
    monkeypatch.setattr(Tensor, "__module__", "torch")
    entered.clear()
    waited_for.clear()
    captured.clear()
    filled.clear()
    Cuda.waited = 0
    return module


def full(shape: tuple[int], value: int, dtype: str, device: Any) -> Tensor:
    filled.append(shape[0])
    return Tensor(shape, dtype, device, value.to_bytes(4, "little", signed=True) * shape[0])


def empty(count: int, dtype: str, *, device: str, pin_memory: bool) -> Any:
    assert pin_memory
    assert device == "cpu"  # which is not the default everywhere
    address = int(DEVICE.page_locked(count * ITEMS[dtype]))
    return SimpleNamespace(data_ptr=lambda: address)


def tensor(data: bytes, device: str, *shape: int) -> Tensor:
    return Tensor(shape or (len(data),), "uint8", device, data)
