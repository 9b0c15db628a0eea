"""The modes of `warpaes raw` that do not authenticate: the bytes of `openssl enc`, in files and pipes."""

import os
import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import STREAMING, Streaming, key_of, xts

LENGTHS = (0, 1, 15, 16, 17, 1000, 65536, 100_003)
LARGE = 100_000_003
PIECE = 16 << 20  # what the program works on at a time


def write_key(folder: Path, key: bytes) -> Path:
    path = folder / f"key{len(key)}"
    path.write_bytes(key)
    path.chmod(0o600)
    return path


def raw(mode: Streaming, key: Path, data: bytes, *options: str) -> bytes:
    result = succeed("raw", *mode.options(), *options, "-k", key, stdin=data)
    assert result.err.count("warning") == 1  # loud, and once
    return result.out


@pytest.mark.parametrize("size", [16, 24, 32])
@pytest.mark.parametrize("mode", STREAMING, ids=lambda mode: mode.name)
def test_as_openssl_enc_does(mode: Streaming, size: int, tmp_path: Path) -> None:
    key = write_key(tmp_path, key_of(size))
    for length in LENGTHS:
        data = pattern(length)
        sealed = mode.by_openssl(key_of(size), data)
        assert raw(mode, key, data) == sealed
        assert raw(mode, key, sealed, "--decrypt") == data
        if mode.multiple != 1 and length % mode.multiple == 0:
            sealed = mode.by_openssl(key_of(size), data, "-nopad")
            assert raw(mode, key, data, "--no-padding") == sealed
            assert raw(mode, key, sealed, "-d", "--no-padding") == data


@pytest.mark.parametrize("mode", STREAMING, ids=lambda mode: mode.name)
def test_large_files_and_pipes(mode: Streaming, tmp_path: Path) -> None:
    """Around the pieces in which they are done, and far beyond."""
    key = write_key(tmp_path, key_of(32))
    plain, sealed, opened = (tmp_path / name for name in ("plain", "sealed", "opened"))
    lengths = (300_001,) if mode.slow else (PIECE - 1, PIECE, PIECE + 1, LARGE)
    for length in lengths:
        data = pattern(length)
        plain.write_bytes(data)
        expected = mode.by_openssl(key_of(32), data)
        succeed("raw", *mode.options(), "-k", key, plain, "-o", sealed, "--force")
        assert sealed.read_bytes() == expected
        succeed("raw", "-d", *mode.options(), "-k", key, sealed, "-o", opened, "--force")
        assert opened.read_bytes() == data
        assert raw(mode, key, data) == expected
        assert raw(mode, key, expected, "-d") == data


@pytest.mark.parametrize("size", [32, 64])
@pytest.mark.parametrize("unit_bytes", [16, 20, 512, 4096])
def test_xts(unit_bytes: int, size: int, tmp_path: Path) -> None:
    key = write_key(tmp_path, key_of(size))
    options = ["--mode", "xts", "--data-unit-bytes", str(unit_bytes), "-k", str(key)]
    for length in (0, unit_bytes, 7 * unit_bytes, 7 * unit_bytes + 16, 50 * unit_bytes):
        if 0 < length % unit_bytes < 16:
            continue
        data = pattern(length)
        expected = xts(key_of(size), 5, unit_bytes, data)
        assert succeed("raw", *options, "--first-data-unit", "5", stdin=data).out == expected
        tweak = (5).to_bytes(16, "little").hex()
        assert succeed("raw", *options, "--iv", tweak, stdin=data).out == expected
        assert succeed("raw", "-d", *options, "--iv", tweak, stdin=expected).out == data


def test_large_xts(tmp_path: Path) -> None:
    key = write_key(tmp_path, key_of(64))
    options = ["--mode", "xts", "--data-unit-bytes", "131056", "--first-data-unit", "0", "-k", str(key)]
    data = pattern(2 * PIECE + 1000)
    sealed = succeed("raw", *options, stdin=data).out
    assert sealed == xts(key_of(64), 0, 131056, data)
    assert succeed("raw", "-d", *options, stdin=sealed).out == data


