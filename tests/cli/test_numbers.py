"""Options that take numbers: decimal digits, and nothing that would silently be another number."""

from pathlib import Path

import pytest

from tests.cli.program import pattern, run, succeed

NOT_NUMBERS = ("", "-1", "-0", "+16", " 16", "16 ", "0x10", "1e2", "16k", "18446744073709551616")
KDF = ("-o", "out", "--salt", "00" * 16, "--passphrase-file", "word")
OPTIONS = {
    "--data-unit-bytes": ("raw", "-m", "xts", "-k", "key"),
    "--first-data-unit": ("raw", "-m", "xts", "-k", "key", "--data-unit-bytes", "16"),
    "--tag-bytes": ("raw", "-m", "gcm", "-k", "key"),
    "--threads": ("raw", "-m", "ctr", "--iv", "00" * 16, "-k", "key"),
    "--bits": ("keygen", "-o", "out"),
    "--bytes": ("kdf", "pbkdf2", *KDF),
    "--iterations": ("kdf", "pbkdf2", *KDF),
    "--cost": ("kdf", "scrypt", *KDF),
    "--block-size": ("kdf", "scrypt", *KDF),
    "--parallelism": ("kdf", "scrypt", *KDF),
    "--memory": ("kdf", "argon2id", *KDF),
    "--lanes": ("kdf", "argon2id", *KDF),
    "--key-fd": ("encrypt", "word"),
    "--device": ("encrypt", "word"),
}


@pytest.mark.parametrize("text", NOT_NUMBERS)
@pytest.mark.parametrize("option", OPTIONS)
def test_what_is_no_number_is_refused(option: str, text: str, key: Path, word: Path) -> None:
    before = sorted(word.parent.iterdir())
    result = run(*OPTIONS[option], option, text, stdin=bytes(16), cwd=word.parent)
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


def test_a_number_out_of_range_is_told_the_range(key: Path) -> None:
    result = run("raw", "-m", "gcm", "-k", key, "--tag-bytes", "17", stdin=b"")
    assert result.code == 2
    assert "--tag-bytes: it takes a number from 1 to 16, in decimal digits, not '17'" in result.err
