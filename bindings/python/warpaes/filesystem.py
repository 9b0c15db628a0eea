"""Encrypted files in every store that fsspec knows, as `warpaes::`.

    fsspec.open("warpaes::s3://bucket/name", warpaes={"key": key})

is the plaintext of s3://bucket/name, which is a file like those of `warpaes encrypt`. Sizes are those of the
plaintext. Names are not encrypted.
"""

import contextlib
import os
from collections.abc import Iterable
from functools import partial
from typing import Any

import fsspec
from fsspec.callbacks import DEFAULT_CALLBACK
from fsspec.compression import compr
from fsspec.core import get_compression
from fsspec.implementations.local import LocalFileSystem

from warpaes import _native
from warpaes._arguments import shown
from warpaes._machine import Context
from warpaes._moves import Removal, pairs_of, require_another_file, require_file_elsewhere
from warpaes._objects import StoredReader, plaintext_of, poured, sealed, source_of
from warpaes._ranges import NEAR, Ranges, Wanted
from warpaes._secrets import CHUNK, kept_secret
from warpaes._stored_files import StoredFiles
from warpaes._streams import RawReader
from warpaes._uploads import Upload, copy_whole, require_free, store_whole
from warpaes.files import NewFile

__all__ = ["WarpaesFileSystem"]

# What every filesystem takes. Other names are refused: one that is misspelt, such as names_under, would leave
# something out without a word.
_OPTIONS_OF_FSSPEC = frozenset(
    (
        "asynchronous",
        "batch_size",
        "listings_expiry_time",
        "loop",
        "max_paths",
        "skip_instance_cache",
        "use_listings_cache",
    )
)

# What programs pass to every store's open(), and says only how much is to be read ahead.
_MATTERS_NOT = frozenset(("cache_type", "fill_cache", "size"))


