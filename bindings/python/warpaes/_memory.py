"""Where the bytes of an object are: of bytes-like objects, arrays of the host and arrays of a CUDA device."""

import math
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from warpaes import _native
from warpaes._arguments import hint_for_text
from warpaes._kinds import NUMPY, Jax, Kind, kind_of

_DLPACK_HOST = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost
_DLPACK_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged
_BYTES_ITEM = 1
_PARTS_OF_BYTES = ("int2", "int4", "uint2", "uint4", "float4", "float6")  # several may share one


@dataclass(slots=True)
class Memory:
    """Bytes, valid as long as this exists.

    device: the CUDA device's number, None for host memory. view: host memory through the buffer protocol,
    None if the bytes have gaps between them. strides: of the dimensions, only if there are gaps.
    stream: on which a producer of __cuda_array_interface__ has work left, None if it does not say.
    by_dlpack: is it ready on the default stream, and perhaps on no other? lent: what DLPack keeps it by.
    """

    owner: Any
    kind: Kind
    shape: tuple[int, ...]
    readonly: bool
    address: int
    device: int | None = None
    view: memoryview | None = None
    stream: int | None = None
    by_dlpack: bool = False
    lent: object = None
    strides: tuple[int, ...] | None = None

    @property
    def length(self) -> int:
        return math.prod(self.shape)


def memory_of(given: Any, name: str, *, written: bool = False) -> Memory:
    """The contiguous bytes of `given`. Raises TypeError or ValueError with what to do instead; nothing is
    copied."""
    memory = _described(given, name, written)
    if memory.strides is not None:
        _refuse_layout(name)
    return memory


def host_bytes(given: Any, name: str) -> memoryview:
    """The same of memory of the host, for as long as `given` lives. TypeError for what is elsewhere."""
    memory = memory_of(given, name)
    if memory.view is None:
        raise TypeError(f"{name} must lie in host memory, not on device {memory.device}")
    return memory.view


def rows_of(given: Any, name: str, *, written: bool = False) -> tuple[Memory, int]:
    """The memory of an array whose last dimension is a row of bytes, and how far the rows are apart.

    Between rows there may be gaps, as between the parts of frames. What has one dimension is one row.
    """
    memory = _described(given, name, written, ", or a list of those")
    shape, strides = memory.shape, memory.strides
    if strides is None:
        return memory, shape[-1] if shape else 0
    step = _step(shape, strides) if _contiguous(shape[-1:], strides[-1:], 1) else None
    if step is None or step < 0 or (step < shape[-1] and (written or step != 0)):
        _refuse_layout(name)
    return memory, step


def _described(given: Any, name: str, written: bool, or_else: str = "") -> Memory:
    """Where the bytes are. Address, shape and strides are those of `given` itself, as an item or a slice of
    it may be a copy."""
    kind = kind_of(given)
    memory = _DESCRIBED_BY.get(kind.name, _of_other)(given, name, kind)
    if memory is None:
        raise TypeError(
            f"{name} must be bytes-like or an array of uint8 (NumPy, PyTorch, CuPy, or any object with "
            f"__dlpack__ or __cuda_array_interface__){or_else}, not {type(given).__name__}"
            f"{hint_for_text(given, name)}"
        )
    if written and memory.readonly:
        raise TypeError(f"{name} is read-only ({type(given).__name__}): pass memory that can be written to")
    return memory


def _step(shape: tuple[int, ...], strides: tuple[int, ...]) -> int | None:
    """The distance between all neighbouring rows, None if there is more than one."""
    step, following = shape[-1], None
    for extent, stride in zip(reversed(shape[:-1]), reversed(strides[:-1]), strict=True):
        if extent == 1:
            continue
        if following is None:
            step = stride
        elif stride != following:
            return None
        following = stride * extent
    return step


def _of_bytes(given: Any, name: str, kind: Kind) -> Memory:
    return _of_buffer(given, given, name, kind)


def _of_other(given: Any, name: str, kind: Kind) -> Memory | None:
    if not hasattr(given, "block_until_ready"):
        return _by_protocol(given, name, kind)
    given.block_until_ready()  # JAX computes on streams of its own, which nobody else can wait for
    memory = _by_protocol(given, name, kind)
    if memory is not None:
        memory.readonly = True  # its arrays never change, whatever the protocols say
    return memory


def _by_protocol(given: Any, name: str, kind: Kind) -> Memory | None:
    interface = getattr(given, "__cuda_array_interface__", None)
    if interface is not None:
        return _of_cuda_array_interface(given, interface, name, kind)
    if hasattr(given, "__dlpack__"):
        return _of_dlpack(given, name, kind)
    return None


