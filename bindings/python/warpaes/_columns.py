"""Where what belongs to many messages lies: rows of an array, or the memory of a list's entries."""

import array
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from warpaes import _native
from warpaes._arrays import on_device
from warpaes._memory import Memory, memory_of, rows_of


@dataclass
class Column:
    """One thing of every message."""

    rows: _native.Rows
    length: int = 0
    lengths: list[int] | None = None  # of each message, if they differ
    addresses: list[int] | None = None  # of a list's memory, unless nobody else can write to it

    def places(self, count: int) -> Iterator[tuple[int, int]]:
        """Where each of them begins and ends; of memory that is nobody else's, nothing."""
        starts = self.addresses or ()
        if self.rows.data:
            starts = [self.rows.data + n * self.rows.stride for n in range(count)]
        for start, length in zip(starts, self.lengths or itertools.repeat(self.length), strict=False):
            yield start, start + length


class Layout:
    """How the arguments lie in memory, all of them where the messages are."""

    def __init__(self, count: int, like: Memory, maker: Memory) -> None:
        self.count = count
        self.like = like  # where they lie
        self.maker = maker  # of whose kind more memory there is made
        self.kept: list[Any] = []

    def memories(self) -> list[Memory]:
        """All that the call uses, where it lies."""
        return [one for one in self.kept if isinstance(one, Memory)]

    def numbers(self, values: list[int]) -> int:
        """The address of an array of 64-bit numbers."""
        if not values:
            return 0
        packed = array.array("Q", values)
        if self.like.device is None:
            self.kept.append(packed)
            return packed.buffer_info()[0]
        memory = memory_of(self.maker.kind.from_host(self.maker.owner, packed.tobytes()), "numbers")
        self.kept.append(memory)
        return memory.address

    def here(self, given: Any, name: str, *, written: bool = False) -> Memory:
        """Memory where the messages are. What is only read is copied to a device."""
        memory = memory_of(given, name, written=written)
        if memory.device != self.like.device:
            if written or self.like.device is None:
                raise ValueError(f"{name} must lie where data lies: in host memory, or on the same device")
            memory = on_device(given, name, self.maker)
        self.kept.append(memory)
        return memory

    def column(self, given: Any, name: str, *, written: bool = False, shared: bool = False) -> Column:
        """Rows of an array, a list, or one string for all."""
        rows = _native.Rows()
        if given is None:
            return Column(rows)
        if isinstance(given, (list, tuple)):
            return self._listed(rows, given, name, written=written)
        memory, step = rows_of(given, name, written=written)
        shape = memory.shape
        if memory.device != self.like.device:
            memory = self.here(given, name, written=written)  # a copy without gaps
            step = shape[-1] if shape else 0
        else:
            self.kept.append(memory)
        if len(shape) > 1:
            found = math.prod(shape[:-1])
            if found != self.count:
                raise ValueError(f"{name} has {found} rows, and there are {self.count} messages")
            rows.data, rows.stride = memory.address, step
            return Column(rows, shape[-1])
        if not shared:
            raise ValueError(f"{name} must be an array of two or more dimensions, or a list: a row a message")
        rows.data = memory.address
        return Column(rows, memory.length)

    def _listed(self, rows: _native.Rows, given: Any, name: str, *, written: bool) -> Column:
        given = tuple(given)  # another thread may change a list meanwhile
        if len(given) != self.count:
            raise ValueError(f"{name} has {len(given)} entries, and there are {self.count} messages")
        regions = None if written or self.like.device is not None else _native.regions_of_bytes(list(given))
        if regions is not None:
            return self._of_bytes(rows, given, regions)
        memories = [memory_of(one, f"{name}[{n}]", written=written) for n, one in enumerate(given)]
        if not written and self.like.device is not None and all(one.device is None for one in memories):
            return self._copied(rows, memories)
        memories = [self.here(one, f"{name}[{n}]", written=written) for n, one in enumerate(given)]
        addresses = [memory.address for memory in memories]
        rows.pointers = self.numbers(addresses)
        return Column(rows, *_longest([memory.length for memory in memories]), addresses)

    def _copied(self, rows: _native.Rows, memories: list[Memory]) -> Column:
        """Host memory, brought to the device in one piece."""
        column = Column(rows, *_longest([memory.length for memory in memories]))
        joined = b"".join(bytes(memory.view or b"") for memory in memories)
        start = self.here(joined, "data").address if joined else 0
        if column.lengths is None:
            rows.data, rows.stride = start, column.length
        else:
            ends = itertools.accumulate(column.lengths, initial=start)
            rows.pointers = self.numbers(list(ends)[:-1])
        return column

    def _of_bytes(self, rows: _native.Rows, items: tuple[bytes, ...], regions: tuple[bytes, bytes]) -> Column:
        """The same for bytes objects in host memory, which are found faster."""
        lengths, addresses = regions
        rows.pointers = _native.address_of(addresses) if items else 0
        self.kept += [items, addresses]
        return Column(rows, *_longest(list(memoryview(lengths).cast("Q"))))


@dataclass
class Columns:
    """All that a batch reads, and what it writes of a caller's memory."""

    data: Column
    # With their names, and how many there are of each.
    read: list[tuple[str, Column, int]] = field(default_factory=list)
    out: Column | None = None
    tags: Column | None = None

    def require_apart(self, count: int) -> None:
        """What lies in arrays the library compares as a whole, and of a list's messages each by itself. If
        one message's answer lay where another message, tag or nonce is, that would be lost without a word:
        messages are worked on in any order, on all threads.
        """
        written = [(name, column) for name, column in (("out", self.out), ("tags", self.tags)) if column]
        columns = [self.data, *(column for _, column, _ in self.read), *(column for _, column in written)]
        if not written or all(column.addresses is None for column in columns):
            return
        in_place = set(enumerate(self.out.places(count))) if self.out else set()
        places = [(*place, "data", n, False) for n, place in enumerate(self.data.places(count))]
        places = [place for place in places if (place[3], place[:2]) not in in_place]
        for name, column, entries in self.read:
            places += [(*place, name, n, False) for n, place in enumerate(column.places(entries))]
        for name, column in written:
            places += [(*place, name, n, True) for n, place in enumerate(column.places(count))]
        _require_apart(sorted(place for place in places if place[0] < place[1]))


def _require_apart(places: list[tuple[int, int, str, int, bool]]) -> None:
    """places: in their order, where each begins and ends, its name and number, and whether it is written."""
    last = last_written = (0, "", 0)  # of those so far which reach farthest
    for start, stop, name, n, is_written in places:
        end, other, m = last if is_written else last_written
        if start < end:
            raise ValueError(f"{other}[{m}] and {name}[{n}] overlap: each message needs memory of its own")
        reached = (stop, name, n)
        last = max(last, reached)
        last_written = max(last_written, reached) if is_written else last_written


def _longest(lengths: list[int]) -> tuple[int, list[int] | None]:
    """The greatest of them, and all of them if they differ."""
    longest = max(lengths, default=0)
    return longest, lengths if min(lengths, default=0) != longest else None
