"""Where the rows of an array are, and how far apart."""

import ctypes
from typing import Any

import numpy as np
import pytest

import warpaes
from tests.python import stand_in_for_torch
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


def test_rows_of_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an item of it, which a subclass may copy."""
    stand_in_for_torch.install(monkeypatch)
    given: Any = stand_in_for_torch.tensor(bytes(100), "cpu", 2, 50)
    given.shape, given.contiguous = (2, 40), False
    monkeypatch.setattr(given, "stride", lambda: (50, 1))
    memory, step = rows_of(given, "data", written=True)
    assert (memory.address, memory.shape, step, memory.owner) == (given.data_ptr(), (2, 40), 50, given)
    expected = gcm().encrypt_batch(NONCES[:2], np.zeros((2, 40), np.uint8)).check()
    assert bytes(gcm().encrypt_batch(NONCES[:2], given).check().data) == expected.data.tobytes()


class Lent:
    """An array of the host that is known by DLPack alone."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __dlpack__(self, **options: Any) -> Any:
        return self._data.__dlpack__(**options)


@pytest.mark.parametrize("tags", [None, "array", "list", "lent"])
@pytest.mark.parametrize("out", ["array", "lent"])
def test_rows_of_arrays_of_the_host_that_nobody_can_make(out: str, tags: str | None) -> None:
    rows = np.arange(160, dtype=np.uint8).reshape(4, 40)
    room, places = np.zeros((4, 40), np.uint8), np.zeros((4, 16), np.uint8)
    given = {None: None, "array": places, "list": list(places), "lent": Lent(places)}[tags]
    expected = gcm().encrypt_batch(NONCES, rows).check()
    into: Any = Lent(room) if out == "lent" else room
    batch = gcm().encrypt_batch(NONCES, Lent(rows), out=into, tags=given).check()
    assert batch.data is into
    assert np.array_equal(room, expected.data)
    found = [bytes(one) for one in (places if tags else batch.tags)]
    assert found == [bytes(one) for one in expected.tags]
    opened = np.zeros((4, 40), np.uint8)
    assert gcm().decrypt_batch(NONCES, Lent(room), tags=found, out=opened).check().data is opened
    assert np.array_equal(opened, rows)
    wrong = gcm().decrypt_batch(NONCES, Lent(room), tags=[*found[:3], bytes(16)], out=Lent(opened))
    assert wrong.failed() == [3]


@pytest.mark.parametrize(
    ("capsule", "says"),
    [(None, "returned None and no capsule"), (b"dltensor", "must be bytes-like or an array")],
)
def test_what_is_no_capsule_is_refused(capsule: Any, says: str) -> None:
    class Empty:
        def __dlpack__(self, **options: Any) -> Any:
            return capsule

    with pytest.raises(TypeError, match=says):
        gcm().encrypt(bytes(12), Empty(), out=bytearray(16))


def test_lists_of_arrays_of_the_host_that_nobody_can_make() -> None:
    rows = np.arange(160, dtype=np.uint8).reshape(4, 40)
    expected = gcm().encrypt_batch(NONCES, rows).check()
    data, out = [Lent(row) for row in rows], [bytearray(40) for _ in rows]
    batch = gcm().encrypt_batch(NONCES, data, out=out).check()
    assert [bytes(one) for one in out] == [bytes(one) for one in expected.data]
    assert batch.tags == [bytes(one) for one in expected.tags]
    for without in (data, Lent(rows)):
        with pytest.raises(TypeError, match=r"like Lent: pass out=, .* or a bytearray"):
            gcm().encrypt_batch(NONCES, without, tags=np.zeros((4, 16), np.uint8))


def test_of_rows_that_are_not_full_only_the_messages_count() -> None:
    """A row may be longer than a mode's messages, or than the rows of the answers."""
    nonces, rows = [bytes(13), bytes([1]) * 13], np.ones((2, 70_000), np.uint8)
    ccm, lengths = warpaes.AESCCM(bytes(16)), [65_535, 3]
    out = np.full((2, 65_535), 7, np.uint8)
    batch = ccm.encrypt_batch(nonces, rows, lengths=lengths, out=out).check()
    for n, length in enumerate(lengths):
        expected = ccm.encrypt(nonces[n], bytes(rows[n, :length]))
        assert batch.data[n, :length].tobytes() + batch.tags[n].tobytes() == expected
    assert set(out[1, 3:]) == {7}
    sealed = np.zeros((2, 70_000), np.uint8)
    sealed[:, :65_535] = out
    opened = ccm.decrypt_batch(nonces, sealed, tags=batch.tags, lengths=lengths, out=out).check()
    assert (opened.data[0].tobytes(), opened.data[1, :3].tobytes()) == (bytes([1]) * 65_535, b"\1\1\1")
    with pytest.raises(ValueError, match="out has rows of 10 bytes, and messages have up to 11"):
        gcm().encrypt_batch(NONCES[:2], rows, lengths=[11, 1], out=out[:, :10])
    with pytest.raises(ValueError, match="between 0 and the length of a row, 70000"):
        gcm().encrypt_batch(NONCES[:2], rows, lengths=[70_001, 1])
    for none in ([0, 0], np.zeros(2, int)):
        assert not gcm().encrypt_batch(NONCES[:2], rows, lengths=none).check().data.any()


def of_ctypes(data: bytes, count: int) -> Any:
    return (ctypes.c_ubyte * (len(data) // count) * count).from_buffer_copy(data)


@pytest.mark.parametrize("make", [of_ctypes, lambda data, n: memoryview(data).cast("B", (n, len(data) // n))])
def test_memory_of_two_dimensions_has_rows(make: Any) -> None:
    """It was one string for all messages, as additional data, and refused as all else."""
    data = np.arange(160, dtype=np.uint8).reshape(4, 40)
    aads = [bytes([n, 5, 7]) for n in range(4)]
    expected = gcm().encrypt_batch(NONCES, data, aads).check()
    nonces, strings = make(b"".join(NONCES), 4), make(b"".join(aads), 4)
    out, tags = make(bytearray(160), 4), make(bytearray(64), 4)
    batch = gcm().encrypt_batch(nonces, data, strings, out=out, tags=tags).check()
    assert batch.data is out
    assert (bytes(out), bytes(tags)) == (expected.data.tobytes(), expected.tags.tobytes())
    with pytest.raises(ValueError, match="aads has 2 rows, and there are 4 messages"):
        gcm().encrypt_batch(NONCES, data, make(bytes(80), 2))
    with pytest.raises(TypeError, match=r"answers are bytes and no rows: pass numpy.asarray\(data\)"):
        gcm().encrypt_batch(NONCES, make(bytes(160), 4))
    siv = warpaes.AESSIV(bytes(range(32)))
    listed = siv.encrypt_batch(data, [[one] for one in aads]).check()
    assert np.array_equal(siv.encrypt_batch(data, strings).check().data, listed.data)
    assert gcm().encrypt(NONCES[0], make(bytes(160), 4)) == gcm().encrypt(NONCES[0], bytes(160))