def _of_buffer(given: Any, lender: Any, name: str, kind: Kind) -> Memory:
    view = memoryview(lender)
    if not view.c_contiguous and kind is not NUMPY:
        _refuse_layout(name)
    if view.itemsize != _BYTES_ITEM:
        _refuse_type(name, f"items of {view.itemsize} bytes", "memoryview(x).cast('B')")
    shape = tuple(view.shape or ())
    if view.c_contiguous:
        return Memory(given, kind, shape, view.readonly, _native.address_of(view), view=view)
    address = lender.__array_interface__["data"][0]
    return Memory(given, kind, shape, view.readonly, address, lent=view, strides=view.strides)


def _of_numpy(given: Any, name: str, kind: Kind) -> Memory | None:
    array = _without_subclass(given)
    if not hasattr(array, "dtype"):
        return None
    if array.dtype.hasobject:
        raise TypeError(
            f"{name} is an array of objects, which has their addresses in it and not their bytes: pass a "
            "list of them where several are taken, or an array of uint8"
        )
    if array.dtype.itemsize != _BYTES_ITEM:
        _refuse_type(name, str(array.dtype))
    if hasattr(given, "mask"):
        raise ValueError(f"{name} is a masked array, and its mask would be lost: pass {name}.data")
    return _of_buffer(given, array if array.dtype.char == "B" else array.view("uint8"), name, kind)


def _without_subclass(given: Any) -> Any:
    """The same memory as an array of NumPy's own type: a subclass may show another shape than it has."""
    ndarray = sys.modules["numpy"].ndarray
    is_subclass = type(given) is not ndarray and issubclass(type(given), ndarray)
    return ndarray.view(given, ndarray) if is_subclass else given


def _of_torch(given: Any, name: str, kind: Kind) -> Memory | None:
    """The memory by the tensor's own methods, which takes a tenth of the time that DLPack does."""
    if not isinstance(given, sys.modules["torch"].Tensor):
        return None  # another type of the package, such as a storage
    if given.element_size() != _BYTES_ITEM:
        _refuse_type(name, str(given.dtype), f"{name}.view(torch.uint8)")
    if given.layout != sys.modules["torch"].strided:
        raise TypeError(f"{name} has the layout {given.layout}: pass {name}.to_dense()")
    if given.is_nested:
        raise TypeError(f"{name} is a nested tensor: pass its tensors, {name}.unbind(), as a batch")
    if given.requires_grad:
        raise TypeError(f"{name} requires a gradient: pass {name}.detach()")
    if not given.is_cuda and not given.is_cpu:
        raise TypeError(f"{name} lies on {given.device}: only the host and CUDA devices can be worked on")
    address = given.data_ptr()
    if address == 0 and given.numel():  # as of DTensor, of fake tensors, and of storage that was freed
        what = type(given).__name__
        raise TypeError(f"{name} is a {what} without memory of its own: pass the tensor that it stands for")
    strides = None if given.is_contiguous() else tuple(given.stride())
    if given.is_cuda:
        return Memory(given, kind, given.shape, False, address, given.get_device(), strides=strides)
    view = None if strides else _native.view_at(address, given.numel())
    return Memory(given, kind, given.shape, False, address, view=view, strides=strides)


def _of_cupy(given: Any, name: str, kind: Kind) -> Memory | None:
    """The same of CuPy's arrays: their interface dictionary takes microseconds."""
    if not hasattr(given, "data"):
        return None
    if given.dtype.itemsize != _BYTES_ITEM:
        _refuse_type(name, str(given.dtype))
    strides = None if given.flags.c_contiguous else tuple(given.strides)
    memory = given.data
    return Memory(given, kind, given.shape, False, memory.ptr, memory.device_id, strides=strides)


def _of_jax(given: Any, name: str, kind: Kind) -> Memory | None:
    """Host memory is lent as a buffer, which waits until it has been computed."""
    if not isinstance(kind, Jax) or not kind.is_on_host(given):
        return _of_other(given, name, kind)
    if given.dtype.itemsize != _BYTES_ITEM or given.dtype.name.startswith(_PARTS_OF_BYTES):
        _refuse_type(name, str(given.dtype))
    return _of_buffer(given, given if given.dtype.char == "B" else given.view("uint8"), name, kind)


def _of_jax_tracer(given: Any, name: str, kind: Kind) -> Memory | None:
    del kind
    if not isinstance(given, sys.modules["jax"].core.Tracer):
        return None
    raise TypeError(
        f"{name} is traced by JAX, as in jax.jit, and has no bytes yet: give jax.pure_callback a function "
        "that calls warpaes"
    )


