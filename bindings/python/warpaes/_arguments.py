"""What an argument is, and a sentence that names it if it is none of that."""

import contextlib
import operator
from typing import Any


def bytes_like(given: Any, name: str) -> memoryview:
    """The bytes of an argument, whatever items it has."""
    try:
        return memoryview(given).cast("B")
    except TypeError:
        what = type(given).__name__
        with contextlib.suppress(TypeError):
            if memoryview(given).nbytes == 0:  # cast() refuses a shape with a zero in it
                return memoryview(bytearray())
    raise TypeError(f"{name} must be bytes-like and in one piece, not {what}")


def whole_number(given: Any, name: str) -> int:
    """Raises TypeError for what is none."""
    try:
        return operator.index(given)
    except TypeError:
        what = type(given).__name__
    raise TypeError(f"{name} must be an int, not {what}")
