"""warpaes:: over the stores of fsspec: the plaintext's sizes and bytes, whatever way they are asked for."""

import os
import pickle
import random
import resource
import subprocess
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

fsspec = pytest.importorskip("fsspec")

import warpaes  # noqa: E402
from tests.python.containers import CHUNK, PROGRAM, pattern  # noqa: E402
from tests.python.filesystems import KEY, system  # noqa: E402
from warpaes import _streams  # noqa: E402
from warpaes.filesystem import WarpaesFileSystem  # noqa: E402

LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 100, (5 << 20) + 3]


class Counting:
    """A store that says what was fetched of it."""

    def __init__(self, fs: Any) -> None:
        self._fs = fs
        self.requests: list[tuple[int | None, int | None]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fs, name)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None) -> Any:
        self.requests.append((start, end))
        return self._fs.cat_file(path, start=start, end=end)

    def cat_ranges(self, paths: list[str], starts: list[int], ends: list[int]) -> Any:
        self.requests += zip(starts, ends, strict=True)
        return self._fs.cat_ranges(paths, starts, ends)


@pytest.mark.parametrize("length", LENGTHS)
def test_comes_back(store: str, length: int) -> None:
    text = pattern(length)
    with fsspec.open(f"warpaes::{store}/name", "wb", warpaes={"key": KEY}) as file:
        assert file.write(text) == length
    with fsspec.open(f"warpaes::{store}/name", "rb", warpaes={"key": KEY}) as file:
        assert file.read() == text
    fs = system(store)
    fs.pipe_file(f"{store}/other", text)
    for name in ("name", "other"):
        path = f"{store}/{name}"
        assert fs.size(path) == fs.info(path)["size"] == length
        assert fs.cat_file(path) == text
        assert fs.cat_file(path, start=5, end=CHUNK + 7) == text[5 : CHUNK + 7]
        assert fs.cat_file(path, start=-3) == text[-3:]
        assert fs.fs.size(path) == fs.info(path)["sealed_size"]
        assert length < 50 or text[:50] not in fsspec.open(path).open().read()


def test_files_of_the_program(tmp_path: Path) -> None:
    key, phrase = tmp_path / "key", tmp_path / "phrase"
    key.write_text(KEY.hex() + "\n")
    phrase.write_text("a passphrase\n")
    for secret in (key, phrase):
        secret.chmod(0o600)
    (tmp_path / "plain").write_bytes(pattern(50000))
    for option, secret, name in (("key", key, "key_file"), ("passphrase", phrase, "passphrase_file")):
        sealed, again, opened = (tmp_path / f"{option}.{end}" for end in ("wa", "2.wa", "txt"))
        program = [str(PROGRAM), "encrypt", "-q", f"--{option}-file", str(secret)]
        subprocess.run([*program, "-o", str(sealed), str(tmp_path / "plain")], check=True)
        fs, path = fsspec.url_to_fs(f"warpaes::file://{sealed}", warpaes={name: secret})
        assert fs.cat_file(path) == pattern(50000)
        assert fs.size(path) == 50000
        fs.put_file(tmp_path / "plain", str(again))
        program = [str(PROGRAM), "decrypt", "-q", f"--{option}-file", str(secret)]
        subprocess.run([*program, "-o", str(opened), str(again)], check=True)
        assert opened.read_bytes() == pattern(50000)


def test_a_folder(store: str, tmp_path: Path) -> None:
    fs = system(store)
    fs.makedirs(f"{store}/below", exist_ok=True)
    for number in range(4):
        fs.pipe_file(f"{store}/below/{number}", pattern(number * 1000))
    fs.fs.pipe_file(f"{store}/foreign", b"short")
    assert sorted(one["size"] for one in fs.ls(f"{store}/below")) == [0, 1000, 2000, 3000]
    assert sorted(Path(name).name for name in fs.ls(f"{store}/below", detail=False)) == ["0", "1", "2", "3"]
    assert fs.info(f"{store}/foreign")["size"] is None
    assert sorted(one["size"] for one in fs.find(f"{store}/below", detail=True).values()) == [
        0,
        1000,
        2000,
        3000,
    ]
    assert len(fs.glob(f"{store}/below/[12]")) == 2
    assert fs.du(f"{store}/below") == 6000
    found = fs.cat([f"{store}/below/{number}" for number in range(4)])
    assert list(found.values()) == [pattern(number * 1000) for number in range(4)]
    fs.get(f"{store}/below", str(tmp_path / "here"), recursive=True)
    assert (tmp_path / "here" / "3").read_bytes() == pattern(3000)
    fs.cp_file(f"{store}/below/3", f"{store}/below/4")
    fs.mv(f"{store}/below/4", f"{store}/below/5")
    assert fs.cat_file(f"{store}/below/5") == pattern(3000)
    fs.touch(f"{store}/below/6")
    assert fs.size(f"{store}/below/6") == 0
    fs.rm(f"{store}/below", recursive=True)
    assert not fs.exists(f"{store}/below/1")


