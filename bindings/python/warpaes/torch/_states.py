"""State dictionaries of PyTorch as encrypted safetensors files."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import torch

from warpaes import files
from warpaes._arguments import shown
from warpaes._safetensors import Entry, compose, named, read_layout, several_names
from warpaes._secrets import CHUNK, SecretOptions, kept_secret
from warpaes._typing import Unpack
from warpaes.torch._bytes import Opened, bytes_of, device_of, has_memory, write

_TYPES: dict[str, Any] = {
    name: getattr(torch, torch_name)
    for name, torch_name in {
        "F4": "float4_e2m1fn_x2",
        "BOOL": "bool",
        "U8": "uint8",
        "I8": "int8",
        "F8_E4M3": "float8_e4m3fn",
        "F8_E5M2": "float8_e5m2",
        "F8_E8M0": "float8_e8m0fnu",
        "F8_E4M3FNUZ": "float8_e4m3fnuz",
        "F8_E5M2FNUZ": "float8_e5m2fnuz",
        "U16": "uint16",
        "I16": "int16",
        "F16": "float16",
        "BF16": "bfloat16",
        "U32": "uint32",
        "I32": "int32",
        "F32": "float32",
        "U64": "uint64",
        "I64": "int64",
        "F64": "float64",
        "C64": "complex64",
    }.items()
    if hasattr(torch, torch_name)
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
# PyTorch's item is a byte with two of them, along the last dimension; files count each of them.
_PACKED = "F4"


def save_file(
    tensors: Mapping[str, Any],
    filename: str | os.PathLike[str],
    metadata: Mapping[str, str] | None = None,
    **secret: "Unpack[SecretOptions]",
) -> None:
    """Writes tensors with their names; `filename` gets its name when all of it is on the disk.

    secret: key=, passphrase=, key_file= or passphrase_file=, and context_string= and context= of
    warpaes.open(). metadata: a dictionary of strings by their names, encrypted as well.
    Tensors that share memory are each written whole.

    Raises TypeError for what is no tensor with memory of its own, ValueError for one that is not contiguous.
    """
    tensors = named(tensors, "tensors")
    described = [_described(name, tensor) for name, tensor in tensors.items()]
    header, layout = compose(described, metadata)
    data = [bytes_of(tensors[name]) for name in layout.entries]
    kept = kept_secret(**secret)
    with files.writer(filename, kept) as file:
        file.write(header)
        write(file, data, kept, first=len(header) // CHUNK)


def load_file(
    filename: str | os.PathLike[str],
    device: Any = "cpu",
    *,
    names: Iterable[str] | None = None,
    **secret: "Unpack[SecretOptions]",
) -> dict[str, Any]:
    """The tensors on `device`, or those that `names` says, for which only their chunks are read.

    Without `names`, all tensors are views of one piece of memory. Raises WrongKey, Truncated and Damaged,
    and KeyError for a name that is not there.
    """
    with safe_open(filename, device=device, **secret) as file:
        if names is None:
            return file.get_tensors()
        return {name: file.get_tensor(name) for name in several_names(names)}


class safe_open:  # noqa: N801
    """An encrypted safetensors file of which single tensors are read, with safetensors' own methods."""

    def __init__(
        self,
        filename: str | os.PathLike[str],
        framework: Literal["pt"] = "pt",
        device: Any = "cpu",
        **secret: "Unpack[SecretOptions]",
    ) -> None:
        if framework not in ("pt", "torch", "pytorch"):
            given = shown(framework)
            raise ValueError(f'framework must be "pt", not {given}: warpaes.numpy has NumPy arrays')
        kept = kept_secret(**secret)
        self._file = files.reader(filename, kept)
        try:
            self._layout = read_layout(self._file)
            self._bytes = Opened(self._file.raw, kept, device_of(device))
        except BaseException:
            self._file.close()
            raise

    def keys(self) -> list[str]:
        """The tensors' names, in alphabetical order."""
        return sorted(self._layout.entries)

    def offset_keys(self) -> list[str]:
        """The tensors' names, in the order of their bytes."""
        return sorted(self._layout.entries, key=lambda name: self._layout.entries[name].start)

    def metadata(self) -> dict[str, str] | None:
        """The `metadata` that save_file() was given."""
        return self._layout.metadata

    def get_tensor(self, name: str) -> Any:
        """One tensor. Raises Damaged if one of its bytes is not genuine."""
        entry = self._layout.entry(name)
        return _tensor(self._bytes.read(entry.start, entry.stop), entry)

    def get_tensors(self) -> dict[str, Any]:
        """All tensors by their names, as views of one piece of memory."""
        layout = self._layout
        self._file.raw.check_end()
        data = self._bytes.read(layout.data, layout.size)
        return {
            name: _tensor(data[entry.start - layout.data : entry.stop - layout.data], entry)
            for name, entry in layout.entries.items()
        }

    def get_slice(self, name: str) -> "Slice":
        """What an index is applied to, which reads only the rows that it needs: get_slice(name)[10:20]."""
        return Slice(self, self._layout.entry(name))

    def close(self) -> None:
        """Tensors that were read stay."""
        self._file.close()

    def __enter__(self) -> "safe_open":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError("an open file cannot be pickled")


