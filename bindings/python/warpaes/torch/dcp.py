"""Encrypted checkpoints of many processes, for torch.distributed.checkpoint (DCP).

    dcp.save(state, storage_writer=Writer(folder, key=key))
    dcp.load(state, storage_reader=Reader(folder, key=key))

A checkpoint is a folder: a file of each process, and .metadata. A process's file has a random name, and is
made of containers like those of `warpaes encrypt`, one for each tensor, shard or object. A container's
context string has the file's name, the full name of the tensor and the shard's offsets, so none of them is
taken for another one, of this checkpoint or of any other. .metadata is a container, too, and says where
everything lies; nothing of it is unpickled before all of it is known to be genuine.
"""

import contextlib
import dataclasses
import hashlib
import io
import math
import os
import pickle
import re
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.distributed.checkpoint import filesystem
from torch.distributed.checkpoint.metadata import StorageMeta
from torch.distributed.checkpoint.planner import LoadItemType
from torch.distributed.checkpoint.staging import BlockingAsyncStager
from torch.distributed.checkpoint.storage import StorageReader, StorageWriter, WriteResult

from warpaes import _native
from warpaes._errors import ContainerError, WrongKey
from warpaes._secrets import FileSecret, SecretOptions, kept_secret
from warpaes._streams import PartOfSource, RawReader, opened_file
from warpaes._typing import Unpack
from warpaes._writing import SealingStream
from warpaes.files import NewFile
from warpaes.torch._bytes import Opened, bytes_of, has_memory, is_device, write

__all__ = ["Reader", "Writer"]

_METADATA = ".metadata"  # the name by which programs know that a folder is a checkpoint
_SUFFIX = ".wa"
_MOST_OF_A_NAME = 512  # bytes, so that there is room for a context string of the caller's
_DATA_FILE = re.compile(r"[0-9a-f]{32}\.wa")  # what write_data() calls its files


class Place(NamedTuple):
    """Where something lies, and what it is: a tensor's part, or an object, which has no type and no shape."""

    file: str
    start: int
    length: int
    dtype: Any = None
    shape: tuple[int, ...] = ()


class _Before(NamedTuple):
    """The checkpoint that another one replaces: its files, or why they are not known."""

    files: frozenset[str] = frozenset()
    problem: str = ""


def _context_of(file: str, name: str = "", offset: Any = None) -> bytes:
    """What a container is for. Every part has its length before it, so that no two read the same.

    A context string has some hundreds of bytes at most, so the hash of a longer name stands for it.
    """
    parts = [b"warpaes.torch.dcp", file.encode(), name.encode(errors="surrogatepass")]
    if len(parts[-1]) > _MOST_OF_A_NAME:
        parts[0] += b" hashed"
        parts[-1] = hashlib.sha512(parts[-1]).digest()
    if offset is not None:
        parts.append(struct.pack(f"<{len(offset)}Q", *offset))
    return b"".join(struct.pack("<Q", len(part)) + part for part in parts)


