"""Many messages in one call: rows of an array, or a list."""

import math
import operator
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from warpaes import _native
from warpaes._arrays import (
    PLAIN,
    CallStream,
    maker_of,
    named_stream,
    require_device,
    scratch,
    wait_for_foreign,
    wait_for_producers,
)
from warpaes._columns import Column, Columns, Layout
from warpaes._errors import AUTHENTICATION, Error, InvalidTag, exception_of
from warpaes._keys import DECRYPT, ENCRYPT, KeyHolder
from warpaes._kinds import BYTES, OTHER, Kind, kind_of
from warpaes._memory import Memory, memory_of, rows_of

DataT = TypeVar("DataT")
TagsT = TypeVar("TagsT")

_NAMED = 8  # so many messages are named in an exception
_EACH_ITS_OWN = (
    "two messages that are encrypted with one key and one nonce give each other away; "
    "give each message a nonce of its own"
)


@dataclass(eq=False)  # arrays do not say in one word whether they are equal
class Batch(Generic[DataT, TagsT]):
    """The answers to a batch.

    data: an array with a row for each message, or a list, as the messages came.
    tags: an array as `data` is, with rows of 16 bytes, or a list of bytes.
    statuses: a number for each message, 0 if it is in order; where the messages are, so perhaps on a device.
    If `data` has more than two dimensions, messages are numbered in the order of memory.
    """

    data: DataT
    tags: TagsT
    statuses: Any
    _kind: Kind = field(repr=False)

    def _read(self) -> list[int]:
        """The work may be on any stream, as that of a graph is: all of the device has to come so far."""
        self._kind.wait(self.statuses)
        return self._kind.read_statuses(self.statuses)

    def failed(self) -> list[int]:
        """Numbers of the messages that are not in order, counted from 0. Waits for the device."""
        return [number for number, status in enumerate(self._read()) if status]

    def check(self) -> "Batch[DataT, TagsT]":
        """The batch itself, if every message is in order. Waits for the device.

        Raises InvalidTag if a message is not genuine; the exception's `messages` has the numbers of all that
        failed.
        """
        statuses = self._read()
        failed = [number for number, status in enumerate(statuses) if status]
        if failed:  # no variable has the exception, whose traceback has the variables, and so all the data
            raise _failure(statuses, failed)
        return self


def _failure(statuses: list[int], failed: list[int]) -> Exception:
    named = ", ".join(map(str, failed[:_NAMED])) + (" ..." if len(failed) > _NAMED else "")
    text = f"{len(failed)} of {len(statuses)} messages failed: number {named}, counted from 0"
    if any(statuses[number] == AUTHENTICATION for number in failed):
        error: Exception = InvalidTag(text)
    else:
        made = exception_of(statuses[failed[0]], "", text)
        error = made if isinstance(made, (ValueError, Error)) else Error(text)
    error.messages = failed  # type: ignore[attr-defined]
    return error


@dataclass(slots=True)
class Messages:
    """The arguments of a call on a batch."""

    nonces: Any
    data: Any
    aads: Any
    lengths: Any
    out: Any
    tags: Any
    stream: Any


def run_batch(aead: KeyHolder, direction: int, given: Messages) -> Batch[Any, Any]:
    """See warpaes.aead."""
    if isinstance(given.data, list):
        given.data = tuple(given.data)  # it is looked at several times, and another thread may change it
    count, like = _messages(given.data)
    if direction == DECRYPT and given.tags is None:
        raise TypeError("tags must be the tags that encrypt_batch() made, not None")
    if like.device is None:
        if given.stream is not None:
            raise ValueError("stream= is for arrays on a CUDA device, and data is in host memory")
        return _run(aead, direction, Layout(count, like, _maker_on_host(like, given.out)), given, 0)
    require_device(aead, like)
    maker = maker_of(like, _first_of(given.out))
    named = named_stream(given.stream, like)
    stream = maker.kind.current_stream(maker.owner) if named is None else named
    layout = Layout(count, like, maker)
    with maker.kind.on(maker.owner, stream):
        made = _run(aead, direction, layout, given, stream)
    wait_for_foreign(maker, CallStream(stream, named=given.stream is not None), layout.memories())
    return made


def _first_of(out: Any) -> Memory | None:
    """The memory of the first answer."""
    one = out[0] if isinstance(out, (list, tuple)) and out else out
    return None if one is None else rows_of(one, "out", written=True)[0]


def _maker_on_host(like: Memory, out: Any) -> Memory:
    """What tags and statuses are made like: like the data, else like the answer, else as bytes."""
    if like.kind is not OTHER:
        return like
    target = _first_of(out)
    return memory_of(b"", "out") if target is None or target.kind is OTHER else target


