"""The types that stand in signatures: of memory, of arrays and of streams.

All of them exist at run time, so that annotations can be asked for (typing.get_type_hints). What Python 3.10
and 3.11 do not have is taken from typing_extensions, where that is installed.
"""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, TypeVar

__all__ = [
    "Aads",
    "Array",
    "ArrayT",
    "BatchOptions",
    "Buffer",
    "Data",
    "HostMemory",
    "Many",
    "OutT",
    "Passphrase",
    "Path",
    "Stream",
    "Unpack",
]

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    try:
        from typing_extensions import Unpack
    except ImportError:

        class Unpack:
            """Says nothing more than the options themselves."""

            def __class_getitem__(cls, options: Any) -> Any:
                return options


if TYPE_CHECKING:
    from typing_extensions import Buffer
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    Buffer = bytes | bytearray | memoryview  # those of many that have a name in common with all versions


class Array(Protocol):
    """An array of bytes: of NumPy, PyTorch, CuPy, Numba, JAX, or another one with their attributes."""

    @property
    def dtype(self) -> Any:
        """What its items are."""

    @property
    def shape(self) -> Any:
        """How many items it has in each dimension."""


class _CudaArray(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class _DlpackArray(Protocol):
    def __dlpack__(self) -> Any: ...


class _TorchStream(Protocol):
    @property
    def cuda_stream(self) -> int: ...


class _CupyStream(Protocol):
    @property
    def ptr(self) -> int: ...


class _CudaStream(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...


Data: TypeAlias = Buffer | Array | _CudaArray | _DlpackArray
Many: TypeAlias = Array | Sequence[Data]  # the rows of an array, or a list
Aads: TypeAlias = Buffer | Many | None  # one for all messages of a batch, or one for each
# NumPy's arrays lend their memory, which type checkers learn for Python 3.12 and newer only.
HostMemory: TypeAlias = Buffer | Array
Passphrase: TypeAlias = str | HostMemory
Path: TypeAlias = str | os.PathLike[str]
Stream: TypeAlias = int | _TorchStream | _CupyStream | _CudaStream


class BatchOptions(TypedDict, total=False):
    """Options of a batch that do not decide of what kind the answers are."""

    lengths: Sequence[int] | Array | None
    stream: Stream | None


ArrayT = TypeVar("ArrayT", bound=Array)
OutT = TypeVar("OutT", bound=Data)