class _Storage:
    """What the two have in common: the folder, and the key."""

    def __init__(self, path: str | os.PathLike[str] | None = None, **secret: "Unpack[SecretOptions]") -> None:
        super().__init__()
        self._path = None if path is None else _local(path)
        self._secret: FileSecret = kept_secret(**secret)
        kept_in_files = secret.get("key") is None and secret.get("passphrase") is None
        self._options = secret if kept_in_files else None
        self._rank: int | None = None  # if every process has a checkpoint of its own

    @property
    def _folder(self) -> Path:
        if self._path is None:
            raise ValueError("name the folder: pass it here, or as checkpoint_id= to save() or load()")
        return self._path

    @property
    def checkpoint_id(self) -> str | None:
        """The folder of the checkpoint."""
        return None if self._path is None else str(self._path)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Folders of this machine are what is taken."""
        return "://" not in os.fspath(checkpoint_id)  # which is another kind of storage's address

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """DCP calls it: the next checkpoint, in another folder if one is named."""
        if checkpoint_id:
            self._path = _local(checkpoint_id)

    def _set_up(self, rank: int | None, use_collectives: bool) -> None:
        self._rank = None if use_collectives else rank

    def _metadata_name(self, rank: int | None) -> str:
        return _METADATA if rank is None else f"__{rank}{_METADATA}"

    def _read_metadata(self, name: str) -> Any:
        """Raises WrongKey, Truncated and Damaged before anything is unpickled."""
        with RawReader(opened_file(self._folder / name), self._secret, _context_of(name)) as raw:
            return pickle.loads(raw.bytes_at(0, raw.size))  # which has looked at the last chunk as well

    def prepare_local_plan(self, plan: Any) -> Any:
        """DCP calls it; nothing is changed."""
        return plan

    def prepare_global_plan(self, plans: list[Any]) -> list[Any]:
        """DCP calls it; nothing is changed."""
        return plans

    def __reduce__(self) -> Any:
        if self._options is None:
            raise TypeError(
                f"{type(self).__name__} holds a key and cannot be pickled or copied: pass key_file= or "
                "passphrase_file=, which is read where it is used"
            )
        return _again, (type(self), self._path, self._options)


def _local(path: str | os.PathLike[str]) -> Path:
    if not _Storage.validate_checkpoint_id(path):
        raise ValueError(f"{os.fspath(path)} is no folder of this machine: checkpoints are saved to folders")
    return Path(path)


def _again(kind: Any, path: Path | None, options: SecretOptions) -> Any:
    return kind(path, **options)


# BlockingAsyncStager copies the state for async_save(), as for PyTorch's own writer. What async_save() does
# for other writers loses that a tensor is the conjugate, or the negative, of what is in its memory.
class Writer(_Storage, StorageWriter, BlockingAsyncStager):
    """Writes checkpoints, for save() and async_save() of torch.distributed.checkpoint.

    path: the folder, unless save() is given a checkpoint_id. secret: key=, passphrase=, key_file= or
    passphrase_file=, and context_string= and context= as warpaes.open() takes them. Only with a file can it
    be pickled, as async_save() with a process of its own asks for: the file's name is.

    .metadata is written last, and gets its name when all of it is on the disk: until then a checkpoint that
    was in the folder before can be read. The files that it had are removed after that, and no others: what a
    save has left that failed, or was killed, stays. If the key does not open that checkpoint, or it is of
    another program, its files stay as well, and there is a warning that says so.
    """

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """DCP calls it."""
        del is_coordinator, args
        self._set_up(kwargs.get("rank"), kwargs.get("use_collectives", True))
        if self._rank is not None and (self._folder / _METADATA).exists():
            raise ValueError(
                f"{self._folder} has a checkpoint that all processes saved together, and that would be "
                "loaded in its place: with use_collectives=False, save to a folder without one"
            )
        self._folder.mkdir(parents=True, exist_ok=True)

    def storage_meta(self) -> Any:
        """DCP calls it."""
        return StorageMeta(checkpoint_id=self.checkpoint_id)

    def write_data(self, plan: Any, planner: Any) -> Any:
        """DCP calls it: this process's part."""
        name = _native.random_bytes(16).hex() + _SUFFIX
        results = []
        if plan.items:
            with NewFile(str(self._folder / name)) as file:
                for item in plan.items:
                    place = self._write(file, name, item.index, planner.resolve_data(item))
                    results.append(WriteResult(item.index, place.length, tuple(place)))
        done: Any = torch.futures.Future()
        done.set_result(results)
        return done

    def _write(self, file: NewFile, name: str, index: Any, data: Any) -> Place:
        start, context = file.length, _context_of(name, index.fqn, index.offset)
        kind: dict[str, Any] = {}
        with _Appended(file, self._secret, context) as into:
            if isinstance(data, torch.Tensor):
                kind = {"dtype": data.dtype, "shape": tuple(data.shape)}
                write(into, [_checked(data, index)], self._secret, more_context=context)
            else:
                into.write(data.getbuffer())
        return Place(name, start, file.length - start, **kind)

    def finish(self, metadata: Any, results: list[list[Any]]) -> None:
        """DCP calls it when all processes have written: the checkpoint exists from now on."""
        places = {one.index: one.storage_data for of_one in results for one in of_one}
        metadata = dataclasses.replace(metadata, storage_data=places, storage_meta=self.storage_meta())
        version = getattr(filesystem, "CURRENT_DCP_VERSION", None)
        if version is not None:  # which PyTorch has since 2.7, as the metadata has the field
            metadata = dataclasses.replace(metadata, version=version)
        self._require_one_key(places)
        name = self._metadata_name(self._rank)
        before = _Before() if self._rank is not None else self._checkpoint_before()
        with (
            NewFile(str(self._folder / name)) as file,
            _Appended(file, self._secret, _context_of(name)) as into,
        ):
            into.write(pickle.dumps(metadata))
        for old in before.files - {place[0] for place in places.values()}:
            with contextlib.suppress(OSError):
                (self._folder / old).unlink()
        if before.problem:  # told when the new checkpoint is there: some have warnings raised as errors
            warnings.warn(
                f"{self._folder} had a checkpoint that could not be read ({before.problem}). Its {_METADATA} "
                "is replaced, and its other files stay: remove them yourself",
                stacklevel=2,
            )

    def _require_one_key(self, places: dict[Any, Any]) -> None:
        """Before another checkpoint is replaced by one of which nobody could load all.

        One container of each process's file is opened. Each has a salt of its own with a passphrase, so that
        this would take as long as loading does: it is left out then.
        """
        first = {} if self._secret.header_length else {place[0]: index for index, place in places.items()}
        for name, index in first.items():
            place, why = Place(*places[index]), ""
            try:
                with contextlib.closing(opened_file(self._folder / name)) as source:
                    part = PartOfSource(source, place.start, place.length)
                    RawReader(part, self._secret, _context_of(name, index.fqn, index.offset))
            except WrongKey:
                why = "has written under another key or context string than the one that completes it"
            except FileNotFoundError:
                why = f"has written {name}, which is not in that folder"
            if why:
                raise ValueError(f"the checkpoint in {self._folder} is not completed: a process {why}")

    def _checkpoint_before(self) -> "_Before":
        """The checkpoint that is in the folder.

        Files that .metadata does not name may be of another save, which is still to complete.
        """
        try:
            stored = self._read_metadata(_METADATA).storage_data
            files = {Place(*place).file for place in stored.values()}
        except FileNotFoundError:
            return _Before()
        except Exception as error:  # the new checkpoint does not fail for what is wrong with an old one
            return _Before(problem=str(error) or type(error).__name__)
        return _Before(frozenset(file for file in files if _DATA_FILE.fullmatch(file)))


