"""Arrays in, arrays of the same kind out. There is no GPU here: device arrays are made up, and what is tested
is how far they come, which is the call of the C library."""

import ctypes
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpaes
from tests.python.dlpack import Description
from warpaes import _memory
from warpaes._memory import memory_of, stream_number

NONCE = bytes(range(12))
KEY = bytes(range(16))

without_gpu = pytest.mark.skipif(bool(warpaes.devices()), reason="made-up addresses must not reach a GPU")


def gcm() -> warpaes.AESGCM:
    return warpaes.AESGCM(KEY)


def test_numpy_in_numpy_out() -> None:
    data = np.arange(1000, dtype=np.uint8)
    sealed = gcm().encrypt(NONCE, data, b"aad")
    assert isinstance(sealed, np.ndarray)
    assert (sealed.dtype, sealed.shape) == (np.dtype(np.uint8), (1016,))
    assert sealed.tobytes() == gcm().encrypt(NONCE, data.tobytes(), b"aad")
    opened = gcm().decrypt(NONCE, sealed, b"aad")
    assert isinstance(opened, np.ndarray)
    assert np.array_equal(opened, data)


def test_out_is_what_comes_back() -> None:
    data, out = np.zeros(100, dtype=np.uint8), np.empty(116, dtype=np.uint8)
    assert gcm().encrypt(NONCE, data, out=out) is out
    assert gcm().encrypt_into(NONCE, data, None, out) == 116
    assert gcm().decrypt_into(NONCE, out, None, data) == 100
    assert gcm().decrypt(NONCE, out, out=data) is data
    assert warpaes.AESSIV(bytes(32)).encrypt(data, out=out) is out


def test_nothing_is_copied() -> None:
    data = np.zeros(100, dtype=np.uint8)
    assert memory_of(data, "data").address == data.ctypes.data
    assert memory_of(FakeDlpack(data), "data").address == data.ctypes.data


@pytest.mark.parametrize("kind", ["int8", "bool", "S1"])
def test_items_of_one_byte_are_bytes(kind: str) -> None:
    data = np.zeros(100, dtype=kind)
    assert gcm().encrypt(NONCE, data).tobytes() == gcm().encrypt(NONCE, bytes(100))


def test_bytes_of_numpy_are_bytes() -> None:
    """An array of it would have items of three bytes."""
    sealed = gcm().encrypt(NONCE, np.bytes_(b"abc"), np.bytes_(b"aad"))
    assert sealed == gcm().encrypt(NONCE, b"abc", b"aad")
    assert gcm().encrypt_batch([NONCE], [np.bytes_(b"abc")], np.bytes_(b"aad")).check().data == [sealed[:3]]


def test_a_plane_of_many_rows_is_one_message() -> None:
    data = np.arange(100, dtype=np.uint8).reshape(10, 10)
    assert gcm().encrypt(NONCE, data).tobytes() == gcm().encrypt(NONCE, data.tobytes())


def test_an_unknown_array_of_the_host_needs_room_for_the_answer() -> None:
    data, out = np.arange(100, dtype=np.uint8), bytearray(116)
    assert gcm().encrypt(NONCE, FakeDlpack(data), out=out) is out
    assert out == gcm().encrypt(NONCE, data.tobytes())
    with pytest.raises(TypeError, match=r"an array like FakeDlpack: pass out="):
        gcm().encrypt(NONCE, FakeDlpack(data))


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, BufferError, RuntimeError, ValueError])
def test_what_is_raised_where_an_array_is_lent_arrives(error: type[BaseException]) -> None:
    class Refusing(FakeDlpack):
        calls = 0

        def __dlpack__(self, **options: Any) -> Any:
            self.calls += 1
            raise error("planted")

    data = Refusing(np.arange(100, dtype=np.uint8))
    with pytest.raises(error, match="planted"):
        gcm().encrypt(NONCE, data, out=bytearray(116))
    assert data.calls == 1


@pytest.mark.parametrize("versions", [False, True])
def test_an_array_is_lent_by_one_call(versions: bool) -> None:
    """An object from before DLPack had versions refuses the argument, and is called without it."""

    class Counting(FakeDlpack):
        calls = 0

        def __dlpack__(self, **options: Any) -> Any:
            if options and not versions:
                raise TypeError("no such argument")
            self.calls += 1
            return super().__dlpack__(**options)

    data, out = np.arange(100, dtype=np.uint8), Counting(np.zeros(116, np.uint8))
    assert gcm().encrypt(NONCE, data, out=out) is out
    assert out._data.tobytes() == gcm().encrypt(NONCE, data.tobytes())
    assert out.calls == 1


