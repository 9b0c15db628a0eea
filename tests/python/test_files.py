"""Encrypted files: as a Python file, and the same bytes that other programs read and write."""

import gc
import io
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from cryptography import cobblestone

import warpaes
from devtools.repository import WARPAES
from warpaes import _native, _streams

KEY = bytes(range(32))
PASSPHRASE = "correct horse battery staple, äöü"
CHUNK = 16384
LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 100, (5 << 20) + 3]
PROGRAM = Path(os.environ.get("WARPAES", WARPAES))


def pattern(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def written(path: Path, text: bytes, context: bytes = b"") -> Path:
    with warpaes.open(path, "wb", key=KEY, context_string=context) as file:
        assert file.write(text) == len(text)
        assert file.tell() == len(text)
    return path


@pytest.mark.parametrize("length", LENGTHS)
def test_comes_back(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "file", pattern(length))
    with warpaes.open(path, "rb", key=KEY) as file:
        assert file.size == length
        assert file.read() == pattern(length)
        assert file.read() == b""


@pytest.mark.parametrize("length", LENGTHS)
def test_cryptography_reads_it(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "file", pattern(length), b"purpose")
    other = cobblestone.Cobblestone256Decryptor(KEY, b"purpose")
    assert other.update(path.read_bytes()) + other.finalize() == pattern(length)


@pytest.mark.parametrize("length", LENGTHS)
def test_reads_what_cryptography_writes(tmp_path: Path, length: int) -> None:
    other = cobblestone.Cobblestone256Encryptor(KEY, b"purpose")
    path = tmp_path / "file"
    path.write_bytes(other.update(pattern(length)) + other.finalize())
    with warpaes.open(path, key=KEY, context_string=b"purpose") as file:
        assert file.read() == pattern(length)


def test_the_program_reads_it_and_is_read(tmp_path: Path) -> None:
    assert PROGRAM.is_file(), f"{PROGRAM} is missing: ./dev build"
    key = tmp_path / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    path = written(tmp_path / "file", pattern(50000))
    subprocess.run([PROGRAM, "decrypt", "-q", "-k", key, "-o", tmp_path / "again", path], check=True)
    assert (tmp_path / "again").read_bytes() == pattern(50000)
    subprocess.run(
        [PROGRAM, "encrypt", "-q", "-k", key, "-o", tmp_path / "sealed", tmp_path / "again"], check=True
    )
    with warpaes.open(tmp_path / "sealed", key=KEY) as file:
        assert file.read() == pattern(50000)


def test_is_a_file_like_any_other(tmp_path: Path) -> None:
    """The same calls as on the plaintext in memory, at random places."""
    text = pattern(5 * CHUNK + 77)
    path, memory, choice = written(tmp_path / "file", text), io.BytesIO(text), random.Random(1)
    with warpaes.open(path, key=KEY) as file:
        assert file.readable()
        assert file.seekable()
        assert not file.writable()
        for _ in range(300):
            offset, whence = choice.choice(
                [(choice.randrange(len(text) + 50), 0), (-choice.randrange(99), 2)]
            )
            assert file.seek(offset, whence) == memory.seek(offset, whence)
            length = choice.choice([0, 1, 100, CHUNK, CHUNK + 1, 70000])
            into = bytearray(length)
            assert file.readinto(into) == len(expected := memory.read(length))
            assert into[: len(expected)] == expected
            assert file.tell() == memory.tell()
            assert file.readline() == memory.readline()


def test_ranges(tmp_path: Path) -> None:
    text = pattern(3 * CHUNK)
    with warpaes.open(written(tmp_path / "file", text), key=KEY) as file:
        ranges = [(0, 0), (5, 10), (CHUNK - 1, CHUNK + 1), (2 * CHUNK, 9 * CHUNK), (4 * CHUNK, 5 * CHUNK)]
        assert file.read_ranges(ranges) == [text[start:stop] for start, stop in ranges]
        assert file.tell() == 0
        with pytest.raises(ValueError, match="start <= stop"):
            file.read_ranges([(2, 1)])


def test_wrong_key_and_context(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text", b"purpose")
    for key, context in ((bytes(32), b"purpose"), (KEY, b"other")):
        with pytest.raises(warpaes.WrongKey):
            warpaes.open(path, key=key, context_string=context)


def test_damage_is_found_where_it_is(tmp_path: Path) -> None:
    path = written(tmp_path / "file", pattern(3 * CHUNK + 5))
    sealed = bytearray(path.read_bytes())
    sealed[56 + 16400 + 17] ^= 1
    path.write_bytes(sealed)
    with warpaes.open(path, key=KEY) as file:
        first, last = file.read_ranges([(0, CHUNK), (2 * CHUNK, 3 * CHUNK + 5)])
        assert first + last == pattern(3 * CHUNK + 5)[:CHUNK] + pattern(3 * CHUNK + 5)[2 * CHUNK :]
        with pytest.raises(warpaes.Damaged):
            file.read()


@pytest.mark.parametrize("missing", [1, 16, 21, 22, 16400, 16421, 49206])
def test_a_missing_end_is_found(tmp_path: Path, missing: int) -> None:
    path = written(tmp_path / "file", pattern(3 * CHUNK + 5))
    sealed = path.read_bytes()
    path.write_bytes(sealed[: len(sealed) - missing])
    with pytest.raises((warpaes.Truncated, warpaes.Damaged)):  # noqa: SIM117
        with warpaes.open(path, key=KEY) as file:
            file.read()


@pytest.mark.parametrize("chunks", [0, 1, 2])
def test_an_end_that_was_made_up_is_found(tmp_path: Path, chunks: int) -> None:
    """A file that is cut behind a chunk has a possible length again with any 16 bytes more."""
    path = written(tmp_path / "file", pattern(3 * CHUNK))
    path.write_bytes(path.read_bytes()[: 56 + chunks * 16400] + bytes(16))
    with warpaes.open(path, key=KEY) as file:
        assert file.read_ranges([(0, 5)] if chunks else []) == ([pattern(3 * CHUNK)[:5]] if chunks else [])
        with pytest.raises(warpaes.Damaged):
            file.read()
        file.seek(0, io.SEEK_END)
        with pytest.raises(warpaes.Damaged):
            file.read(1)


def test_what_was_appended_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"text")
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(warpaes.Damaged), warpaes.open(path, key=KEY) as file:
        file.read()


def fail(path: Path) -> None:
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(bytes(5 << 20))
        raise KeyError("planted")


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        fail(tmp_path / "file")
    dropped = warpaes.open(tmp_path / "file", "wb", key=KEY)
    dropped.write(b"text")
    assert not (tmp_path / "file").exists()
    del dropped
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_replaced_by_a_whole_one_only(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"before")
    with pytest.raises(KeyError):
        fail(path)
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"before"
    written(path, b"after")
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"after"


def test_threads_may_write_to_one_file(tmp_path: Path) -> None:
    """A chunk's number is used once, whoever comes first: it would be a nonce that is used twice."""
    parts = [bytes([number]) * (3 << 20) for number in range(8)]
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file, ThreadPoolExecutor(8) as pool:
        list(pool.map(file.write, parts))
    with warpaes.open(tmp_path / "file", key=KEY) as again:
        found = [again.read(3 << 20) for _ in parts]
    assert sorted(found) == parts


def test_a_write_that_fails_ends_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)

    def fails(data: bytes) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(file, "_emit", fails)
    with pytest.raises(OSError, match="no space"):
        file.write(bytes(5 << 20))
    with pytest.raises(ValueError, match="closed"):
        file.write(b"more")
    file.close()
    assert list(tmp_path.iterdir()) == []


