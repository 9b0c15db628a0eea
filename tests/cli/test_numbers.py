"""Options that take numbers: decimal digits, and nothing that would silently be another number."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.cli.program import pattern, run, succeed

NOT_NUMBERS = ("", "-1", "-0", "+16", " 16", "16 ", "0x10", "1e2", "16k", "18446744073709551616")
KDF = ("-o", "out", "--salt", "00" * 16, "--passphrase-file", "word")
BENCH = ("bench", "--mode", "ecb", "--engine", "openssl", "--bytes", "4096")
OPTIONS = (
    ("raw", "-m", "xts", "-k", "key", "--data-unit-bytes"),
    ("raw", "-m", "xts", "-k", "key", "--data-unit-bytes", "16", "--first-data-unit"),
    ("raw", "-m", "gcm", "-k", "key", "--tag-bytes"),
    ("raw", "-m", "ctr", "--iv", "00" * 16, "-k", "key", "--threads"),
    ("keygen", "-o", "out", "--bits"),
    ("kdf", "pbkdf2", *KDF, "--bytes"),
    ("kdf", "pbkdf2", *KDF, "--iterations"),
    ("kdf", "scrypt", *KDF, "--cost"),
    ("kdf", "scrypt", *KDF, "--block-size"),
    ("kdf", "scrypt", *KDF, "--parallelism"),
    ("kdf", "argon2id", *KDF, "--memory"),
    ("kdf", "argon2id", *KDF, "--lanes"),
    ("encrypt", "word", "--key-fd"),
    ("encrypt", "word", "--passphrase-fd"),
    ("encrypt", "word", "--device"),
    (*BENCH, "--key-bits"),
    (*BENCH, "--messages"),
    (*BENCH, "--misalign"),
    (*BENCH, "--threads"),
    (*BENCH, "--samples"),
    (*BENCH, "--seconds"),
)


@pytest.mark.parametrize("text", NOT_NUMBERS)
@pytest.mark.parametrize("command", OPTIONS, ids=lambda command: f"{command[0]} {command[-1]}")
def test_what_is_no_number_is_refused(command: tuple[str, ...], text: str, key: Path, word: Path) -> None:
    option = command[-1]
    before = sorted(word.parent.iterdir())
    result = run(*command, text, stdin=bytes(16), cwd=word.parent)
    assert result.code == 2
    assert option in result.err
    assert f"'{text}'" in result.err
    assert result.out == b""
    assert sorted(word.parent.iterdir()) == before == sorted([key, word])


def test_zeros_before_a_number_make_it_no_other(key: Path, tmp_path: Path) -> None:
    """010 is 8 in C."""
    key.write_bytes(pattern(64))
    data = pattern(64)
    given = ("raw", "-m", "xts", "-k", key, "--data-unit-bytes", "0016", "--first-data-unit")
    assert succeed(*given, "010", stdin=data).out == succeed(*given, "10", stdin=data).out


@pytest.mark.parametrize("option", ["--key-fd", "--passphrase-fd"])
def test_zeros_before_a_descriptor_make_it_no_other(option: str, key: Path, word: Path, plain: Path) -> None:
    secret = key if option == "--key-fd" else word
    with secret.open("rb") as file:
        fd = fcntl.fcntl(file, fcntl.F_DUPFD, 10)
    succeed("encrypt", "-q", option, f"0{fd}", plain, pass_fds=[fd])
    os.close(fd)
    succeed("verify", "-q", option.replace("-fd", "-file"), secret, plain.with_name("plain.wa"))


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "3600.5", "0.5.", "."])
def test_what_is_no_time_is_refused(text: str) -> None:
    result = run(*BENCH, "--seconds", text)
    assert result.code == 2
    assert f"--seconds: it takes seconds from 0 to 3600, in decimal digits, not '{text}'" in result.err


@pytest.mark.parametrize("value", ["", "x"])
def test_what_takes_no_value_is_told_so(value: str) -> None:
    result = run("encrypt", f"--force={value}", "file")
    assert result.code == 2
    assert f"--force takes no value, not '{value}'" in result.err


def test_a_number_out_of_range_is_told_the_range(key: Path) -> None:
    result = run("raw", "-m", "gcm", "-k", key, "--tag-bytes", "17", stdin=b"")
    assert result.code == 2
    assert "--tag-bytes: it takes a number from 1 to 16, in decimal digits, not '17'" in result.err
