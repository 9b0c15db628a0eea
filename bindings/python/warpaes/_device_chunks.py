"""Chunks of a container that are sealed and opened where a tensor is: on a CUDA device."""

import hmac
from typing import Any, NamedTuple

from warpaes import _native
from warpaes._arrays import scratch, status_address, stream_of
from warpaes._errors import AUTHENTICATION, Damaged, WrongKey, exception_of
from warpaes._hkdf import expand
from warpaes._keys import DECRYPT, ENCRYPT, Mode, SecretHolder
from warpaes._machine import Context, context_or_default
from warpaes._memory import Memory, memory_of
from warpaes._secrets import CHUNK, HEADER, SEALED_CHUNK, FileSecret

_SALT, _NONCE, _TAG = 24, 12, 16
_AEADS = {16: b"AEAD_AES_128_GCM", 32: b"AEAD_AES_256_GCM"}
_contexts: dict[int, Context] = {}


class Run(NamedTuple):
    """Chunks that follow each other: the number of the first, how many, and the length of their plaintext."""

    first: int
    chunks: int
    length: int = CHUNK


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
    """The key and the nonces of one container, for batches of its chunks (docs/container.md)."""

    __slots__ = ("_base", "_context", "_key")

    def __init__(
        self, secret: FileSecret, beginning: bytes, device: int | None, more_context: bytes = b""
    ) -> None:
        self._context = context_on(device, secret.context)
        key, string = secret.container_key(beginning, more_context)
        header = beginning[secret.header_length : secret.header_length + HEADER]
        info = b"c2sp.org/chunked-encryption@v1+" + _AEADS[len(key)] + b"\0" + header[:_SALT] + string
        made = expand("sha512", key, info, len(key) + _NONCE + HEADER - _SALT)
        if not hmac.compare_digest(made[len(key) + _NONCE :], header[_SALT:]):
            raise WrongKey("wrong key: this file was encrypted under another one")
        self._base = int.from_bytes(made[len(key) : len(key) + _NONCE], "big")
        native = self._context._native
        self._key = _native.Key(native, Mode.GCM, memoryview(made)[: len(key)], _TAG, False)
        made[:] = bytes(len(made))

    def seal(self, plain: Any, sealed: Any, chunks: Run) -> None:
        """From one tensor of bytes into another on the same device."""
        self._run(ENCRYPT, plain, sealed, chunks)

    def open(self, sealed: Any, plain: Any, chunks: Run) -> None:
        """The same the other way. Raises Damaged."""
        self._run(DECRYPT, plain, sealed, chunks)

    def _run(self, direction: int, plain: Any, sealed: Any, chunks: Run) -> None:
        first, count, length = chunks
        if count == 0:
            return
        inner, outer = memory_of(plain, "plaintext"), memory_of(sealed, "sealed chunks")
        if inner.length < count * length or outer.length < (count - 1) * SEALED_CHUNK + length + _TAG:
            raise ValueError("too little room for the chunks")
        nonces = inner.kind.from_host(plain, self._nonces(first, count))
        nonce_memory = memory_of(nonces, "nonces")
        statuses = inner.kind.statuses(plain, count)
        batch = _native.Batch()
        batch.count, batch.length = count, length
        batch.nonces, batch.nonce_length = _rows(nonce_memory.address, _NONCE), _NONCE
        outside, inside = _rows(outer.address, SEALED_CHUNK), _rows(inner.address, CHUNK)
        batch.input, batch.output = (inside, outside) if direction == ENCRYPT else (outside, inside)
        batch.tags = _rows(outer.address + length, SEALED_CHUNK)
        batch.statuses = status_address(statuses)
        self._launch(direction, batch, inner)
        self._require_good(inner.kind.read_statuses(statuses), first)

    def _launch(self, direction: int, batch: _native.Batch, like: Memory) -> None:
        if like.device is None:
            _native.batch_on_host(self._key, direction, batch)
            return
        size = _native.workspace_size(self._key, direction, batch.count, batch.length)
        workspace = scratch(like, size)
        batch.workspace, batch.workspace_size = (workspace.address, size) if workspace else (0, 0)
        batch.stream = stream_of(like, None)
        _native.batch_on_device(self._key, direction, batch)

    def _nonces(self, first: int, count: int) -> bytes:
        return b"".join(
            (self._base ^ number).to_bytes(_NONCE, "big") for number in range(first, first + count)
        )

    def _require_good(self, statuses: list[int], first: int) -> None:
        wrong = next((number for number, status in enumerate(statuses) if status), None)
        if wrong is None:
            return
        if statuses[wrong] == AUTHENTICATION:
            raise Damaged(f"damaged: chunk {first + wrong} failed authentication")
        raise exception_of(statuses[wrong], "", f"the device reported status {statuses[wrong]}")


def _rows(address: int, stride: int) -> _native.Rows:
    rows = _native.Rows()
    rows.data, rows.stride = address, stride
    return rows
