"""Where the rows of an array are, and how far apart."""

from typing import Any

import numpy as np
import pytest

import warpaes
from warpaes._memory import memory_of, rows_of

NONCES = [bytes([number]) * 12 for number in range(4)]


def gcm() -> warpaes.AESGCM:
    return warpaes.AESGCM(bytes(16))


class Subclass(np.ndarray[Any, Any]):
    """What it says, and what its items are, is not what NumPy's functions find in its memory."""

    shape: Any = (7, 7)
    strides: Any = (1, 1)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(super().__getitem__(index)).copy()

    def view(self, *given: Any) -> Any:  # type: ignore[override]
        return np.asarray(self).copy().view(*given)


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_rows_of_a_subclass_are_where_its_memory_is(kind: str) -> None:
    frames, out = np.arange(200, dtype=kind).reshape(4, 50), np.zeros((4, 50), dtype=kind)
    given = np.ndarray.view(frames[:, :40], Subclass)
    memory, step = rows_of(given, "data")
    assert (memory.address, memory.shape, step) == (frames.ctypes.data, (4, 40), 50)
    expected = gcm().encrypt_batch(NONCES, frames[:, :40].copy()).check().data
    assert np.array_equal(gcm().encrypt_batch(NONCES, given).check().data, expected)
    gcm().encrypt_batch(NONCES, given, out=np.ndarray.view(out[:, :40], Subclass)).check()
    assert np.array_equal(out[:, :40].view("uint8"), expected)
    assert not out[:, 40:].any()
    assert memory_of(np.ndarray.view(frames, Subclass), "data").shape == (4, 50)
    with pytest.raises(ValueError, match="contiguous"):
        memory_of(given, "data")


@pytest.mark.parametrize("make", ["dlpack", "interface"])
def test_rows_of_an_unknown_array_are_where_its_memory_is(make: str) -> None:
    """Whatever its items are."""

    class Copying:
        shape, strides = (3, 40), (50, 1)

        def __init__(self) -> None:
            self._data = np.zeros((3, 50), dtype=np.uint8)
            if make == "interface":
                place = {"data": (0x7F0000000000, False), "version": 3, "typestr": "|u1"}
                self.__cuda_array_interface__ = place | {"shape": self.shape, "strides": self.strides}

        def __getitem__(self, index: Any) -> Any:
            return self._data[:, :40][index].copy()

        def __dlpack__(self, **options: Any) -> Any:
            return self._data[:, :40].__dlpack__(**options)

    given = Copying()
    address = 0x7F0000000000 if make == "interface" else given._data.ctypes.data
    memory, step = rows_of(given, "data")
    assert (memory.address, tuple(memory.shape), step) == (address, (3, 40), 50)
