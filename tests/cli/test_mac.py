"""`warpaes mac` against `openssl mac` and `cryptography`."""

import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.cli.openssl_program import openssl
from tests.cli.peak_memory import MOST_MEMORY, measured, peak_memory
from tests.cli.program import command_line, environment, pattern, run, succeed

SIZES = (0, 1, 15, 16, 17, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 4 << 20, 20_000_000)
NONCE = bytes(range(100, 112))


def write_key(folder: Path, size: int) -> Path:
    path = folder / f"key{size}"
    path.write_bytes(pattern(size))
    path.chmod(0o600)
    return path


def mac_of(key: Path, content: bytes, *options: str) -> bytes:
    return bytes.fromhex(succeed("mac", *options, "-k", key, "-", stdin=content).out.decode())


@pytest.mark.parametrize("size", [16, 24, 32])
@pytest.mark.parametrize("length", SIZES)
def test_cmac_as_openssl_does(size: int, length: int, tmp_path: Path) -> None:
    key, content = write_key(tmp_path, size), pattern(length)
    theirs = openssl(
        *["mac", "-cipher", f"AES-{8 * size}-CBC", "-macopt", f"hexkey:{pattern(size).hex()}"],
        *["-binary", "CMAC"],
        stdin=content,
    )
    assert mac_of(key, content, "--mode", "cmac") == theirs
    assert mac_of(key, content, "--mode", "cmac", "--tag-bytes", "8") == theirs[:8]


@pytest.mark.parametrize("size", [16, 24, 32])
@pytest.mark.parametrize("length", SIZES)
def test_gmac_as_openssl_and_cryptography_do(size: int, length: int, tmp_path: Path) -> None:
    key, content = write_key(tmp_path, size), pattern(length)
    ours = mac_of(key, content, "--mode", "gmac", "--nonce", NONCE.hex())
    assert ours == AESGCM(pattern(size)).encrypt(NONCE, b"", content)
    assert ours == openssl(
        *["mac", "-cipher", f"AES-{8 * size}-GCM", "-macopt", f"hexkey:{pattern(size).hex()}"],
        *["-macopt", f"hexiv:{NONCE.hex()}", "-binary", "GMAC"],
        stdin=content,
    )


@pytest.mark.parametrize("mode", [["cmac"], ["gmac", "--nonce", NONCE.hex()]])
def test_verify(mode: list[str], tmp_path: Path, key: Path, plain: Path) -> None:
    options = ["--mode", *mode, "-k", str(key)]
    tag = succeed("mac", *options, plain).out.decode().strip()
    assert "the MAC is right" in succeed("mac", *options, "--verify", tag, plain).err
    (tmp_path / "tag").write_bytes(bytes.fromhex(tag))
    assert succeed("mac", *options, "-q", "--verify-file", tmp_path / "tag", plain).err == ""
    short = succeed("mac", *options, "--tag-bytes", "12", plain).out.decode().strip()
    assert tag.startswith(short)
    succeed("mac", *options, "--tag-bytes", "12", "--verify", short, plain)
    for bit in range(0, 128, 7):
        wrong = bytearray.fromhex(tag)
        wrong[bit // 8] ^= 1 << bit % 8
        result = run("mac", *options, "--verify", wrong.hex(), plain)
        assert result.code == 13
        assert "wrong MAC" in result.err
    plain.write_bytes(plain.read_bytes() + b"x")
    assert run("mac", *options, "--verify", tag, plain).code == 13


@pytest.mark.parametrize("mode", [["cmac"], ["gmac", "--nonce", NONCE.hex()]])
def test_memory_is_bounded(mode: list[str], key: Path, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(600 << 20)  # sparse: takes no space
    command = command_line("mac", "-q", "--mode", *mode, "-k", key, large)
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(measured(command), stdout=null, stderr=pipe, env=environment()) as running:
        assert peak_memory(running) < MOST_MEMORY


def test_json(key: Path, plain: Path) -> None:
    line = succeed("mac", "--mode", "cmac", "--json", "-k", key, plain).last
    assert line.pop("mac") == succeed("mac", "--mode", "cmac", "-k", key, plain).out.decode().strip()
    assert line == {"type": "summary", "command": "mac", "mode": "cmac", "input": str(plain)}
    result = run("mac", "--mode", "cmac", "--json", "--verify", "00" * 16, "-k", key, plain)
    assert result.code == result.last["code"] == 13


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--mode", "cmac", "--nonce", "00" * 12], 2, "has no nonce"),
        (["--mode", "gmac"], 2, "no nonce"),
        (["--mode", "gmac", "--nonce", ""], 2, "nonce"),
        (["--mode", "hmac"], 2, "hmac is no MAC"),
        ([], 2, "--mode"),
        (["--mode", "cmac", "--tag-bytes", "7"], 2, "--tag-bytes takes 8 to 16"),
        (["--mode", "cmac", "--tag-bytes", "17"], 2, "--tag-bytes takes 8 to 16"),
        (["--mode", "gmac", "--nonce", "00" * 12, "--tag-bytes", "11"], 2, "--tag-bytes takes 12 to 16"),
        (["--mode", "cmac", "--verify", "0011"], 2, "--verify has 2 bytes, and the MAC 16"),
        (["--mode", "cmac", "--verify", "00"], 2, "--verify has 1 byte, and the MAC 16"),
        (["--mode", "cmac", "--tag-bytes", "1"], 2, "cmac has no MAC of 1 byte\n"),
        (["--mode", "cmac", "--verify", "0g"], 2, "pairs of hexadecimal digits"),
        (["--mode", "cmac", "--engine", "nothing"], 4, "nothing"),
    ],
)
def test_misuse(arguments: list[str], code: int, says: str, key: Path, plain: Path) -> None:
    result = run("mac", *arguments, "-k", key, plain)
    assert result.code == code, result.err
    assert says in result.err
    assert result.out == b""


def test_keys(tmp_path: Path, plain: Path) -> None:
    for size in (15, 20, 64):
        result = run("mac", "--mode", "cmac", "-k", write_key(tmp_path, size), plain)
        assert result.code == 1
        assert "a key is 32, 24 or 16 random bytes, or 64, 48 or 32 hexadecimal digits" in result.err
    open_to_all = write_key(tmp_path, 32)
    open_to_all.chmod(0o644)
    assert "chmod 600" in run("mac", "--mode", "cmac", "-k", open_to_all, plain).err
    assert run("mac", "--mode", "cmac", plain).code == 2
    assert run("mac", "--mode", "cmac", "-k", write_key(tmp_path, 24), tmp_path / "missing").code == 10
