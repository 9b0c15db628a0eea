"""safetensors files as plaintext: a header of JSON that says where each tensor's bytes lie.

The header is padded so that the tensors begin where a chunk of the container does. So their bytes can be
sealed and opened in whole chunks, on a device as well, and one tensor is read without the others.
"""

import json
import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from warpaes._errors import ContainerError
from warpaes._secrets import CHUNK

_LENGTH = struct.Struct("<Q")
_MOST_HEADER = 100_000_000  # safetensors' own limit
_MOST_NUMBER = (
    2**60 - 1
)  # of bytes, or of items, the largest of which have 8: what NumPy and PyTorch can count
_MOST_DIMENSIONS = 64  # NumPy's limit

# Bits of an item; those of less than 8 lie side by side, and a tensor of them fills whole bytes.
ITEM_BITS = {
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "BOOL": 8,
    "U8": 8,
    "I8": 8,
    "F8_E4M3": 8,
    "F8_E5M2": 8,
    "F8_E8M0": 8,
    "F8_E4M3FNUZ": 8,
    "F8_E5M2FNUZ": 8,
    "U16": 16,
    "I16": 16,
    "F16": 16,
    "BF16": 16,
    "U32": 32,
    "I32": 32,
    "F32": 32,
    "U64": 64,
    "I64": 64,
    "F64": 64,
    "C64": 64,
}


def several_names(names: Iterable[str]) -> list[str]:
    """Raises TypeError for one string, which would count as a name for each of its letters."""
    if isinstance(names, str):
        raise TypeError(f"names must be a list of names, not str: pass [{names!r}]")
    return list(names)


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor's place in the plaintext."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file consists of. `data` is where the tensors begin."""

    entries: dict[str, Entry]
    metadata: dict[str, str] | None
    data: int
    size: int

    def entry(self, name: str) -> Entry:
        """Raises KeyError for a name that is not there."""
        found = self.entries.get(name)
        if found is None:
            raise KeyError(f"there is no tensor {name!r} in the file")
        return found


def named(given: Any, what: str) -> dict[str, Any]:
    """A dictionary of a caller's. Raises TypeError for what is none."""
    if not hasattr(given, "items"):
        raise TypeError(f"{what} must be a dictionary with names as keys, not {type(given).__name__}")
    return dict(given.items())


def compose(
    tensors: Iterable[tuple[str, str, tuple[int, ...]]], metadata: Mapping[str, str] | None
) -> tuple[bytes, Layout]:
    """The file's bytes before the tensors, and where those are: the largest items first, then by name.

    That keeps every tensor aligned to its items.
    """
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": _checked(metadata)}
    entries, position = dict[str, Entry](), 0
    tensors = list(tensors)
    for name, _, _ in tensors:
        if not isinstance(name, str):
            raise TypeError(f"the name of a tensor must be a str, not {type(name).__name__}: {name!r}")
    for name, dtype, shape in sorted(tensors, key=lambda one: (-ITEM_BITS[one[1]], one[0])):
        if name == "__metadata__":
            raise ValueError(
                "a tensor cannot be called __metadata__, which is the name of what describes the file"
            )
        beyond = _beyond_limits(shape)
        if beyond:
            raise ValueError(f"{name!r} cannot be saved: it is {beyond}")
        length = math.prod(shape) * ITEM_BITS[dtype] // 8
        offsets = [position, position + length]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": offsets}
        entries[name] = Entry(name, dtype, shape, *offsets)
        position += length
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-(_LENGTH.size + len(text)) % CHUNK)
    if len(text) > _MOST_HEADER:
        raise ValueError(
            f"the names and shapes take {len(text)} bytes, and at most {_MOST_HEADER} are possible"
        )
    data = _LENGTH.size + len(text)
    placed = {
        one.name: Entry(one.name, one.dtype, one.shape, data + one.start, data + one.stop)
        for one in entries.values()
    }
    return _LENGTH.pack(len(text)) + text, Layout(placed, dict(metadata or {}) or None, data, data + position)


def _checked(metadata: Mapping[str, str]) -> dict[str, str]:
    found = named(metadata, "metadata")
    for key, value in found.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError("metadata must have strings as keys and as values")
    return found


def read_layout(file: Any) -> Layout:
    """Where the tensors lie in a file that is open for reading, whose `size` says how long it is.

    Raises Truncated or Damaged if it is not genuine, and ContainerError if its plaintext is no safetensors
    file, or not all of it.
    """
    try:
        return _layout_of(file)
    except _NoLayout as error:
        why = str(error)
    file.raw.check_end()  # without its end, or with more behind it, any file may look like something else
    raise ContainerError(f"the file is genuine, but what it holds is no safetensors file: it {why}")


class _NoLayout(Exception):
    """What is wrong with the plaintext, as far as it is known to be that."""


def _layout_of(file: Any) -> Layout:
    size: int = file.size
    if size < _LENGTH.size:
        _refuse("is too short")
    (length,) = _LENGTH.unpack(file.read_ranges([(0, _LENGTH.size)])[0])
    if not 2 <= length <= min(_MOST_HEADER, size - _LENGTH.size):
        _refuse("says that its header has an impossible length")
    data = _LENGTH.size + length
    try:
        header = json.loads(file.read_ranges([(_LENGTH.size, data)])[0])
        metadata = _metadata_of(header.pop("__metadata__", None))
        entries = {name: _entry(name, one, data) for name, one in header.items()}
    except ContainerError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        _refuse("has a header that cannot be read")
    end = data
    for entry in sorted(entries.values(), key=lambda one: (one.start, one.stop)):
        if entry.start != end:
            _refuse("has tensors that overlap, or bytes that belong to none")
        end = entry.stop
    if end != size:
        _refuse(f"has {size} bytes, and its header speaks of {end}")
    return Layout(entries, metadata, data, size)


def _metadata_of(found: Any) -> dict[str, str] | None:
    if found is None or (isinstance(found, dict) and all(isinstance(one, str) for one in found.values())):
        return found
    return _refuse("has metadata that is no dictionary of strings")


def _entry(name: str, described: dict[str, Any], data: int) -> Entry:
    dtype, shape = described["dtype"], tuple(described["shape"])
    start, stop = described["data_offsets"]
    if dtype not in ITEM_BITS:
        _refuse(f"has a tensor of {dtype}, which this version does not know")
    if not all(type(number) is int and 0 <= number <= _MOST_NUMBER for number in (*shape, start, stop)):
        _refuse("has a shape or a place that is no number")
    beyond = _beyond_limits(shape)
    if beyond:
        _refuse(f"has {beyond}")
    if 8 * (stop - start) != math.prod(shape) * ITEM_BITS[dtype]:
        _refuse("has a tensor whose shape does not fit its length")
    return Entry(name, dtype, shape, data + start, data + stop)


def _beyond_limits(shape: tuple[int, ...]) -> str | None:
    """What no file can have, so that what is written is read, too."""
    if len(shape) > _MOST_DIMENSIONS:
        return f"a tensor of more than {_MOST_DIMENSIONS} dimensions"
    if math.prod(size or 1 for size in shape) > _MOST_NUMBER:
        return "a tensor whose shape is too large"
    return None


def _refuse(what: str) -> NoReturn:
    raise _NoLayout(what)
