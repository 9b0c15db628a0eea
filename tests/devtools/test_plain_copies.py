"""The copies that limit calls on host memory, with a library in place of the driver's that only counts."""

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import pytest

from devtools import plain_copies
from devtools.process import Stop, text_of

# The same where there is a driver.
WITHOUT_A_DRIVER = """
import ctypes, runpy
def missing(name):
    raise OSError(f"{name}: cannot open shared object file")
ctypes.CDLL = missing
runpy.run_module("devtools.plain_copies", run_name="__main__")
"""


class Recorded:
    """Has every function, which returns 0, or an error where it is told to."""

    def __init__(self, failing: str = "") -> None:
        self.names: list[str] = []
        self._failing = failing

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*_: Any) -> int:
            self.names.append(name)
            return 2 if name == self._failing else 0

        return call


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no memory behind the library's pointers."""
    monkeypatch.setattr(ctypes, "memset", lambda *_: None)


@pytest.mark.usefixtures("no_memory")
@pytest.mark.parametrize("gpus", [1, 2])
def test_all_copies_of_a_round_begin_before_any_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, gpus: int
) -> None:
    driver = Recorded()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: driver)
    assert plain_copies.copies_both_ways(range(gpus)) > 0
    short = {"cuMemcpyHtoDAsync_v2": "there", "cuMemcpyDtoHAsync_v2": "back", "cuStreamSynchronize": "end"}
    steps = [short[name] for name in driver.names if name in short]
    assert steps == [*["there", "back"] * gpus, *["end"] * 2 * gpus] * plain_copies.ROUNDS
    assert driver.names.count("cuMemHostAlloc") == 2 * gpus


@pytest.mark.usefixtures("no_memory")
def test_a_failing_call_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Recorded("cuMemHostAlloc"))
    with pytest.raises(Stop, match="cuMemHostAlloc: CUDA's error 2"):
        plain_copies.copies_both_ways([0])


def test_without_a_driver_the_program_says_what_is_missing() -> None:
    with pytest.raises(Stop, match=r"libcuda\.so\.1"):
        text_of([sys.executable, "-c", WITHOUT_A_DRIVER])
