"""Many messages in a call give what they give one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

import warpaes
from tests.python import stand_in_for_torch

KEY = bytes(range(32))
SIV_KEY = bytes(range(64))
CLASSES: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


def nonces_of(count: int, length: int = 12) -> list[bytes]:
    return [number.to_bytes(length, "big") for number in range(count)]


def one_by_one(cipher: Any, nonces: list[bytes], texts: list[bytes], aads: list[bytes]) -> list[bytes]:
    return [cipher.encrypt(*message) for message in zip(nonces, texts, aads, strict=True)]


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(texts=st.lists(st.binary(max_size=300), min_size=1, max_size=20), data=st.data())
def test_lists(kind: Any, texts: list[bytes], data: st.DataObject) -> None:
    cipher = kind(KEY)
    nonces = nonces_of(len(texts))
    aads = data.draw(st.lists(st.binary(max_size=40), min_size=len(texts), max_size=len(texts)))
    batch = cipher.encrypt_batch(nonces, texts, aads).check()
    joined = [text + tag for text, tag in zip(batch.data, batch.tags, strict=True)]
    assert joined == one_by_one(cipher, nonces, texts, aads)
    assert all(type(one) is bytes for one in batch.data)
    assert cipher.decrypt_batch(nonces, batch.data, aads, tags=batch.tags).check().data == texts


@pytest.mark.parametrize("kind", CLASSES)
def test_rows_of_an_array(kind: Any) -> None:
    cipher = kind(KEY)
    random = np.random.default_rng(1)
    data = random.integers(0, 256, (50, 333), dtype=np.uint8)
    aads = random.integers(0, 256, (50, 13), dtype=np.uint8)
    nonces = random.integers(0, 256, (50, 12), dtype=np.uint8)
    batch = cipher.encrypt_batch(nonces, data, aads).check()
    assert batch.data.shape == (50, 333)
    assert batch.tags.shape == (50, 16)
    for row in range(50):
        expected = cipher.encrypt(nonces[row].tobytes(), data[row].tobytes(), aads[row].tobytes())
        assert batch.data[row].tobytes() + batch.tags[row].tobytes() == expected
    again = cipher.decrypt_batch(nonces, batch.data, aads, tags=batch.tags).check()
    assert np.array_equal(again.data, data)


def test_rows_that_are_not_full() -> None:
    cipher = warpaes.AESGCM(KEY)
    data = np.arange(40, dtype=np.uint8).reshape(4, 10)
    out, tags = np.full((4, 10), 7, dtype=np.uint8), np.empty((4, 16), dtype=np.uint8)
    lengths = [0, 1, 5, 10]
    batch = cipher.encrypt_batch(nonces_of(4), data, b"for all", lengths=lengths, out=out, tags=tags).check()
    assert batch.data is out
    assert batch.tags is tags
    for row, length in enumerate(lengths):
        expected = cipher.encrypt(nonces_of(4)[row], data[row, :length].tobytes(), b"for all")
        assert out[row, :length].tobytes() + tags[row].tobytes() == expected
        assert out[row, length:].tobytes() == bytes([7] * (10 - length))


def test_in_place() -> None:
    cipher = warpaes.AESGCM(KEY)
    data = np.arange(64, dtype=np.uint8).reshape(4, 16)
    before = data.copy()
    batch = cipher.encrypt_batch(nonces_of(4), data, out=data)
    assert batch.data is data
    assert not np.array_equal(data, before)
    cipher.decrypt_batch(nonces_of(4), data, tags=batch.tags, out=data).check()
    assert np.array_equal(data, before)


def test_a_wrong_message_is_named_and_the_others_are_there() -> None:
    cipher = warpaes.AESGCM(KEY)
    texts = [bytes([number]) * 20 for number in range(6)]
    batch = cipher.encrypt_batch(nonces_of(6), texts)
    tags = list(batch.tags)
    tags[2], tags[5] = bytes(16), bytes(16)
    opened = cipher.decrypt_batch(nonces_of(6), batch.data, tags=tags)
    assert opened.failed() == [2, 5]
    assert opened.data == [bytes(20) if n in (2, 5) else text for n, text in enumerate(texts)]
    with pytest.raises(warpaes.InvalidTag, match="2 of 6 messages failed: number 2, 5") as caught:
        opened.check()
    assert caught.value.messages == [2, 5]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", CLASSES)
def test_frames(kind: Any) -> None:
    """Nonce, message and tag of each are together, and nothing is copied."""
    cipher, random = kind(KEY), np.random.default_rng(2)
    frames = random.integers(0, 256, (5, 12 + 100 + 16 + 3), dtype=np.uint8)
    before = frames.copy()
    nonces, data, tags = frames[:, :12], frames[:, 12:112], frames[:, 112:128]
    batch = cipher.encrypt_batch(nonces, data, out=data, tags=tags).check()
    assert batch.data is data
    for row in range(5):
        sealed = cipher.encrypt(before[row, :12].tobytes(), before[row, 12:112].tobytes())
        assert frames[row, 12:128].tobytes() == sealed
    assert np.array_equal(frames[:, 128:], before[:, 128:])
    assert np.array_equal(cipher.decrypt_batch(nonces, data, tags=tags).check().data, before[:, 12:112])


@pytest.mark.parametrize("shape", [(2, 3, 5, 40), (1, 6, 40), (6, 1, 40), (3, 2, 0)])
def test_more_dimensions(shape: tuple[int, ...]) -> None:
    cipher, random = warpaes.AESGCM(KEY), np.random.default_rng(3)
    data = random.integers(0, 256, shape, dtype=np.uint8)
    nonces = random.integers(0, 256, (*shape[:-1], 12), dtype=np.uint8)
    batch = cipher.encrypt_batch(nonces, data).check()
    assert batch.data.shape == shape
    assert batch.tags.shape == (*shape[:-1], 16)
    for at in np.ndindex(shape[:-1]):
        sealed = cipher.encrypt(nonces[at].tobytes(), data[at].tobytes())
        assert batch.data[at].tobytes() + batch.tags[at].tobytes() == sealed
    lengths = random.integers(0, shape[-1] + 1, shape[:-1])
    ragged = cipher.encrypt_batch(nonces, data, lengths=lengths).check()
    again = cipher.decrypt_batch(nonces, ragged.data, tags=ragged.tags, lengths=lengths).check()
    used = np.arange(shape[-1]) < lengths[..., None]
    assert np.array_equal(again.data, data * used)


@pytest.mark.parametrize("listed", [False, True])
def test_tensors_of_the_host(listed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_torch.install(monkeypatch)
    rows = [bytes([number] * 10) for number in range(3)]
    tensors = [stand_in_for_torch.tensor(row, "cpu") for row in rows]
    data = tensors if listed else stand_in_for_torch.tensor(b"".join(rows), "cpu", 3, 10)
    batch = gcm().encrypt_batch(nonces_of(3), data).check()
    sealed = one_by_one(gcm(), nonces_of(3), rows, [b""] * 3)
    found = b"".join(map(bytes, batch.data)) if listed else bytes(batch.data)
    assert found == b"".join(one[:10] for one in sealed)
    tags = b"".join(batch.tags) if listed else bytes(batch.tags)
    assert tags == b"".join(one[10:] for one in sealed)
    again = gcm().decrypt_batch(nonces_of(3), batch.data, tags=batch.tags).check().data
    assert (b"".join(map(bytes, again)) if listed else bytes(again)) == b"".join(rows)


def test_one_row_for_all() -> None:
    row = np.arange(10, dtype=np.uint8)
    batch = gcm().encrypt_batch(nonces_of(3), np.broadcast_to(row, (3, 10))).check()
    assert batch.data[2].tobytes() == gcm().encrypt(nonces_of(3)[2], row)[:10].tobytes()


def test_what_a_message_does_not_fill_is_zero() -> None:
    """And not what was in that memory before: the answer is likely to be sent somewhere."""
    cipher = warpaes.AESGCM(KEY)
    data, lengths = np.zeros((4, 100), dtype=np.uint8), [0, 1, 50, 100]
    before = np.full(data.shape, 0xAA, dtype=np.uint8)
    del before  # NumPy gives its memory to the next array of this size
    sealed = cipher.encrypt_batch(nonces_of(4), data, lengths=lengths).check()
    for row, length in enumerate(lengths):
        assert not sealed.data[row, length:].any()
    before = np.full(data.shape, 0xAA, dtype=np.uint8)
    del before
    opened = cipher.decrypt_batch(nonces_of(4), sealed.data, tags=sealed.tags, lengths=lengths).check()
    assert not opened.data.any()


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    texts=st.lists(st.binary(max_size=300), max_size=20),
    strings=st.integers(1, 126),
    data=st.data(),
)
def test_siv_has_several_strings(texts: list[bytes], strings: int, data: st.DataObject) -> None:
    """As many for each message as it is asked for, and each of any length."""
    theirs = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
    cipher, longest = siv(), data.draw(st.integers(0, 40))
    aads = [[bytes([n, s] * (n * s % (longest + 1))) for s in range(strings)] for n in range(len(texts))]
    batch = cipher.encrypt_batch(texts, aads).check()
    joined = [tag + text for text, tag in zip(batch.data, batch.tags, strict=True)]
    assert joined == [
        theirs.AESSIV(SIV_KEY).encrypt(*one) if one[0] else cipher.encrypt(*one)
        for one in zip(texts, aads, strict=True)
    ]
    assert cipher.decrypt_batch(batch.data, aads, tags=batch.tags).check().data == texts
    if texts:
        aads[-1][-1] += b"!"
        assert cipher.decrypt_batch(batch.data, aads, tags=batch.tags).failed() == [len(texts) - 1]


@pytest.mark.parametrize("strings", [1, 3])
def test_siv_with_rows_of_arrays(strings: int) -> None:
    cipher, random = siv(), np.random.default_rng(4)
    data = random.integers(0, 256, (2, 5, 100), dtype=np.uint8)
    frames = random.integers(0, 256, (2, 5, strings, 20), dtype=np.uint8)
    aads, lengths = frames[..., 3:16], random.integers(0, 101, (2, 5))
    batch = cipher.encrypt_batch(data, aads, lengths=lengths).check()
    for at in np.ndindex(2, 5):
        listed = [one.tobytes() for one in aads[at]]
        sealed = cipher.encrypt(data[at][: lengths[at]].tobytes(), listed)
        assert batch.tags[at].tobytes() + batch.data[at][: lengths[at]].tobytes() == sealed
        assert not batch.data[at][lengths[at] :].any()
    cipher.decrypt_batch(batch.data, aads, tags=batch.tags, lengths=lengths, out=batch.data).check()
    assert np.array_equal(batch.data, data * (np.arange(100) < lengths[..., None]))


def test_no_messages() -> None:
    none: list[bytes] = []
    batch = warpaes.AESGCM(KEY).encrypt_batch(none, none).check()
    assert (batch.data, batch.tags) == ([], [])


def rows(*shape: int, kind: str = "uint8") -> Any:
    return np.zeros(shape, dtype=kind)


def gcm() -> warpaes.AESGCM:
    return warpaes.AESGCM(KEY)


def siv() -> warpaes.AESSIV:
    return warpaes.AESSIV(SIV_KEY)


MISUSE: list[tuple[str, type[Exception], str, Callable[[], object]]] = [
    ("one row", ValueError, "two or more dimensions", lambda: gcm().encrypt_batch(nonces_of(1), b"text")),
    (
        "lengths that are a number",
        TypeError,
        "lengths must be whole numbers",
        lambda: gcm().encrypt_batch(nonces_of(1), rows(1, 5), lengths=5),
    ),
    ("few nonces", ValueError, "nonces has 2 entries", lambda: gcm().encrypt_batch(nonces_of(2), [b""] * 3)),
    ("few rows", ValueError, "nonces has 2 rows", lambda: gcm().encrypt_batch(rows(2, 12), rows(3, 5))),
    (
        "rows that are bytes",
        TypeError,
        "pass numpy.asarray(data)",
        lambda: gcm().encrypt_batch(nonces_of(3), memoryview(bytes(12)).cast("B", (3, 4))),
    ),
    (
        "a generator",
        TypeError,
        "or a list of those, not generator",
        lambda: gcm().encrypt_batch(nonces_of(1), (one for one in [b""])),
    ),
    (
        "one row for all nonces",
        ValueError,
        "all rows of nonces are one row in memory: ",
        lambda: gcm().encrypt_batch(np.broadcast_to(rows(12), (2, 12)), rows(2, 5)),
    ),
    ("flat nonces", ValueError, "nonces", lambda: gcm().encrypt_batch(bytes(24), rows(2, 5))),
    ("no nonces", TypeError, "nonces", lambda: gcm().encrypt_batch(None, rows(2, 5))),
    (
        "mixed nonces",
        ValueError,
        "one length",
        lambda: gcm().encrypt_batch([bytes(12), bytes(11)], rows(2, 5)),
    ),
    ("text", TypeError, r"data[1]", lambda: gcm().encrypt_batch(nonces_of(2), [b"", "text"])),
    ("floats", TypeError, "float32", lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5, kind="float32"))),
    ("gaps", ValueError, "contiguous", lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 10)[:, ::2])),
    ("backwards", ValueError, "contiguous", lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5)[::-1])),
    (
        "two distances",
        ValueError,
        "contiguous",
        lambda: gcm().encrypt_batch(nonces_of(4), rows(2, 4, 5)[:, :2]),
    ),
    (
        "one row for all answers",
        ValueError,
        "contiguous",
        lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), out=as_strided(rows(5), (2, 5), (0, 1))),
    ),
    (
        "frames of floats",
        TypeError,
        "float32",
        lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 9, kind="float32")[:, 3:]),
    ),
    ("lengths", ValueError, "lengths", lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), lengths=[5, 6])),
    (
        "half a byte",
        TypeError,
        "integer",
        lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), lengths=[1.5, 2]),
    ),
    (
        "few lengths",
        ValueError,
        "lengths",
        lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), lengths=[5]),
    ),
    (
        "lengths of a list",
        ValueError,
        "lengths",
        lambda: gcm().encrypt_batch([bytes(12)], [b""], lengths=[0]),
    ),
    ("narrow out", ValueError, "out", lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), out=rows(2, 4))),
    ("bytes out", TypeError, "read-only", lambda: gcm().encrypt_batch([bytes(12)], [b"abc"], out=[bytes(3)])),
    (
        "list out",
        TypeError,
        "out",
        lambda: gcm().encrypt_batch(nonces_of(2), rows(2, 5), out=[bytearray(5)] * 2),
    ),
    ("small out", ValueError, "out", lambda: gcm().encrypt_batch([bytes(12)], [b"abc"], out=[bytearray(2)])),
    ("bytes tags", TypeError, "read-only", lambda: gcm().encrypt_batch([bytes(12)], [b""], tags=[bytes(16)])),
    ("short tags", ValueError, "tags", lambda: gcm().decrypt_batch([bytes(12)], [b""], tags=[bytes(15)])),
    ("no tags", TypeError, "tags", lambda: gcm().decrypt_batch([bytes(12)], [b""], tags=None)),
    (
        "strings for all",
        TypeError,
        "a list of strings",
        lambda: siv().encrypt_batch([b"", b""], [b"a", b"b"]),
    ),
    ("no strings at all", TypeError, "associated_data", lambda: siv().encrypt_batch([b""], None)),
    ("no string", ValueError, "at least one", lambda: siv().encrypt_batch([b""], [[]])),
    ("one string", ValueError, "1 strings", lambda: siv().encrypt_batch(rows(2, 5), rows(1, 5))),
    ("more for one", ValueError, "as many", lambda: siv().encrypt_batch([b"", b""], [[b"a"], [b"b", b""]])),
    ("strings of two", ValueError, "3 messages", lambda: siv().encrypt_batch([b""] * 3, [[b"a"]] * 2)),
    ("many strings", ValueError, "126", lambda: siv().encrypt_batch([b""], [[b""] * 127])),
    ("no tags of SIV", TypeError, "tags", lambda: siv().decrypt_batch([b""], [[b""]], tags=None)),
    ("stream", ValueError, "stream", lambda: gcm().encrypt_batch([bytes(12)], [b""], stream=7)),
]


@pytest.mark.parametrize(
    ("error", "says", "call"), [row[1:] for row in MISUSE], ids=[row[0] for row in MISUSE]
)
def test_says_what_is_wrong(error: type[Exception], says: str, call: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


def test_batches_are_compared_as_objects() -> None:
    """Arrays do not say in one word whether they are equal."""
    first, second = (gcm().encrypt_batch(nonces_of(2), rows(2, 5)) for _ in range(2))
    assert first == first  # noqa: PLR0124
    assert first != second


def test_lists_in_place() -> None:
    """Frames that are views of one array, each with room for the tag behind the message."""
    frames, texts = np.zeros((3, 12 + 20 + 16), dtype=np.uint8), [b"a" * 20, b"b" * 20, b"c" * 20]
    nonces, rooms, tags = ([frame[part] for frame in frames] for part in (np.s_[:12], np.s_[12:], np.s_[32:]))
    for nonce, room, number, text in zip(nonces, rooms, nonces_of(3), texts, strict=True):
        nonce[:], room[:20] = np.frombuffer(number, "u1"), np.frombuffer(text, "u1")
    data = [room[:20] for room in rooms]
    gcm().encrypt_batch(nonces, data, out=rooms, tags=tags).check()
    assert [frame[12:].tobytes() for frame in frames] == one_by_one(gcm(), nonces_of(3), texts, [b""] * 3)
    gcm().decrypt_batch(nonces, data, tags=tags, out=data).check()
    assert [one.tobytes() for one in data] == texts


@pytest.mark.parametrize("kind", CLASSES)
def test_one_nonce_for_two_messages_is_refused(kind: Any) -> None:
    """As the rows of an array that all lie in one place are."""
    cipher, nonces = kind(KEY), nonces_of(3)
    nonces[2] = nonces[1]
    if kind is warpaes.AESGCMSIV:
        batch = cipher.encrypt_batch(nonces, [b"text"] * 3).check()
        assert batch.data[1] == batch.data[2]
        return
    for repeated in (
        nonces,
        [bytearray(nonce) for nonce in nonces],
        [np.frombuffer(one, "u1") for one in nonces],
    ):
        with pytest.raises(ValueError, match=r"nonces\[1\] and nonces\[2\] are equal"):
            cipher.encrypt_batch(repeated, [b"text"] * 3)
    batch = cipher.encrypt_batch(nonces_of(3), [b"text"] * 3)
    sealed, tags = [batch.data[1]] * 2, [batch.tags[1]] * 2
    assert cipher.decrypt_batch(nonces[1:], sealed, tags=tags).check().data == [b"text"] * 2


def test_a_list_may_change_meanwhile() -> None:
    """As another thread could do it: the lengths that were looked at are those that are written."""
    data = [b"x" * 100_000] * 4

    class Changing(list[bytes]):
        def __iter__(self) -> Any:
            data[:] = [b""] * 4
            return super().__iter__()

    batch = gcm().encrypt_batch(Changing(nonces_of(4)), data).check()
    assert data == [b""] * 4
    assert [len(one) for one in batch.data] == [100_000] * 4
