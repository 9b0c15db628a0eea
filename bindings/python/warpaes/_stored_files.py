"""What a store does with encrypted files that needs no key: they are listed and removed, and folders made."""

from typing import Any

from fsspec.implementations.chained import ChainedFileSystem

from warpaes._errors import ContainerError
from warpaes._secrets import FileSecret


class StoredFiles(ChainedFileSystem):  # type: ignore[misc]
    """A filesystem over another one, `fs`, whose files it shows with the sizes of their plaintext."""

    fs: Any
    _secret: FileSecret

    @property
    def fsid(self) -> str:
        """The identity of the store."""
        return f"warpaes_{self.fs.fsid}"

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        """What the store says. `size` is the plaintext's, or None for what cannot be an encrypted file."""
        return self._described(self.fs.info(self._strip_protocol(path), **kwargs))

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> list[Any]:
        """The entries of a folder, as the store has them, with the sizes of the plaintext."""
        found = self.fs.ls(self._strip_protocol(path), detail=True, **kwargs)
        return [self._described(one) if detail else one["name"] for one in found]

    def find(self, path: Any, maxdepth: Any = None, withdirs: bool = False, **kwargs: Any) -> Any:
        """All files below, by the store's own way."""
        detail = kwargs.pop("detail", False)
        found = self.fs.find(self._strip_protocol(path), maxdepth, withdirs, detail=True, **kwargs)
        return {name: self._described(one) for name, one in found.items()} if detail else list(found)

    def _described(self, info: dict[str, Any]) -> dict[str, Any]:
        if info.get("type") != "file" and not self._is_link_to_file(info):
            return dict(info)
        size = info.get("size")
        return {**info, "size": self._plain_size(size), "sealed_size": size}

    def _is_link_to_file(self, info: dict[str, Any]) -> bool:
        """Listings of this machine's files call a link "other", and have the length of what it leads to."""
        return bool(info.get("islink")) and self.fs.isfile(info["name"])

    def _plain_size(self, length: int | None) -> int | None:
        try:
            return None if length is None else self._secret.plaintext_size(length)
        except ContainerError:
            return None

    def exists(self, path: str, **kwargs: Any) -> bool:
        """Whether the store has such a file or folder."""
        return bool(self.fs.exists(self._strip_protocol(path), **kwargs))

    def created(self, path: str) -> Any:
        """When the file was made, as the store says."""
        return self.fs.created(self._strip_protocol(path))

    def modified(self, path: str) -> Any:
        """When the file was changed last, as the store says."""
        return self.fs.modified(self._strip_protocol(path))

    def ukey(self, path: str) -> str:
        """The store's key of the file: another one when the file has changed."""
        return str(self.fs.ukey(self._strip_protocol(path)))

    def checksum(self, path: str) -> Any:
        """The store's checksum, so that of the encrypted file."""
        return self.fs.checksum(self._strip_protocol(path))

    def du(
        self,
        path: str,
        total: bool = True,
        maxdepth: int | None = None,
        withdirs: bool = False,
        **kwargs: Any,
    ) -> Any:
        """How much plaintext is below. What cannot be an encrypted file counts nothing."""
        sizes = super().du(path, total=False, maxdepth=maxdepth, withdirs=withdirs, **kwargs)
        return sum(size or 0 for size in sizes.values()) if total else sizes

    def invalidate_cache(self, path: str | None = None) -> None:
        """Has the store forget what it keeps of its listings."""
        self.fs.invalidate_cache(None if path is None else self._strip_protocol(path))

    def rm_file(self, path: str) -> None:
        """Removes a file from the store."""
        self.fs.rm_file(self._strip_protocol(path))

    def rm(self, path: str | list[str], recursive: bool = False, maxdepth: int | None = None) -> None:
        """Removes files, or folders with `recursive`, from the store."""
        self.fs.rm(self._strip_protocol(path), recursive=recursive, maxdepth=maxdepth)

    def mkdir(self, path: str, create_parents: bool = True, **kwargs: Any) -> None:
        """Makes a folder in the store."""
        self.fs.mkdir(self._strip_protocol(path), create_parents=create_parents, **kwargs)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """Makes a folder in the store, and those above it."""
        self.fs.makedirs(self._strip_protocol(path), exist_ok=exist_ok)

    def rmdir(self, path: str) -> None:
        """Removes an empty folder from the store."""
        self.fs.rmdir(self._strip_protocol(path))
