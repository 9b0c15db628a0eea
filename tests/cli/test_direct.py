"""--direct: files past the page cache, whose places and lengths are no multiples of a block."""

import mmap
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import CHUNK, command_line, environment, pattern, run, succeed

SIZES = (0, 1, 4095, 4096, 4097, CHUNK, 100_000, (20 << 20) + 12_345)


@pytest.fixture(autouse=True)
def _is_possible(tmp_path: Path) -> None:
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_RDWR | os.O_DIRECT))
    except OSError as error:
        pytest.skip(f"no O_DIRECT in {tmp_path}: {error}")


def cached_bytes(path: Path) -> int:
    """How much of a file the page cache holds."""
    fincore = subprocess.run(
        ["fincore", "--bytes", "--noheadings", "--raw", "--output", "RES", str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    return int(fincore.stdout)


def drop_from_cache(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
        os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    assert cached_bytes(path) == 0


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("size", SIZES)
def test_the_same_files(size: int, threads: str, key: Path, tmp_path: Path) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "plain.wa", "opened"))
    plain.write_bytes(pattern(size))
    how: list[str | Path] = ["--direct", "--threads", threads, "-k", key]
    succeed("encrypt", *how, plain)
    succeed("verify", "-k", key, sealed)
    succeed("verify", *how, sealed)
    succeed("decrypt", *how, sealed, "-o", opened)
    assert opened.read_bytes() == pattern(size)
    assert succeed("decrypt", *how, sealed, "-o", "-").out == pattern(size)
    piped = tmp_path / "piped"
    succeed("encrypt", *how, "-", "-o", piped, stdin=pattern(size))
    assert succeed("decrypt", "-k", key, piped, "-o", "-").out == pattern(size)
    new = tmp_path / "new"
    succeed("keygen", "-q", "-o", new)
    succeed("rekey", *how, "--new-key-file", new, sealed)
    assert succeed("decrypt", "-k", new, sealed, "-o", "-").out == pattern(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["gcm", "ctr", "cbc", "siv"])
def test_raw(mode: str, size: int, key: Path, tmp_path: Path) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "sealed", "opened"))
    plain.write_bytes(pattern(size))
    how: list[str | Path] = [
        "raw",
        "-q",
        "--mode",
        mode,
        "-k",
        key,
        *["--iv", "00" * 16] * (mode in ("ctr", "cbc")),
    ]
    succeed(*how, "--direct", plain, "-o", sealed)
    succeed(*how, "-d", "--direct", sealed, "-o", opened)
    assert opened.read_bytes() == pattern(size)
    assert succeed(*how, "-d", sealed).out == pattern(size)
    assert succeed(*how, "-d", "--direct", sealed, "-o", "-").out == pattern(size)


@pytest.mark.parametrize(("offset", "length"), [(0, 1), (5, 5_000_000), (16_383, 2), (4096, 8192)])
def test_ranges(offset: int, length: int, key: Path, tmp_path: Path) -> None:
    plain, part = tmp_path / "plain", tmp_path / "part"
    plain.write_bytes(pattern(10 << 20))
    succeed("encrypt", "-k", key, plain)
    succeed(
        "decrypt", "--direct", "--range", f"{offset}:{length}", "-k", key, tmp_path / "plain.wa", "-o", part
    )
    assert part.read_bytes() == pattern(10 << 20)[offset : offset + length]


def test_what_is_damaged(key: Path, tmp_path: Path) -> None:
    plain, sealed, out = (tmp_path / name for name in ("plain", "plain.wa", "out"))
    plain.write_bytes(pattern(3_000_000))
    succeed("encrypt", "-k", key, plain)
    content = bytearray(sealed.read_bytes())
    content[1_000_000] ^= 1
    sealed.write_bytes(content)
    assert run("decrypt", "--direct", "-k", key, sealed, "-o", out).code == 13
    assert not out.exists()
    assert run("decrypt", "--direct", "--salvage", "-k", key, sealed, "-o", out).code == 13
    assert out.stat().st_size == 3_000_000
    sealed.write_bytes(content[:2_000_000])
    assert run("verify", "--direct", "-k", key, sealed).code == 13


@pytest.mark.skipif(shutil.which("fincore") is None, reason="util-linux's fincore is not installed")
def test_the_page_cache_stays_as_it_is(key: Path, tmp_path: Path) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "plain.wa", "opened"))
    plain.write_bytes(pattern(30_000_001))
    drop_from_cache(plain)
    succeed("encrypt", "--direct", "-k", key, plain)
    succeed("verify", "--direct", "-k", key, sealed)
    succeed("decrypt", "--direct", "-k", key, sealed, "-o", opened)
    succeed("raw", "--direct", "--mode", "gcm", "-k", key, plain, "-o", tmp_path / "raw")
    # At most the last page, which was cut.
    assert [
        cached_bytes(path) // (2 * mmap.PAGESIZE) for path in (plain, sealed, opened, tmp_path / "raw")
    ] == [0] * 4
    succeed("verify", "-k", key, sealed)
    assert cached_bytes(sealed) > 30_000_000


def test_file_systems_that_cannot(key: Path, tmp_path: Path) -> None:
    """Nothing is done instead. /proc is one of them, for reading."""
    result = run("encrypt", "--direct", "-k", key, "/proc/version", "-o", tmp_path / "out")
    assert result.code == 1
    assert "/proc/version cannot bypass the page cache" in result.err
    assert "leave out --direct" in result.err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot(key: Path, tmp_path: Path) -> None:
    """ramfs has no O_DIRECT: the output is refused before anything is written."""
    folder, plain = tmp_path / "memory", tmp_path / "plain"
    folder.mkdir()
    plain.write_bytes(pattern(100_000))
    done = subprocess.run(["mount", "-t", "ramfs", "ramfs", str(folder)], check=False, capture_output=True)
    if done.returncode != 0:
        pytest.skip(f"no ramfs can be mounted here: {done.stderr.decode().strip()}")
    try:
        result = run("encrypt", "--direct", "-k", key, plain, "-o", folder / "out")
        left = list(folder.iterdir())
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert result.code == 1
    assert f"{folder / 'out'} cannot bypass the page cache" in result.err
    assert left == []


def test_standard_streams(key: Path, tmp_path: Path) -> None:
    result = run("encrypt", "--direct", "-k", key, "-", stdin=b"hello")
    assert result.code == 2
    assert "--direct is for files" in result.err
    assert run("verify", "--direct", "-k", key, "-", stdin=b"hello").code == 2
    assert run("raw", "--direct", "--mode", "gcm", "-k", key, stdin=b"hello").code == 2
    outputs = tmp_path / "out", tmp_path / "file"
    how = f'"$0" encrypt --direct -k {key}'
    shell = f"{how} - -o {outputs[0]} < {key}; {how} {key} -o - > {outputs[1]}"
    done = subprocess.run(
        ["sh", "-c", shell, *command_line()], check=False, capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 2
    assert "standard input is a file" in done.stderr
    assert "standard output is a file" in done.stderr
    assert not outputs[0].exists()
    assert outputs[1].read_bytes() == b""
