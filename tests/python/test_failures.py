"""What exceptions keep alive, and what they show."""

import copy
import gc
import pickle
import uuid
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import warpaes
from tests.python.containers import CHUNK, written

fsspec = pytest.importorskip("fsspec")

import warpaes.filesystem  # noqa: E402
from tests.python.filesystems import KEY, system  # noqa: E402


class Witness:
    """What the caller has in a variable, such as tensors of many gigabytes."""


@pytest.fixture
def without_a_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept(call: Callable[[], object], expected: type[Exception]) -> object:
    """The caller's variable after the exception was dealt with, or None if it is gone."""

    def attempt() -> "weakref.ref[Witness]":
        witness = Witness()
        reference = weakref.ref(witness)
        try:
            call()
        except expected:
            return reference
        raise AssertionError("no exception came")

    return attempt()()


def test_a_batch_that_is_not_genuine(without_a_collector: None) -> None:
    aead = warpaes.AESGCM(KEY)
    nonces = [bytes(12), b"another one!"]

    def opened() -> None:
        aead.decrypt_batch(nonces, [b"one", b"two"], tags=[bytes(16)] * 2).check()

    assert kept(opened, warpaes.InvalidTag) is None


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("memory", "damaged"),
        ("memory", "another key"),
        ("file", "damaged"),
        ("file", "another key"),
        ("file", "missing"),  # fsspec's own store of memory keeps what it does not find by itself
    ],
)
def test_parts_of_a_file(tmp_path: Path, without_a_collector: None, where: str, what: str) -> None:
    store = f"file://{tmp_path}" if where == "file" else f"memory://{uuid.uuid4().hex}"
    fs, path = system(store), f"{store}/name"
    fs.pipe_file(path, bytes(3 * CHUNK))
    sealed = bytearray(fs.fs.cat_file(path))
    sealed[{"damaged": CHUNK, "another key": 5}.get(what, 0)] ^= what != "missing"
    fs.fs.pipe_file(path, bytes(sealed))
    wanted = f"{store}/none" if what == "missing" else path
    expected = {"damaged": warpaes.Damaged, "another key": warpaes.WrongKey}.get(what, FileNotFoundError)
    assert kept(lambda: fs.cat_file(wanted, start=0, end=2 * CHUNK), expected) is None


@pytest.mark.parametrize("key", [KEY, KEY.decode(), bytearray(KEY), "secret, a passphrase"], ids=repr)
def test_a_key_in_anothers_place_is_not_shown(tmp_path: Path, key: Any) -> None:
    """The first mistake that people make: open(path, key). Messages go to logs."""
    path = written(tmp_path / "file", b"text")
    fs = system("memory://")
    calls: list[Callable[[], object]] = [
        lambda: warpaes.open(path, key),
        lambda: warpaes.open(path, key, key=KEY),
        lambda: fs.open("/name", key),
        lambda: warpaes.open(path, "wb", passphrase="x", passphrase_function=key),
    ]
    try:
        from warpaes.torch import safe_open  # noqa: PLC0415
    except ImportError:
        pass
    else:
        calls += [lambda: safe_open(path, key), lambda: safe_open(path, key, key=KEY)]
    for call in calls:
        with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
            call()
        assert "secret" not in str(caught.value)
        assert "nobody" not in str(caught.value)
    with pytest.raises(ValueError, match="not 'ab'"):
        warpaes.open(path, "ab", key=KEY)


def test_an_open_files_stream_is_not_copied(tmp_path: Path) -> None:
    """Its copy would close the original's file."""
    with warpaes.open(written(tmp_path / "file", b"text"), key=bytes(range(32))) as file:
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="an open file cannot be pickled"):
                way(file.raw)
        assert file.read() == b"text"
