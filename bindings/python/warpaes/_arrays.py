"""One message in an array: the answer is an array of the same kind, on the same device."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from warpaes import _native
from warpaes._errors import AUTHENTICATION, exception_of
from warpaes._keys import ENCRYPT, KeyHolder
from warpaes._kinds import BYTES, NUMPY, kind_of
from warpaes._memory import Memory, memory_of, stream_number
from warpaes._short_ways import NOT_WAITED, SHORT_WAYS, learn, require_genuine, verdicts_of
from warpaes.typing import Data

PLAIN = frozenset((bytes, bytearray, memoryview))  # what the native module takes as it is
_NOTHING: list[tuple[int, int]] = []


@dataclass(slots=True)
class Message:
    """The arguments of a call on one message."""

    direction: int
    nonce: Any
    data: Any
    aad: Any
    out: Any
    stream: Any
    out_is: str  # its name


def run(aead: KeyHolder, direction: int, nonce: Any, data: Any, aad: Any, *, out: Any, stream: Any) -> Data:
    """Ciphertext and tag (SIV: tag and ciphertext), or the plaintext. It is `out`, if that is given."""
    arrays = SHORT_WAYS.get(type(data))
    if arrays is not None and aad is None and stream is None:
        made: Data | None = arrays.run(aead._key, direction, nonce, data, out)
        if made is not None:
            return made
    answer: Data = _run(aead, Message(direction, nonce, data, aad, out, stream, "out"))[0]
    return answer


def run_into(
    aead: KeyHolder, direction: int, nonce: Any, data: Any, aad: Any, *, buf: Any, stream: Any
) -> int:
    """The same into `buf`. How many bytes it has."""
    if buf is None:
        raise TypeError("buf must be memory that can be written to, not None")
    arrays = SHORT_WAYS.get(type(data))
    if arrays is not None and aad is None and stream is None:
        made = arrays.run(aead._key, direction, nonce, data, buf)
        if made is not None:
            return int(made.nbytes)
    return _run(aead, Message(direction, nonce, data, aad, buf, stream, "buf"))[1]


def _run(aead: KeyHolder, message: Message) -> tuple[Any, int]:
    """The answer, and the number of its bytes."""
    memory = memory_of(message.data, "data")
    message.nonce = _lent(message.nonce, "nonce")
    encrypts = message.direction == ENCRYPT
    needed = memory.length + (aead._tag_length if encrypts else -aead._tag_length)
    if needed < 0:  # too short to have a tag
        raise exception_of(AUTHENTICATION, "", "")
    work = _on_host if memory.device is None else _on_device
    return work(aead, message, memory, needed), needed


def _lent(given: Any, name: str) -> Any:
    """The native module asks for buffers, which a tensor of the host has not."""
    if given is None or not kind_of(given).makes:
        return given
    memory = memory_of(given, name)
    if memory.device is not None:
        raise TypeError(f"{name} must lie in host memory, not on device {memory.device}")
    return memory.view


def _on_host(aead: KeyHolder, given: Message, data: Memory, needed: int) -> Any:
    if given.stream is not None:
        raise ValueError("stream= is for arrays on a CUDA device, and data is in host memory")
    name = "associated_data"
    aad = given.aad
    given.aad = [_lent(one, name) for one in aad] if isinstance(aad, list) else _lent(aad, name)
    key = aead._key
    view = data.view
    encrypts = given.direction == ENCRYPT
    if given.out is None and data.kind is BYTES:
        return (key.encrypt if encrypts else key.decrypt)(given.nonce, view, given.aad)
    into = key.encrypt_into if encrypts else key.decrypt_into
    if given.out is None and data.kind is NUMPY:
        made = NUMPY.empty(None, (needed,))
        into(given.nonce, view, given.aad, made)
        return made
    out = given.out
    if out is None:
        out = data.kind.empty(data.owner, (needed,))
    target = memory_of(out, given.out_is, written=True)
    if target.device is not None:
        raise ValueError(
            f"{given.out_is} lies on a CUDA device, and data in host memory: they must be in the same place"
        )
    if target.length != needed:
        raise ValueError(
            f"{given.out_is} must have exactly {needed} bytes for this message, not {target.length}"
        )
    into(given.nonce, view, given.aad, target.view)
    return out if given.out is not None else data.kind.finished(data.owner, out)


def _on_device(aead: KeyHolder, given: Message, data: Memory, needed: int) -> Any:
    if given.nonce is None and not aead._tag_first:
        raise TypeError("nonce must be bytes-like, not None")
    if isinstance(given.aad, list) and not aead._tag_first:
        raise TypeError("associated_data must be bytes-like, not list: AESSIV alone takes several strings")
    require_device(aead, data)
    if type(data.owner) not in SHORT_WAYS:
        learn(data.owner, data.kind)
    target = None if given.out is None else memory_of(given.out, given.out_is, written=True)
    maker = maker_of(data, target)
    named = named_stream(given.stream, data)
    if named is None:
        stream = maker.kind.current_stream(maker.owner)
        return _run_on_device(aead, given, _Place(data, target, maker, stream), needed)
    with maker.kind.on(maker.owner, named):
        return _run_on_device(aead, given, _Place(data, target, maker, named), needed)


class _Place(NamedTuple):
    """Where a call on a device works: the message, memory for the answer, and the stream."""

    data: Memory
    target: Memory | None  # if it was given
    maker: Memory  # the array after whose kind other memory is made
    stream: int


def _run_on_device(aead: KeyHolder, given: Message, place: _Place, needed: int) -> Any:
    data, target, maker, stream = place
    direction, out = given.direction, given.out
    # Asked for first: it says so if no engine of the context works on device memory.
    length = needed - aead._tag_length if direction == ENCRYPT else needed
    size = _native.workspace_size(aead._key, direction, 1, length)
    if target is None:
        out = data.kind.empty(data.owner, (needed,))
        target = memory_of(out, "out")
    if target.device != data.device or target.length != needed:
        raise ValueError(f"{given.out_is} must have exactly {needed} bytes on device {data.device}")
    aad = None if given.aad is None else _additional_data(given.aad, maker)
    workspace, room = scratch(maker, size)
    used = (data, target, *(aad or ()))
    call_stream = CallStream(stream, named=given.stream is not None)
    wait_for_producers(maker, call_stream, used)
    # Which part is the ciphertext and which the tag: SIV has the tag first.
    sealed = target.address if direction == ENCRYPT else data.address
    tag, ciphertext = (sealed, sealed + aead._tag_length) if aead._tag_first else (sealed + length, sealed)

    def start(status: int) -> None:
        _native.message_on_device(
            aead._key,
            direction,
            given.nonce,
            (data.address if direction == ENCRYPT else ciphertext, length),
            ciphertext if direction == ENCRYPT else target.address,
            tag,
            _NOTHING if aad is None else [(one.address, one.length) for one in aad],
            isinstance(given.aad, list),
            room,
            status,
            stream,
        )

    if direction == ENCRYPT:
        start(0)
    else:
        _start_and_require_genuine(maker, start)
    wait_for_foreign(maker, call_stream, used)
    del workspace
    return out


def _start_and_require_genuine(maker: Memory, start: Callable[[int], None]) -> None:
    """start: (address of a status)"""
    verdicts, device = verdicts_of(maker.kind.name), maker.device
    if verdicts is None or device is None:
        status = maker.kind.statuses(maker.owner, 1)
        start(maker.kind.address(status))
        require_genuine(maker.kind.read_statuses(status)[0])
        return
    verdict = verdicts.take()
    try:
        start(verdict.address)
    except BaseException:
        verdicts.put_back(verdict, device)
        raise
    verdicts.require_genuine(verdict, device, NOT_WAITED)


def maker_of(data: Memory, target: Memory | None) -> Memory:
    """The array after whose kind the call's other memory is made: the data, or else the answer."""
    if data.kind.makes or target is None or not target.kind.makes:
        return data
    return target


