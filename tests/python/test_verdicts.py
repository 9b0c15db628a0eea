"""What the device says of messages that are decrypted in its memory: with stand-ins for PyTorch and CuPy."""

from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE
from tests.python.short_ways import (
    KEY,
    NONCE,
    PACKAGES,
    Make,
    arrays_of,
    no_general_way,
    pattern,
    verdicts_made,
)
from warpaes import _short_ways

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[_short_ways.Verdicts]:
    return verdicts_made(monkeypatch)


@pytest.fixture(params=PACKAGES)
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Make:
    return arrays_of(request.param, monkeypatch)


def waited_for() -> list[int]:
    return stand_in_for_torch.waited_for + stand_in_for_cupy.waited_for


def test_a_verdict_that_was_not_written_is_no_success(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the one before in the same memory was."""
    cipher, data = warpaes.AESGCM(KEY), make(pattern(100))
    sealed = cipher.encrypt(NONCE, data)
    cipher.decrypt(NONCE, sealed)
    no_general_way(monkeypatch)
    (verdicts,) = made
    (verdict,) = verdicts._idle
    assert verdict.value.value == 0
    verdict.address = DEVICE.page_locked(4)  # the device writes elsewhere
    with pytest.raises(warpaes.Error, match="status -1"):
        cipher.decrypt(NONCE, sealed)
    assert verdicts._idle == []  # it may be written yet, when another message has it


def test_two_threads_may_ask_for_a_verdict_at_once(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And there is one: the other thread takes it between two steps of this one."""
    cipher, sealed = warpaes.AESGCM(KEY), make(warpaes.AESGCM(KEY).encrypt(NONCE, pattern(100)))

    class Taken(list[Any]):
        def __bool__(self) -> bool:
            return True

    (verdicts,) = made
    monkeypatch.setattr(verdicts, "_idle", Taken())
    assert bytes(cipher.decrypt(NONCE, sealed)) == pattern(100)


def test_a_verdict_is_read_when_the_stream_has_come_so_far(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    cipher, sealed = warpaes.AESGCM(KEY), make(warpaes.AESGCM(KEY).encrypt(NONCE, pattern(100)))
    (verdicts,) = made
    wait, before = verdicts._wait, waited_for()

    def waits(device: int) -> None:
        (verdict,) = verdicts._made
        wait(device)
        verdict.value.value = -33  # as if the device were slow

    monkeypatch.setattr(verdicts, "_wait", waits)
    with pytest.raises(warpaes.Error, match="status -33"):
        cipher.decrypt(NONCE, sealed)
    assert len(waited_for()) == len(before) + 1


def test_a_verdict_has_one_user(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call within a call stands for one on another thread."""
    cipher, data = warpaes.AESGCM(KEY), make(pattern(100))
    sealed, forged = cipher.encrypt(NONCE, data), make(bytes(116))
    (verdicts,) = made
    wait = verdicts._wait

    def waits(device: int) -> None:
        monkeypatch.setattr(verdicts, "_wait", wait)
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, forged)
        wait(device)

    monkeypatch.setattr(verdicts, "_wait", waits)
    assert bytes(cipher.decrypt(NONCE, sealed)) == pattern(100)
    assert len({verdict.address for verdict in verdicts._made}) == 2
    for _ in range(3):
        cipher.decrypt(NONCE, sealed)
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, forged)
        with pytest.raises(ValueError, match="nonce"):
            cipher.decrypt(b"", sealed)
    assert len(verdicts._made) == len(verdicts._idle) == 2


def test_a_verdict_that_a_device_may_still_write_is_not_used_again(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    cipher, sealed = warpaes.AESGCM(KEY), make(bytes(116))
    (verdicts,) = made
    wait = verdicts._wait

    def planted(_: int) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(verdicts, "_wait", planted)
    with pytest.raises(RuntimeError, match="planted"):
        cipher.decrypt(NONCE, sealed)
    with pytest.raises(ValueError, match="nonce"):
        cipher.decrypt(b"", sealed)
    assert (len(verdicts._made), verdicts._idle) == (2, [])
    monkeypatch.setattr(verdicts, "_wait", wait)
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed)
    assert (len(verdicts._made), len(verdicts._idle)) == (3, 1)