def test_links_have_the_sizes_of_their_files(tmp_path: Path) -> None:
    fs = system(f"file://{tmp_path}")
    fs.pipe_file(str(tmp_path / "file"), bytes(100))
    for link, target in (("link", "file"), ("folder", "."), ("nowhere", "none")):
        (tmp_path / link).symlink_to(target)
    listed = {Path(one["name"]).name: one for one in fs.ls(str(tmp_path), detail=True)}
    sizes = {name: (one["size"], one.get("sealed_size")) for name, one in listed.items()}
    assert sizes["link"] == sizes["file"] == (100, 172)
    assert (sizes["folder"][1], sizes["nowhere"]) == (None, (0, None))
    (tmp_path / "nowhere").unlink()  # which fsspec's find() takes ill
    found = fs.find(str(tmp_path), detail=True)[str(tmp_path / "link")]
    assert (found["size"], found["sealed_size"]) == (100, 172)
    assert fs.du(str(tmp_path), total=False)[str(tmp_path / "link")] == 100


def test_reading_at_any_place_fetches_its_chunks() -> None:
    counting = Counting(fsspec.filesystem("memory"))
    fs, path, text = WarpaesFileSystem(fs=counting, key=KEY), f"/{uuid.uuid4().hex}", pattern(100 * CHUNK)
    fs.pipe_file(path, text)
    with fs.open(path, "rb", block_size=CHUNK) as file:
        file.seek(50 * CHUNK + 5)
        assert file.read(10) == text[50 * CHUNK + 5 :][:10]
    fetched = sum((stop or 0) - (start or 0) for start, stop in counting.requests)
    assert fetched <= 104 + 2 * 16400
    counting.requests.clear()
    assert fs.cat_file(path) == text
    assert counting.requests == [(None, None)]


def test_a_read_without_a_size_is_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting(fsspec.filesystem("memory"))
    fs, path, text = WarpaesFileSystem(fs=counting, key=KEY), f"/{uuid.uuid4().hex}", pattern(100 * CHUNK + 1)
    fs.pipe_file(path, text)
    with fs.open(path, "rb") as file:
        counting.requests.clear()
        assert (file.read(), file.tell(), file.read()) == (text, len(text), b"")
        assert len(counting.requests) == 1
        for place in (5, CHUNK, 99 * CHUNK + 7, len(text), len(text) + 5):
            file.seek(place)
            counting.requests.clear()
            assert (file.read(), file.tell()) == (text[place:], max(place, len(text)))
            assert len(counting.requests) <= 1
    monkeypatch.setattr(_streams, "WINDOW", 10 * CHUNK)  # no more than that is held at once
    with fs.open(path, "rb") as file:
        counting.requests.clear()
        file.seek(5)
        assert file.read() == text[5:]
        assert len(counting.requests) == 11
    with pytest.raises(ValueError, match="closed"):
        file.read()


def test_ranges_that_lie_near_together_are_one_request() -> None:
    counting = Counting(fsspec.filesystem("memory"))
    fs, path, text = WarpaesFileSystem(fs=counting, key=KEY), f"/{uuid.uuid4().hex}", pattern(100 * CHUNK)
    fs.pipe_file(path, text)
    starts = [0, 100, 2 * CHUNK, 50 * CHUNK, 50 * CHUNK + 1, 99 * CHUNK, 200 * CHUNK]
    ends = [10, 200, 2 * CHUNK + 5, 51 * CHUNK, 50 * CHUNK + 2, 300 * CHUNK, 201 * CHUNK]
    found = fs.cat_ranges([path] * len(starts), starts, ends)
    assert found == [text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert len(counting.requests) == 1 + 3  # the beginning, and three places
    counting.requests.clear()
    assert fs.cat_ranges([path, path], [0, 10 * CHUNK], [1, 10 * CHUNK + 1], max_gap=10 * 16400)
    assert len(counting.requests) == 1 + 1
    with pytest.raises(FileNotFoundError):
        fs.cat_ranges([path, "/none"], 0, 10, on_error="raise")
    one, other = fs.cat_ranges([path, "/none"], 0, 10)
    assert one == text[:10]
    assert isinstance(other, FileNotFoundError)


def test_threads_read_one_file(store: str) -> None:
    fs, path, text = system(store), f"{store}/name", pattern(100 * CHUNK)
    fs.pipe_file(path, text)
    places = [random.Random(number).randrange(len(text)) for number in range(200)]
    with fs.open(path, "rb") as file, ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda place: file.read_ranges([(place, place + 20000)])[0], places))
    assert found == [text[place : place + 20000] for place in places]


