"""What `warpaes raw` refuses, and what it advises."""

from pathlib import Path

import pytest

from tests.cli.program import pattern, run, succeed

IV = ["--iv", "00" * 16]
UNIT = ["--data-unit-bytes", "512"]
XTS_KEY = ["--key-hex", pattern(64).hex()]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "--mode"),
        (["--mode", "rot13"], 2, "--mode ecb|cbc|cbc-cs1|"),
        (["--mode", "ctr"], 2, "no --iv, and ctr takes one of 16 bytes"),
        (["--mode", "ctr"], 2, "openssl rand -hex 16"),
        (["--mode", "ctr", "--iv", "00" * 15], 2, "--iv or --nonce has 15 bytes, and ctr takes 16"),
        (["--mode", "cbc", "--iv", "00" * 17], 2, "--iv or --nonce has 17 bytes, and cbc takes 16"),
        (["--mode", "cbc", "--iv", "0"], 2, "pairs of hexadecimal digits"),
        (["--mode", "gcm", "--nonce", "zz"], 2, "--iv or --nonce takes pairs of hexadecimal digits"),
        (["--mode", "cbc", *IV, "--iv-file", "x"], 2, "excludes"),
        (["--mode", "cbc", *IV, "--encrypt", "--decrypt"], 2, "excludes"),
        (["--mode", "ecb", *IV], 2, "ecb has no use for --iv or --nonce"),
        (["--mode", "ctr", *IV, "--no-padding"], 2, "ctr has no use for --no-padding"),
        (["--mode", "ctr", *IV, *UNIT], 2, "ctr has no use for --data-unit-bytes"),
        (["--mode", "ctr", *IV, "--aad", "00"], 2, "ctr has no use for --aad"),
        (["--mode", "ctr", *IV, "--tag-file", "x"], 2, "ctr has no use for --tag-file"),
        (["--mode", "xts", *IV], 2, "--data-unit-bytes 512, or 4096"),
        (["--mode", "xts", *UNIT], 2, "no --iv"),
        (["--mode", "xts", *IV, "--data-unit-bytes", "15"], 2, "--data-unit-bytes"),
        (["--mode", "xts", *IV, *UNIT, "--first-data-unit", "1"], 2, "excludes"),
        (["--mode", "xts", "--iv-file", "/dev/null", *UNIT, "--first-data-unit", "1"], 2, "excludes"),
        (["--mode", "gcm", "--nonce", ""], 2, "--nonce is empty"),
        (["--mode", "gcm-siv", "--nonce", "00" * 11], 2, "a nonce of 12 bytes"),
        (["--mode", "ccm", "--nonce", "00" * 14], 2, "a nonce of 7 to 13 bytes"),
        (["--mode", "ocb3", "--nonce", "00" * 16], 2, "a nonce of 1 to 15 bytes"),
        (["--mode", "gcm", "--tag-bytes", "11"], 2, "a tag of 12 to 16 bytes"),
        (["--mode", "gcm", "--tag-bytes", "17"], 2, "--tag-bytes"),
        (["--mode", "gcm", "--engine", "nothing"], 4, "nothing"),
        (["--mode", "gcm", "--no-padding"], 2, "gcm has no use for --no-padding"),
    ],
)
def test_arguments(arguments: list[str], code: int, says: str, key: Path) -> None:
    result = run("raw", *arguments, "-k", key, stdin=b"")
    assert result.code == code, result.err
    assert says in result.err
    assert result.out == b""


@pytest.mark.parametrize(
    ("arguments", "length", "code", "says"),
    [
        (["--mode", "cbc", *IV, "--no-padding"], 17, 1, "leave out --no-padding"),
        (["--mode", "ecb", "--no-padding"], 15, 1, "no multiple of 16"),
        (["--mode", "cbc", *IV, "-d"], 0, 14, "padded ciphertext is one block at least"),
        (["--mode", "cbc", *IV, "-d"], 31, 14, "no multiple of 16"),
        (["--mode", "ecb", "-d"], 33, 14, "no multiple of 16"),
        (["--mode", "cbc", *IV, "-d", "--no-padding"], 17, 14, "no multiple of 16"),
        (
            ["--mode", "xts", *IV, *UNIT, *XTS_KEY],
            513,
            1,
            "its last data unit would be 1, and the least is 16",
        ),
        (["--mode", "xts", "-d", *IV, *UNIT, *XTS_KEY], 513, 14, "its last data unit would be 1"),
        (["--mode", "cbc", *IV, "-d"], 32, 13, "the padding is wrong"),
        (["--mode", "ecb", "-d"], 32, 13, "the padding is wrong"),
    ],
)
def test_lengths(arguments: list[str], length: int, code: int, says: str, plain: Path) -> None:
    plain.write_bytes(pattern(length))
    out = plain.with_name("out")
    keys = [] if "--key-hex" in arguments else ["--key-hex", pattern(32).hex()]
    by_file = run("raw", *arguments, *keys, plain, "-o", out)
    by_pipe = run("raw", *arguments, *keys, "-", "-o", out, stdin=pattern(length))
    for result in (by_file, by_pipe):
        assert result.code == code, result.err
        assert says in result.err
        assert not out.exists()
    assert f"error: {plain}" in by_file.err
    assert "error: standard input" in by_pipe.err


