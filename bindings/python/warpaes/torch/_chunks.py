"""Chunks of a container that are sealed and opened where a tensor is: on a CUDA device."""

import hmac
from typing import Any, NamedTuple

import torch

from warpaes import _native
from warpaes._arrays import scratch
from warpaes._errors import AUTHENTICATION, Damaged, exception_of
from warpaes._hkdf import expand
from warpaes._keys import DECRYPT, ENCRYPT, Mode, SecretHolder
from warpaes._machine import Context, context_or_default
from warpaes._memory import Memory, memory_of
from warpaes._secrets import CHUNK, HEADER, SEALED_CHUNK, FileSecret

_SALT, _NONCE, _TAG = 24, 12, 16
_NUMBER = 8  # so many bytes of a nonce differ from chunk to chunk
_AEADS = {16: b"AEAD_AES_128_GCM", 32: b"AEAD_AES_256_GCM"}
_contexts: dict[int, Context] = {}


class Run(NamedTuple):
    """Chunks that follow each other: the number of the first, how many, and the length of their plaintext."""

    first: int
    chunks: int
    length: int = CHUNK

    @property
    def plain(self) -> int:
        """Bytes of plaintext."""
        return self.chunks * CHUNK if self.length == CHUNK else self.length

    @property
    def sealed(self) -> int:
        """Bytes with the tags."""
        return self.plain + self.chunks * _TAG


def context_on(device: int | None, given: Context | None) -> Context:
    """One that works on the device: the given one, the default, or one that is made for it and kept."""
    context = given
    if context is None:
        context = _contexts.get(device or 0) or context_or_default(None)
        if device is not None and context.device != device:
            context = _contexts.setdefault(device, Context(device=device))
    if device is not None and context.device != device:
        raise ValueError(
            f"the tensors are on device {device}, and the context works on device {context.device}"
        )
    return context


class DeviceChunks(SecretHolder):
    """The key and the nonces of one container, for batches of its chunks (docs/container.md).

    Nothing here waits for the device: whoever has all the statuses asks require_good() once.
    """

    __slots__ = ("_constant", "_context", "_device", "_key", "_varying")

    def __init__(self, secret: FileSecret, beginning: bytes, device: Any, more_context: bytes = b"") -> None:
        self._context = context_on(device.index, secret.context)
        key, string = secret.container_key(beginning, more_context)
        header = beginning[secret.header_length : secret.header_length + HEADER]
        info = b"c2sp.org/chunked-encryption@v1+" + _AEADS[len(key)] + b"\0" + header[:_SALT] + string
        made = expand("sha512", key, info, len(key) + _NONCE + HEADER - _SALT)
        if not hmac.compare_digest(made[len(key) + _NONCE :], header[_SALT:]):
            raise secret.rejection()
        base = bytes(made[len(key) : len(key) + _NONCE])
        self._device = device
        self._constant = torch.tensor(list(base[:-_NUMBER]), dtype=torch.uint8, device=device)
        self._varying = int.from_bytes(base[-_NUMBER:], "big", signed=True)
        native = self._context._native
        self._key = _native.Key(native, Mode.GCM, memoryview(made)[: len(key)], _TAG, False)
        made[:] = bytes(len(made))

    def seal(self, plain: Any, sealed: Any, statuses: Any, run: Run) -> None:
        """Encrypts chunks from one tensor of bytes into another on the same device.

        statuses: a number for each chunk.
        """
        self._run(ENCRYPT, plain, sealed, statuses, run)

    def open(self, sealed: Any, plain: Any, statuses: Any, run: Run) -> None:
        """Decrypts chunks, as seal() encrypts them."""
        self._run(DECRYPT, plain, sealed, statuses, run)

    def _run(self, direction: int, plain: Any, sealed: Any, statuses: Any, run: Run) -> None:
        inner, outer = memory_of(plain, "plaintext"), memory_of(sealed, "sealed chunks")
        if inner.length < run.plain or outer.length < run.sealed or statuses.numel() < run.chunks:
            raise ValueError("too little room for the chunks")
        nonces = self._nonces(run)
        batch = _native.Batch()
        batch.count, batch.length = run.chunks, run.length
        batch.nonces, batch.nonce_length = _rows(nonces.data_ptr(), _NONCE), _NONCE
        outside, inside = _rows(outer.address, SEALED_CHUNK), _rows(inner.address, CHUNK)
        batch.input, batch.output = (inside, outside) if direction == ENCRYPT else (outside, inside)
        batch.tags = _rows(outer.address + run.length, SEALED_CHUNK)
        batch.statuses = statuses.data_ptr()
        self._launch(direction, batch, inner)

    def _launch(self, direction: int, batch: _native.Batch, like: Memory) -> None:
        if like.device is None:
            _native.batch_on_host(self._key, direction, batch)
            return
        size = _native.workspace_size(self._key, direction, batch.count, batch.length)
        workspace, (batch.workspace, batch.workspace_size) = scratch(like, size)
        batch.stream = like.kind.current_stream(like.owner)
        _native.batch_on_device(self._key, direction, batch)
        del workspace

    def _nonces(self, run: Run) -> Any:
        """The base with the number of the chunk, big-endian, in its last bytes by exclusive or."""
        numbers = torch.arange(run.first, run.first + run.chunks, device=self._device) ^ self._varying
        varying = numbers.view(torch.uint8).view(run.chunks, _NUMBER).flip(1)
        return torch.cat([self._constant.expand(run.chunks, -1), varying], dim=1)


def new_statuses(count: int, device: Any) -> Any:
    """For so many chunks, none of which is in order yet."""
    return torch.full((count,), -1, dtype=torch.int32, device=device)


def require_good(statuses: Any, first: int) -> None:
    """Waits for the device. Raises Damaged and names the chunk; `first` is the number of the first one."""
    wrong = statuses.nonzero()
    if not wrong.numel():
        return
    number = int(wrong[0])
    status = int(statuses[number])
    if status == AUTHENTICATION:
        raise Damaged(f"damaged: chunk {first + number} failed authentication")
    raise exception_of(status, "", f"the device reported status {status}")


def _rows(address: int, stride: int) -> _native.Rows:
    rows = _native.Rows()
    rows.data, rows.stride = address, stride
    return rows
