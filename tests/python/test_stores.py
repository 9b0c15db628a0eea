"""warpaes:: over a real S3 server on this machine, and the programs that read through it.

The packages are large, so these run only where they are installed.
They are in the group `peers`, which ./dev test installs.
"""

import os
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warpaes

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("warpaes.filesystem")  # which registers warpaes::

KEY = bytes(range(32))
CHUNK = 16384


def pattern(length: int) -> bytes:
    return random.Random(length).randbytes(length)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Where an S3 server listens, which forgets all when it ends."""
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.setdefault(name, "testing")
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def s3(server: str) -> tuple[str, dict[str, Any]]:
    """A new bucket, and the options with which warpaes:: finds it."""
    options = {"endpoint_url": server}
    bucket = f"bucket-{uuid.uuid4().hex}"
    fsspec.filesystem("s3", **options).mkdir(bucket)
    return f"s3://{bucket}", options


@pytest.mark.parametrize("length", [0, 1000, 3 * CHUNK, (11 << 20) + 5])
def test_s3(s3: tuple[str, dict[str, Any]], length: int) -> None:
    where, options = s3
    url, text = f"warpaes::{where}/name", pattern(length)
    with fsspec.open(url, "wb", warpaes={"key": KEY}, s3=options) as file:
        file.write(text)
    with fsspec.open(url, "rb", warpaes={"key": KEY}, s3=options) as file:
        assert file.read() == text
        if length > 2 * CHUNK:
            assert file.read_ranges([(CHUNK - 1, CHUNK + 1)]) == [text[CHUNK - 1 : CHUNK + 1]]
    fs, path = fsspec.url_to_fs(url, warpaes={"key": KEY}, s3=options)
    assert fs.size(path) == length
    assert fs.cat_file(path) == text
    assert fs.cat_ranges([path, path], [0, max(0, length - 10)], [10, length]) == [text[:10], text[-10:]]
    with pytest.raises(warpaes.WrongKey):
        fsspec.open(url, "rb", warpaes={"key": bytes(32)}, s3=options).open()


def test_boto3_sees_a_file_of_the_program(s3: tuple[str, dict[str, Any]], tmp_path: Any) -> None:
    boto3 = pytest.importorskip("boto3")
    where, options = s3
    with fsspec.open(f"warpaes::{where}/name", "wb", warpaes={"key": KEY}, s3=options) as file:
        file.write(pattern(50000))
    client = boto3.client("s3", endpoint_url=options["endpoint_url"], region_name="us-east-1")
    client.download_file(where.removeprefix("s3://"), "name", str(tmp_path / "name"))
    with warpaes.open(tmp_path / "name", key=KEY) as read:
        assert read.read() == pattern(50000)


@pytest.mark.parametrize("length", [0, 1000, (11 << 20) + 5])
def test_obstore(s3: tuple[str, dict[str, Any]], length: int) -> None:
    """The same S3 through another client, which is no part of fsspec."""
    obstore = pytest.importorskip("obstore.fsspec")
    where, options = s3
    store = obstore.FsspecStore(
        "s3",
        config={"endpoint": options["endpoint_url"], "region": "us-east-1", "access_key_id": "testing",
                "secret_access_key": "testing", "virtual_hosted_style_request": False},
        client_options={"allow_http": True},
    )  # fmt: skip
    fs = warpaes.filesystem.WarpaesFileSystem(fs=store, key=KEY)  # type: ignore[attr-defined]
    path, text = f"{where}/name", pattern(length)
    with fs.open(path, "wb") as file:
        file.write(text)
    assert fs.size(path) == length
    assert fs.cat_file(path) == text
    with fs.open(path, "rb") as file:
        assert file.read() == text
    assert fs.cat_ranges([path, path], [0, max(0, length - 10)], [10, length]) == [text[:10], text[-10:]]
    other, plain = fsspec.url_to_fs(f"warpaes::{where}/name", warpaes={"key": KEY}, s3=options)
    assert other.cat_file(plain) == text


def test_ranges_that_lie_near_together_are_one_request(s3: tuple[str, dict[str, Any]]) -> None:
    where, options = s3
    fs, path = fsspec.url_to_fs(f"warpaes::{where}/name", warpaes={"key": KEY}, s3=options)
    text = pattern(100 * CHUNK)
    fs.pipe_file(path, text)
    asked, fetch = [], fs.fs.cat_ranges

    def counted(paths: Any, starts: Any, ends: Any, **options: Any) -> Any:
        asked.append(len(paths))
        return fetch(paths, starts, ends, **options)

    fs.fs.cat_ranges = counted
    near = [(place, place + 100) for place in range(0, 10 * CHUNK, 5000)]
    far = [(place, place + 100) for place in (30 * CHUNK, 60 * CHUNK, 95 * CHUNK)]
    ranges = [*near, *far]
    found = fs.cat_ranges([path] * len(ranges), [start for start, _ in ranges], [stop for _, stop in ranges])
    assert found == [text[start:stop] for start, stop in ranges]
    assert asked == [1, 4]  # the file's beginning, and then the near ones together with those far away


@pytest.mark.parametrize("length", [1000, 30 << 20])
def test_an_upload_that_fails_leaves_nothing(s3: tuple[str, dict[str, Any]], length: int) -> None:
    where, options = s3
    fs, path = fsspec.url_to_fs(f"warpaes::{where}/name", warpaes={"key": KEY}, s3=options)

    def fail() -> None:
        with fs.open(path, "wb") as file:
            file.write(bytes(length))
            raise KeyError("planted")

    with pytest.raises(KeyError):
        fail()
    fs.invalidate_cache()
    assert fs.ls(where) == []
    assert fs.fs.list_multipart_uploads(where.removeprefix("s3://")) == []


def test_parquet(s3: tuple[str, dict[str, Any]]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    where, options = s3
    fs, path = fsspec.url_to_fs(f"warpaes::{where}/table", warpaes={"key": KEY}, s3=options)
    table = arrow.table({"number": list(range(100_000)), "text": [str(n) for n in range(100_000)]})
    parquet.write_table(table, path, filesystem=fs)
    assert parquet.read_table(path, filesystem=fs) == table
    assert parquet.read_table(path, filesystem=fs, columns=["number"]) == table.select(["number"])


@pytest.mark.parametrize("store", ["memory", "file", "s3"])
def test_zarr(request: pytest.FixtureRequest, tmp_path: Path, store: str) -> None:
    zarr = pytest.importorskip("zarr")
    numpy = pytest.importorskip("numpy")
    where, options = f"memory://{uuid.uuid4().hex}", dict[str, Any]()
    if store == "file":
        where, options = f"file://{tmp_path}", {"auto_mkdir": True}
    if store == "s3":
        where, options = request.getfixturevalue("s3")
    url = f"warpaes::{where}/array.zarr"
    given = {"warpaes": {"key": KEY, "names_under": f"{where}/array.zarr"}, store: options}
    numbers = numpy.random.default_rng(1).integers(0, 255, (64, 64))
    array = zarr.open_array(url, mode="w", shape=(64, 64), chunks=(32, 32), dtype="i8", storage_options=given)
    array[:] = numbers
    again = zarr.open_array(url, mode="r", storage_options=given)
    assert (again[:] == numbers).all()
    assert (again[10:40, 5] == numbers[10:40, 5]).all()
    fs, path = fsspec.url_to_fs(url, **given)
    one, other = sorted(name for name in fs.find(path) if "/c/" in name)[:2]
    fs.fs.cp_file(one, other)
    with pytest.raises(warpaes.WrongKey):
        again[:]


def test_moves(s3: tuple[str, dict[str, Any]]) -> None:
    where, options = s3
    fs, root = fsspec.url_to_fs(f"warpaes::{where}", warpaes={"key": KEY}, s3=options)
    names = ["a", "d/b", "d/e/c"]
    fs.pipe({f"{root}/folder/{name}": name.encode() for name in names})
    fs.mv(f"{root}/folder", f"{root}/elsewhere", recursive=True)
    assert sorted(fs.find(root)) == [f"{root}/elsewhere/{name}" for name in names]
    fs.mv(f"{root}/elsewhere/d/*", f"{root}/elsewhere/f/")
    fs.mv(f"{root}/elsewhere/a", f"{root}/a")
    found = {name: fs.cat_file(name) for name in fs.find(root)}
    assert found == {f"{root}/a": b"a", f"{root}/elsewhere/d/e/c": b"d/e/c", f"{root}/elsewhere/f/b": b"d/b"}


@pytest.mark.parametrize("root", ["s3://", "warpaes::s3://", "s3://{bucket}", "{bucket}/"])
def test_names_below_all_buckets_or_one(s3: tuple[str, dict[str, Any]], root: str) -> None:
    where, options = s3
    given = {"key": KEY, "names_under": root.format(bucket=where.removeprefix("s3://"))}
    fs, path = fsspec.url_to_fs(f"warpaes::{where}/name", warpaes=given, s3=options)
    fs.pipe_file(path, b"text")
    assert fs.cat_file(path) == b"text"
    fs.fs.cp_file(path, f"{path}-other")
    with pytest.raises(warpaes.WrongKey):
        fs.cat_file(f"{path}-other")
