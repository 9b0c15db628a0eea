"""Dictionaries of NumPy arrays as encrypted safetensors files; the same files as those of warpaes.torch."""

import importlib
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy

from warpaes import files
from warpaes._safetensors import Entry, compose, named, read_layout, several_names
from warpaes._secrets import SecretOptions, kept_secret
from warpaes._typing import Unpack

__all__ = ["load_file", "save_file"]

_NAMES = {
    "bool": "BOOL",
    "uint8": "U8",
    "int8": "I8",
    "uint16": "U16",
    "int16": "I16",
    "float16": "F16",
    "uint32": "U32",
    "int32": "I32",
    "float32": "F32",
    "uint64": "U64",
    "int64": "I64",
    "float64": "F64",
    "complex64": "C64",
}
# Those that the package ml_dtypes adds to NumPy, in which JAX's arrays of them come.
_ADDED = {
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e8m0fnu": "F8_E8M0",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "float8_e5m2fnuz": "F8_E5M2FNUZ",
}
_TYPES = {name: numpy.dtype(dtype).newbyteorder("<") for dtype, name in _NAMES.items()}


def save_file(
    arrays: Mapping[str, Any],
    filename: str | os.PathLike[str],
    metadata: Mapping[str, str] | None = None,
    **secret: "Unpack[SecretOptions]",
) -> None:
    """Writes arrays with their names, of which nobody without the key sees anything but their whole length.

    secret: key=, passphrase=, key_file= or passphrase_file=, and context_string= and context= of
    warpaes.open(). metadata: a dictionary of strings by their names.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_file({"weight": numpy.arange(3)}, f"{folder}/model", key=bytes(32))
    ...     load_file(f"{folder}/model", key=bytes(32))
    {'weight': array([0, 1, 2])}
    """
    arrays = named(arrays, "arrays")
    masked = [name for name, array in arrays.items() if isinstance(array, numpy.ma.MaskedArray)]
    if masked:
        raise ValueError(
            f"{masked[0]!r} is a masked array, and its mask would be lost: save its data, or filled()"
        )
    given = {name: numpy.asarray(array) for name, array in arrays.items()}
    described = [(name, _name_of(name, array), array.shape) for name, array in given.items()]
    header, layout = compose(described, metadata)
    with files.writer(filename, kept_secret(**secret)) as file:
        file.write(header)
        for array in map(given.__getitem__, layout.entries):
            little = array.dtype.newbyteorder("<")
            file.write(_bytes_of(array.astype(little, order="C", copy=False)))


def load_file(
    filename: str | os.PathLike[str],
    *,
    names: Iterable[str] | None = None,
    **secret: "Unpack[SecretOptions]",
) -> dict[str, Any]:
    """The arrays, or those that `names` says, for which only their chunks are read.

    Raises WrongKey, Truncated and Damaged, KeyError for a name that is not there, and TypeError for items
    that NumPy does not have; it has BF16 and others where the package ml_dtypes is installed.
    """
    with files.reader(filename, kept_secret(**secret)) as file:
        layout = read_layout(file)
        chosen = list(layout.entries) if names is None else several_names(names)
        entries = [layout.entry(name) for name in chosen]  # before anything is read
        return {entry.name: _read(file, entry) for entry in entries}


def _read(file: files.Reader, entry: Entry) -> Any:
    dtype = _TYPES.get(entry.dtype) or _added_type(entry.dtype)
    if dtype is None:
        added = " by the package ml_dtypes only" if entry.dtype in _ADDED.values() else " not"
        raise TypeError(f"{entry.name!r} has items of {entry.dtype}, which NumPy has{added}")
    array = numpy.empty(entry.shape, dtype)
    if array.nbytes:
        file.raw.read_at(entry.start, _bytes_of(array))
    return array


def _bytes_of(array: Any) -> Any:
    return array.reshape(-1).view("uint8")


def _added_type(wanted: str) -> Any:
    try:
        added = importlib.import_module("ml_dtypes")
    except ImportError:
        return None
    names = (name for name, described in _ADDED.items() if described == wanted)
    return next((numpy.dtype(getattr(added, name)) for name in names if hasattr(added, name)), None)


def _name_of(name: str, array: Any) -> str:
    kind = array.dtype.newbyteorder("=").name
    found = _NAMES.get(kind) or _ADDED.get(kind)
    if found is None:
        raise TypeError(f"{name!r} has items of {array.dtype}, which safetensors does not have")
    return found