def write_passphrase(folder: Path) -> Path:
    file = folder / "passphrase"
    file.write_text(PASSPHRASE + "\n")
    file.chmod(0o600)
    return file


@pytest.mark.parametrize("function", ["scrypt", "argon2id"])
@pytest.mark.parametrize("context", [b"", b"purpose"])
def test_the_program_reads_what_a_passphrase_sealed(
    tmp_path: Path, function: Literal["scrypt", "argon2id"], context: bytes
) -> None:
    path, again = tmp_path / "file", tmp_path / "again"
    with warpaes.open(
        path, "wb", passphrase=PASSPHRASE, passphrase_function=function, context_string=context
    ) as file:
        file.write(pattern(50000))
    command = [str(PROGRAM), "decrypt", "-q", "--passphrase-file", str(write_passphrase(tmp_path))]
    options = ["--context", context.decode()] if context else []
    subprocess.run([*command, *options, "-o", str(again), str(path)], check=True)
    assert again.read_bytes() == pattern(50000)
    with warpaes.open(path, passphrase=PASSPHRASE.encode(), context_string=context) as file:
        assert file.size == 50000
        assert file.read_ranges([(16000, 17000)]) == [pattern(50000)[16000:17000]]


def test_a_passphrase_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(pattern(50000))
    sealed = tmp_path / "sealed"
    phrase = write_passphrase(tmp_path)
    command = [str(PROGRAM), "encrypt", "-q", "--passphrase-file", str(phrase)]
    subprocess.run([*command, "-o", str(sealed), str(tmp_path / "plain")], check=True)
    with warpaes.open(sealed, passphrase=PASSPHRASE) as file:
        assert file.read() == pattern(50000)
    with pytest.raises(warpaes.WrongKey):
        warpaes.open(sealed, passphrase="another")
    with pytest.raises(warpaes.WrongKey, match="with a passphrase and not with a key"):
        warpaes.open(sealed, key=KEY)
    with pytest.raises(warpaes.WrongKey, match="with a key and not with a passphrase"):
        warpaes.open(written(tmp_path / "file", pattern(100)), passphrase=PASSPHRASE)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (16, 1 << 20, "1024 MiB of memory and very long"),
        (16, 1 << 24, "16384 MiB of memory and very long"),
        (16, (1 << 17) + 1, "makes no sense"),
        (20, 0, "makes no sense"),
        (24, 65, "makes no sense"),
        (28, 1, "makes no sense"),
    ],
)
def test_costs_that_nobody_chooses(tmp_path: Path, place: int, value: int, message: str) -> None:
    """A file must not take all memory or hours of whoever looks at it."""
    path = tmp_path / "file"
    with warpaes.open(path, "wb", passphrase=PASSPHRASE) as file:
        file.write(b"text")
    sealed = bytearray(path.read_bytes())
    sealed[place : place + 4] = value.to_bytes(4, "big")
    if value == 1 << 20:
        sealed[24:28] = (3).to_bytes(4, "big")  # 24 times 2^20 is more work than is allowed
    path.write_bytes(sealed)
    with pytest.raises(warpaes.Damaged, match=message):
        warpaes.open(path, passphrase=PASSPHRASE)


