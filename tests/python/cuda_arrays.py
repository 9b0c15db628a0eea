"""Arrays in the memory of a CUDA device, made with nothing but the driver.

Without a GPU the device is make-believe: its memory is the host's, and what the package hands to the C
library's device calls goes to the host calls instead. So all that Python does for a device is tested
everywhere.
"""

import contextlib
import ctypes
import math
from typing import Any

from warpaes import InvalidTag, _native
from warpaes._kinds import Kind

AUTHENTICATION = 100


class Driver:
    """The CUDA driver, with its first device's primary context, which the library uses as well."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        count, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGetCount", ctypes.byref(count))
        if count.value == 0:
            raise OSError("no CUDA device")
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name: str, *arguments: Any) -> None:
        result = getattr(self._library, name)(*arguments)
        if result != 0:
            raise OSError(f"{name}: error {result}")

    def allocate(self, length: int) -> int:
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(length, 1)))
        return address.value

    def free(self, address: int) -> None:
        self._call("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address: int, data: bytes) -> None:
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def read(self, address: int, length: int) -> bytes:
        """Waits for the device."""
        into = ctypes.create_string_buffer(length)
        self._call("cuCtxSynchronize")
        self._call("cuMemcpyDtoH_v2", into, ctypes.c_uint64(address), ctypes.c_size_t(length))
        return into.raw

    def new_stream(self) -> int:
        stream = ctypes.c_void_p()
        self._call("cuStreamCreate", ctypes.byref(stream), 1)  # does not wait for the default stream
        return stream.value or 0


class MakeBelieve:
    """A device whose memory is the host's."""

    def __init__(self) -> None:
        self._memory: dict[int, Any] = {}

    def allocate(self, length: int) -> int:
        memory = ctypes.create_string_buffer(max(length, 1))
        self._memory[ctypes.addressof(memory)] = memory
        return ctypes.addressof(memory)

    def free(self, address: int) -> None:
        del self._memory[address]

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(address, data, len(data))

    def read(self, address: int, length: int) -> bytes:
        return ctypes.string_at(address, length)

    def new_stream(self) -> int:
        return 77


def the_device() -> Driver | MakeBelieve:
    with contextlib.suppress(OSError):
        return Driver()
    return MakeBelieve()


DEVICE = the_device()


class CudaArray:
    """Bytes, or numbers of 32 bits, on device 0."""

    def __init__(self, shape: tuple[int, ...], data: bytes = b"", itemsize: int = 1) -> None:
        self.length = math.prod(shape) * itemsize
        self.address = DEVICE.allocate(self.length)
        if data:
            DEVICE.write(self.address, data)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": "|u1" if itemsize == 1 else "<i4",
            "data": (self.address, False),
            "version": 3,
        }

    def __bytes__(self) -> bytes:
        """Waits for the device."""
        return DEVICE.read(self.address, self.length) if self.length else b""

    def __del__(self) -> None:
        DEVICE.free(self.address)


class CudaKind(Kind):
    """How the package makes more of them."""

    name = "cuda of the tests"

    def empty(self, like: Any, shape: tuple[int, ...]) -> Any:
        del like
        return CudaArray(shape)

    def statuses(self, like: Any, count: int) -> Any:
        del like
        return CudaArray((count,), b"\xff" * 4 * count, itemsize=4)

    def from_host(self, like: Any, data: bytes) -> Any:
        del like
        return CudaArray((len(data),), data)

    def read_statuses(self, statuses: Any) -> list[int]:
        return list(memoryview(bytes(statuses)).cast("i"))


def batch_on_host(key: _native.Key, direction: int, batch: _native.Batch) -> None:
    """In place of the device call, for make-believe devices."""
    assert batch.workspace
    assert batch.workspace_size == 64
    _native.batch_on_host(key, direction, batch)


def message_on_host(key: _native.Key, direction: int, nonce: Any, message: _native.DeviceMessage) -> None:
    """In place of the device call, for make-believe devices."""
    assert message.workspace
    strings = [ctypes.string_at(*region) for region in message.aad]
    aad = strings if message.strings else strings[0] if strings else None
    text = ctypes.string_at(message.input, message.length)
    if direction == 0:
        sealed = key.encrypt(nonce, text, aad)
        tag, text = (sealed[:16], sealed[16:]) if message.strings else (sealed[-16:], sealed[:-16])
        ctypes.memmove(message.tag, tag, 16)
    else:
        tag, status = ctypes.string_at(message.tag, 16), 0
        try:
            text = key.decrypt(nonce, tag + text if message.strings else text + tag, aad)
        except InvalidTag:
            text, status = bytes(message.length), AUTHENTICATION
        ctypes.memmove(message.status, status.to_bytes(4, "little"), 4)
    ctypes.memmove(message.output, text, len(text))