def _run(aead: KeyHolder, direction: int, layout: Layout, given: Messages, stream: int) -> Batch[Any, Any]:
    like, maker, count = layout.like, layout.maker, layout.count
    batch = _native.Batch()
    batch.count = count
    columns = Columns(_put_input(batch, layout, given.data, given.lengths))
    # Asked for first: it says so if no engine of the context works on device memory.
    on_host = like.device is None
    size = 0 if on_host else _native.workspace_size(aead._key, direction, count, batch.length)
    if aead._tag_first:
        columns.read.append(_put_strings(batch, layout, given.aads))
    else:
        each_its_own = direction == ENCRYPT and not aead._nonces_may_repeat
        columns.read += [
            ("nonces", _put_nonces(batch, layout, given.nonces, each_its_own=each_its_own), count),
            ("aads", _put_aads(batch, layout, given.aads), count),
        ]
    # Bytes objects that are made here may be filled; those that a caller gives are refused.
    out = _like_data(given.data, like, given.lengths) if given.out is None else given.out
    found = _outputs(layout, out, columns.data, given.data, written=given.out is not None)
    batch.output, columns.out = found.rows, found if given.out is not None else None
    tags = _new_tags(layout, given.data, aead._tag_length) if given.tags is None else given.tags
    makes_tags = direction == ENCRYPT
    found = _put_tags(batch, layout, tags, aead._tag_length, written=makes_tags and given.tags is not None)
    if not makes_tags:
        columns.read.append(("tags", found, count))
    elif given.tags is not None:
        columns.tags = found
    columns.require_apart(count)
    statuses = maker.kind.statuses(maker.owner, count)
    batch.statuses = maker.kind.address(statuses)
    if on_host:
        _native.batch_on_host(aead._key, direction, batch)
    else:
        batch.stream = stream
        call_stream = CallStream(stream, named=given.stream is not None)
        wait_for_producers(maker, call_stream, layout.memories())
        workspace, (batch.workspace, batch.workspace_size) = scratch(maker, size)
        _native.batch_on_device(aead._key, direction, batch)
        del workspace
    if given.out is None:
        out = _finished(given.data, out)
    if given.tags is None:
        tags = tags if isinstance(tags, list) else maker.kind.finished(maker.owner, tags)
    return Batch(out, tags, maker.kind.finished(maker.owner, statuses), maker.kind)


def _finished(data: Any, made: Any) -> Any:
    """Answers of the messages' kind, of memory that was made for them."""
    if isinstance(data, (list, tuple)):
        if PLAIN.issuperset(map(type, data)):  # of many short messages, each call takes long
            return made
        return [kind_of(one).finished(one, answer) for one, answer in zip(data, made, strict=True)]
    return kind_of(data).finished(data, made)


def _put_tags(batch: _native.Batch, layout: Layout, tags: Any, length: int, *, written: bool) -> Column:
    column = layout.column(tags, "tags", written=written)
    if column.lengths is not None or (layout.count and column.length != length):
        raise ValueError(f"tags must have {length} bytes for each message")
    batch.tags = column.rows
    return column


def _messages(data: Any) -> tuple[int, Memory]:
    """How many there are, and the memory of the first, which says where all have to be."""
    if isinstance(data, (list, tuple)):
        return len(data), memory_of(data[0] if data else b"", "data[0]")
    memory, _ = rows_of(data, "data")
    if memory.kind is BYTES and len(memory.shape) > 1:
        raise TypeError(
            f"data is a {type(data).__name__}, to which answers are bytes and no rows: "
            "pass numpy.asarray(data)"
        )
    if len(memory.shape) <= 1:
        raise ValueError("data must be an array of two or more dimensions, or a list: a row a message")
    return math.prod(memory.shape[:-1]), memory


def _put_input(batch: _native.Batch, layout: Layout, data: Any, lengths: Any) -> Column:
    column = layout.column(data, "data")
    batch.input, batch.length = column.rows, column.length
    if lengths is None:
        if column.lengths is not None:
            batch.lengths = layout.numbers(column.lengths)
        return column
    if isinstance(data, (list, tuple)):
        raise ValueError("lengths= is for arrays: the messages of a list have their own lengths")
    if isinstance(lengths, (Set, Mapping)):
        raise TypeError(f"lengths must be a list or an array, not {type(lengths).__name__}")
    flat = lengths.reshape(-1) if hasattr(lengths, "reshape") else lengths
    try:
        given = [operator.index(length) for length in flat]
    except TypeError as error:
        raise TypeError(f"lengths must be whole numbers, one for each row: {error}") from None
    if len(given) != layout.count:
        raise ValueError(f"lengths has {len(given)} entries, and there are {layout.count} messages")
    if any(not 0 <= length <= column.length for length in given):
        raise ValueError(f"lengths must be between 0 and the length of a row, {column.length}")
    batch.lengths = layout.numbers(given)
    batch.length = max(given, default=0)  # what a mode or an answer has no room for depends on it
    return replace(column, length=batch.length, lengths=given)


