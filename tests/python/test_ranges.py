"""Parts of files in warpaes::, also of files that were cut."""

import pytest

fsspec = pytest.importorskip("fsspec")

import warpaes.filesystem  # noqa: E402
from tests.python.containers import CHUNK, pattern  # noqa: E402
from tests.python.filesystems import system  # noqa: E402

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