@pytest.mark.parametrize("length", [0, 47, 48, 48 + 56, 48 + 71])
def test_a_file_that_is_cut_in_its_beginning(tmp_path: Path, length: int) -> None:
    path = tmp_path / "file"
    with warpaes.open(path, "wb", passphrase=PASSPHRASE) as file:
        file.write(b"text")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises((warpaes.Truncated, warpaes.WrongKey)):
        warpaes.open(path, passphrase=PASSPHRASE)


def test_one_secret(tmp_path: Path) -> None:
    for arguments in ({}, {"key": KEY, "passphrase": PASSPHRASE}):
        with pytest.raises(TypeError, match="not both"):
            warpaes.open(tmp_path / "file", "wb", **arguments)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="empty"):
        warpaes.open(tmp_path / "file", "wb", passphrase="")
    with pytest.raises(TypeError, match="encode the text"):
        warpaes.open(tmp_path / "file", "wb", key="text")
    with pytest.raises(ValueError, match="scrypt or argon2id"):
        warpaes.open(tmp_path / "file", "wb", passphrase="x", passphrase_function="md5")  # type: ignore[call-overload]
    assert list(tmp_path.iterdir()) == []


def test_misuse(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        warpaes.open(tmp_path / "none", key=KEY)
    with pytest.raises(ValueError, match="mode must be"):
        warpaes.open(tmp_path / "file", "ab", key=KEY)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="32"):
        warpaes.open(tmp_path / "file", "wb", key=b"a passphrase")
    assert list(tmp_path.iterdir()) == []
    closed = warpaes.open(written(tmp_path / "file", b"text"), key=KEY)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.read()
    with pytest.raises(warpaes.Truncated):
        warpaes.open(Path("/dev/null"), key=KEY)


