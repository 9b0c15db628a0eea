"""Names in warpaes::, of files, folders and whole stores, and what is written there: any items, and text."""

import array
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.dirfs import DirFileSystem  # noqa: E402

import warpaes  # noqa: E402
from tests.python.filesystems import KEY, system  # noqa: E402
from warpaes.filesystem import WarpaesFileSystem  # noqa: E402


def test_a_full_name_can_be_opened(store: str) -> None:
    opened = fsspec.open(f"warpaes::{store}/name", "wb", warpaes={"key": KEY})
    with opened as file:
        file.write(b"text")
        names = [file.full_name]
    fs = opened.fs
    with fs.open(f"{store}/name", "rb") as file:
        names.append(file.full_name)
    names += [opened.full_name, fs.unstrip_protocol(f"{store}/name"), fs.unstrip_protocol(opened.full_name)]
    assert len(set(names)) == 1
    assert names[0].startswith(f"warpaes::{fs.fs.protocol[0] if store.startswith('file') else 'memory'}://")
    with fsspec.open(names[0], "rb", warpaes={"key": KEY}) as file:
        assert file.read() == b"text"


def test_whose_cache_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    fs, forgotten = system("memory://"), list[Any]()
    monkeypatch.setattr(fs.fs, "invalidate_cache", lambda path=None: forgotten.append(path))
    fs.invalidate_cache("warpaes::memory://folder/name")
    fs.invalidate_cache()
    assert forgotten == ["/folder/name", None]


@pytest.mark.parametrize("root", ["", "/"])
def test_names_below_a_root_without_a_slash(root: str) -> None:
    inner = DirFileSystem(f"/{uuid.uuid4().hex}", fsspec.filesystem("memory"))
    fs = WarpaesFileSystem(inner, key=KEY, names_under=root)
    fs.pipe_file("folder/name", b"text")
    assert fs.cat_file("folder/name") == b"text"
    inner.cp_file("folder/name", "folder/other")
    with pytest.raises(warpaes.WrongKey):
        fs.cat_file("folder/other")
    below = WarpaesFileSystem(inner, key=KEY, names_under="folder")
    below.pipe_file("folder/name", b"text")
    for outside in ("folders/name", "other"):
        with pytest.raises(ValueError, match="does not lie under"):
            below.pipe_file(outside, b"text")


def test_the_folder_of_names_may_be_a_path(tmp_path: Path) -> None:
    fs = system("file://", names_under=tmp_path)
    fs.pipe_file(tmp_path / "name", b"text")
    assert system("file://", names_under=str(tmp_path)).cat_file(tmp_path / "name") == b"text"
    with pytest.raises(TypeError, match="not int"):
        system("file://", names_under=5)


@pytest.mark.parametrize("name", ["a/../b", "../data/b", "../outside", "..", "/b", "./b", "a//b", "a/./b"])
def test_names_that_go_a_detour_are_no_other_names(store: str, name: str) -> None:
    """In some stores they are the same files: whoever wrote one by its detour could not read it."""
    fs, path = system(store, names_under=f"{store}/data"), f"{store}/data/{name}"
    fs.makedirs(f"{store}/data/a", exist_ok=True)
    if store.startswith("file") and ".." not in name:
        fs.pipe_file(path, b"text")
        assert [fs.cat_file(path), *map(fs.cat_file, fs.find(store))] == [b"text", b"text"]
        return
    calls: list[Callable[[], object]] = [
        lambda: fs.pipe_file(path, b"text"),
        lambda: fs.open(path, "wb"),
        lambda: fs.open(path),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="goes a detour"):
            call()
    assert fs.find(store) == []


@pytest.mark.parametrize("in_transaction", [False, True])
def test_memory_of_any_items_is_stored(store: str, in_transaction: bool) -> None:
    """As files take it."""
    fs, numbers = system(store), array.array("I", range(100))
    if in_transaction:
        fs.start_transaction()
    fs.pipe_file(f"{store}/a", numbers)
    fs.pipe({f"{store}/b": numbers})
    for nothing in (None, "text", 5):
        with pytest.raises(TypeError, match="must be bytes-like, not"):
            fs.pipe_file(f"{store}/c", nothing)
    if in_transaction:
        fs.end_transaction()
    assert fs.cat_file(f"{store}/a") == fs.cat_file(f"{store}/b") == numbers.tobytes()


def test_text_has_no_mark_of_its_byte_order(store: str) -> None:
    """As the documentation says: Python writes one to files that can seek."""
    fs = system(store)
    for encoding, mark in (("utf-16", ""), ("utf-16-le", "\ufeff")):
        with fs.open(f"{store}/name", "w", encoding=encoding) as file:
            file.write(f"{mark}text")
        assert fs.cat_file(f"{store}/name") == f"{mark}text".encode("utf-16-le")


def test_names_that_are_authenticated(store: str) -> None:
    fs = system(store, names_under=f"{store}/data", context_string="experiment ")
    plain = fs.fs
    fs.makedirs(f"{store}/data", exist_ok=True)
    for name in ("one", "two"):
        with fs.open(f"{store}/data/{name}", "wb") as file:
            file.write(name.encode())
    one, two = (plain.cat_file(f"{store}/data/{name}") for name in ("one", "two"))
    plain.pipe_file(f"{store}/data/one", two)
    with pytest.raises(warpaes.WrongKey):
        fs.cat_file(f"{store}/data/one")
    plain.pipe_file(f"{store}/data/one", one)
    fs.mv(f"{store}/data/one", f"{store}/data/three")
    assert fs.cat_file(f"{store}/data/three") == b"one"
    context = (11).to_bytes(8, "little") + b"experiment three"  # the length of what comes first
    other = WarpaesFileSystem(fs=plain, key=KEY, context_string=context)
    assert other.cat_file(f"{store}/data/three") == b"one"
    with pytest.raises(ValueError, match="does not lie under"):
        fs.cat_file(f"{store}/else")


def test_a_name_does_not_go_on_in_a_context_string(store: str) -> None:
    one, two, without = (
        system(store, names_under=f"{store}/{folder}", context_string=context)
        for folder, context in (("one", "tenant-1"), ("two", "tenant-12"), ("two", ""))
    )
    for folder in ("one", "two"):
        one.makedirs(f"{store}/{folder}", exist_ok=True)
    one.pipe_file(f"{store}/one/2024", b"of tenant-1")
    for other, name in ((two, "024"), (without, "tenant-12024")):
        one.fs.cp_file(f"{store}/one/2024", f"{store}/two/{name}")
        with pytest.raises(warpaes.WrongKey):
            other.cat_file(f"{store}/two/{name}")


@pytest.mark.parametrize("root", ["memory://", "warpaes::memory://", "memory:///", "/"])
def test_names_below_the_root_of_a_store(root: str) -> None:
    fs, name = system("memory://somewhere", names_under=root), f"/{uuid.uuid4().hex}"
    fs.pipe_file(name, b"text")
    assert fs.cat_file(name) == b"text"
    fs.fs.mv(name, f"{name}-other")
    with pytest.raises(warpaes.WrongKey):
        fs.cat_file(f"{name}-other")
