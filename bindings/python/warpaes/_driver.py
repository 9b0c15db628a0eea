"""What is asked of the CUDA driver itself: to wait.

For all of a device's work, as JAX has no stream that others could name, and its own waiting does not look at
the streams of others. And for a stream, by C++ that has no Python's lock: to make an object of a package's
stream and to call that takes some microseconds of a short message.
"""

import ctypes
from functools import cache
from typing import Any

SUCCESS = 0
CAPTURED = frozenset((900, 901, 906))  # the results of waiting for a stream that is captured in a graph


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")  # whoever has an array on a device has loaded it


def _call(name: str, *arguments: Any) -> None:
    result = getattr(_library(), name)(*arguments)
    if result != SUCCESS:
        raise RuntimeError(f"CUDA's driver: {name} failed with error {result}")


@cache
def _context(device: int) -> ctypes.c_void_p:
    """The device's primary context, which CUDA's runtime uses as well; it is kept until the process ends."""
    number, context = ctypes.c_int(), ctypes.c_void_p()
    _call("cuDeviceGet", ctypes.byref(number), device)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
    return context


def address_of_stream_wait() -> int:
    """The address of cuStreamSynchronize(), for arrays.cpp; 0 if there is no driver that has it."""
    try:
        found = _library().cuStreamSynchronize
    except (OSError, AttributeError):
        return 0
    return ctypes.cast(found, ctypes.c_void_p).value or 0


def wait_for_device(device: int) -> None:
    """Waits until the device has done all that it was given. Raises RuntimeError if some of it failed."""
    _call("cuCtxPushCurrent_v2", _context(device))
    try:
        _call("cuCtxSynchronize")
    finally:
        _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
