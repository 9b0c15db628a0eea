"""What PyTorch and CuPy offer to those who call them for every short message; arrays.cpp does the calling.

Some of it is not public, though PyTorch's own compiled code calls it as well. Where it is missing or is not
as expected, arrays go the general way (_arrays.py), which takes some microseconds more and does the same.
"""

import contextlib
import ctypes
import sys
from collections.abc import Callable
from typing import Any

from warpaes import _driver, _native
from warpaes._errors import Error, exception_of
from warpaes._kinds import UNKNOWN, Kind

# By the type of arrays that lie on a device; None for those that have no short way.
SHORT_WAYS: dict[type, _native.DeviceArrays | None] = {}
_native.find_ways_in(SHORT_WAYS)


def learn(given: Any, kind: Kind) -> None:
    """given: an array on a device, the first one of its type."""
    made = _MAKERS.get(kind.name)
    package = None if made is None else made(given)
    SHORT_WAYS[type(given)] = None if package is None else _native.DeviceArrays(kind.name == "torch", package)


def require_genuine(status: int) -> None:
    """Raises what the device's status of a message means, unless that is in order."""
    if status != 0:
        raise exception_of(status, "", f"the device reported status {status}")


NOT_WAITED = -1  # in place of the driver's result


class Verdict:
    """What a device says of one message, in page-locked memory, where the host finds it without a copy."""

    def __init__(self, memory: Any, address: int) -> None:
        self._memory = memory
        self.address = address
        self.value = ctypes.c_int32.from_address(address)


class Verdicts:
    """Memory for verdicts, kept between calls: a call on another thread takes another one.

    One that a device may still write to is never used again, lest another message count as genuine by it.
    """

    def __init__(self, page_locked: Callable[[], tuple[Any, int]], wait: Callable[[int], None]) -> None:
        """page_locked: () -> 4 bytes, their address; wait: (device), for the current stream's work.

        The driver waits for it as a rule, while another thread may have Python's lock. The package waits
        where that was not possible, as on a thread without a context of CUDA's, and tells an error by its
        own exception.
        """
        self._page_locked, self._wait = page_locked, wait
        self._made: list[Verdict] = []
        self._idle: list[Verdict] = []

    def take(self) -> Verdict:
        try:  # to look first would let another thread take the last one in between
            taken = self._idle.pop()
        except IndexError:
            taken = Verdict(*self._page_locked())
            self._made.append(taken)
        taken.value.value = UNKNOWN
        return taken

    def put_back(self, taken: Verdict, device: int) -> None:
        """After a call that did not start all that it wanted to."""
        with contextlib.suppress(Exception):  # that call's exception says what is wrong
            self._wait(device)
            self._idle.append(taken)

    def require_genuine(self, taken: Verdict, device: int, waited: int) -> None:
        """waited: what the driver said when it waited for the stream, or NOT_WAITED."""
        if waited != _driver.SUCCESS:
            if waited in _driver.CAPTURED:
                raise Error(
                    "decrypt() waits for its stream to learn whether the tag is right, and a stream that "
                    "a CUDA graph captures cannot be waited for: capture decrypt_batch(), which does not wait"
                )
            self._wait(device)
        status = taken.value.value
        if status != UNKNOWN:
            self._idle.append(taken)
        require_genuine(status)


def _verdicts_of_torch() -> Verdicts:
    torch = sys.modules["torch"]

    def page_locked() -> tuple[Any, int]:
        made = torch.empty(1, dtype=torch.int32, device="cpu", pin_memory=True)
        return made, made.data_ptr()

    return Verdicts(page_locked, lambda device: torch.cuda.current_stream(device).synchronize())


def _verdicts_of_cupy() -> Verdicts:
    cupy = sys.modules["cupy"]

    def page_locked() -> tuple[Any, int]:
        made = cupy.cuda.alloc_pinned_memory(4)
        return made, made.ptr

    return Verdicts(page_locked, lambda device: cupy.cuda.get_current_stream(device).synchronize())


_VERDICTS_OF: dict[str, Callable[[], Verdicts]] = {"torch": _verdicts_of_torch, "cupy": _verdicts_of_cupy}
VERDICTS: dict[str, Verdicts] = {}  # by the package, when a message has needed one


def _verdicts(package: str) -> Verdicts:
    found = VERDICTS.get(package)
    return VERDICTS.setdefault(package, _VERDICTS_OF[package]()) if found is None else found


def verdicts_of(package: str) -> Verdicts | None:
    """None: it is not one of those that are asked for page-locked memory."""
    return _verdicts(package) if package in _VERDICTS_OF else None


def _of_both(package: str) -> dict[str, Any]:
    verdicts = _verdicts(package)
    return {
        "release": None,
        "empty": None,
        "take_verdict": verdicts.take,
        "put_verdict_back": verdicts.put_back,
        "require_genuine": verdicts.require_genuine,
        "wait": _driver.address_of_stream_wait(),
    }


def _of_torch(given: Any) -> dict[str, Any] | None:
    torch = sys.modules["torch"]
    if type(given) is not torch.Tensor:
        return None

    try:
        package = {
            **_of_both("torch"),
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


def _of_cupy(given: Any) -> dict[str, Any] | None:
    cupy = sys.modules["cupy"]
    if type(given) is not cupy.ndarray:
        return None

    return {
        **_of_both("cupy"),
        "type": cupy.ndarray,
        "uint8": sys.modules["numpy"].dtype("uint8"),
        "current_device": cupy.cuda.runtime.getDevice,
        "current_stream": cupy.cuda.get_current_stream,
        "allocate": cupy.cuda.alloc,
    }


_MAKERS: dict[str, Callable[[Any], dict[str, Any] | None]] = {"torch": _of_torch, "cupy": _of_cupy}
