"""What Python's own modules make of files: whole or not at all in every nesting, and read as plain ones."""

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import tarfile
import uuid
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import warpaes
from tests.python.containers import KEY, written


@dataclass
class Wrapper:
    """wraps: a file that is written. writes: what is b"half" again by reads, once it is in the file."""

    wraps: Callable[[Any], Any]
    writes: Callable[[Any], object]
    reads: Callable[[bytes], bytes]


def add_to_tar(archive: tarfile.TarFile) -> None:
    member = tarfile.TarInfo("name")
    member.size = 4
    archive.addfile(member, io.BytesIO(b"half"))


def from_tar(data: bytes) -> bytes:
    with tarfile.TarFile(fileobj=io.BytesIO(data)) as archive:
        file = archive.extractfile("name")
        assert file is not None
        return file.read()


WRAPPERS = {
    "text": Wrapper(io.TextIOWrapper, lambda text: text.write("half"), bytes),
    "buffer": Wrapper(io.BufferedWriter, lambda file: file.write(b"half"), bytes),
    "text over buffer": Wrapper(
        lambda file: io.TextIOWrapper(io.BufferedWriter(file)), lambda text: text.write("half"), bytes
    ),
    "codecs": Wrapper(codecs.getwriter("utf-8"), lambda text: text.write("half"), bytes),
    "closing": Wrapper(contextlib.closing, lambda file: file.write(b"half"), bytes),
    "gzip": Wrapper(
        lambda file: gzip.GzipFile(fileobj=file, mode="wb"), lambda file: file.write(b"half"), gzip.decompress
    ),
    "bz2": Wrapper(lambda file: bz2.BZ2File(file, "w"), lambda file: file.write(b"half"), bz2.decompress),
    "lzma": Wrapper(partial(lzma.LZMAFile, mode="w"), lambda file: file.write(b"half"), lzma.decompress),
    "zip": Wrapper(
        lambda file: zipfile.ZipFile(file, "w"),
        lambda archive: archive.writestr("name", "half"),
        lambda data: zipfile.ZipFile(io.BytesIO(data)).read("name"),
    ),
    "tar": Wrapper(lambda file: tarfile.TarFile(fileobj=file, mode="w"), add_to_tar, from_tar),
}
each_wrapper = pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)


def fail(opened: Any, wrapper: Wrapper) -> None:
    with opened as file, wrapper.wraps(file) as wrapped:
        wrapper.writes(wrapped)
        raise KeyError("planted")


@each_wrapper
def test_a_wrapper_gives_no_name_to_half_a_file(tmp_path: Path, wrapper: Wrapper) -> None:
    path = written(tmp_path / "file", b"before")
    with pytest.raises(KeyError):
        fail(warpaes.open(path, "wb", key=KEY), wrapper)
    assert [*tmp_path.iterdir()] == [path]
    assert warpaes.open(path, key=KEY).read() == b"before"


@each_wrapper
def test_a_wrapper_ends_a_whole_file(tmp_path: Path, wrapper: Wrapper) -> None:
    """In a block with the file, in one without it, and in none."""
    paths = [tmp_path / name for name in ("both", "alone", "none")]
    with warpaes.open(paths[0], "wb", key=KEY) as file, wrapper.wraps(file) as wrapped:
        wrapper.writes(wrapped)
    with contextlib.closing(warpaes.open(paths[1], "wb", key=KEY)) as file, wrapper.wraps(file) as wrapped:
        wrapper.writes(wrapped)
    with warpaes.open(paths[2], "wb", key=KEY) as file:
        wrapped = wrapper.wraps(file)
        wrapper.writes(wrapped.__enter__())
        wrapped.__exit__(None, None, None)
        assert not paths[2].exists()
    for path in paths:
        assert wrapper.reads(warpaes.open(path, key=KEY).read()) == b"half"


def test_what_is_closed_in_its_block_has_no_name_before_the_end(tmp_path: Path) -> None:
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file:
        with file:
            file.write(b"text")
        assert file.closed
        assert file.size == 4
        assert not (tmp_path / "file").exists()
        with pytest.raises(ValueError, match="closed"):
            file.write(b"more")
    assert warpaes.open(tmp_path / "file", key=KEY).read() == b"text"


def test_a_block_that_never_ends_is_told(tmp_path: Path) -> None:
    dropped = [warpaes.open(tmp_path / "file", "wb", key=KEY).__enter__()]
    dropped[0].close()
    with pytest.warns(ResourceWarning, match="was dropped without close.*lost"):
        dropped.clear()
    assert list(tmp_path.iterdir()) == []


def test_files_of_stores_are_the_same() -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")
    fs, path = fsspec.url_to_fs(f"warpaes::memory://{uuid.uuid4().hex}/file", warpaes={"key": KEY})
    for begin in (contextlib.nullcontext(), fs.transaction):
        with pytest.raises(KeyError), begin:
            fail(fs.open(path, "wb"), WRAPPERS["text"])
        assert not fs.exists(path)
    for begin in (contextlib.nullcontext(), fs.transaction):
        with begin, fs.open(path, "wb") as file, io.TextIOWrapper(file) as text:
            text.write("whole")
            text.close()
            assert not fs.exists(path)
        assert fs.cat_file(path) == b"whole"
        fs.rm(path)
    with fsspec.open(fs.unstrip_protocol(path), "wt", warpaes={"key": KEY}) as text:
        text.write("of fsspec")
    assert fs.cat_file(path) == b"of fsspec"


def test_an_empty_archive(tmp_path: Path) -> None:
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file:
        zipfile.ZipFile(file, "w").close()
    assert zipfile.ZipFile(warpaes.open(tmp_path / "file", key=KEY)).namelist() == []


@pytest.mark.parametrize("text", [b"", b"a", bytes(100)])
def test_what_is_no_archive(tmp_path: Path, text: bytes) -> None:
    path = written(tmp_path / "file", text)
    assert not zipfile.is_zipfile(warpaes.open(path, key=KEY))
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(warpaes.open(path, key=KEY))