def test_damage_is_refused(store: str) -> None:
    fs, path = system(store), f"{store}/name"
    fs.pipe_file(path, pattern(3 * CHUNK))
    sealed = bytearray(fs.fs.cat_file(path))
    fs.fs.pipe_file(path, bytes(sealed[:-16]))
    for start in (None, 3 * CHUNK - 5):
        with pytest.raises((warpaes.Truncated, warpaes.Damaged)):
            fs.cat_file(path, start=start)
    sealed[56 + 16400 + 5] ^= 1
    fs.fs.pipe_file(path, bytes(sealed))
    assert fs.cat_file(path, start=0, end=100) == pattern(3 * CHUNK)[:100]
    with pytest.raises(warpaes.Damaged):
        fs.cat_file(path, start=CHUNK, end=CHUNK + 1)
    with pytest.raises(warpaes.WrongKey):
        WarpaesFileSystem(fs=fs.fs, key=bytes(32)).cat_file(fs._strip_protocol(path))
    with pytest.raises(warpaes.WrongKey, match="passphrase"):
        WarpaesFileSystem(fs=fs.fs, passphrase="x").open(path, "rb")


@pytest.mark.parametrize("length", [0, 1, CHUNK, (4 << 20) - 1, 4 << 20, (9 << 20) + 5])
def test_a_download(store: str, tmp_path: Path, length: int) -> None:
    """In pieces, each by one thread; what is told of the progress adds up."""
    fs, path, told = system(store), f"{store}/name", fsspec.callbacks.Callback()
    fs.pipe_file(path, pattern(length))
    fs.get_file(path, str(tmp_path / "plain"), callback=told)
    assert (tmp_path / "plain").read_bytes() == pattern(length)
    assert (told.size, told.value) == (length, length)


def test_a_download_that_fails_leaves_nothing(store: str, tmp_path: Path) -> None:
    fs, path = system(store), f"{store}/name"
    fs.pipe_file(path, pattern(3 * CHUNK))
    sealed = bytearray(fs.fs.cat_file(path))
    sealed[-17] ^= 1
    fs.fs.pipe_file(path, bytes(sealed))
    folder = tmp_path / "here"
    with pytest.raises(warpaes.Damaged):
        fs.get_file(path, str(folder / "plain"))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("length", [1000, 9 << 20])
def test_an_upload_that_fails_leaves_nothing(tmp_path: Path, length: int) -> None:
    fs, path = system("file:///"), str(tmp_path / "name")

    def fail() -> None:
        with fs.open(path, "wb") as file:
            file.write(bytes(length))
            raise KeyError("planted")

    with pytest.raises(KeyError):
        fail()
    dropped = [fs.open(path, "wb")]
    dropped[0].write(bytes(length))
    with pytest.warns(ResourceWarning, match="name.*was dropped without close.*lost"):
        dropped.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_key_does_not_get_out(tmp_path: Path) -> None:
    url = f"warpaes::file://{tmp_path}/x"
    fs = system(f"file://{tmp_path}")
    told = [repr(fs), str(fs), fs.to_json(), fs._fs_token, str(vars(fs)), str(fs.storage_options)]
    told.append(repr(fsspec.open(url, warpaes={"key": KEY})))
    assert not any("Thirty" in text or KEY.hex() in text for text in told)
    with pytest.raises(TypeError, match="holds a key and cannot be pickled"):
        pickle.dumps(fs)
    assert fs != system(f"file://{tmp_path}")
    assert system(f"file://{tmp_path}", passphrase=None) is not fs


def test_a_name_of_a_key_file_may_be_pickled(tmp_path: Path) -> None:
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(KEY)
    fs, path = fsspec.url_to_fs(f"warpaes::file://{tmp_path}/x", warpaes={"key_file": str(tmp_path / "key")})
    fs.pipe_file(path, b"text")
    sent = pickle.dumps(fs)
    assert b"Thirty" not in sent
    assert pickle.loads(sent).cat_file(path) == b"text"
    assert pickle.loads(sent) == fs


def test_misuse(tmp_path: Path) -> None:
    for name, text in (("no key", "not hexadecimal"), ("lines", "one\ntwo\n"), ("open to all", KEY.hex())):
        (tmp_path / name).touch(0o600)
        (tmp_path / name).write_text(text)
    (tmp_path / "open to all").chmod(0o644)
    for options, problem in (
        ({}, "pass one of key="),
        ({"key": KEY, "passphrase": "x"}, "pass one of key="),
        ({"key": b"short"}, "32 or 16 bytes"),
        ({"key_file": tmp_path / "no key"}, "is no key file"),
        ({"passphrase_file": tmp_path / "lines"}, "more than one line"),
        ({"key_file": tmp_path / "open to all"}, r"other users \(mode 0644\)"),
        ({"passphrase_file": tmp_path / "open to all"}, r"other users \(mode 0644\)"),
    ):
        with pytest.raises((TypeError, ValueError, PermissionError), match=problem):
            WarpaesFileSystem(target_protocol="memory", **options)
    WarpaesFileSystem(target_protocol="memory", key_file=tmp_path / "open to all", insecure_key_file=True)
    with pytest.raises(ValueError, match="name a store"):
        WarpaesFileSystem(key=KEY)
    with pytest.raises(ValueError, match="nothing can be appended"):
        system("memory://").open("/x", "ab")


