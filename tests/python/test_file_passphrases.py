"""Encrypted files whose key is made of a passphrase."""

import subprocess
from pathlib import Path
from typing import Literal

import pytest

import warpaes
from tests.python.containers import KEY, PROGRAM, pattern, written

PASSPHRASE = "correct horse battery staple, äöü"


def write_passphrase(folder: Path) -> Path:
    file = folder / "passphrase"
    file.write_text(PASSPHRASE + "\n")
    file.chmod(0o600)
    return file


@pytest.fixture(scope="session", name="text_sealed")
def _text_sealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with `text` in it. The key takes a second to make, so all tests have the same."""
    path = tmp_path_factory.mktemp("passphrase") / "file"
    with warpaes.open(path, "wb", passphrase=PASSPHRASE) as file:
        file.write(b"text")
    return path.read_bytes()


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
    for wrong in ({"passphrase": "another"}, {"passphrase": PASSPHRASE, "context_string": b"another"}):
        with pytest.raises(warpaes.WrongKey, match="wrong passphrase or context_string"):
            warpaes.open(sealed, **wrong)
    with pytest.raises(warpaes.WrongKey, match="with a passphrase and not with a key"):
        warpaes.open(sealed, key=KEY)
    with pytest.raises(warpaes.WrongKey, match="pass key= if it was encrypted with a key"):
        warpaes.open(written(tmp_path / "file", pattern(100)), passphrase=PASSPHRASE)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (16, 1 << 20, "1024 MiB of memory and very long"),
        (16, 1 << 24, "16384 MiB of memory and very long"),
        (16, (1 << 17) + 1, "makes no sense"),
        (20, 0, "makes no sense"),
        (20, 1, "makes no sense"),  # N is 2^17, and has to be less than 2^(16 r)
        (24, 65, "makes no sense"),
        (28, 1, "makes no sense"),
    ],
)
def test_costs_that_nobody_chooses(
    tmp_path: Path, text_sealed: bytes, place: int, value: int, message: str
) -> None:
    """A file must not take all memory or hours of whoever looks at it."""
    path = tmp_path / "file"
    sealed = bytearray(text_sealed)
    sealed[place : place + 4] = value.to_bytes(4, "big")
    if value == 1 << 20:
        sealed[24:28] = (3).to_bytes(4, "big")  # 24 times 2^20 is more work than is allowed
    path.write_bytes(sealed)
    with pytest.raises(warpaes.Damaged, match=message):
        warpaes.open(path, passphrase=PASSPHRASE)


@pytest.mark.parametrize("length", [0, 47, 48, 48 + 56, 48 + 71])
def test_a_file_that_is_cut_in_its_beginning(tmp_path: Path, text_sealed: bytes, length: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(text_sealed[:length])
    with pytest.raises((warpaes.Truncated, warpaes.WrongKey)):
        warpaes.open(path, passphrase=PASSPHRASE)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 20000])
def test_a_file_of_a_key_is_whole_whatever_its_length(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "file", bytes(length))
    with pytest.raises(warpaes.WrongKey, match="pass key= if it was encrypted with a key"):
        warpaes.open(path, passphrase=PASSPHRASE)


def test_one_secret(tmp_path: Path) -> None:
    for arguments in ({}, {"key": KEY, "passphrase": PASSPHRASE}):
        with pytest.raises(TypeError, match="pass one of key="):
            warpaes.open(tmp_path / "file", "wb", **arguments)
    with pytest.raises(ValueError, match="empty"):
        warpaes.open(tmp_path / "file", "wb", passphrase="")
    with pytest.raises(TypeError, match=r"text is no key, .*passphrase="):
        warpaes.open(tmp_path / "file", "wb", key="text")
    with pytest.raises(ValueError, match="scrypt or argon2id"):
        warpaes.open(tmp_path / "file", "wb", passphrase="x", passphrase_function="md5")
    with pytest.raises(ValueError, match="passphrase_function"):
        warpaes.open(tmp_path / "file", "wb", key=bytes(32), passphrase_function="md5")
    assert list(tmp_path.iterdir()) == []