def _put_nonces(batch: _native.Batch, layout: Layout, nonces: Any, *, each_its_own: bool) -> Column:
    if nonces is None:
        raise TypeError("nonces must be an array with a row for each message, or a list of bytes, not None")
    if isinstance(nonces, list):
        nonces = tuple(nonces)
    column = layout.column(nonces, "nonces")
    if column.lengths is not None:
        raise ValueError("the nonces of a batch must have one length")
    if layout.count and column.length == 0:  # by which the library would take them for 12 bytes long
        raise ValueError("a nonce has 1 byte or more, and those of this batch have none")
    if each_its_own and isinstance(nonces, tuple):
        _require_different(nonces)
    elif each_its_own and layout.count > 1 and column.rows.stride == 0:
        raise ValueError(f"all rows of nonces are one row in memory: {_EACH_ITS_OWN}")
    batch.nonces, batch.nonce_length = column.rows, column.length
    return column


def _require_different(nonces: tuple[Any, ...]) -> None:
    """Refuses two equal nonces in a list, which is easily made of one, as [nonce] * count. None is read back
    from a device."""
    if set(map(type, nonces)) != {bytes}:
        memories = [memory_of(nonce, "nonces") for nonce in nonces]
        if any(memory.view is None for memory in memories):
            return
        nonces = tuple(bytes(memory.view or b"") for memory in memories)
    if len(set(nonces)) == len(nonces):
        return
    last = {nonce: n for n, nonce in enumerate(nonces)}
    first, second = next((n, last[nonce]) for n, nonce in enumerate(nonces) if last[nonce] != n)
    raise ValueError(f"nonces[{first}] and nonces[{second}] are equal: {_EACH_ITS_OWN}")


def _put_aads(batch: _native.Batch, layout: Layout, aads: Any) -> Column:
    column = layout.column(aads, "aads", shared=True)
    batch.aad, batch.aad_length = column.rows, column.length
    if column.lengths is not None:
        batch.aad_lengths = layout.numbers(column.lengths)
    return column


def _put_strings(batch: _native.Batch, layout: Layout, given: Any) -> tuple[str, Column, int]:
    """SIV's: as many for each message, which follow each other."""
    name, count = "associated_data", layout.count
    if isinstance(given, (list, tuple)):
        if not all(isinstance(one, (list, tuple)) for one in given):
            raise TypeError(f"{name} must be an array, or a list with a list of strings for each message")
        if len(given) != count or len({len(one) for one in given}) > 1:
            raise ValueError(f"{name} must have as many strings for each of the {count} messages")
        given = [string for one in given for string in one]
        entries = len(given)
    else:
        memory, _ = rows_of(given, name)
        entries = math.prod(memory.shape[:-1])
    if count and (entries == 0 or entries % count):
        raise ValueError(
            f"{name} has {entries} strings, and there are {count} messages: each needs at least one, and all "
            "as many; encrypt() takes messages without any"
        )
    batch.aad_strings = entries // count if count else 1
    strings = Layout(entries, layout.like, layout.maker)
    strings.kept = layout.kept
    column = strings.column(given, name)
    batch.aad, batch.aad_length = column.rows, column.length
    if column.lengths is not None:
        batch.aad_lengths = layout.numbers(column.lengths)
    return name, column, entries


def _like_data(data: Any, like: Memory, lengths: Any) -> Any:
    """Room for the answers. What the messages do not fill would else be what somebody has left in memory."""
    if isinstance(data, (list, tuple)):
        return [_like(one) for one in data]
    make = like.kind.empty if lengths is None else like.kind.zeros
    return make(like.owner, like.shape)


def _like(message: Any) -> Any:
    if type(message) is bytes:
        return _native.new_bytes(len(message))
    return kind_of(message).empty(message, (memory_of(message, "data").length,))


def _new_tags(layout: Layout, data: Any, length: int) -> Any:
    maker, listed = layout.maker, isinstance(data, (list, tuple))
    if maker.kind is BYTES or (listed and maker.device is None):
        return [BYTES.empty(None, (length,)) for _ in range(layout.count)]
    messages = (layout.count,) if listed else layout.like.shape[:-1]
    return maker.kind.empty(maker.owner, (*messages, length))


def _outputs(layout: Layout, out: Any, messages: Column, data: Any, *, written: bool) -> Column:
    """Memory for the answers, arranged as `data` is, with room for every message."""
    if isinstance(out, (list, tuple)) != isinstance(data, (list, tuple)):
        raise TypeError("out must be a list if data is one, and else an array")
    column = layout.column(out, "out", written=written)
    if not written:
        return column  # made to fit
    listed, count = isinstance(data, (list, tuple)), layout.count
    if not listed and column.length < messages.length and count:
        raise ValueError(f"out has rows of {column.length} bytes, and messages have up to {messages.length}")
    room = column.lengths or [column.length] * count
    needed = messages.lengths or [messages.length] * count
    if listed and any(r < n for r, n in zip(room, needed, strict=True)):
        raise ValueError("out has too little room for one of the messages")
    return replace(column, length=messages.length, lengths=messages.lengths)  # which is what is written
