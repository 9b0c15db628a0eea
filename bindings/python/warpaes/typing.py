"""The types that stand in signatures: of memory, of arrays and of streams."""

import os
from collections.abc import Sequence
from typing import Any, Protocol, TypedDict, TypeVar

from warpaes._typing import Buffer, TypeAliasType

__all__ = [
    "Aads",
    "Array",
    "BatchOptions",
    "Buffer",
    "CudaArray",
    "CudaStream",
    "CupyStream",
    "Data",
    "DlpackArray",
    "HostMemory",
    "Many",
    "Passphrase",
    "Path",
    "ReadableFile",
    "Stream",
    "TorchStream",
    "WritableFile",
]


class Array(Protocol):
    """An array of bytes: of NumPy, PyTorch, CuPy, Numba, JAX, or another one with their attributes."""

    @property
    def dtype(self) -> Any:
        """What its items are."""

    @property
    def shape(self) -> Any:
        """How many items it has in each dimension."""


class CudaArray(Protocol):
    """An object that says where its memory on a CUDA device is, by the interface of Numba and CuPy."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class DlpackArray(Protocol):
    """An object that says where its memory is by DLPack."""

    def __dlpack__(self) -> Any: ...


class TorchStream(Protocol):
    """PyTorch's."""

    @property
    def cuda_stream(self) -> int:
        """The address of the cudaStream_t."""


class CupyStream(Protocol):
    """CuPy's."""

    @property
    def ptr(self) -> int:
        """The address of the cudaStream_t."""


class CudaStream(Protocol):
    """That of cuda.core, and whatever else has the CUDA stream protocol."""

    def __cuda_stream__(self) -> tuple[int, int]: ...


Data = TypeAliasType("Data", Buffer | Array | CudaArray | DlpackArray)
"""Bytes of the host or of a device. Whether it is `Buffer` or `Array` decides of what type the answer is."""

HostMemory = TypeAliasType("HostMemory", Buffer | Array)
"""Bytes of the host. (Type checkers know since Python 3.12 only that NumPy's arrays are a `Buffer`.)"""

Many = TypeAliasType("Many", Array | CudaArray | DlpackArray | Sequence[Data])
"""The messages of a batch, or what belongs to them: the rows of an array, or a list."""

Aads = TypeAliasType("Aads", Buffer | Many | None)
"""Additional data of a batch: one string for all messages, or one for each."""

Passphrase = TypeAliasType("Passphrase", str | HostMemory)
"""A passphrase; text is encoded as UTF-8."""

Path = TypeAliasType("Path", str | os.PathLike[str])
"""A file's name."""


class ReadableFile(Protocol):
    """A file object that is open for reading bytes: at any place if it has seek() and tell(), too."""

    def read(self, size: int, /) -> bytes | None:
        """As many bytes as that at most."""


class WritableFile(Protocol):
    """A file object that is open for writing bytes."""

    def write(self, data: bytes, /) -> int | None:
        """How many of them it took."""


Stream = TypeAliasType("Stream", int | TorchStream | CupyStream | CudaStream)
"""A CUDA stream, or the address of a cudaStream_t."""


class BatchOptions(TypedDict, total=False):
    """Options of a batch that do not decide of what kind the answers are.

    lengths: of the messages, where they are the rows of an array.
    stream: the CUDA stream to work on.
    """

    lengths: Sequence[int] | Array | None
    stream: Stream | None


ArrayT = TypeVar("ArrayT", bound=Array)
OutT = TypeVar("OutT", bound=Data)
