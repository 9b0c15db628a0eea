"""warpaes:: in the transactions of fsspec, and moves: all of it or nothing."""

import contextlib
import shutil

import pytest

fsspec = pytest.importorskip("fsspec")

import warpaes.filesystem  # noqa: E402, F401
from tests.python.containers import pattern  # noqa: E402
from tests.python.filesystems import system  # noqa: E402


@pytest.mark.parametrize("length", [1000, 9 << 20])
def test_a_transaction(store: str, length: int) -> None:
    fs, path = system(store), f"{store}/name"

    def fail() -> None:
        with fs.transaction:
            with fs.open(path, "wb") as file:
                file.write(bytes(length))
            raise KeyError("planted")

    with pytest.raises(KeyError):
        fail()
    assert not fs.exists(path)
    with fs.transaction:
        with fs.open(path, "wb") as file:
            file.write(pattern(length))
        assert not fs.exists(path)
    assert fs.cat_file(path) == pattern(length)
    with pytest.raises(KeyError):
        fail()
    assert fs.cat_file(path) == pattern(length)
    assert fs.fs.transaction is None or not fs.fs.transaction.files


@pytest.mark.parametrize("length", [1000, 9 << 20])
def test_a_file_that_outlives_its_transaction_is_stored_by_close(store: str, length: int) -> None:
    """As fsspec's own are."""
    fs, path = system(store), f"{store}/name"
    with fs.transaction:
        file = fs.open(path, "wb")
        file.write(pattern(length))
    assert not fs.exists(path)
    file.write(b"the end")
    file.close()
    assert fs.cat_file(path) == pattern(length) + b"the end"
    fs.start_transaction()
    file = fs.open(path, "wb")
    file.write(bytes(length))
    fs.transaction.complete(commit=False)  # as after an exception
    file.close()
    assert fs.cat_file(path) == pattern(length) + b"the end"


@pytest.mark.parametrize("names", [False, True])
def test_a_file_is_moved_by_a_whole_transaction_or_not_at_all(store: str, names: bool) -> None:
    fs = system(store, **({"names_under": store} if names else {}))
    before, after = f"{store}/before", f"{store}/after"
    fs.pipe_file(before, b"the only copy")

    def fail() -> None:
        with fs.transaction:
            fs.mv(before, after)
            raise KeyError("planted")

    with pytest.raises(KeyError):
        fail()
    assert (fs.cat_file(before), fs.exists(after)) == (b"the only copy", False)
    with fs.transaction:
        fs.mv(before, after)
    assert (fs.exists(before), fs.cat_file(after)) == (False, b"the only copy")
    fs.mv(after, f"warpaes::{after}")  # itself
    assert fs.cat_file(after) == b"the only copy"


@pytest.mark.parametrize("in_transaction", [False, True])
def test_nothing_is_moved_to_where_it_would_be_removed(store: str, in_transaction: bool) -> None:
    fs = system(store)
    names = ["a", "b/c", "b/d/e"]
    for name in names:
        fs.makedirs(f"{store}/folder/{name}".rpartition("/")[0], exist_ok=True)
        fs.pipe_file(f"{store}/folder/{name}", name.encode())
    for source, target, options, error in (
        ("folder/a", "folder/", {}, shutil.SameFileError),
        ("folder", "folder/b/new", {"recursive": True}, ValueError),
        ("folder", "elsewhere", {"recursive": True, "maxdepth": 1}, ValueError),
    ):
        with pytest.raises(error), fs.transaction if in_transaction else contextlib.nullcontext():
            fs.mv(f"{store}/{source}", f"{store}/{target}", **options)
    assert {name: fs.cat_file(f"{store}/folder/{name}") for name in names} == {n: n.encode() for n in names}
    fs.mv(f"{store}/folder", f"{store}/elsewhere", recursive=True)
    assert {name: fs.cat_file(f"{store}/elsewhere/{name}") for name in names} == {
        n: n.encode() for n in names
    }
    assert not fs.exists(f"{store}/folder/a")
