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
        """The store's."""
        return f"warpaes_{self.fs.fsid}"

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        """As the store has it; `size` is that of the plaintext, None if it cannot be an encrypted file."""
        return self._described(self.fs.info(self._strip_protocol(path), **kwargs))

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> list[Any]:
        """As the store has it."""
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
        """As the store has it."""
        return bool(self.fs.exists(self._strip_protocol(path), **kwargs))

    def created(self, path: str) -> Any:
        """As the store has it."""
        return self.fs.created(self._strip_protocol(path))

    def modified(self, path: str) -> Any:
        """As the store has it."""
        return self.fs.modified(self._strip_protocol(path))

    def ukey(self, path: str) -> str:
        """As the store has it: another one when the file has changed."""
        return str(self.fs.ukey(self._strip_protocol(path)))

    def checksum(self, path: str) -> Any:
        """As the store has it, so of the encrypted file."""
        return self.fs.checksum(self._strip_protocol(path))

    def du(
        self,
        path: str,
        total: bool = True,
        maxdepth: int | None = None,
        withdirs: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Of the plaintext. What cannot be an encrypted file counts nothing."""
        sizes = super().du(path, total=False, maxdepth=maxdepth, withdirs=withdirs, **kwargs)
        return sum(size or 0 for size in sizes.values()) if total else sizes

    def invalidate_cache(self, path: str | None = None) -> None:
        """The store's."""
        self.fs.invalidate_cache(None if path is None else self._strip_protocol(path))

    def rm_file(self, path: str) -> None:
        """The store's."""
        self.fs.rm_file(self._strip_protocol(path))

    def rm(self, path: str | list[str], recursive: bool = False, maxdepth: int | None = None) -> None:
        """The store's."""
        self.fs.rm(self._strip_protocol(path), recursive=recursive, maxdepth=maxdepth)

    def mkdir(self, path: str, create_parents: bool = True, **kwargs: Any) -> None:
        """The store's."""
        self.fs.mkdir(self._strip_protocol(path), create_parents=create_parents, **kwargs)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """The store's."""
        self.fs.makedirs(self._strip_protocol(path), exist_ok=exist_ok)

    def rmdir(self, path: str) -> None:
        """The store's."""
        self.fs.rmdir(self._strip_protocol(path))
