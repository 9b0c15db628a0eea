"""Moves in warpaes:: never lose what they were to move."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.dirfs import DirFileSystem  # noqa: E402
from fsspec.implementations.local import LocalFileSystem  # noqa: E402

from tests.python.filesystems import KEY, system  # noqa: E402
from warpaes.filesystem import WarpaesFileSystem  # noqa: E402


def filled(fs: Any, store: str, *names: str) -> dict[str, bytes]:
    """Files that hold their own names."""
    for name in names:
        fs.makedirs(f"{store}/{name}".rpartition("/")[0], exist_ok=True)
        fs.pipe_file(f"{store}/{name}", name.encode())
    return held(fs, store)


def held(fs: Any, store: str) -> dict[str, bytes]:
    """All files by the ends of their names."""
    root = fs._strip_protocol(store)
    return {name.removeprefix(f"{root}/"): fs.cat_file(name) for name in sorted(fs.find(store))}


def test_a_file_that_cannot_be_copied_stays(tmp_path: Path) -> None:
    store = f"file://{tmp_path}"
    fs = system(store)
    before = filled(fs, store, "a.txt")
    for recursive in (False, True):
        with pytest.raises(FileNotFoundError):
            fs.mv(f"{store}/a.txt", f"{store}/archive/x", recursive=recursive)
    assert held(fs, store) == before


def test_files_of_a_pattern_are_moved(store: str) -> None:
    fs = system(store)
    filled(fs, store, "a.txt", "b.txt", "c", "folder.txt/d")
    fs.makedirs(f"{store}/new")
    fs.mv(f"{store}/*.txt", f"{store}/new/")
    assert held(fs, store) == {
        "c": b"c", "folder.txt/d": b"folder.txt/d", "new/a.txt": b"a.txt", "new/b.txt": b"b.txt"
    }  # fmt: skip
    with pytest.raises(IsADirectoryError, match="recursive=True"):
        fs.mv(f"{store}/new", f"{store}/newer")


def test_a_store_may_have_no_rm_file(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As dbfs:// has rm() only."""

    def missing(path: str) -> None:
        raise NotImplementedError(path)

    fs = system(store)
    filled(fs, store, "a", "b")
    monkeypatch.setattr(fs, "rm_file", missing)
    fs.mv(f"{store}/a", f"{store}/c")
    fs.mv([f"{store}/b"], [f"{store}/d"])
    assert held(fs, store) == {"c": b"a", "d": b"b"}


@pytest.mark.parametrize("in_transaction", [False, True])
@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("s3", "/s3/in"),
        ("s3", "./s3/in"),
        ("s3", "s3/c/../in"),
        ("s3", "/s3"),
        ("/s3", "s3"),
        ("/a.txt", "a.txt"),
        ("a.txt", "./a.txt"),
        ("a.txt", "s3/../a.txt"),
        ("[ab].txt", "./"),
    ],
)
def test_nothing_is_moved_to_itself_by_another_name(
    store: str, source: str, target: str, names: bool, in_transaction: bool
) -> None:
    fs = system(store, **({"names_under": store} if names else {}))
    before = filled(fs, store, "a.txt", "s3/b", "s3/c/d")
    with pytest.raises((OSError, ValueError)), fs.transaction if in_transaction else contextlib.nullcontext():
        fs.mv(f"{store}/{source}", f"{store}/{target}", recursive="s3" in source)
    assert held(fs, store) == before


@pytest.mark.parametrize("names", [False, True])
def test_nothing_is_moved_to_itself_by_a_link(tmp_path: Path, names: bool) -> None:
    store = f"file://{tmp_path}"
    fs = system(store, **({"names_under": store} if names else {}))
    before = filled(fs, store, "s3/b", "s3/c/d")
    (tmp_path / "alias").symlink_to("s3")
    (tmp_path / "b").symlink_to("s3/b")
    for source, target, error in (
        ("s3", "alias/in", ValueError),
        ("alias", "s3/in", ValueError),
        ("s3/b", "alias/b", shutil.SameFileError),
        ("s3/b", "b", shutil.SameFileError),
        ("b", "s3/b", shutil.SameFileError),
    ):
        with pytest.raises(error):
            fs.mv(f"{store}/{source}", f"{store}/{target}", recursive=error is ValueError)
        assert {f"s3/{name}": text for name, text in held(fs, f"{store}/s3").items()} == before


