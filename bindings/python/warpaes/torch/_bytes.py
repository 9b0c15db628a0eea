"""Tensors as bytes in containers, sealed and opened where the tensors are: on the host or a CUDA device."""

from collections.abc import Iterator
from typing import Any

import torch

from warpaes._memory import host_bytes
from warpaes._secrets import CHUNK, FileSecret
from warpaes._streams import RawReader
from warpaes._writing import SealingStream
from warpaes.torch import _stages
from warpaes.torch._chunks import DeviceChunks, Run, new_statuses, require_good
from warpaes.torch._stages import HOST, WriteBehind, read_ahead, runs_of


def bytes_of(tensor: Any) -> Any:
    """The bytes of its items in their order, in one dimension; the tensor's own memory if it can be."""
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
    # Of one item any stride is contiguous, and reshape() would keep it, which view() refuses.
    return plain.as_strided((plain.numel(),), (1,)).view(torch.uint8)


def has_memory(tensor: Any) -> bool:
    """Are its items in memory of its own, at one address, as those of plain tensors are?

    Sparse, nested, meta and distributed tensors are not, nor is one whose storage was freed, as FSDP does.
    """
    plain = tensor.layout == torch.strided and not tensor.is_nested and not tensor.is_meta
    return bool(plain and (tensor.data_ptr() or not tensor.numel()))


def is_device(device: Any) -> bool:
    """Is that where the host cannot read?"""
    return bool(device.type == "cuda")


def device_of(given: Any) -> Any:
    """A device with its number, as tensors on it say it."""
    device = torch.device("cuda", given) if isinstance(given, int) else torch.device(given)
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    return device


def write(
    file: SealingStream, data: list[Any], secret: FileSecret, *, first: int = 0, more_context: bytes = b""
) -> None:
    """Writes tensors of bytes one behind the other; those before fill the chunks up to number `first`."""
    device = next((one.device for one in data if is_device(one.device)), None)
    if device is None:
        for one in data:
            file.write(host_bytes(one, "a tensor"))
        return
    size = sum(one.numel() for one in data)
    if size:
        chunks = DeviceChunks(secret, file.beginning, device, more_context)
        _write_from_device(file, chunks, data, Run(first, -(-size // CHUNK), size))


def _write_from_device(file: SealingStream, chunks: DeviceChunks, data: list[Any], all_of_it: Run) -> None:
    """Each run is put together, sealed, copied to the host and written, while the next are on the way."""
    first, count, size = all_of_it
    device = next(one.device for one in data if is_device(one.device))

    def written(run: Run, sealed: memoryview) -> None:
        if run.length == CHUNK:
            file.write_sealed(sealed, run.chunks)
        else:
            file.write_last_sealed(sealed)

    together = min(_stages.TOGETHER, count)
    plain = torch.empty(together * CHUNK, dtype=torch.uint8, device=device)
    statuses = new_statuses(count, device)
    source = _Gathered(data)
    try:
        with WriteBehind(count, device, written) as behind:
            for run in runs_of(0, count, size):
                source.fill(plain[: run.plain])
                stage = behind.stage()
                numbered = Run(first + run.first, run.chunks, run.length)
                chunks.seal(plain, stage.there, statuses[run.first :], numbered)
                behind.take(stage, numbered)
    finally:
        plain.zero_()  # which PyTorch hands to others as it is
    require_good(statuses, first)


class _Gathered:
    """Tensors of bytes, one behind the other."""

    def __init__(self, data: list[Any]) -> None:
        self._rest: Iterator[Any] = iter(data)
        self._current = torch.empty(0, dtype=torch.uint8, device=HOST)

    def fill(self, into: Any) -> None:
        """With what comes next, of which there is enough."""
        done = 0
        while done < into.numel():
            while not self._current.numel():
                self._current = next(self._rest)
            length = min(self._current.numel(), into.numel() - done)
            into[done : done + length].copy_(self._current[:length])
            self._current = self._current[length:]
            done += length


class Opened:
    """The plaintext of a container, as tensors of bytes on a device."""

    def __init__(self, raw: RawReader, secret: FileSecret, device: Any, more_context: bytes = b"") -> None:
        self._raw, self._device = raw, device
        self._chunks: DeviceChunks | None = None
        if is_device(device):
            self._chunks = DeviceChunks(secret, raw.beginning, device, more_context)

    def read(self, start: int, stop: int) -> Any:
        """What lies from `start` to before `stop`. Raises Damaged if one of its bytes is not genuine."""
        if self._chunks is not None:
            return self._read_on_device(self._chunks, start, stop)
        data = torch.empty(stop - start, dtype=torch.uint8, device=HOST)
        self.read_into(start, data)
        return data.to(self._device)

    def read_into(self, start: int, data: Any) -> None:
        """Fills a tensor of bytes on the host with what begins at `start`."""
        if data.numel():
            self._raw.read_at(start, host_bytes(data, "a tensor"))

    def _read_on_device(self, chunks: DeviceChunks, start: int, stop: int) -> Any:
        """All of it is zero if one of the chunks is not genuine."""
        first, end = start // CHUNK, max(start // CHUNK, -(-stop // CHUNK))
        data = torch.empty((end - first) * CHUNK, dtype=torch.uint8, device=self._device)
        statuses = new_statuses(end - first, self._device)
        runs = runs_of(first, end, self._raw.size)
        pieces = read_ahead(runs, end - first, self._device, self._raw.read_sealed)
        try:
            for run, stage in pieces:
                sealed = stage.to_device(run.sealed)
                place = run.first - first
                chunks.open(sealed, data[place * CHUNK :], statuses[place:], run)
            require_good(statuses, first)
        except BaseException:
            data.zero_()
            raise
        finally:
            pieces.close()  # nothing reads the file any more
        return data[start - first * CHUNK : stop - first * CHUNK]