class _Appended(SealingStream):
    """A container behind what is in a file already, which is dropped as a whole if anything fails."""

    def __init__(self, file: NewFile, secret: FileSecret, more_context: bytes) -> None:
        super().__init__(secret, more_context)
        self._file = file
        self._begin()

    def _emit(self, data: bytes | bytearray | memoryview) -> None:
        self._file.write(data)

    def _complete(self) -> None:
        """Nothing yet: more parts of the file are to come."""

    def _abandon(self) -> None:
        """Whoever owns the file abandons it."""


def _checked(tensor: Any, index: Any) -> Any:
    if not has_memory(tensor) or tensor.is_quantized:
        raise TypeError(f"{index.fqn!r} is a tensor without plain memory: it cannot be saved as it is")
    return bytes_of(tensor)


class Reader(_Storage, StorageReader):
    """Reads checkpoints, for load() of torch.distributed.checkpoint; arguments as for Writer.

    Raises WrongKey, Truncated and Damaged for what is not genuine: for .metadata when the folder is named,
    because load() would hide it, and for all else out of load(), inside DCP's CheckpointException.
    Tensors that had been loaded before that keep what was loaded, and the one in question is zero.
    """

    _places: dict[Any, Any]

    def __init__(self, path: str | os.PathLike[str] | None = None, **secret: "Unpack[SecretOptions]") -> None:
        super().__init__(path, **secret)
        self._check()

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """DCP calls it: the next checkpoint, in another folder if one is named."""
        super().reset(checkpoint_id)
        self._check()

    def _check(self) -> None:
        if self._path is None:
            return
        of_each_process = sorted(one.name for one in self._path.glob(f"__*{_METADATA}"))
        for name in [_METADATA, *of_each_process]:
            if (self._path / name).exists():
                self._read_metadata(name)
                return

    def read_metadata(self, *args: Any, **kwargs: Any) -> Any:
        """DCP calls it. Raises WrongKey, Truncated and Damaged."""
        del args
        return self._read_metadata(self._metadata_name(kwargs.get("rank")))

    def set_up_storage_reader(self, metadata: Any, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """DCP calls it."""
        del is_coordinator, args
        self._set_up(kwargs.get("rank"), kwargs.get("use_collectives", True))
        self._places = metadata.storage_data

    def read_data(self, plan: Any, planner: Any) -> Any:
        """DCP calls it: what this process asks for."""
        for file, requests in self._by_file(plan.items):
            with contextlib.closing(opened_file(self._folder / file)) as source:
                for place, request in requests:
                    index = request.storage_index
                    context = _context_of(file, index.fqn, index.offset)
                    part = PartOfSource(source, place.start, place.length)
                    raw = RawReader(part, self._secret, context)
                    if request.type == LoadItemType.BYTE_IO:
                        planner.load_bytes(request, io.BytesIO(raw.bytes_at(0, raw.size)))
                    else:
                        self._load(raw, context, place, request, planner)
        done: Any = torch.futures.Future()
        done.set_result(None)
        return done

    def _by_file(self, requests: list[Any]) -> Iterator[tuple[str, list[tuple[Place, Any]]]]:
        """Each file once, and its parts in their order."""
        found: dict[str, list[tuple[Place, Any]]] = {}
        for request in requests:
            place = Place(*self._places[request.storage_index])
            found.setdefault(place.file, []).append((place, request))
        for file, parts in found.items():
            yield file, sorted(parts, key=lambda part: part[0].start)

    def _load(self, raw: RawReader, context: bytes, place: Place, request: Any, planner: Any) -> None:
        """A part of a tensor: the rows that hold it are read, and no others."""
        target, name = planner.resolve_tensor(request).detach(), request.storage_index.fqn
        shape, item = place.shape or (1,), place.dtype.itemsize  # a scalar is read as a row
        offsets, lengths = tuple(request.storage_offsets) or (0,), tuple(request.lengths) or (1,)
        row = math.prod(shape[1:]) * item
        if raw.size != row * shape[0]:
            raw.check_end()  # what was cut has another length as well
            raise ContainerError(f"{name!r} is genuine, but not as long as its shape says")
        if target.shape != request.lengths:
            raise ValueError(
                f"{name!r} is to be loaded into {tuple(target.shape)}, and {lengths} of it were saved"
            )
        start, stop = offsets[0] * row, (offsets[0] + lengths[0]) * row
        opened = Opened(raw, self._secret, target.device, context)
        try:
            if lengths[1:] == shape[1:] and _takes_bytes(target, place.dtype):
                opened.read_into(start, bytes_of(target))
            else:
                stored = opened.read(start, stop).view(place.dtype).reshape(lengths[0], *shape[1:])
                for dimension in range(1, len(shape)):
                    stored = stored.narrow(dimension, offsets[dimension], lengths[dimension])
                target.copy_(stored.reshape(target.shape))
        except BaseException:
            target.zero_()
            raise
        planner.commit_tensor(request, target)


def _takes_bytes(target: Any, dtype: Any) -> bool:
    """Can the plaintext be written where the tensor is?"""
    own = target.is_contiguous() and not target.is_conj() and not target.is_neg()
    return bool(
        own and target.dtype == dtype and target.device.type == "cpu" and not is_device(target.device)
    )