def test_no_file_of_a_store_is_replaced_by_its_own_plaintext(tmp_path: Path) -> None:
    """Nor encrypted once more, by whatever name it has."""
    store = f"file://{tmp_path}"
    fs = system(store)
    filled(fs, store, "data/a", "data/b/c")
    (tmp_path / "alias").symlink_to("data")
    (tmp_path / "link").symlink_to("data/a")
    sealed = (tmp_path / "data/a").read_bytes()
    calls: list[Callable[[str], object]] = [
        lambda name: fs.get_file(f"{store}/data/a", str(tmp_path / name)),
        lambda name: fs.get_file(f"{store}/{name}", tmp_path / "data/a"),
        lambda name: fs.put_file(str(tmp_path / name), f"{store}/data/a"),
        lambda name: fs.put_file(tmp_path / "data/a", f"warpaes::{store}/{name}"),
    ]
    for name in ("data/a", "data/../data/a", "alias/a", "link"):
        for call in calls:
            with pytest.raises(shutil.SameFileError, match="are the same file"):
                call(name)
    for copy in (fs.get, fs.put):
        with pytest.raises(shutil.SameFileError):
            copy(str(tmp_path / "data"), f"{tmp_path}/", recursive=True)
    with pytest.raises(shutil.SameFileError):
        WarpaesFileSystem(DirFileSystem(str(tmp_path)), key=KEY).get_file("data/a", tmp_path / "data/a")
    assert (tmp_path / "data/a").read_bytes() == sealed
    fs.get(f"{store}/data", f"{tmp_path}/plain", recursive=True)
    fs.put(f"{tmp_path}/plain", f"{store}/again", recursive=True)
    assert (tmp_path / "plain/b/c").read_bytes() == fs.cat_file(f"{store}/again/b/c") == b"data/b/c"


def test_of_a_link_only_the_link_goes(tmp_path: Path) -> None:
    store = f"file://{tmp_path}"
    fs = system(store)
    filled(fs, store, "a")
    (tmp_path / "b").symlink_to("a")
    fs.mv(f"{store}/b", f"{store}/c")
    assert held(fs, store) == {"a": b"a", "c": b"a"}


def test_a_folder_of_a_wrapped_store_is_not_moved_into_itself(tmp_path: Path) -> None:
    fs = WarpaesFileSystem(DirFileSystem(str(tmp_path), LocalFileSystem()), key=KEY)
    before = filled(fs, "", "s3/b")
    (tmp_path / "alias").symlink_to("s3")
    with pytest.raises(ValueError, match="lies in what is moved"):
        fs.mv("s3", "alias/in", recursive=True)
    (tmp_path / "alias").unlink()
    assert held(fs, "") == before


def test_several_files_are_moved_to_names_of_their_own(store: str) -> None:
    fs = system(store)
    filled(fs, store, "a", "b", "[b]", "folder/c", "other/c")

    def mv(sources: list[str], targets: list[str] | str, **options: bool) -> None:
        fs.mv(
            [f"{store}/{name}" for name in sources],
            f"{store}/{targets}" if isinstance(targets, str) else [f"{store}/{name}" for name in targets],
            **options,
        )

    before = held(fs, store)
    wrong: list[tuple[list[str], Any, type[Exception]]] = [
        (["a", "b"], ["b", "a"], ValueError),  # each would be gone
        (["a", "b"], ["b", "c"], ValueError),
        (["a", "b"], ["c", "./c"], ValueError),
        (["a", "b"], ["c"], ValueError),
        (["a", "folder"], ["c", "d"], IsADirectoryError),
        (["missing", "a"], ["c", "d"], FileNotFoundError),
        (["folder/c", "other/c"], "new/", ValueError),
    ]
    for sources, targets, error in wrong:
        for recursive in (False, True):
            with pytest.raises(error):
                mv(sources, targets, recursive=recursive)
            assert held(fs, store) == before
    mv(["a", "[b]"], ["folder/a", "c"])
    assert held(fs, store) == {
        "b": b"b", "c": b"[b]", "folder/a": b"a", "folder/c": b"folder/c", "other/c": b"other/c"
    }  # fmt: skip
    mv(["b", "c"], "other/")
    assert sorted(held(fs, store)) == ["folder/a", "folder/c", "other/b", "other/c"]