_DESCRIBED_BY: dict[str, Callable[[Any, str, Kind], Memory | None]] = {
    "bytes": _of_bytes,
    "numpy": _of_numpy,
    "torch": _of_torch,
    "cupy": _of_cupy,
    "jax": _of_jax,
    "jax tracer": _of_jax_tracer,
}


class _Interface(NamedTuple):
    """What version 3 of numba's interface says."""

    typestr: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    address: int
    readonly: bool
    has_mask: bool
    stream: int | None

    @classmethod
    def of(cls, given: Any) -> "_Interface":
        """Raises whatever comes of a wrong type or number."""
        shape, strides, stream = given["shape"], given.get("strides"), given.get("stream")
        address, readonly = given["data"]
        made = cls(
            given["typestr"],
            tuple(map(operator.index, shape)),
            None if strides is None else tuple(map(operator.index, strides)),
            operator.index(address),
            bool(readonly),
            given.get("mask") is not None,
            None if stream is None else operator.index(stream),
        )
        if not isinstance(made.typestr, str):
            raise TypeError("typestr is no str")
        if min(made.shape, default=0) < 0 or made.address < 0:
            raise ValueError("negative numbers")
        if made.strides is not None and len(made.strides) != len(made.shape):
            raise ValueError("shape and strides differ in length")
        return made


def _of_cuda_array_interface(given: Any, found: Any, name: str, kind: Kind) -> Memory:
    """It does not say which device, so an attribute has to."""
    try:
        interface = _Interface.of(found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise TypeError(
            f"{name} has a __cuda_array_interface__ that is not as version 3 of it has to be "
            f"({type(given).__name__}): {type(error).__name__}: {error}"
        ) from error
    if interface.typestr[1:] not in ("u1", "i1", "b1", "V1"):
        _refuse_type(name, interface.typestr)
    if interface.has_mask:
        raise ValueError(f"{name} is a masked array, and its mask would be lost")
    device = getattr(getattr(given, "device", None), "id", 0)
    return Memory(
        given,
        kind,
        interface.shape,
        interface.readonly,
        interface.address,
        int(device),
        stream=interface.stream,
        strides=_gaps(interface.shape, interface.strides),
    )


def _of_dlpack(given: Any, name: str, kind: Kind) -> Memory | None:
    capsule = _capsule_of(given)
    if capsule is None:
        raise TypeError(f"{name} is a {type(given).__name__} whose __dlpack__() returned None and no capsule")
    described = _native.dlpack(capsule)
    if described is None:
        return None
    lent, address, shape, strides, bits, device_type, device, readonly = described
    if bits != 8 * _BYTES_ITEM:
        _refuse_type(name, f"items of {bits} bits")
    gaps = _gaps(shape, strides)
    if device_type in _DLPACK_HOST:
        view = None if gaps else _native.view_at(address, math.prod(shape))
        return Memory(given, kind, shape, readonly, address, view=view, lent=lent, strides=gaps)
    if device_type not in _DLPACK_CUDA:
        raise TypeError(f"{name} lies on a device that is none of CUDA's (DLPack's type {device_type})")
    return Memory(given, kind, shape, readonly, address, device, by_dlpack=True, lent=lent, strides=gaps)


def _capsule_of(given: Any) -> Any:
    """Whatever goes wrong there is the caller's to see."""
    try:
        return given.__dlpack__(max_version=(1, 0))
    except TypeError:  # of an object from before DLPack had versions, which does not know the argument
        return given.__dlpack__()


def _gaps(shape: tuple[int, ...], strides: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The strides, if they leave gaps."""
    return None if _contiguous(shape, strides, 1) else strides


def _contiguous(shape: tuple[int, ...], strides: Any, itemsize: int) -> bool:
    if strides is None or math.prod(shape) == 0:
        return True
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(tuple(strides)), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _refuse_type(name: str, found: str, instead: str = "") -> None:
    instead = instead or f"{name}.view('uint8')"
    raise TypeError(f"{name} is an array of {found}: pass its bytes, as with {instead}")


def _refuse_layout(name: str) -> NoReturn:
    raise ValueError(f"{name} is not contiguous in memory: copy it into one piece first")


def stream_number(stream: Any) -> int | None:
    """A cudaStream_t as a number, of what stands for a stream: PyTorch's, CuPy's, cuda.core's, an int."""
    if stream is None or isinstance(stream, int):
        return stream
    for attribute in ("cuda_stream", "ptr"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    raise TypeError(f"stream must be a CUDA stream or its address as an int, not {type(stream).__name__}")