class Slice:
    """A part of a tensor that has not been read yet."""

    def __init__(self, file: safe_open, entry: Entry) -> None:
        self._file, self._entry = file, entry

    def get_shape(self) -> list[int]:
        """The shape of the whole tensor."""
        return list(self._entry.shape)

    def get_dtype(self) -> str:
        """The type of the items, as safetensors writes it: "F32"."""
        return self._entry.dtype

    def __getitem__(self, index: Any) -> Any:
        given = index if isinstance(index, tuple) else (index,)
        entry = self._entry
        if entry.dtype == _PACKED:
            return self._file.get_tensor(entry.name)[index]
        if not entry.shape or not given or not isinstance(given[0], slice) or given[0].step not in (None, 1):
            return self._file.get_tensor(entry.name)[index]
        first, last, _ = given[0].indices(entry.shape[0])
        last = max(first, last)
        row = (entry.stop - entry.start) // entry.shape[0] if entry.shape[0] else 0
        start, stop = entry.start + first * row, entry.start + last * row
        part = Entry(entry.name, entry.dtype, (last - first, *entry.shape[1:]), start, stop)
        rows = _tensor(self._file._bytes.read(start, stop), part)
        return rows[(slice(None), *given[1:])]


def _tensor(data: Any, entry: Entry) -> Any:
    """The bytes as what they are; they are moved if they lie at no multiple of an item."""
    dtype = _TYPES.get(entry.dtype)
    if dtype is None:
        raise TypeError(f"{entry.name!r} has items of {entry.dtype}, which this PyTorch does not have")
    shape = entry.shape
    if entry.dtype == _PACKED:
        if not shape or shape[-1] % 2:
            raise TypeError(
                f"{entry.name!r} is of {entry.dtype} with an odd last dimension, which PyTorch does not have"
            )
        shape = (*shape[:-1], shape[-1] // 2)
    if data.data_ptr() % dtype.itemsize or data.storage_offset() % dtype.itemsize:
        data = data.clone()
    return data.view(dtype).reshape(shape)


def _described(name: str, tensor: Any) -> tuple[str, str, tuple[int, ...]]:
    """Its name, type and shape as a file has them."""
    dtype = _name_of(name, tensor)
    shape = tuple(tensor.shape)
    if dtype != _PACKED:
        return name, dtype, shape
    if not shape:
        raise TypeError(
            f"{name!r} is one item of {tensor.dtype} without a dimension, which safetensors does not have"
        )
    return name, dtype, (*shape[:-1], 2 * shape[-1])


def _name_of(name: str, tensor: Any) -> str:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name!r} is no tensor, but {type(tensor).__name__}")
    if not has_memory(tensor):
        raise TypeError(
            f"{name!r} is a {type(tensor).__name__} without memory of its own: sparse, nested, meta and "
            "distributed tensors cannot be saved (warpaes.torch.dcp saves the last)"
        )
    found = _NAMES.get(tensor.dtype)
    if found is None:
        raise TypeError(f"{name!r} has items of {tensor.dtype}, which safetensors does not have")
    if not tensor.is_contiguous():
        raise ValueError(f"{name!r} is not contiguous in memory: save {name!r}.contiguous()")
    return found