LONG = 1200 * CHUNK + 12345  # several of the pieces that threads take, and of the windows below


@pytest.fixture(autouse=True)
def short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_streams, "WINDOW", 512 * CHUNK)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    path, text = tmp_path_factory.mktemp("long") / "file", random.Random(7).randbytes(LONG)
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(text[: CHUNK // 2])  # so that nothing that follows begins with a chunk
        file.write(text[CHUNK // 2 :])
    return path, text


def test_long_reads_by_several_threads(long_file: tuple[Path, bytes]) -> None:
    path, text = long_file
    for context in (None, warpaes.Context(threads=1), warpaes.Context(threads=5)):
        with warpaes.open(path, key=KEY, context=context) as file:
            for start, stop in ((0, LONG), (1, LONG), (5 * CHUNK, LONG + 99), (CHUNK - 1, LONG - CHUNK)):
                assert file.read_ranges([(start, stop)]) == [text[start:stop]]
                into = bytearray(stop - start)
                assert file.raw.read_at(start, into) == len(text[start:stop])
                assert into.startswith(text[start:stop])


@pytest.mark.parametrize("chunk", [0, 300, 1199, 1200])
def test_a_long_read_of_a_damaged_file_gives_nothing(
    long_file: tuple[Path, bytes], tmp_path: Path, chunk: int
) -> None:
    sealed = bytearray(long_file[0].read_bytes())
    sealed[56 + chunk * 16400 + 7] ^= 1
    (tmp_path / "damaged").write_bytes(sealed)
    with warpaes.open(tmp_path / "damaged", key=KEY) as file:
        into = bytearray(b"x" * LONG)
        with pytest.raises(warpaes.Damaged, match=f"chunk {chunk} "):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)
        with pytest.raises(warpaes.Damaged):
            file.read_ranges([(0, LONG)])


def test_a_source_that_fails_while_threads_read(
    long_file: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with warpaes.open(long_file[0], key=KEY) as file:

        def planted(offset: int, into: memoryview) -> None:
            raise OSError(f"planted at {offset} for {len(into)}")

        monkeypatch.setattr(file.raw._source, "read_into", planted)
        monkeypatch.setattr(file.raw._source, "file", -1)
        into = bytearray(b"x" * LONG)
        with pytest.raises(OSError, match="planted"):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)


def test_a_file_that_becomes_shorter_while_it_is_read(long_file: tuple[Path, bytes], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(long_file[0].read_bytes())
    with warpaes.open(tmp_path / "file", key=KEY) as file:
        os.truncate(tmp_path / "file", 5 << 20)
        into = bytearray(b"x" * LONG)
        with pytest.raises(warpaes.Truncated, match="became shorter"):
            file.raw.read_at(0, into)
        assert into == bytes(LONG)


def test_no_memory_for_the_answer() -> None:
    for length in (1 << 60, (1 << 64) - 1):
        with pytest.raises(MemoryError):
            _native.new_bytes(length)


def test_what_lies_before_damage_can_be_read(tmp_path: Path) -> None:
    content = pattern(5 * CHUNK)
    path = written(tmp_path / "file", content)
    sealed = bytearray(path.read_bytes())
    sealed[56 + 2 * 16400 + 7] ^= 1
    path.write_bytes(sealed)
    with warpaes.open(path, key=KEY) as file:
        assert file.read(10) == content[:10]
        assert file.read(2 * CHUNK - 10) == content[10 : 2 * CHUNK]
        with pytest.raises(warpaes.Damaged, match="chunk 2"):
            file.read(1)
        file.seek(3 * CHUNK)
        assert file.read() == content[3 * CHUNK :]


def test_what_cannot_be_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        warpaes.open(tmp_path, "wb", key=KEY)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"):
        warpaes.open(pipe, "wb", key=KEY)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_is_replaced_hands_on_its_permissions(tmp_path: Path) -> None:
    path, link = written(tmp_path / "file", b"old"), tmp_path / "link"
    path.chmod(0o640)
    link.symlink_to("file")
    written(link, b"new")
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"new"
