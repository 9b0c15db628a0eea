"""Files that are written through warpaes:: to stores that behave in their own way, whole or not at all."""

import contextlib
import os
import resource
import stat
import tempfile
import uuid
from pathlib import Path
from typing import Any

import pytest

fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.dirfs import DirFileSystem  # noqa: E402
from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402

import warpaes  # noqa: E402
from tests.python.containers import KEY, pattern  # noqa: E402
from warpaes.filesystem import WarpaesFileSystem  # noqa: E402

LONG = 9 << 20  # more than one request takes


class Odd:
    """A file of a store, whose write() answers in its own way."""

    def __init__(self, file: Any, store: "OddStore") -> None:
        self._file, self._store = file, store

    def write(self, data: bytes) -> int | None:
        taken: int | None = self._store.take(self._file, data)
        return taken

    def __getattr__(self, name: str) -> Any:
        if name in self._store.missing:
            raise AttributeError(name)
        return getattr(self._file, name)


class OddStore(MemoryFileSystem):  # type: ignore[misc]
    cachable = False
    missing: tuple[str, ...] = ()

    def __init__(self, take: Any = None, missing: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.take = take or (lambda file, data: file.write(data))
        self.missing = missing

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        if "r" in mode:
            return super()._open(path, mode, **options)
        if self.missing:
            options["autocommit"] = True
            file = super()._open(path, mode, **options)
            self.store[file.path] = file  # the name is there from the beginning
            return Odd(file, self)
        return Odd(super()._open(path, mode, **options), self)


def new_path() -> str:
    return f"/{uuid.uuid4().hex}"


def taking_half(file: Any, data: bytes) -> int:
    return int(file.write(data[: len(data) // 2 + 1]))


def taking_all(file: Any, data: bytes) -> None:
    """As paramiko's files do, which SFTP's are."""
    file.write(data)


@pytest.mark.parametrize("take", [taking_all, taking_half])
@pytest.mark.parametrize("pieces", [1, 3])
def test_what_a_store_takes_of_a_write(take: Any, pieces: int) -> None:
    fs, path = WarpaesFileSystem(fs=OddStore(take), key=KEY), new_path()
    with fs.open(path, "wb") as file:
        for _ in range(pieces):
            file.write(pattern(LONG))
    assert fs.cat_file(path) == pieces * pattern(LONG)


@pytest.mark.parametrize("answer", [0, -1, 5 << 20])
def test_a_store_that_takes_nothing(answer: int) -> None:
    fs, path = WarpaesFileSystem(fs=OddStore(lambda file, data: answer), key=KEY), new_path()
    with pytest.raises(OSError, match="the store took"), fs.open(path, "wb") as file:
        file.write(pattern(LONG))
    assert not fs.exists(path)


def interrupted_upload(fs: Any, path: str, mode: str = "wb", length: int = LONG) -> None:
    def fail() -> None:
        with fs.open(path, mode) as file:
            file.write(pattern(length))
            raise KeyError("planted")

    with pytest.raises(KeyError, match="planted"):
        fail()


@pytest.mark.parametrize("missing", [("commit",), ("commit", "discard")])
def test_a_store_whose_files_have_their_name_at_once(missing: tuple[str, ...]) -> None:
    fs, path = WarpaesFileSystem(fs=OddStore(missing=missing), key=KEY), new_path()
    with fs.open(path, "wb") as file:
        file.write(pattern(LONG))
    assert fs.cat_file(path) == pattern(LONG)
    if "discard" in missing:
        interrupted_upload(fs, new_path())
        assert fs.fs.ls("/", detail=False).count(path) == 1
        interrupted_upload(fs, path)  # the name was there before, and is not this upload's to remove
        assert fs.exists(path)


def test_an_upload_that_fails_removes_what_it_has_named() -> None:
    fs, path = WarpaesFileSystem(fs=OddStore(missing=("commit", "discard")), key=KEY), new_path()
    interrupted_upload(fs, path)
    assert not fs.exists(path)


def test_what_a_transaction_keeps_is_dropped_if_the_store_fails() -> None:
    refused = OSError("planted")

    def take(file: Any, data: bytes) -> int:
        if file.tell() > LONG // 2:
            raise refused
        return int(file.write(data))

    store, path = OddStore(take, missing=("commit", "discard")), new_path()
    fs = WarpaesFileSystem(fs=store, key=KEY)

    def write() -> None:
        with fs.transaction, fs.open(path, "wb") as file:
            file.write(bytes(LONG))

    def commit() -> None:
        """What older transactions of fsspec's do: they do not discard what they could not commit."""
        file = fs.open(path, "wb", autocommit=False)
        file.write(bytes(LONG))
        file.close()
        file.commit()

    for call in (commit, write):
        with pytest.raises(OSError, match="planted") as failure:
            call()
        assert not store.exists(path), "removed at once, and not when the exception has been forgotten"
        assert failure.value is refused


def test_zip(tmp_path: Path) -> None:
    inner = fsspec.filesystem("zip", fo=str(tmp_path / "archive"), mode="w")
    with WarpaesFileSystem(fs=inner, key=KEY).open("name", "wb") as file:
        file.write(pattern(LONG))
    inner.close()
    inner = fsspec.filesystem("zip", fo=str(tmp_path / "archive"), mode="r", skip_instance_cache=True)
    assert WarpaesFileSystem(fs=inner, key=KEY).cat_file("name") == pattern(LONG)


@pytest.mark.parametrize("length", [1000, LONG])
@pytest.mark.parametrize("folder", [False, True], ids=["file", "folder"])
def test_a_local_file_that_must_not_be_there(tmp_path: Path, length: int, folder: bool) -> None:
    local = fsspec.filesystem("file")
    fs = WarpaesFileSystem(fs=DirFileSystem(str(tmp_path), local) if folder else local, key=KEY)
    path = "name" if folder else str(tmp_path / "name")
    with fs.open(path, "xb") as file:
        file.write(pattern(length))
        assert os.listdir(tmp_path) != ["name"]
    assert fs.cat_file(path) == pattern(length)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "name").stat().st_mode) == 0o666 & ~umask
    with pytest.raises(FileExistsError, match=path):
        fs.open(path, "xb")
    assert fs.cat_file(path) == pattern(length)
    fs.rm_file(path)
    interrupted_upload(fs, path, "xb", length)
    assert os.listdir(tmp_path) == []


def test_a_local_file_whose_name_is_taken_meanwhile(tmp_path: Path) -> None:
    fs = WarpaesFileSystem(fs=fsspec.filesystem("file"), key=KEY)
    file = fs.open(str(tmp_path / "name"), "xb")
    file.write(pattern(LONG))
    (tmp_path / "name").write_bytes(b"another's")
    with pytest.raises(FileExistsError, match="name"):
        file.close()
    assert os.listdir(tmp_path) == ["name"]
    assert (tmp_path / "name").read_bytes() == b"another's"


@pytest.mark.parametrize("length", [1000, LONG])
@pytest.mark.parametrize("mode", ["overwrite", "create"])
def test_whole_files_in_a_transaction(tmp_path: Path, length: int, mode: str) -> None:
    fs = WarpaesFileSystem(fs=fsspec.filesystem("file"), key=KEY, skip_instance_cache=True)
    fs.pipe_file(str(tmp_path / "from"), b"text")

    def change() -> None:
        fs.pipe_file(str(tmp_path / "piped"), pattern(length), mode=mode)
        fs.cp_file(str(tmp_path / "from"), str(tmp_path / "copied"))
        assert os.listdir(tmp_path) == ["from"] or length == LONG

    def fail() -> None:
        with fs.transaction:
            change()
            raise KeyError("planted")

    with pytest.raises(KeyError, match="planted"):
        fail()
    assert os.listdir(tmp_path) == ["from"]
    with fs.transaction:
        change()
    assert sorted(os.listdir(tmp_path)) == ["copied", "from", "piped"]
    assert fs.cat_file(str(tmp_path / "piped")) == pattern(length)
    assert fs.cat_file(str(tmp_path / "copied")) == b"text"
    with fs.transaction:
        fs.pipe({str(tmp_path / "more"): b"of several"})
    assert fs.cat_file(str(tmp_path / "more")) == b"of several"


def test_a_folder_keeps_no_file_in_its_transaction(tmp_path: Path) -> None:
    local = fsspec.filesystem("file", skip_instance_cache=True)
    fs = WarpaesFileSystem(fs=DirFileSystem(str(tmp_path), local), key=KEY)
    with fs.open("name", "wb") as file:
        file.write(pattern(LONG))
    assert not local.transaction.files
    assert fs.cat_file("name") == pattern(LONG)


class Versions(MemoryFileSystem):  # type: ignore[misc]
    """Has older versions of files, as S3 may."""

    cachable = False

    def _of(self, path: str, version_id: str | None) -> str:
        return path if version_id is None else f"{path}@{version_id}"

    def info(self, path: str, version_id: str | None = None, **options: Any) -> Any:
        return super().info(self._of(path, version_id), **options)

    def cat_file(
        self, path: str, start: Any = None, end: Any = None, version_id: str | None = None, **options: Any
    ) -> Any:
        return super().cat_file(self._of(path, version_id), start, end, **options)


def test_an_older_version() -> None:
    fs, path = WarpaesFileSystem(fs=Versions(), key=KEY), new_path()
    fs.pipe_file(path, b"new")
    fs.pipe_file(f"{path}@1", b"of old")
    with fs.open(path, "rb", version_id="1") as file:
        assert file.read() == b"of old"
    assert fs.cat_file(path, version_id="1") == b"of old"
    assert fs.cat_file(path, start=3, version_id="1") == b"old"
    assert fs.cat_file(path) == b"new"


def test_options_that_nobody_knows_are_refused(tmp_path: Path) -> None:
    fs, path = WarpaesFileSystem(fs=fsspec.filesystem("file"), key=KEY), str(tmp_path / "name")
    fs.pipe_file(path, b"text")
    with pytest.raises(TypeError, match="version_id"):
        fs.open(path, "rb", version_id="1")
    with pytest.raises(TypeError, match="version_id"):
        fs.cat_file(path, start=1, version_id="1")
    with pytest.raises(TypeError, match="acl"):
        fs.open(path, "wb", acl="private")
    with pytest.raises(TypeError, match="misspelt"):
        fs.open(path, "rb", misspelt=1)
    with fs.open(path, "rb", cache_type="none") as file:
        assert file.read() == b"text"
        assert (file.name, file.mode) == (path, "rb")
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"text"


def put(fs: Any, path: str, text: bytes, way: str, source: Path | None = None) -> None:
    """Writes a file in one of the ways that there are."""
    if way == "pipe_file":
        fs.pipe_file(path, text)
        return
    if way == "cp_file":
        fs.cp_file(str(source), path)
        return
    with fs.transaction if way == "transaction" else contextlib.nullcontext(), fs.open(path, "wb") as file:
        file.write(text)


each_way = pytest.mark.parametrize("way", ["open", "transaction", "pipe_file"])
each_length = pytest.mark.parametrize("length", [1000, 3 << 20, LONG])


@each_way
@each_length
@pytest.mark.parametrize("folder", [False, True], ids=["file", "folder"])
def test_a_local_file_is_replaced_as_by_warpaes_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, length: int, folder: bool
) -> None:
    local = fsspec.filesystem("file", skip_instance_cache=True)
    fs = WarpaesFileSystem(fs=DirFileSystem(str(tmp_path), local) if folder else local, key=KEY)
    monkeypatch.setattr(tempfile, "mkstemp", None)  # nothing goes through the folder for temporary files
    (tmp_path / "name").touch(0o600)
    (tmp_path / "link").symlink_to("name")
    put(fs, "link" if folder else str(tmp_path / "link"), pattern(length), way)
    assert (tmp_path / "link").is_symlink()
    assert stat.S_IMODE((tmp_path / "name").stat().st_mode) == 0o600
    assert fs.cat_file("name" if folder else str(tmp_path / "name")) == pattern(length)
    assert sorted(os.listdir(tmp_path)) == ["link", "name"]


@pytest.mark.parametrize("way", ["open", "transaction", "pipe_file", "cp_file"])
@pytest.mark.parametrize("length", [3 << 20, LONG])
def test_a_full_disk_leaves_local_files_as_they_were(tmp_path: Path, way: str, length: int) -> None:
    fs = WarpaesFileSystem(fs=fsspec.filesystem("file"), key=KEY, skip_instance_cache=True)
    (tmp_path / "old").write_bytes(b"before")
    (tmp_path / "source").write_bytes(bytes(length))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, hard))
    try:
        for name in ("old", "new"):
            with pytest.raises(OSError, match="too large"):
                put(fs, str(tmp_path / name), pattern(length), way, tmp_path / "source")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(os.listdir(tmp_path)) == ["old", "source"]
    assert (tmp_path / "old").read_bytes() == b"before"


@each_length
@pytest.mark.parametrize("mode", ["wb", "xb"])
def test_a_store_that_makes_folders(tmp_path: Path, length: int, mode: str) -> None:
    local = fsspec.filesystem("file", auto_mkdir=True, skip_instance_cache=True)
    fs, path = WarpaesFileSystem(fs=local, key=KEY), str(tmp_path / "new" / "folder" / "name")
    with fs.open(path, mode) as file:
        file.write(pattern(length))
    assert fs.cat_file(path) == pattern(length)


def test_files_of_a_transaction_are_not_kept_open(tmp_path: Path) -> None:
    """There may be more of them than a process may open."""
    fs = WarpaesFileSystem(fs=fsspec.filesystem("file"), key=KEY, skip_instance_cache=True)
    with fs.transaction:
        before = len(os.listdir("/proc/self/fd"))
        with fs.open(str(tmp_path / "name"), "wb") as file:
            file.write(pattern(LONG))
        assert len(os.listdir("/proc/self/fd")) == before
    assert fs.cat_file(str(tmp_path / "name")) == pattern(LONG)