class FakeDlpack:
    """An array of the host that speaks DLPack and nothing else."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __dlpack__(self, **options: Any) -> Any:
        return self._data.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._data.__dlpack_device__()


class DlTensor(Description):
    """DLManagedTensor of DLPack 0.x, which begins with the description."""

    _fields_ = (("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class DeviceDlpack:
    """What says through DLPack that it lies on a device."""

    def __init__(self, length: int, device_type: int = 2, bits: int = 8) -> None:
        self._shape = (ctypes.c_int64 * 1)(length)
        self._tensor = DlTensor(0x7F0000000000, device_type, 0, 1, 1, bits, 1, self._shape)

    def __dlpack__(self, **options: Any) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self._tensor), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self._tensor.device_type, 0)


class DeviceArray:
    """What says through __cuda_array_interface__ that it lies on a device."""

    def __init__(self, *shape: int, **changes: Any) -> None:
        self.__cuda_array_interface__: dict[str, Any] = {
            "shape": shape,
            "typestr": "|u1",
            "data": (0x7F0000000000, False),
            "version": 3,
        }
        self.__cuda_array_interface__ |= changes


@without_gpu
@pytest.mark.parametrize("make", [DeviceArray, DeviceDlpack])
def test_device_arrays_come_to_the_library(make: Callable[[int], Any]) -> None:
    """Which has no engine for them here, and says so."""
    for call in (gcm().encrypt, gcm().decrypt):
        with pytest.raises(warpaes.Error) as caught:
            call(NONCE, make(100), out=make(116), stream=7)
        assert caught.value.name == "WARPAES_ERROR_UNSUPPORTED"
    with pytest.raises(warpaes.Error):
        gcm().encrypt_into(NONCE, make(100), None, make(116))
    with pytest.raises(warpaes.Error):
        warpaes.AESSIV(bytes(32)).encrypt(make(100), out=make(116))


@without_gpu
def test_batches_of_device_arrays_come_to_the_library() -> None:
    with pytest.raises(warpaes.Error) as caught:
        gcm().encrypt_batch(DeviceArray(3, 12), DeviceArray(3, 100))
    assert caught.value.name == "WARPAES_ERROR_UNSUPPORTED"


def test_interfaces_are_read_as_they_are_meant() -> None:
    memory = memory_of(DeviceArray(4, 5, strides=(5, 1), stream=9), "data")
    assert (memory.address, memory.shape, memory.length) == (0x7F0000000000, (4, 5), 20)
    assert (memory.device, memory.stream, memory.readonly) == (0, 9, False)
    assert memory_of(DeviceDlpack(77), "data").device == 0
    assert memory_of(DeviceDlpack(77), "data").shape == (77,)


class Stream:
    """Of PyTorch, CuPy and cuda.core."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__ |= attributes


class CoreStream:
    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, 77)


@pytest.mark.parametrize("stream", [77, Stream(cuda_stream=77), Stream(ptr=77), CoreStream()])
def test_streams(stream: Any) -> None:
    assert stream_number(stream) == 77
    assert stream_number(None) is None


def elsewhere() -> object:
    array = DeviceArray(10)
    array.device = Stream(id=3)  # type: ignore[attr-defined]
    return gcm().encrypt(NONCE, array)


def read_only() -> Any:
    array = np.zeros(116, dtype=np.uint8)
    array.flags.writeable = False
    return array


def zeros(*shape: int, kind: str = "uint8") -> Any:
    return np.zeros(shape, dtype=kind)