class CallStream(NamedTuple):
    """The stream of a call. named: for the call, by somebody who so knows which streams have to wait."""

    number: int
    named: bool

    def is_default(self) -> bool:
        """Is it the default stream? That has two numbers: 0 and 1 (cudaStreamLegacy)."""
        return self.number in (0, 1)

    def is_also(self, other: int) -> bool:
        return other == self.number or (self.is_default() and other in (0, 1))

    def is_current_in(self, used: Memory, maker: Memory) -> bool:
        """Does the package that the array is of put its own work on this stream?"""
        other_package = used.device is not None and used.kind.makes and used.kind is not maker.kind
        return not other_package or self.is_also(used.kind.current_stream(used.owner))


def wait_for_producers(maker: Memory, stream: CallStream, used: Iterable[Memory]) -> None:
    """An array may name a stream that has work left on it, which comes before ours. That of DLPack's arrays
    comes before what is put on the default stream, and that of other packages before what is on theirs."""
    if not all(_is_ready(one, maker, stream) for one in used):
        maker.kind.wait(maker.owner)


def _is_ready(one: Memory, maker: Memory, stream: CallStream) -> bool:
    if one.by_dlpack and not stream.is_default():
        return False
    if one.stream is not None and not stream.is_also(one.stream):
        return False
    return stream.named or stream.is_current_in(one, maker)


def wait_for_foreign(maker: Memory, stream: CallStream, used: Iterable[Memory]) -> None:
    """The memory of arrays that only their owner can make may go to others as soon as they are dropped; and
    nobody knows on which stream. Other packages' streams do not wait for the call's."""
    for one in used:
        is_foreign = one.device is not None and not one.kind.makes
        if is_foreign or not (stream.named or stream.is_current_in(one, maker)):
            maker.kind.wait(maker.owner)
            return


def _additional_data(aad: Any, like: Memory) -> list[Memory]:
    """Additional data of a device call lies on the device: bytes are copied there."""
    return [on_device(one, "associated_data", like) for one in (aad if isinstance(aad, list) else [aad])]


def on_device(given: Any, name: str, like: Memory) -> Memory:
    """What is given, where `like` is: memory of the host is copied there."""
    memory = memory_of(given, name)
    if memory.device is None:
        if memory.length == 0:
            return Memory(b"", like.kind, (0,), True, 0, like.device)
        return memory_of(like.kind.from_host(like.owner, bytes(memory.view or b"")), name)
    if memory.device != like.device:
        raise ValueError(f"{name} lies on device {memory.device}, and data on device {like.device}")
    return memory


def scratch(like: Memory, size: int) -> tuple[Any, tuple[int, int]]:
    """Workspace with its address and size, of the allocator that the array's package has: it knows which
    stream uses it."""
    if size == 0:
        return None, (0, 0)
    made = like.kind.empty(like.owner, (size,))
    return made, (like.kind.address(made), size)


def require_device(aead: KeyHolder, data: Memory) -> None:
    """A context works on one device."""
    if data.device != aead._context.device:
        raise ValueError(
            f"data lies on device {data.device}, and the context of this {type(aead).__name__} works on "
            f"device {aead._context.device}: make it with context=warpaes.Context(device={data.device})"
        )


def named_stream(given: Any, data: Memory) -> int | None:
    """The one that was given, else that which the array names; None for the current one of the package."""
    return data.stream if given is None else stream_number(given)
