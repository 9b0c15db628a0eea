"""The one thing that is asked of the CUDA driver itself: to wait for all of a device's work.

Packages with a current stream wait for that. JAX has none that others could name, and its own waiting does
not look at the streams of others.
"""

import ctypes
from functools import cache
from typing import Any

_SUCCESS = 0


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")  # whoever has an array on a device has loaded it


def _call(name: str, *arguments: Any) -> None:
    result = getattr(_library(), name)(*arguments)
    if result != _SUCCESS:
        raise RuntimeError(f"CUDA's driver: {name} failed with error {result}")


@cache
def _context(device: int) -> ctypes.c_void_p:
    """The device's primary context, which CUDA's runtime uses as well; it is kept until the process ends."""
    number, context = ctypes.c_int(), ctypes.c_void_p()
    _call("cuDeviceGet", ctypes.byref(number), device)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
    return context


def wait_for_device(device: int) -> None:
    """Until everything that the device has been given is done. Raises RuntimeError if some of it failed."""
    _call("cuCtxPushCurrent_v2", _context(device))
    try:
        _call("cuCtxSynchronize")
    finally:
        _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
