"""What an argument is, and a sentence that names it if it is none of that."""

import operator
from typing import Any


def bytes_like(given: Any, name: str) -> memoryview:
    """The bytes of an argument whose items are bytes.

    Raises TypeError for what lends no memory and for items of several bytes, ValueError for memory with gaps.
    """
    view = _view(given, name)
    if view.itemsize != 1:
        raise TypeError(
            f"{name} is an array of items of {view.itemsize} bytes: "
            "pass its bytes, as with memoryview(x).cast('B')"
        )
    return _flat(view, given, name)


def any_items(given: Any, name: str) -> memoryview:
    """The bytes of an argument, whatever items it has, as files of Python's own take them."""
    return _flat(_view(given, name), given, name)


def _view(given: Any, name: str) -> memoryview:
    try:
        return memoryview(given)
    except TypeError:
        what = type(given).__name__
    raise TypeError(f"{name} must be bytes-like, not {what}{hint_for_text(given, name)}")


def hint_for_text(given: Any, name: str) -> str:
    """What to do about text, where bytes are asked for; empty for all else."""
    if not isinstance(given, str):
        return ""
    return f": {TEXT_IS_NO_KEY if name.endswith('key') else 'encode the text first, as text.encode()'}"


TEXT_IS_NO_KEY = "text is no key, bytes.fromhex() reads hexadecimal digits"


def _flat(view: memoryview, given: Any, name: str) -> memoryview:
    what = type(given).__name__
    if not view.c_contiguous:
        raise ValueError(
            f"{name} is not contiguous in memory ({what}): "
            "copy it into one piece first, as with numpy.ascontiguousarray()"
        )
    try:
        return view.cast("B")
    except TypeError:
        if view.nbytes == 0:  # cast() refuses a shape with a zero in it
            return memoryview(bytearray())
    raise TypeError(f"{name} must be bytes-like, not {what}")


def shown(given: Any) -> str:
    """A short word as it was given, and of all else the type only: it may be a key in another's place."""
    if isinstance(given, str) and len(given) <= _LONGEST_SHOWN:
        return repr(given)
    return f"this {type(given).__name__}"


_LONGEST_SHOWN = 8


def type_with_module(given: Any) -> str:
    """Where a class of another package may have the very name of one of ours, or be in its object's place."""
    if isinstance(given, type):
        return (
            f"the class {given.__module__}.{given.__qualname__}: make an object of it by {given.__name__}(…)"
        )
    return f"{type(given).__module__}.{type(given).__qualname__}"


def whole_number(given: Any, name: str) -> int:
    """Raises TypeError for what is none."""
    try:
        return operator.index(given)
    except TypeError:
        what = type(given).__name__
    raise TypeError(f"{name} must be an int, not {what}")
