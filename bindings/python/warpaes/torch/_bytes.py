"""Tensors as bytes in containers, sealed and opened where the tensors are: on the host or a CUDA device."""

from collections.abc import Iterator
from typing import Any

import torch

from warpaes._device_chunks import DeviceChunks, Run
from warpaes._secrets import CHUNK, SEALED_CHUNK, FileSecret
from warpaes._streams import RawReader, SealingStream

STAGE = 64 << 20  # bytes of plaintext that are sealed or opened together on a device


def bytes_of(tensor: Any) -> Any:
    """The bytes of its items in their order, in one dimension; the tensor's own memory if it can be."""
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
    return plain.reshape(-1).view(torch.uint8)


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
            file.write(one.numpy())
        return
    chunks = DeviceChunks(secret, file.beginning, device.index, more_context)
    _write_from_device(file, chunks, data, first, device)


def _write_from_device(
    file: SealingStream, chunks: DeviceChunks, data: list[Any], first: int, device: Any
) -> None:
    """Through a stage on the device, which is filled, sealed and then copied to the host."""
    chunk_count = min(STAGE, sum(one.numel() for one in data) + CHUNK - 1) // CHUNK
    stage = torch.empty(chunk_count * CHUNK, dtype=torch.uint8, device=device)
    sealed = torch.empty(chunk_count * SEALED_CHUNK, dtype=torch.uint8, device=device)
    for length in _filled(stage, data):
        count = length // CHUNK
        chunks.seal(stage, sealed, Run(first, count))
        file.write_sealed(memoryview(sealed[: count * SEALED_CHUNK].cpu().numpy()), count)
        first += count
        rest = length % CHUNK
        if rest:
            chunks.seal(stage[count * CHUNK :], sealed, Run(first, 1, rest))
            file.write_last_sealed(memoryview(sealed[: rest + SEALED_CHUNK - CHUNK].cpu().numpy()))


def _filled(stage: Any, data: list[Any]) -> Iterator[int]:
    """Copies tensors one behind the other; yields how many bytes there are whenever the stage is full, and
    at the end."""
    used = 0
    for tensor in data:
        done = 0
        while done < tensor.numel():
            length = min(tensor.numel() - done, stage.numel() - used)
            stage[used : used + length].copy_(tensor[done : done + length])
            used, done = used + length, done + length
            if used == stage.numel():
                yield used
                used = 0
    if used:
        yield used


class Opened:
    """The plaintext of a container, as tensors of bytes on a device."""

    def __init__(self, raw: RawReader, secret: FileSecret, device: Any, more_context: bytes = b"") -> None:
        self._raw, self._device = raw, device
        self._chunks: DeviceChunks | None = None
        if is_device(device):
            self._chunks = DeviceChunks(secret, raw.beginning, device.index, more_context)

    def read(self, start: int, stop: int) -> Any:
        """What lies from `start` to before `stop`. Raises Damaged if one of its bytes is not genuine."""
        if self._chunks is not None:
            return self._read_on_device(self._chunks, start, stop)
        data = torch.empty(stop - start, dtype=torch.uint8)
        self.read_into(start, data)
        return data.to(self._device)

    def read_into(self, start: int, data: Any) -> None:
        """Fills a tensor of bytes on the host with what begins at `start`."""
        if data.numel():
            self._raw.read_at(start, data.numpy())

    def _read_on_device(self, chunks: DeviceChunks, start: int, stop: int) -> Any:
        first, end = start // CHUNK, (stop + CHUNK - 1) // CHUNK
        data = torch.empty((end - first) * CHUNK, dtype=torch.uint8, device=self._device)
        whole = min(end, self._raw.size // CHUNK)
        for number in range(first, whole, STAGE // CHUNK):
            count = min(STAGE // CHUNK, whole - number)
            self._open_chunks(chunks, data[(number - first) * CHUNK :], Run(number, count))
        if whole < end:  # the last chunk is shorter
            last = Run(whole, 1, self._raw.size % CHUNK)
            self._open_chunks(chunks, data[(whole - first) * CHUNK :], last)
        return data[start - first * CHUNK : stop - first * CHUNK]

    def _open_chunks(self, chunks: DeviceChunks, into: Any, run: Run) -> None:
        sealed = torch.frombuffer(self._raw.read_sealed(run.first, run.chunks), dtype=torch.uint8)
        chunks.open(sealed.to(self._device), into, run)
