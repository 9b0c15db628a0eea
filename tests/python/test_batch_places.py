"""Where a batch may put its answers: not over each other, and over no other message."""

from typing import Any

import pytest

import warpaes

GCM = warpaes.AESGCM(bytes(range(32)))
SIV = warpaes.AESSIV(bytes(range(64)))
NONCES = [bytes(11) + bytes([number]) for number in range(3)]


def test_two_answers_in_one_place_are_refused() -> None:
    """One of them would be lost, and no status would say so."""
    memory, other = memoryview(bytearray(60)), bytearray(20)
    for first, second in (
        (memory[:20], memory[:20]),
        (memory[10:30], memory[:20]),
        (memory[:20], memory[19:39]),
    ):
        with pytest.raises(ValueError, match=r"out\[\d\] and out\[\d\] overlap"):
            GCM.encrypt_batch(NONCES, [bytes(20)] * 3, out=[first, other, second])
        with pytest.raises(ValueError, match=r"tags\[\d\] and tags\[\d\] overlap"):
            GCM.encrypt_batch(NONCES[:2], [bytes(20)] * 2, tags=[first[-16:], second[:16]])
        with pytest.raises(ValueError, match="overlap"):
            GCM.decrypt_batch(NONCES[:2], [bytes(20)] * 2, tags=[bytes(16)] * 2, out=[first, second])
    assert bytes(memory) == bytes(60)
    texts = [b"a" * 20, b"b" * 20, b""]
    batch = GCM.encrypt_batch(NONCES, texts, out=[memory[20:40], memory[:20], memory[:0]]).check()
    assert bytes(memory[:40]) == bytes(batch.data[1]) + bytes(batch.data[0])
    opened = GCM.decrypt_batch(NONCES, batch.data, tags=batch.tags).check()
    assert [bytes(one) for one in opened.data] == texts


def test_an_answer_lies_nowhere_else() -> None:
    """Not where another message, its tag or its nonce is: it would be lost, and no status would say so."""
    memory = memoryview(bytearray(200))
    first, second, rest = memory[:20], memory[20:40], memory[40:]
    memory[39] = 1  # of a nonce below, which is to differ from the other one
    tags = [bytearray(16), bytearray(16)]
    cases: list[tuple[Any, dict[str, Any]]] = [
        ([first, second], {"out": [second, first]}),
        ([first, second], {"out": [first, memory[19:39]]}),
        ([first, second], {"tags": [rest[:16], memory[30:46]]}),
        ([first, second], {"out": [first, second], "tags": [rest[:16], memory[:16]]}),
        ([bytes(20)] * 2, {"out": [first, second], "tags": [memory[25:41], rest[:16]]}),
        ([bytes(20)] * 2, {"out": [first, second], "tags": [rest[:16], rest[15:31]]}),
    ]
    for data, options in cases:
        before = bytes(memory)
        with pytest.raises(ValueError, match=r"\w+\[\d\] and \w+\[\d\] overlap"):
            GCM.encrypt_batch(NONCES[:2], data, **options)
        assert bytes(memory) == before
    for read in ({"nonces": [rest[20:32], memory[39:51]]}, {"aads": [b"", memory[:1]]}):
        with pytest.raises(ValueError, match="overlap"):
            GCM.encrypt_batch(
                **({"nonces": NONCES[:2]} | read), data=[b"a" * 20] * 2, out=[first, second], tags=tags
            )
    with pytest.raises(ValueError, match=r"out\[1\] and tags\[0\] overlap"):
        GCM.decrypt_batch(NONCES[:2], [bytes(20)] * 2, tags=[memory[39:55], bytes(16)], out=[first, second])
    with pytest.raises(ValueError, match="associated_data"):
        SIV.encrypt_batch([bytes(20)] * 2, [[b"", b""], [b"", memory[5:6]]], out=[first, second])
