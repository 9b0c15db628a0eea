"""JAX with one device, as far as warpaes asks for it: arrays that are not there at once, and no stream."""

import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.python.cuda_arrays import DEVICE, CudaArray
from warpaes import _kinds


class Device:
    platform = "gpu"
    local_hardware_id = 0
    waited = 0  # for all of its work


class Array(CudaArray):
    """What is computed is written only when somebody waits for it, so that who does not finds other bytes."""

    __module__ = "jaxlib._jax"
    device = Device()

    def __init__(self, shape: tuple[int, ...], data: bytes, itemsize: int = 1) -> None:
        super().__init__(shape, b"\xee" * len(data), itemsize)
        self.shape = shape
        self._later: bytes | None = data

    def devices(self) -> set[Device]:
        return {self.device}

    def block_until_ready(self) -> "Array":
        if self._later:
            DEVICE.write(self.address, self._later)
        self._later = None
        return self

    def unsafe_buffer_pointer(self) -> int:
        return self.address

    def __bytes__(self) -> bytes:
        self.block_until_ready()
        return super().__bytes__()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        del copy
        kind = np.int32 if self.__cuda_array_interface__["typestr"] == "<i4" else np.uint8
        return np.frombuffer(bytes(self), dtype=dtype or kind).reshape(self.shape)


def full(shape: tuple[int, ...], value: int, *, dtype: str, device: Device) -> Array:
    assert device is Array.device
    item = np.full(1, value, dtype=dtype)
    return Array(shape, item.tobytes() * math.prod(shape), item.itemsize)


def device_put(given: Any, device: Device) -> Any:
    assert device is Array.device
    return given if isinstance(given, Array) else Array(given.shape, given.tobytes())


def install(monkeypatch: pytest.MonkeyPatch) -> type[Device]:
    jax: Any = ModuleType("jax")
    jax.numpy = ModuleType("jax.numpy")
    jax.numpy.full, jax.device_put = full, device_put
    monkeypatch.setitem(sys.modules, "jax", jax)

    def wait(number: int) -> None:
        assert number == Device.local_hardware_id
        Device.waited += 1
        DEVICE.wait()

    monkeypatch.setattr(_kinds, "wait_for_device", wait)
    Device.waited = 0
    return Device