def test_forms_of_keys(tmp_path: Path) -> None:
    digits = tmp_path / "digits"
    digits.write_text(key_of(24).hex() + "\n")
    digits.chmod(0o600)
    mode = STREAMING[-1]
    expected = mode.by_openssl(key_of(24), b"hello")
    for options in (
        ["--key-file", str(write_key(tmp_path, key_of(24)))],
        ["--key-file", str(digits)],
        ["--key-hex-file", str(digits)],
    ):
        assert succeed("raw", "-q", *mode.options(), *options, stdin=b"hello").out == expected
    result = succeed("raw", "-q", *mode.options(), "--key-hex", key_of(24).hex(), stdin=b"hello")
    assert result.out == expected
    assert "warning: --key-hex: every user of this machine can read the command line" in result.err
    by_variable = environment(WARPAES_KEY=key_of(24).hex())
    assert succeed("raw", "-q", *mode.options(), stdin=b"hello", env=by_variable).out == expected


def test_iv_of_a_file(key: Path, tmp_path: Path) -> None:
    mode = STREAMING[-1]
    (tmp_path / "iv").write_bytes(mode.iv)
    expected = succeed("raw", *mode.options(), "-k", key, stdin=b"hello").out
    by_file = succeed("raw", "--mode", "ctr", "--iv-file", tmp_path / "iv", "-k", key, stdin=b"hello")
    assert by_file.out == expected


@pytest.mark.parametrize("mode", STREAMING, ids=lambda mode: mode.name)
@pytest.mark.parametrize("engine", ["openssl", "portable"])
def test_engines(engine: str, mode: Streaming, key: Path) -> None:
    data = pattern(1000)
    expected = mode.by_openssl(key.read_bytes(), data)
    assert raw(mode, key, data, "--engine", engine, "--threads", "3") == expected


def test_json(key: Path, plain: Path, tmp_path: Path) -> None:
    lines = succeed(
        *["raw", "--json", *STREAMING[1].options(), "-k", str(key), str(plain)],
        *["-o", str(tmp_path / "out")],
    ).lines
    assert [line["type"] for line in lines] == ["file", "summary"]
    assert lines[0]["plaintext_bytes"] == plain.stat().st_size
    assert lines[1]["command"] == "raw"
    assert run("raw", "--json", *STREAMING[1].options(), "-k", key, plain).code == 2


@pytest.mark.parametrize("decrypting", [False, True])
def test_memory_is_bounded(decrypting: bool, key: Path) -> None:
    """More than the memory that the program may have goes through it."""

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20))

    command = command_line(
        *["raw", "-q", "--engine", "openssl", "--threads", "2", "--mode", "cbc", "--iv", "00" * 16],
        *["--no-padding", "-k", str(key), *(["-d"] if decrypting else [])],
    )
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment(),
        preexec_fn=limit_memory,  # noqa: PLW1509
    ) as running:
        assert running.stdin
        for _ in range(500):
            running.stdin.write(bytes(1 << 20))
        running.stdin.close()
        assert running.wait(120) == 0


def test_reader_goes_away(key: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = run("raw", *STREAMING[-1].options(), "-k", key, stdin=pattern(1 << 20), stdout=writing)
    os.close(writing)
    assert result.code == 1
    assert "Broken pipe" in result.err


def test_full_disk(key: Path, plain: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = run("raw", *STREAMING[-1].options(), "-k", key, plain, stdout=full)
    assert result.code == 1
    assert "writing standard output: No space left on device" in result.err


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def test_file_size_limit(key: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    options = [*STREAMING[-1].options(), "-k", str(key), "-o", str(tmp_path / "out")]
    result = run("raw", *options, stdin=pattern(3 << 20), preexec_fn=limit_file_size)
    assert result.code == 1
    assert "File too large" in result.err
    assert sorted(tmp_path.iterdir()) == before
