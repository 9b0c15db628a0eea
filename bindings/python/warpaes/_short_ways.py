"""What PyTorch and CuPy offer to those who call them for every short message; arrays.cpp does the calling.

Some of it is not public, though PyTorch's own compiled code calls it as well. Where it is missing or is not
as expected, arrays go the general way (_arrays.py), which takes some microseconds more and does the same.
"""

import sys
from collections.abc import Callable
from typing import Any

from warpaes import _native
from warpaes._errors import exception_of
from warpaes._kinds import Kind

# By the type of arrays that lie on a device; None for those that have no short way.
SHORT_WAYS: dict[type, _native.DeviceArrays | None] = {}


def learn(given: Any, kind: Kind) -> None:
    """given: an array on a device, the first one of its type."""
    made = _MAKERS.get(kind.name)
    package = None if made is None else made(given, kind)
    SHORT_WAYS[type(given)] = None if package is None else _native.DeviceArrays(kind.name == "torch", package)


def require_genuine(status: int) -> None:
    """What the device says of a message."""
    if status != 0:
        raise exception_of(status, "", f"the device reported status {status}")


def _of_both(kind: Kind) -> dict[str, Any]:
    return {
        "release": None,
        "empty": None,
        "statuses": kind.statuses,
        "require_success": lambda statuses: require_genuine(kind.read_statuses(statuses)[0]),
    }


def _of_torch(given: Any, kind: Kind) -> dict[str, Any] | None:
    torch = sys.modules["torch"]
    if type(given) is not torch.Tensor:
        return None
    try:
        package = {
            **_of_both(kind),
            "type": torch.Tensor,
            "uint8": torch.uint8,
            "current_device": torch._C._cuda_getDevice,
            "current_stream": torch._C._cuda_getCurrentRawStream,
            "allocate": torch._C._cuda_cudaCachingAllocator_raw_alloc,
            "release": torch._C._cuda_cudaCachingAllocator_raw_delete,
            "empty": torch._C._dynamo.guards._empty_strided_cuda,
        }
        return package if _works(package) else None
    except (AttributeError, TypeError):
        return None


def _works(package: dict[str, Any]) -> bool:
    """Are the functions that are not public what they are taken for?"""
    device = package["current_device"]()
    address = package["allocate"](16, package["current_stream"](device))
    if not address:
        return False
    package["release"](address)
    made = package["empty"]((3,), (1,), package["uint8"])
    described = (type(made), made.dtype, tuple(made.shape), made.is_cuda, made.get_device())
    return described == (package["type"], package["uint8"], (3,), True, device)


def _of_cupy(given: Any, kind: Kind) -> dict[str, Any] | None:
    cupy = sys.modules["cupy"]
    if type(given) is not cupy.ndarray:
        return None
    return {
        **_of_both(kind),
        "type": cupy.ndarray,
        "uint8": sys.modules["numpy"].dtype("uint8"),
        "current_device": cupy.cuda.runtime.getDevice,
        "current_stream": cupy.cuda.get_current_stream,
        "allocate": cupy.cuda.alloc,
    }


_MAKERS: dict[str, Callable[[Any, Kind], dict[str, Any] | None]] = {"torch": _of_torch, "cupy": _of_cupy}
