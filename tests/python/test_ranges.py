"""Parts of files in warpaes::, also of files that were cut, and of stores that know no ranges."""

import uuid
from typing import Any

import numpy
import pytest

fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402

import warpaes  # noqa: E402
from tests.python.containers import CHUNK, pattern  # noqa: E402
from tests.python.filesystems import KEY, system  # noqa: E402
from warpaes.filesystem import WarpaesFileSystem  # noqa: E402

TEXT = pattern(4 * CHUNK + 100)


@pytest.mark.parametrize("change", ["cut", "extended"])
@pytest.mark.parametrize(("start", "end"), [(-32, -16), (None, -1), (-4000, 3 * CHUNK), (-10, None)])
def test_what_is_counted_from_a_made_up_end_is_refused(
    store: str, change: str, start: int | None, end: int | None
) -> None:
    """The length is the store's word, and the last chunk the proof of it."""
    fs, path = system(store), f"{store}/name"
    fs.pipe_file(path, TEXT)
    assert fs.cat_file(path, start=start, end=end) == TEXT[start:end]
    assert fs.cat_ranges([path] * 3, [start, 5, -(1 << 40)], [end, 9, -(1 << 40)]) == [
        TEXT[start:end], TEXT[5:9], b""
    ]  # fmt: skip
    sealed = fs.fs.cat_file(path)
    sealed = sealed[: 56 + 2 * 16400 + 16] if change == "cut" else sealed + bytes(1600)
    fs.fs.pipe_file(path, sealed)
    with pytest.raises((warpaes.Truncated, warpaes.Damaged)):
        fs.cat_file(path, start=start, end=end)
    wrong, right = fs.cat_ranges([path, path], [start, 5], [end, 9])
    assert isinstance(wrong, (warpaes.Truncated, warpaes.Damaged))
    assert right == TEXT[5:9]


class Unranged(MemoryFileSystem):  # type: ignore[misc]
    """Answers with the whole file, and more if it is told so, as HTTP servers do that know no ranges."""

    cachable = False
    more = b""

    def cat_file(self, path: str, start: Any = None, end: Any = None, **options: Any) -> bytes:
        del start, end
        return bytes(super().cat_file(path, **options)) + self.more


def test_a_store_that_knows_no_ranges() -> None:
    store = Unranged()
    fs, path = WarpaesFileSystem(fs=store, key=KEY), f"/{uuid.uuid4().hex}"
    fs.pipe_file(path, TEXT)
    with fs.open(path, block_size=CHUNK) as file:
        assert file.read_ranges([(CHUNK + 5, CHUNK + 9)]) == [TEXT[CHUNK + 5 : CHUNK + 9]]
        assert file.read() == TEXT
    bounds = [(50000, 50010), (5, None), (-4, None), (0, 3), (0, None)]
    starts, ends = (list(column) for column in zip(*bounds, strict=True))
    assert fs.cat_ranges([path] * len(bounds), starts, ends) == [TEXT[start:end] for start, end in bounds]
    file, store.more = fs.open(path), b"another file"
    for read in (file.read, lambda: fs.open(path), lambda: fs.cat_file(path, start=5, end=9)):
        with pytest.raises(OSError, match="ignores ranges, or the file has changed"):
            read()


@pytest.mark.parametrize("kind", [list, tuple, iter, numpy.array])
def test_bounds_in_any_collection(store: str, kind: Any) -> None:
    """As stores with coroutines take them: a program that worked with S3 does with warpaes::s3."""
    fs, path = system(store), f"{store}/name"
    fs.pipe_file(path, TEXT)
    assert fs.cat_ranges([path, path], kind([0, 5]), kind([3, CHUNK])) == [TEXT[:3], TEXT[5:CHUNK]]
    assert fs.cat_ranges([path, path], kind([0, 5]), 7) == [TEXT[:7], TEXT[5:7]]
    with pytest.raises(ValueError, match="one length"):
        fs.cat_ranges([path], kind([0, 5]), 7)
