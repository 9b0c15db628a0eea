"""What is copied where in a store, and which moves would lose what they were to move."""

import os
import posixpath
import shutil
from collections.abc import Iterator
from glob import has_magic
from typing import Any

from warpaes._uploads import local_path

Pairs = list[tuple[str, str]]


class Removal:
    """What is removed at the end of a transaction, as files that are written get their names there."""

    def __init__(self, fs: Any, path: Any, sources: list[str], *, recursive: bool) -> None:
        self._fs, self._path, self._sources, self._recursive = fs, path, sources, recursive

    def commit(self) -> None:
        if self._recursive:
            self._fs.rm(self._path, recursive=True)
            return
        for source in self._sources:
            if has_magic(source):  # rm() would take the name for a pattern
                self._fs.rm_file(source)
            else:  # which every store has
                self._fs.rm(source)

    def discard(self) -> None:
        """It stays."""


class _Copy:
    """What fsspec's copy() would copy where: it works with this in the place of a filesystem."""

    def __init__(self, fs: Any) -> None:
        self._fs = fs
        self.pairs: Pairs = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fs, name)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        """Nothing is copied yet."""
        del kwargs
        self.pairs.append((self._fs._strip_protocol(path1), self._fs._strip_protocol(path2)))


def pairs_of(fs: Any, path1: Any, path2: Any, recursive: bool, **kwargs: Any) -> Pairs:
    """Which files and folders copy() would copy where, if they may be removed afterwards.

    Raises SameFileError or ValueError where a copy would lie in what is removed, or two would have one name,
    and IsADirectoryError for a folder of which nothing would be copied.
    """
    several = isinstance(path1, list) and isinstance(path2, list)
    if several and len(path1) != len(path2):
        raise ValueError(f"{len(path1)} files cannot be moved to {len(path2)} names")
    copy = _Copy(fs)
    type(fs).copy(copy, path1, path2, recursive=recursive, on_error="raise", **kwargs)
    folders = [source for source, _ in copy.pairs if fs.isdir(source)] if several else []
    if folders:
        raise IsADirectoryError(f"{folders[0]} is a folder: move each folder by a call of its own")
    if not copy.pairs and not several:
        raise IsADirectoryError(f"{path1} is a folder: pass recursive=True to move all that is in it")
    _require_other_places(fs.fs, copy.pairs)
    return copy.pairs


def _require_other_places(store: Any, pairs: Pairs) -> None:
    sources = {place for source, _ in pairs for place in _places(store, source)}
    taken: set[str] = set()
    for source, target in pairs:
        require_another_file(store, source, target)
        places = _places(store, target)
        if any(above in sources for place in places for above in _with_folders(place)):
            raise ValueError(f"{source} cannot be moved to {target}: that lies in what is moved")
        if not taken.isdisjoint(places):
            raise ValueError(f"{source} cannot be moved to {target}: another file is moved there")
        taken |= places


def require_another_file(store: Any, path1: str, path2: str) -> None:
    """A store may take a file's other name for another file, and mv() would then remove the only one."""
    if not _places(store, path1).isdisjoint(_places(store, path2)):
        raise shutil.SameFileError(f"{path1} and {path2} are the same file")


def require_file_elsewhere(store: Any, path: str, local: Any) -> None:
    """A store of this machine may have the very file that is copied from or to it: the copy would take its
    place, as plaintext or encrypted once more."""
    own = local_path(store, path)
    if own is not None and os.path.realpath(own) == os.path.realpath(local):
        raise shutil.SameFileError(f"{path} and {os.fspath(local)} are the same file")


def _places(store: Any, path: str) -> set[str]:
    """Where a file lies: its name without detours, and on this machine the one without links as well."""
    places = {posixpath.normpath(f"/{path.lstrip('/')}")}
    local = local_path(store, path)
    return places if local is None else {*places, os.path.realpath(local)}


def _with_folders(place: str) -> Iterator[str]:
    """The place, and the folders that it lies in."""
    yield place
    while place != "/":
        place = posixpath.dirname(place)
        yield place
