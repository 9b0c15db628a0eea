"""What the device says of messages that are decrypted in its memory: with stand-ins for PyTorch and CuPy."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE, Posed
from tests.python.short_ways import (
    DRIVER,
    KEY,
    NONCE,
    PACKAGES,
    Make,
    arrays_of,
    no_general_way,
    pattern,
    verdicts_made,
)
from warpaes import _driver, _short_ways
from warpaes._kinds import kind_of

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[_short_ways.Verdicts]:
    return verdicts_made(monkeypatch)


@pytest.fixture(params=PACKAGES)
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Make:
    return arrays_of(request.param, monkeypatch)


def waited_for() -> list[int]:
    return stand_in_for_torch.waited_for + stand_in_for_cupy.waited_for + DRIVER.waited_for


GPU_FAULT, NO_CONTEXT, CAPTURED = 700, 201, 900  # the driver's results
Planted = Callable[[Callable[[], object]], None]


class Waiting:
    """How calls wait for their stream, the package or the driver: tests put something else in its place."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, verdicts: _short_ways.Verdicts) -> None:
        self._monkeypatch, self._verdicts = monkeypatch, verdicts
        self._of_package, self._of_driver = verdicts._wait, DRIVER.does

    def becomes(self, planted: Planted) -> None:
        """planted: (how it waited before)"""

        def of_driver() -> int:
            try:
                planted(self._of_driver)
            except RuntimeError:
                return GPU_FAULT
            return 0

        of_package = lambda device: planted(lambda: self._of_package(device))  # noqa: E731
        self._monkeypatch.setattr(self._verdicts, "_wait", of_package)
        self._monkeypatch.setattr(DRIVER, "does", of_driver)

    def is_as_before(self) -> None:
        self._monkeypatch.setattr(self._verdicts, "_wait", self._of_package)
        self._monkeypatch.setattr(DRIVER, "does", self._of_driver)


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
    before = waited_for()

    def waits(wait: Callable[[], object]) -> None:
        (verdict,) = verdicts._made
        wait()
        verdict.value.value = -33  # as if the device were slow

    Waiting(monkeypatch, verdicts).becomes(waits)
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
    waiting = Waiting(monkeypatch, verdicts)

    def waits(wait: Callable[[], object]) -> None:
        waiting.is_as_before()
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, forged)
        wait()

    waiting.becomes(waits)
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
    waiting = Waiting(monkeypatch, verdicts)

    def planted(_: Callable[[], object]) -> None:
        raise RuntimeError("planted")

    waiting.becomes(planted)
    with pytest.raises(RuntimeError, match="planted"):
        cipher.decrypt(NONCE, sealed)
    with pytest.raises(ValueError, match="nonce"):
        cipher.decrypt(b"", sealed)
    assert (len(verdicts._made), verdicts._idle) == (2, [])
    waiting.is_as_before()
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed)
    assert (len(verdicts._made), len(verdicts._idle)) == (3, 1)


@pytest.mark.parametrize("package", ["torch, exchange, driver", "cupy, driver"])
def test_the_driver_waits(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the call's stream, and only where there is something to wait for."""
    make, cipher = arrays_of(package, monkeypatch), warpaes.AESGCM(KEY)
    sealed = cipher.encrypt(NONCE, make(pattern(100)))
    assert DRIVER.waited_for == []
    stand_in = stand_in_for_cupy if package.startswith("cupy") else stand_in_for_torch
    before = list(stand_in.waited_for)
    streams = [0] if not isinstance(DEVICE, Posed) else [0, DEVICE.new_stream()]
    for stream in streams:
        monkeypatch.setattr(stand_in, "current", [stream])
        assert bytes(cipher.decrypt(NONCE, sealed)) == pattern(100)
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, make(bytes(116)))
    assert [stream for stream in streams for _ in range(2)] == DRIVER.waited_for
    with pytest.raises(ValueError, match="nonce"):
        cipher.decrypt(b"", sealed)
    assert stand_in.waited_for == [*before, streams[-1]]  # for the call that failed


@pytest.mark.parametrize("package", ["torch, exchange, driver", "cupy, driver"])
def test_where_the_driver_cannot_wait(
    package: str, made: list[_short_ways.Verdicts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package does, and tells what is wrong in its own way; a stream that is captured is told by us."""
    make, cipher = arrays_of(package, monkeypatch), warpaes.AESGCM(KEY)
    sealed, forged = cipher.encrypt(NONCE, make(pattern(100))), make(bytes(116))
    before = len(waited_for())
    monkeypatch.setattr(DRIVER, "does", lambda: NO_CONTEXT)
    assert bytes(cipher.decrypt(NONCE, sealed)) == pattern(100)
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, forged)
    assert len(waited_for()) == before + 4
    (verdicts,) = made
    assert len(verdicts._idle) == 1
    monkeypatch.setattr(DRIVER, "does", lambda: CAPTURED)
    with pytest.raises(warpaes.Error, match=r"graph captures cannot be waited for: capture decrypt_batch"):
        cipher.decrypt(NONCE, sealed)
    assert verdicts._idle == []  # a graph may write it
    assert len(waited_for()) == before + 5


def test_what_goes_the_general_way(
    made: list[_short_ways.Verdicts], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with stream=: the verdict comes by the same memory, without a fill before and a copy behind."""
    cipher, stream = warpaes.AESGCM(KEY), 0
    sealed, forged = cipher.encrypt(NONCE, make(pattern(100)), stream=stream), make(bytes(116))
    kind = kind_of(sealed)
    for name in ("statuses", "read_statuses"):
        monkeypatch.setattr(kind, name, lambda *_: pytest.fail("memory of the device"))
    before, out = len(waited_for()), make(pattern(100))
    assert bytes(cipher.decrypt(NONCE, sealed, stream=stream)) == pattern(100)
    assert len(waited_for()) == before + 1
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, forged, out=out, stream=stream)
    assert bytes(out) == bytes(100)
    with pytest.raises(ValueError, match="nonce"):
        cipher.decrypt(b"", sealed, stream=stream)
    (verdicts,) = made
    (verdict,) = verdicts._idle
    assert verdicts._made == [verdict]
    verdict.address = DEVICE.page_locked(4)  # the device writes elsewhere
    with pytest.raises(warpaes.Error, match="status -1"):
        cipher.decrypt(NONCE, sealed, stream=stream)
    assert verdicts._idle == []


def test_a_driver_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise OSError

    monkeypatch.setattr(_driver, "_library", missing)
    assert _driver.address_of_stream_wait() == 0
    monkeypatch.setattr(_driver, "_library", lambda: ctypes.CDLL(None))
    assert _driver.address_of_stream_wait() == 0
