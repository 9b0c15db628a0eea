"""What the tool asks of the system so that files are written as fast as can be (docs/design/files.md)."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, succeed

TMPFS = Path("/dev/shm")
BYTES = 3 << 20
GCM, CTR = ("raw", "--mode", "gcm"), ("raw", "--mode", "ctr", "--iv", "00" * 16)

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@pytest.fixture(name="in_memory")
def folder_in_memory() -> Iterator[Path]:
    if not os.access(TMPFS, os.W_OK):
        pytest.skip(f"no {TMPFS}")
    with tempfile.TemporaryDirectory(dir=TMPFS) as folder:
        yield Path(folder)


def calls(name: str, folder: Path, *arguments: str, source: Path | None = None) -> list[list[str]]:
    """The arguments of all its calls, as numbers, while it encrypts a file."""
    succeed("keygen", "-q", "-o", folder / "key")
    plain = folder / "plain"
    if not source:
        plain.write_bytes(bytes(BYTES))
    log = folder / "log"
    strace: list[str | Path] = ["strace", "-qq", "-f", "-o", log, "-e", f"trace={name}", "-e", f"raw={name}"]
    command = command_line(*arguments, "-q", "-k", folder / "key", source or plain, "-o", folder / "out")
    subprocess.run([*strace, *command], check=True, timeout=120, env=environment())
    return [found.split(", ") for found in re.findall(rf"{name}\((.*?)(?:\)| <unfinished)", log.read_text())]


@pytest.mark.parametrize("verb", [("encrypt",), GCM, CTR], ids=" ".join)
def test_memory_lies_as_its_place_in_the_file(verb: tuple[str, ...], tmp_path: Path) -> None:
    """Copies of other memory take up to twice as long."""
    written = 0
    for _, address, length, offset in calls("pwrite64", tmp_path, *verb):
        if int(length, 16) < 1 << 16:
            continue  # a nonce, a header, a tag
        assert (int(address, 16) - int(offset, 16)) % 64 == 0
        written += int(length, 16)
    assert written >= BYTES


def test_space_is_set_aside_on_a_disk_and_not_in_memory(tmp_path: Path, in_memory: Path) -> None:
    """There, one thread would make all pages while the others wait."""
    if text_of_kind(tmp_path) == "tmpfs":
        pytest.skip(f"{tmp_path} is in memory, too")
    assert len(calls("fallocate", tmp_path, "encrypt")) == 1
    assert not calls("fallocate", in_memory, "encrypt")


def test_a_file_that_says_it_is_empty_is_read_in_large_pieces(tmp_path: Path) -> None:
    """As those of /proc do: a piece of one byte more than is expected was one byte."""
    source = Path("/proc/self/maps")
    assert source.stat().st_size == 0
    written = calls("pwrite64", tmp_path, *CTR, source=source)
    assert 0 < len(written) < 5
    assert sum(int(length, 16) for _, _, length, _ in written) > 1000


@pytest.mark.parametrize("engine", ["auto", "openssl"])
@pytest.mark.parametrize("verb", [GCM, CTR], ids=" ".join)
def test_four_threads_are_enough_for_a_piece(verb: tuple[str, ...], engine: str, tmp_path: Path) -> None:
    """Others read and write meanwhile: as many as there are."""
    source, threads = tmp_path / "large", 12
    with source.open("wb") as stream:
        stream.truncate(128 << 20)
    started = calls("clone3", tmp_path, *verb, "--engine", engine, "--threads", str(threads), source=source)
    others_on_a_piece = 3
    assert others_on_a_piece < len(started) <= threads - 1 + others_on_a_piece


def text_of_kind(folder: Path) -> str:
    done = subprocess.run(["stat", "-f", "-c", "%T", folder], check=True, capture_output=True, text=True)
    return done.stdout.strip()