class WarpaesFileSystem(StoredFiles):
    """Another filesystem's files, decrypted when they are read and encrypted when they are written.

    key, passphrase: what the files are encrypted under. key_file, passphrase_file: where that is, as a file
    of `warpaes keygen` or of one line; insecure_key_file=True for one that other users can read, which is
    refused otherwise. Only with a file can the filesystem be pickled, for the workers of Dask: the file's
    name is, and each worker reads it. A key is neither pickled nor printed.

    context_string: what the files are for; see warpaes.open(). names_under: a folder; each file's name below
    it is authenticated as well, so that two files cannot be swapped. Files must keep their names then.

    fs: the other filesystem, or target_protocol and target_options, as fsspec gives them.
    block_size: bytes that an open file reads ahead. near: ranges with no more than this between them are
    fetched by one request.
    """

    protocol = "warpaes"
    """Its name before a URL."""
    cachable = False
    """Never: the cache would find one key's filesystem for another key."""
    _strip_tokenize_options = ("key", "passphrase")  # and so they are in no token and no storage_options

    def __init__(
        self,
        fs: Any = None,
        fo: Any = None,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        *,
        key: Any = None,
        passphrase: Any = None,
        key_file: Any = None,
        passphrase_file: Any = None,
        insecure_key_file: bool = False,
        context_string: bytes | str = b"",
        names_under: str | os.PathLike[str] | None = None,
        block_size: int = 64 * CHUNK,
        near: int = NEAR,
        context: Context | None = None,
        **storage_options: Any,
    ) -> None:
        del fo  # the path, which each call has
        unknown = sorted(storage_options.keys() - _OPTIONS_OF_FSSPEC)
        if unknown:
            raise TypeError(
                f"warpaes:: has no option {', '.join(unknown)}: those of the store are passed by its name, "
                "as s3={…}"
            )
        super().__init__(**storage_options)
        if fs is None and target_protocol is None:
            raise ValueError(
                'name a store after warpaes::, as in "warpaes::file:///folder/name", or pass fs='
            )
        string = context_string.encode() if isinstance(context_string, str) else context_string
        self._secret = kept_secret(
            key,
            passphrase,
            string,
            context,
            key_file=key_file,
            passphrase_file=passphrase_file,
            insecure_key_file=insecure_key_file,
        )
        self._can_be_pickled = key is None and passphrase is None
        self.fs = fs if fs is not None else fsspec.filesystem(target_protocol, **(target_options or {}))
        # The class strips warpaes:: from a URL; an object has its store's names. It does not refer to itself,
        # so that its key is wiped when it goes, and not when Python looks for cycles.
        self._strip_protocol: Any = partial(_names_in, self.fs, super()._strip_protocol)
        self._block_size, self._near = block_size, near
        self._root = None if names_under is None else self._folder(os.fspath(names_under))
        self._token = f"{type(self).__name__}-{_native.random_bytes(16).hex()}"

    @property
    def _fs_token(self) -> str:
        """The token of this object: other keys have other tokens, and none is made of a key."""
        return str(self._fs_token_) if self._can_be_pickled else self._token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WarpaesFileSystem) and self._fs_token == other._fs_token

    def __hash__(self) -> int:
        return hash(self._fs_token)

    def __repr__(self) -> str:
        return f"<warpaes over {type(self.fs).__name__}>"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        if not self._can_be_pickled:
            raise TypeError(
                "WarpaesFileSystem holds a key and cannot be pickled or copied: pass key_file= or "
                "passphrase_file=, which is read where it is used"
            )
        return super().__reduce__()

    def unstrip_protocol(self, name: str) -> str:
        """The URL by which fsspec finds the file, given the store's options."""
        return f"{self.protocol}::{self.fs.unstrip_protocol(self._strip_protocol(name))}"

    # Reading.

    def open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | str | None = None,
        cache_options: Any = None,
        compression: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """As fsspec's, but closing what compresses closes the file as well.

        fsspec leaves that to whoever drops the file last, and a file that is dropped is discarded here.
        """
        if compression is None or "b" not in mode:  # text comes back here for the bytes
            return super().open(path, mode, block_size, cache_options, compression, **kwargs)
        chosen = get_compression(self._strip_protocol(path), compression)
        file = super().open(path, mode, block_size, cache_options, **kwargs)
        return file if chosen is None else _closing(file, compr[chosen](file, mode=mode[0]))

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: Any = None,
        autocommit: bool = True,
        cache_options: Any = None,
        **kwargs: Any,
    ) -> Any:
        del cache_options
        options = {key: value for key, value in kwargs.items() if key not in _MATTERS_NOT}
        unknown = sorted(options.keys() - ({"version_id"} if mode == "rb" else set()))
        if unknown:
            raise TypeError(f"warpaes:: cannot open a file with {', '.join(unknown)} (mode {mode})")
        name = self._name(path)
        if mode == "rb":
            raw = RawReader(source_of(self.fs, path, options), self._secret, name)
            ahead = self._block_size if block_size in (None, 0, "default") else block_size
            return StoredReader(raw, self, path, ahead, options)
        if mode == "xb":
            require_free(self.fs, path)
        if mode in ("wb", "xb"):
            return Upload(self.fs, path, self._secret, name, mode=mode, autocommit=autocommit, opened_by=self)
        raise ValueError(
            f"mode must be rb, wb or xb, not {shown(mode)}: nothing can be appended to an encrypted file"
        )

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        """The plaintext, or a part of it. A whole file is one request."""
        path = self._strip_protocol(path)
        if start is None and end is None and not isinstance(self.fs, LocalFileSystem):
            name = self._name(path)
            return plaintext_of(self.fs.cat_file(path, **kwargs), self._secret, name)
        found: bytes = self.cat_ranges([path], [start], [end], on_error="raise", **kwargs)[0]
        return found

    def cat_ranges(
        self,
        paths: list[str],
        starts: Any,
        ends: Any,
        max_gap: int | None = None,
        on_error: str = "return",
        **kwargs: Any,
    ) -> list[Any]:
        """Parts of the plaintext of files. Those that lie near together are fetched by one request."""
        if not isinstance(paths, list):
            raise TypeError("paths must be a list")
        # What stores with coroutines take, such as S3; fsspec's others take lists only.
        starts = list(starts) if isinstance(starts, Iterable) else [starts] * len(paths)
        ends = list(ends) if isinstance(ends, Iterable) else [ends] * len(paths)
        if len(starts) != len(paths) or len(ends) != len(paths):
            raise ValueError("paths, starts and ends must be of one length")
        names = [self._strip_protocol(path) for path in paths]
        parts = [Wanted(*part) for part in zip(names, starts, ends, strict=True)]
        near = self._near if max_gap is None else max_gap
        answers = Ranges(self.fs, self._secret, near, self._name, **kwargs).answers(parts)
        if on_error == "raise":
            _raise_first(answers)
        return answers

    def get_file(
        self,
        rpath: str,
        lpath: Any,
        callback: Any = DEFAULT_CALLBACK,
        outfile: Any = None,
        **kwargs: Any,
    ) -> None:
        """Decrypts into a file of this machine, which gets its name when all of it is genuine."""
        if outfile is not None or self.isdir(rpath) or hasattr(lpath, "write"):
            super().get_file(rpath, lpath, callback=callback, outfile=outfile, **kwargs)
            return
        require_file_elsewhere(self.fs, self._strip_protocol(rpath), lpath)
        folder, name = os.path.split(os.path.abspath(os.fspath(lpath)))
        os.makedirs(folder, exist_ok=True)
        with (
            self.open(rpath, "rb", **kwargs) as source,
            NewFile(os.path.join(folder, name), durable=False) as target,
        ):
            callback.set_size(source.size)
            for got in poured(source.raw, target):
                callback.relative_update(got)

    # Writing.

    def put_file(self, lpath: Any, rpath: str, callback: Any = DEFAULT_CALLBACK, **kwargs: Any) -> None:
        """Encrypts a file of this machine."""
        if not os.path.isdir(lpath):
            require_file_elsewhere(self.fs, self._strip_protocol(rpath), lpath)
        super().put_file(lpath, rpath, callback=callback, **kwargs)

    def pipe_file(self, path: str, value: Any, mode: str = "overwrite", **kwargs: Any) -> None:
        """A whole file, in one request if the store has that."""
        path = self._strip_protocol(path)
        if self._intrans:  # whose end decides whether the file is there
            with self.open(path, "xb" if mode == "create" else "wb", **kwargs) as file:
                file.write(value)
            return
        store_whole(self.fs, path, sealed(value, self._secret, self._name(path)), mode, **kwargs)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        """As it is, without a look at the key; encrypted again if the name is authenticated, and in a
        transaction, whose end decides whether the copy is there."""
        path1, path2 = self._strip_protocol(path1), self._strip_protocol(path2)
        require_another_file(self.fs, path1, path2)
        if self.isdir(path1):  # which not every store's cp_file() takes
            self.fs.makedirs(path2, exist_ok=True)
            return
        if self._root is None and not self._intrans:
            copy_whole(self.fs, path1, path2, **kwargs)
            return
        with self.open(path1, "rb") as source, self.open(path2, "wb") as target:
            while piece := source.read(256 * CHUNK):
                target.write(piece)

    def mv(
        self,
        path1: Any,
        path2: Any,
        recursive: bool = False,
        maxdepth: int | None = None,
        **kwargs: Any,
    ) -> None:
        """A copy, and then the file is removed: in a transaction at its end, when the copy has its name.

        A folder is moved with all that is in it (`recursive`), and not into itself. With two lists, each file
        gets the name in the same place of the other list.
        """
        if maxdepth is not None:
            raise ValueError("mv moves all of a folder: what maxdepth leaves out would be lost")
        if self._strip_protocol(path1) == self._strip_protocol(path2):
            return
        pairs = pairs_of(self, path1, path2, recursive, **kwargs)
        for source, target in pairs:
            self.cp_file(source, target, **kwargs)
        removal = Removal(self, path1, [source for source, _ in pairs], recursive=recursive)
        if self._intrans:
            self.transaction.files.append(removal)
        else:
            removal.commit()

    def _folder(self, path: str) -> str:
        """What the names of all files below begin with, of a store's root as well."""
        name: str = self.fs._strip_protocol(path.removeprefix(f"{self.protocol}::"))
        return self._from_root(name).rstrip("/") + "/"

    def _name(self, path: str) -> bytes:
        """What is authenticated of a file's name."""
        if self._root is None:
            return b""
        name = self._from_root(path)
        if not name.startswith(self._root):
            raise ValueError(
                f"{path} does not lie under {self._root}, and names are authenticated below that"
            )
        below = name[len(self._root) :]
        if not {"", ".", ".."}.isdisjoint(below.split("/")):
            raise ValueError(
                f"{path} goes a detour by an empty part, . or .., so it may be a second name of a file, "
                "and names are authenticated: write it without"
            )
        return below.encode()

    def _from_root(self, name: str) -> str:
        """Names in some stores begin with a slash, and in others they do not.

        On this machine, empty parts and dots lead nowhere; where two dots lead, only the system knows, as
        there are links.
        """
        if isinstance(self.fs, LocalFileSystem):
            name = "/".join(part for part in name.split("/") if part not in ("", "."))
        return name if name.startswith("/") else f"/{name}"


def _raise_first(answers: list[Any]) -> None:
    """Raises the first exception among them, without the frames that it comes from.

    Those have the answers as variables, the exception among them, and would keep these and all callers'
    variables until Python looks for cycles.
    """
    wrong = next((answer for answer in answers if isinstance(answer, Exception)), None)
    if wrong is None:
        return
    answers.clear()
    try:
        raise wrong.with_traceback(None)
    finally:
        del wrong


def _names_in(store: Any, own: Any, path: Any) -> Any:
    """A store's names of URLs. own: what strips warpaes:: from one."""
    if isinstance(path, list):
        return [_names_in(store, own, one) for one in path]
    return store._strip_protocol(own(path))


def _closing(file: Any, wrapper: Any) -> Any:
    """The wrapper, whose close() closes the file, too, and discards it if the end cannot be written."""
    close = wrapper.close

    def close_both() -> None:
        del wrapper.close  # lest the two refer to each other
        try:
            close()
        except BaseException:
            if isinstance(file, Upload):
                file.discard()
            raise
        file.close()

    with contextlib.suppress(AttributeError):  # of a type that takes none: zstandard's does it itself
        wrapper.close = close_both
    return wrapper


fsspec.register_implementation("warpaes", WarpaesFileSystem, clobber=True)
