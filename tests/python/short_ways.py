"""Arrays of PyTorch and CuPy on a device whose short way is known already: with stand-ins for both."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE
from tests.python.stand_in_for_torch import tensor
from warpaes import _arrays, _driver, _short_ways

KEY, NONCE = bytes(range(32)), bytes(range(12))
# An older PyTorch, one of now, and CuPy; and those two where the driver waits, as on GPUs.
PACKAGES = ("torch", "torch, exchange", "cupy", "torch, exchange, driver", "cupy, driver")
Make = Callable[[bytes], Any]


class PosedDriver:
    """The driver's wait for a stream: which ones it was asked for, and what it does then."""

    def __init__(self) -> None:
        self.waited_for: list[int] = []
        self.does: Callable[[], int] = self._really_wait
        self._function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self._wait)

    @staticmethod
    def _really_wait() -> int:
        DEVICE.wait()  # on a machine with a GPU the device is that
        return _driver.SUCCESS

    def _wait(self, stream: int | None) -> int:
        self.waited_for.append(stream or 0)
        return self.does()

    def address(self) -> int:
        return ctypes.cast(self._function, ctypes.c_void_p).value or 0


DRIVER = PosedDriver()


def pattern(length: int) -> bytes:
    return bytes((7 * index + (index >> 8)) & 0xFF for index in range(length))


def install_torch(monkeypatch: pytest.MonkeyPatch, *, exchange: bool) -> Any:
    """exchange: tensors say by that interface where they lie; else their attributes are asked."""
    exchanges = stand_in_for_torch.exchange() if exchange else None
    return stand_in_for_torch.install(monkeypatch, internals=True, exchanges=exchanges)


def arrays_of(package: str, monkeypatch: pytest.MonkeyPatch) -> Make:
    """package: one of PACKAGES. What makes an array of it."""
    if package.startswith("cupy"):
        stand_in_for_cupy.install(monkeypatch)
        made: Make = stand_in_for_cupy.array
    else:
        install_torch(monkeypatch, exchange="exchange" in package)
        made = lambda data: tensor(data, "cuda")  # noqa: E731
    if package.endswith("driver"):
        monkeypatch.setattr(_driver, "address_of_stream_wait", DRIVER.address)
    monkeypatch.setattr(DRIVER, "waited_for", [])
    warpaes.AESGCM(KEY).encrypt(NONCE, made(b"the first one goes the general way"))
    assert _short_ways.SHORT_WAYS[type(made(b""))] is not None
    return made


def verdicts_made(monkeypatch: pytest.MonkeyPatch) -> list[_short_ways.Verdicts]:
    """The memory for verdicts of those ways that are learnt from now on."""
    all_made: list[_short_ways.Verdicts] = []
    initialise = _short_ways.Verdicts.__init__

    def remembered(self: _short_ways.Verdicts, *arguments: Any) -> None:
        initialise(self, *arguments)
        all_made.append(self)

    monkeypatch.setattr(_short_ways.Verdicts, "__init__", remembered)
    return all_made


def no_general_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(*_: object) -> None:
        raise AssertionError("the general way was gone")

    monkeypatch.setattr(_arrays, "_run", planted)