@pytest.mark.parametrize(
    ("mode", "wrong", "says"),
    [
        (["ctr", *IV], 15, "a key is 32, 24 or 16 random bytes, or 64, 48 or 32 hexadecimal digits"),
        (["ctr", *IV], 64, "a key is 32, 24 or 16 random bytes"),
        (["gcm-siv"], 24, "holds a key of 192 bits, and one of 256 or 128 is needed"),
        (["gcm-siv"], 24, "a key is 32 or 16 random bytes"),
        (["xts", *IV, *UNIT], 16, "a key is 64, 48 or 32 random bytes"),
        (["xts", *IV, *UNIT], 16, "warpaes keygen --bits 512 -o FILE"),
    ],
)
def test_keys_of_other_lengths(mode: list[str], wrong: int, says: str, tmp_path: Path) -> None:
    key = tmp_path / "k"
    key.write_bytes(pattern(wrong))
    key.chmod(0o600)
    result = run("raw", "--mode", *mode, "-k", key, stdin=b"")
    assert result.code == 1
    assert ("holds no key" if wrong == 15 else f"holds a key of {8 * wrong} bits") in result.err
    assert says in result.err
    result = run("raw", "--mode", *mode, "--key-hex", pattern(wrong).hex(), stdin=b"")
    assert result.code == 1
    assert ("hexadecimal digits long" if wrong == 15 else f"holds a key of {8 * wrong} bits") in result.err


def test_equal_halves_of_an_xts_key(tmp_path: Path) -> None:
    key = ["--key-hex", 2 * pattern(16).hex()]
    result = run("raw", "--mode", "xts", *IV, *UNIT, *key, stdin=bytes(512))
    assert result.code == 1
    assert "equal" in result.err or "same" in result.err
    assert result.out == b""


def test_other_bad_keys(tmp_path: Path) -> None:
    assert run("raw", "--mode", "ctr", *IV, stdin=b"").code == 2
    key = tmp_path / "k"
    key.write_bytes(pattern(32))
    key.chmod(0o640)
    result = run("raw", "--mode", "ctr", *IV, "-k", key, stdin=b"")
    assert result.code == 1
    assert f"chmod 600 {key}" in result.err
    key.chmod(0o600)
    result = run("raw", "--mode", "ctr", *IV, "--key-hex-file", key, stdin=b"")
    assert result.code == 1
    assert "something else than pairs of hexadecimal digits" in result.err
    result = run("raw", "--mode", "ctr", *IV, "--key-hex", "xy" * 16, stdin=b"")
    assert result.code == 1
    assert "xy" not in result.err.split("warning", 1)[1].split("\n", 1)[1]  # keys are not repeated
    for other in (["--key-hex-file", str(key)], ["--key-hex", "00"], ["--key-fd", "3"]):
        assert run("raw", "--mode", "ctr", *IV, "-k", key, *other, stdin=b"").code == 2
    assert run("raw", "--mode", "ctr", *IV, "-k", tmp_path / "missing", stdin=b"").code == 10


def test_quiet_says_nothing(key: Path) -> None:
    loud = succeed("raw", "--mode", "ctr", *IV, "-k", key, stdin=b"hello").err
    assert "warning: ctr does not authenticate" in loud
    assert "`warpaes encrypt` does" in loud
    assert succeed("raw", "-q", "--mode", "ctr", *IV, "-k", key, stdin=b"hello").err == ""


def test_input_is_not_overwritten(key: Path, plain: Path) -> None:
    content = plain.read_bytes()
    result = run("raw", "--mode", "ctr", *IV, "-k", key, plain, "-o", plain, "--force")
    assert result.code == 1
    assert "both input and output" in result.err
    assert plain.read_bytes() == content


def test_missing_input(key: Path, tmp_path: Path) -> None:
    assert run("raw", "--mode", "gcm", "-k", key, tmp_path / "missing").code == 10