MISUSE: list[tuple[str, type[Exception], str, Callable[[], object]]] = [
    ("floats", TypeError, "view('uint8')", lambda: gcm().encrypt(NONCE, zeros(9, kind="float32"))),
    ("words", TypeError, "view('uint8')", lambda: gcm().encrypt(NONCE, zeros(9, kind="int64"))),
    ("gaps", ValueError, "not contiguous", lambda: gcm().encrypt(NONCE, zeros(99)[::2])),
    ("columns", ValueError, "not contiguous", lambda: gcm().encrypt(NONCE, zeros(9, 9).T[:, 1:])),
    ("read-only out", TypeError, "read-only", lambda: gcm().encrypt(NONCE, zeros(100), out=read_only())),
    (
        "read-only dlpack",
        TypeError,
        "read-only",
        lambda: gcm().encrypt(NONCE, b"", out=FakeDlpack(read_only())),
    ),
    (
        "gaps in out",
        ValueError,
        "not contiguous",
        lambda: gcm().encrypt(NONCE, zeros(100), out=zeros(232)[::2]),
    ),
    (
        "short out",
        ValueError,
        "out must have exactly 116",
        lambda: gcm().encrypt(NONCE, zeros(100), out=zeros(9)),
    ),
    (
        "short bytes",
        ValueError,
        "out must have exactly 19",
        lambda: gcm().encrypt(NONCE, b"abc", out=bytearray(2)),
    ),
    (
        "short buf",
        ValueError,
        "buf must have exactly 116",
        lambda: gcm().encrypt_into(NONCE, zeros(100), None, zeros(9)),
    ),
    (
        "read-only buf",
        TypeError,
        "buf is read-only",
        lambda: gcm().encrypt_into(NONCE, zeros(100), None, read_only()),
    ),
    ("long out", ValueError, "exactly 116", lambda: gcm().encrypt(NONCE, zeros(100), out=zeros(117))),
    ("masked", ValueError, "masked", lambda: gcm().encrypt(NONCE, np.ma.zeros(100, dtype="uint8"))),
    ("object", TypeError, "__dlpack__", lambda: gcm().encrypt(NONCE, object())),
    ("device out", ValueError, "same place", lambda: gcm().encrypt(NONCE, zeros(100), out=DeviceArray(116))),
    ("other device", ValueError, "Context(device=3)", elsewhere),
    ("device floats", TypeError, "<f4", lambda: gcm().encrypt(NONCE, DeviceArray(9, typestr="<f4"))),
    ("device gaps", ValueError, "contiguous", lambda: gcm().encrypt(NONCE, DeviceArray(9, strides=(2,)))),
    ("mask", ValueError, "masked", lambda: gcm().encrypt(NONCE, DeviceArray(9, mask=DeviceArray(9)))),
    (
        "dlpack floats",
        TypeError,
        "array of items of 32 bits",
        lambda: gcm().encrypt(NONCE, DeviceDlpack(9, bits=32)),
    ),
    (
        "other maker",
        TypeError,
        "none of CUDA's",
        lambda: gcm().encrypt(NONCE, DeviceDlpack(9, device_type=8)),
    ),
    ("stream", TypeError, "stream", lambda: gcm().encrypt(NONCE, DeviceArray(9), stream="7")),
    ("stream on host", ValueError, "stream", lambda: gcm().encrypt(NONCE, zeros(9), stream=7)),
]


@pytest.mark.parametrize(
    ("error", "says", "call"), [row[1:] for row in MISUSE], ids=[row[0] for row in MISUSE]
)
def test_says_what_is_wrong(error: type[Exception], says: str, call: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        "no dictionary",
        None,
        {"data": None},
        {"data": (1 << 40,)},
        {"data": ("address", False)},
        {"data": (-1, False)},
        {"typestr": 1},
        {"shape": 5},
        {"shape": (5.5,)},
        {"shape": (-5,)},
        {"strides": (1, 1)},
        {"strides": 1},
        {"stream": "default"},
    ],
)
def test_says_that_an_interface_is_malformed(changes: Any) -> None:
    data = DeviceArray(9)
    if isinstance(changes, dict):
        data.__cuda_array_interface__ |= changes
    else:
        data.__cuda_array_interface__ = {} if changes is None else changes
    with pytest.raises(TypeError, match=r"data has a __cuda_array_interface__ that is not as version 3"):
        gcm().encrypt(NONCE, data)


def test_a_wrong_message_leaves_no_plaintext() -> None:
    sealed, opened = gcm().encrypt(NONCE, np.ones(50, dtype=np.uint8)), np.ones(50, dtype=np.uint8)
    sealed[3] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        gcm().decrypt(NONCE, sealed, out=opened)
    assert not opened.any()


@pytest.mark.parametrize("base", [np.ndarray, bytes, bytearray])
def test_types_of_others_are_not_kept(base: Any) -> None:
    """Each of them would stay with all that it has."""

    def dropped() -> Any:
        kind: Any = type("Kind", (base,), {})
        given = np.zeros(3, dtype="uint8").view(kind) if base is np.ndarray else kind(bytes(3))
        gcm().encrypt(bytes(12), given)
        return weakref.ref(kind)

    kept = dropped()
    gc.collect()
    assert kept() is None


def test_contiguity() -> None:
    assert _memory._contiguous((3, 4), (4, 1), 1)
    assert _memory._contiguous((1, 4), (99, 1), 1)  # the step of an axis of one does not matter
    assert _memory._contiguous((0, 4), (99, 7), 1)
    assert not _memory._contiguous((3, 4), (5, 1), 1)
