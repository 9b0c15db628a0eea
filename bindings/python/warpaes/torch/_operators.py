"""Authenticated encryption as operators of PyTorch's graphs, which have a number in the key's place."""

import functools
import itertools
import math
from collections.abc import Iterator
from typing import Any

import torch
import torch.fx

from warpaes._keys import KeyHolder, SecretHolder
from warpaes._memory import host_bytes
from warpaes.aead import AESGCMSIV

_TAG = 16
_numbers = itertools.count(1)
_ciphers: dict[int, Any] = {}


def _cipher(handle: int) -> Any:
    found = _ciphers.get(handle)
    if found is None:
        raise RuntimeError(
            "the key of this graph is gone: keep the Operators object for as long as the graph"
        )
    return found


def _on_host(tensor: Any) -> Any:
    return None if tensor is None else tensor.cpu().contiguous()


def _bytes_of(nonce: torch.Tensor) -> bytes:
    """A copy, with which the call may go by its shortest way."""
    return bytes(host_bytes(_on_host(nonce), "nonce"))


def _encrypt(
    handle: int, nonce: torch.Tensor, data: torch.Tensor, associated_data: torch.Tensor | None
) -> torch.Tensor:
    made: torch.Tensor = _cipher(handle).encrypt(_bytes_of(nonce), data, _on_host(associated_data))
    return made


def _decrypt(
    handle: int, nonce: torch.Tensor, data: torch.Tensor, associated_data: torch.Tensor | None
) -> torch.Tensor:
    made: torch.Tensor = _cipher(handle).decrypt(_bytes_of(nonce), data, _on_host(associated_data))
    return made


_SCHEMA = "(int handle, Tensor nonce, Tensor data, Tensor? associated_data) -> Tensor"
_operator: Any = torch.library.custom_op
encrypt_operator = _operator("warpaes::encrypt", _encrypt, mutates_args=(), schema=_SCHEMA)
decrypt_operator = _operator("warpaes::decrypt", _decrypt, mutates_args=(), schema=_SCHEMA)


@encrypt_operator.register_fake  # type: ignore[untyped-decorator]
def _(handle: int, nonce: Any, data: Any, associated_data: Any) -> Any:
    del handle, nonce, associated_data
    return data.new_empty(data.numel() + _TAG, dtype=torch.uint8)


@decrypt_operator.register_fake  # type: ignore[untyped-decorator]
def _(handle: int, nonce: Any, data: Any, associated_data: Any) -> Any:
    del handle, nonce, associated_data
    # What is shorter than a tag is refused by the operator itself, as it is without a graph.
    return data.new_empty(torch.sym_max(0, data.numel() - _TAG), dtype=torch.uint8)


# A graph must not leave it out where nothing uses the plaintext: that it was genuine is an answer, too.
torch.fx.node.has_side_effect(torch.ops.warpaes.decrypt.default)


def _by_rows(operator: Any, info: Any, in_dims: Any, handle: int, *tensors: Any) -> Any:
    """torch.vmap(): a message a row."""
    dims = in_dims[1:]
    if not info.batch_size:
        return _no_rows(operator, tensors[1], dims[1]), 0

    def row(number: int) -> Iterator[Any]:
        for given, dim in zip(tensors, dims, strict=True):
            yield given if dim is None else given.select(dim, number)

    return torch.stack([operator(handle, *row(number)) for number in range(info.batch_size)]), 0


def _no_rows(operator: Any, data: Any, mapped: int | None) -> Any:
    """As long as rows would be if there were any."""
    length = math.prod(size for dim, size in enumerate(data.shape) if dim != mapped)
    made = length + _TAG if operator is encrypt_operator else max(0, length - _TAG)
    return data.new_empty((0, made), dtype=torch.uint8)


def _encrypt_by_rows(info: Any, in_dims: Any, handle: int, *tensors: Any) -> Any:
    if in_dims[1] is None and not isinstance(_cipher(handle), AESGCMSIV):
        raise ValueError(
            "torch.vmap must map the nonces as well as the data: under one nonce, the messages of all rows "
            "would give each other away"
        )
    return _by_rows(encrypt_operator, info, in_dims, handle, *tensors)


if hasattr(encrypt_operator, "register_vmap"):  # which PyTorch has since 2.5
    encrypt_operator.register_vmap(_encrypt_by_rows)
    decrypt_operator.register_vmap(functools.partial(_by_rows, decrypt_operator))


def _require_tensors(nonce: Any, data: Any, associated_data: Any) -> None:
    """PyTorch would show what it is given in place of a tensor, which may be a key or a plaintext."""
    given = {"nonce": nonce, "data": data, "associated_data": associated_data}
    for name, one in given.items():
        is_left_out = one is None and name == "associated_data"
        if not hasattr(one, "__torch_function__") and not is_left_out:  # of tensors, and what stands for them
            raise TypeError(
                f"{name} must be a torch.Tensor of bytes, not {type(one).__name__}: "
                "torch.frombuffer() makes one of memory"
            )


class Operators(SecretHolder):
    """An AEAD of the package for use in torch.compile(): the graph has a number, and the key stays here.

    aead: AESGCM or another class with nonces and tags of 16 bytes. Nonces and additional data are tensors of
    bytes that belong on the host: one that lies on a device, or in pieces, is copied for each call, which
    waits for the device then. The data is one of bytes, on any device that the AEAD's context works on.

    The object must live as long as the graphs that were made with it. They are for this process: in another
    one, which reads a saved graph (torch.export), the number is that of another key or of none.
    """

    __slots__ = ("_handle",)

    def __init__(self, aead: Any) -> None:
        if not isinstance(aead, KeyHolder) or aead._tag_length != _TAG or aead._tag_first:
            raise TypeError("aead must be AESGCM, or another AEAD with a nonce and a tag of 16 bytes")
        self._handle = next(_numbers)
        _ciphers[self._handle] = aead

    def encrypt(self, nonce: Any, data: Any, associated_data: Any = None) -> Any:
        """Ciphertext and tag, as one tensor of bytes. A nonce must never be used twice with one key.

        torch.vmap() has to map nonces as well, each with its row of data; only AES-GCM-SIV takes one for all.
        """
        _require_tensors(nonce, data, associated_data)
        return torch.ops.warpaes.encrypt(self._handle, nonce, data, associated_data)

    def decrypt(self, nonce: Any, data: Any, associated_data: Any = None) -> Any:
        """The plaintext. Raises InvalidTag, also in a graph that runs and does not use the plaintext."""
        _require_tensors(nonce, data, associated_data)
        return torch.ops.warpaes.decrypt(self._handle, nonce, data, associated_data)

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            _ciphers.pop(self._handle, None)