@pytest.mark.parametrize("compression", ["gzip", "bz2", "xz", "zip", "infer"])
@pytest.mark.parametrize("text", [False, True])
def test_compressed_files_are_there_when_they_are_closed(store: str, compression: str, text: bool) -> None:
    """fsspec closes what compresses, and not the file below it."""
    fs, name, lines = system(store), f"{store}/name.gz", "a line\n" * 1000
    with fs.open(name, "w" if text else "wb", compression=compression) as file:
        file.write(lines if text else lines.encode())
    with fs.open(name, "r" if text else "rb", compression=compression) as file:
        found = file.read()
    assert (found if text else found.decode()) == lines
    with fs.open(f"{store}/plain", "wb", compression="infer") as file:
        file.write(b"no ending that says how")
    assert fs.cat_file(f"{store}/plain") == b"no ending that says how"


def test_a_compressed_file_whose_end_fails_is_not_there(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fs = system(store)
    file = fs.open(f"{store}/name", "wb", compression="gzip")
    file.write(b"text")
    monkeypatch.setattr(file, "fileobj", FullDisk())
    with pytest.raises(OSError, match="no room"):
        file.close()
    assert not fs.exists(f"{store}/name")


class FullDisk:
    """What has no room."""

    def write(self, data: bytes) -> int:
        del data
        raise OSError("no room")


def test_several_files_are_removed_at_once(store: str) -> None:
    fs = system(store)
    names = [f"{store}/{number}" for number in range(3)]
    fs.pipe(dict.fromkeys(names, b"text"))
    fs.rm(names[:2])
    assert [fs.exists(name) for name in names] == [False, False, True]
    mapper = fs.get_mapper(store)
    mapper.delitems(["2"])
    assert list(mapper) == []


def test_options_that_do_not_exist_are_refused(store: str) -> None:
    """A misspelt one would have left names unauthenticated, and nobody would have noticed."""
    with pytest.raises(TypeError, match="no option names_undr"):
        system(store, names_undr=store)
    with pytest.raises(TypeError, match=r"no option anon: those of the store"):
        fsspec.url_to_fs(f"warpaes::{store}/x", warpaes={"key": KEY}, anon=True)
    assert system(store, use_listings_cache=False, asynchronous=False) is not None


def test_sizes_of_a_folder_with_other_files(store: str) -> None:
    fs = system(store)
    fs.pipe({f"{store}/a": bytes(1000), f"{store}/b": bytes(100)})
    fs.fs.pipe_file(fs._strip_protocol(f"{store}/other"), b"no encrypted file")
    assert fs.du(store) == 1100
    assert sorted(fs.du(store, total=False).values(), key=str) == [100, 1000, None]


def test_parts_of_more_files_than_may_be_open(tmp_path: Path) -> None:
    fs = system(f"file://{tmp_path}")
    paths = [str(tmp_path / str(number)) for number in range(300)]
    for path in paths:
        fs.pipe_file(path, os.path.basename(path).encode())
    (tmp_path / "299").write_bytes(b"foreign")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        found = fs.cat_ranges([*paths, paths[7]], 0, [None] * 300 + [1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert found[:299] == [str(number).encode() for number in range(299)]
    assert isinstance(found[299], warpaes.Truncated)
    assert found[300] == b"7"


def test_large_parts_of_a_local_file(tmp_path: Path) -> None:
    """Several threads read them."""
    fs, path, text = system(f"file://{tmp_path}"), str(tmp_path / "name"), pattern(12 << 20)
    fs.pipe_file(path, text)
    starts = [*range(0, len(text), 1 << 20), 5, len(text) - 1, 2 * len(text)]
    ends = [start + (1 << 20) for start in starts]
    expected = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert fs.cat_ranges([path] * len(starts), starts, ends) == expected
    sealed = bytearray((tmp_path / "name").read_bytes())
    sealed[5 << 20] ^= 1
    (tmp_path / "name").write_bytes(sealed)
    found = fs.cat_ranges([path] * len(starts), starts, ends)
    wrong = [number for number, answer in enumerate(found) if isinstance(answer, warpaes.Damaged)]
    assert len(wrong) == 1
    assert [one for number, one in enumerate(found) if number not in wrong] == [
        one for number, one in enumerate(expected) if number not in wrong
    ]
