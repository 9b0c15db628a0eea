"""Ranges of a file, and what is left of a damaged one."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.cli.program import (
    CHUNK,
    SEALED_CHUNK,
    chunk_offset,
    command_line,
    environment,
    pattern,
    run,
    succeed,
)


@pytest.fixture
def large(key: Path, tmp_path: Path) -> Path:
    """A container of some hundred chunks, which several threads work on."""
    path = tmp_path / "large"
    path.write_bytes(pattern(150 * CHUNK + 77))
    succeed("encrypt", "-q", "--threads", "3", "-k", key, path)
    return path.with_name("large.wa")


@pytest.mark.parametrize(
    ("offset", "length"),
    [
        (0, 0),
        (0, 1),
        (0, 1 << 40),
        (CHUNK - 1, 2),
        (5 * CHUNK, CHUNK),
        (100_000, 1_500_000),
        (150 * CHUNK + 77, 5),
    ],
)
def test_range(offset: int, length: int, key: Path, large: Path) -> None:
    plaintext = large.with_suffix("").read_bytes()
    out = succeed("decrypt", "--range", f"{offset}:{length}", "-k", key, large, "-o", "-").out
    assert out == plaintext[offset : offset + length]


def test_range_behind_a_passphrase(key: Path, large: Path, tmp_path: Path) -> None:
    word = tmp_path / "word"
    word.write_text("hello")
    word.chmod(0o600)
    succeed("rekey", "-k", key, "--new-passphrase-file", word, large)
    out = succeed("decrypt", "--range", f"{CHUNK - 1}:2", "--passphrase-file", word, large, "-o", "-").out
    assert out == pattern(CHUNK + 1)[CHUNK - 1 :]


def test_range_opens_nothing_else(key: Path, large: Path, tmp_path: Path) -> None:
    content = bytearray(large.read_bytes())
    content[chunk_offset(10)] ^= 1
    large.write_bytes(content)
    out = tmp_path / "out"
    succeed("decrypt", "--range", f"0:{10 * CHUNK}", "-k", key, large, "-o", out)
    assert out.read_bytes() == pattern(10 * CHUNK)
    result = run("decrypt", "--range", f"{10 * CHUNK + 5}:1", "-k", key, large, "-o", tmp_path / "other")
    assert result.code == 13
    assert "chunk 10 " in result.err
    assert not (tmp_path / "other").exists()


def test_range_of_a_file_whose_end_is_wrong(key: Path, large: Path, tmp_path: Path) -> None:
    """Also if the range lies far before it."""
    content = large.read_bytes()
    for changed, code, words in (
        (content[: chunk_offset(100)], 14, "truncated"),
        (content[: chunk_offset(100) + 500], 13, "cut short inside of it"),
        (content + b"more", 13, "4 bytes follow"),
    ):
        large.write_bytes(changed)
        result = run("decrypt", "--json", "--range", "5:9", "-k", key, large, "-o", tmp_path / "out")
        assert result.code == code
        assert words in result.err
        assert result.last["chunk"] == (150 if "follow" in words else 100)
        assert not (tmp_path / "out").exists()


def test_more_than_a_container_holds(key: Path, tmp_path: Path) -> None:
    """Is refused before anything is written. Few file systems have files of 4 PiB, of which tmpfs is one."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        large = Path(folder) / "large"
        with large.open("wb") as stream:
            try:
                stream.truncate(1 << 52)
            except OSError:
                pytest.skip("no file of 4 PiB in /dev/shm")
        result = run("encrypt", "-k", key, large, "-o", tmp_path / "out")
        assert result.code == 1
        assert "at most 2^52 - 1 bytes" in result.err
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["", "1", "1:", ":1", "-1:5", "1:2:3", "0x1:2", "99999999999999999999:1"])
def test_ranges_that_are_none(text: str, key: Path, large: Path) -> None:
    result = run("decrypt", "--range", text, "-k", key, large, "-o", "-")
    assert result.code == 2
    assert f"two numbers in decimal digits that are below 2^64, not '{text}'\n" in result.err


def test_range_misuse(key: Path, large: Path, tmp_path: Path) -> None:
    result = run("decrypt", "--range", f"{150 * CHUNK + 78}:1", "-k", key, large, "-o", tmp_path / "out")
    assert result.code == 1
    assert "the range begins at byte" in result.err
    with large.open("rb") as stream:
        command = command_line("decrypt", "--range", "0:1", "-k", key, "-")
        done = subprocess.run(command, stdin=stream, capture_output=True, env=environment(), check=False)
    assert done.returncode == 1
    assert b"error: standard input is read from its beginning only" in done.stderr
    assert b"hint: --range needs the name of a file" in done.stderr
    assert run("decrypt", "--range", "0:1", "-k", key, large, large).code == 2
    assert run("decrypt", "--range", "0:1", "--rm", "-k", key, large, "-o", tmp_path / "out").code == 2


def test_the_first_damaged_chunk_is_named(key: Path, large: Path, tmp_path: Path) -> None:
    """Whichever of the threads meets it."""
    content = bytearray(large.read_bytes())
    for chunk in (149, 120, 60, 31):
        content[chunk_offset(chunk) + 7] ^= 1
        large.write_bytes(content)
        for verb in (["verify"], ["decrypt", "-o", str(tmp_path / "out")]):
            result = run(*verb, "--json", "--threads", "4", "-k", key, large)
            assert result.code == 13
            assert result.last["chunk"] == chunk
    assert not (tmp_path / "out").exists()


def test_threads_write_the_same_file(key: Path, large: Path, tmp_path: Path) -> None:
    plaintext = large.with_suffix("").read_bytes()
    for threads in ("1", "2", "5"):
        out = tmp_path / f"out{threads}"
        succeed("decrypt", "--threads", threads, "-k", key, large, "-o", out)
        assert out.read_bytes() == plaintext


def test_salvage(key: Path, large: Path, tmp_path: Path) -> None:
    plaintext = bytearray(large.with_suffix("").read_bytes())
    content = bytearray(large.read_bytes())
    for chunk in (3, 50, 51, 150):
        content[chunk_offset(chunk) + 5] ^= 1
        plaintext[chunk * CHUNK : (chunk + 1) * CHUNK] = bytes(
            len(plaintext[chunk * CHUNK : (chunk + 1) * CHUNK])
        )
    large.write_bytes(content)
    out = tmp_path / "out"
    result = run("decrypt", "--salvage", "-k", key, large, "-o", out)
    assert result.code == 13
    assert out.read_bytes() == plaintext
    for first, last in ((3, 4), (50, 52)):
        assert f"{first * CHUNK} to {last * CHUNK - 1}, " in result.err
    assert f", {150 * CHUNK} to {150 * CHUNK + 76}" in result.err
    assert f"{3 * CHUNK + 77} bytes are lost" in result.err


def test_salvage_tells_all_that_is_lost(key: Path, large: Path, tmp_path: Path) -> None:
    """In words the first places, and in JSON each of them."""
    content, out = bytearray(large.read_bytes()), tmp_path / "out"
    for chunk in range(0, 60, 2):
        content[chunk_offset(chunk) + 5] ^= 1
    large.write_bytes(content)
    result = run("decrypt", "--json", "--salvage", "-k", key, large, "-o", out)
    assert result.code == 13
    assert "and 10 more, which --json lists" in result.err
    assert result.last["output"] == str(out)
    assert result.last["lost"] == [{"offset": chunk * CHUNK, "bytes": CHUNK} for chunk in range(0, 60, 2)]


def test_salvage_without_a_last_chunk_that_was_empty(key: Path, tmp_path: Path) -> None:
    """No byte is lost with it, but nobody knows that."""
    plain, sealed, out = tmp_path / "plain", tmp_path / "plain.wa", tmp_path / "out"
    plain.write_bytes(pattern(2 * CHUNK))
    succeed("encrypt", "-q", "-k", key, plain)
    content = bytearray(sealed.read_bytes())
    content[-1] ^= 1
    sealed.write_bytes(content)
    result = run("decrypt", "--json", "--salvage", "-k", key, sealed, "-o", out)
    assert result.code == 13
    assert "the last chunk, of no bytes, was damaged or cut off, so perhaps the end is missing" in result.err
    assert "lost" not in result.err
    assert result.last["lost"] == []
    assert out.read_bytes() == plain.read_bytes()


def test_salvage_of_a_file_that_was_cut(key: Path, large: Path, tmp_path: Path) -> None:
    content = large.read_bytes()
    for length, chunks in ((chunk_offset(40), 40), (chunk_offset(40) + 15, 40), (chunk_offset(0), 0)):
        large.write_bytes(content[:length])
        out = tmp_path / "out"
        result = run("decrypt", "--force", "--salvage", "-k", key, large, "-o", out)
        assert result.code == 13
        assert "the end is missing" in result.err
        assert out.read_bytes() == pattern(chunks * CHUNK)
    large.write_bytes(content[: chunk_offset(40) + 5000])
    assert run("decrypt", "--force", "--salvage", "-k", key, large, "-o", out).code == 13
    assert out.read_bytes() == pattern(40 * CHUNK) + bytes(5000 - (SEALED_CHUNK - CHUNK))


def test_salvage_of_what_is_sound(key: Path, large: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    succeed("decrypt", "--salvage", "-k", key, large, "-o", out)
    assert out.read_bytes() == large.with_suffix("").read_bytes()
    other = tmp_path / "other"
    succeed("keygen", "-q", "-o", other)
    assert run("decrypt", "--salvage", "-k", other, large, "-o", tmp_path / "x").code == 12


@pytest.mark.parametrize("excess", [1, 15, 16, 1000, 20_000, 3_000_000])
@pytest.mark.parametrize("pipe", [False, True])
def test_salvage_of_a_file_with_appended_bytes(
    excess: int, pipe: bool, key: Path, large: Path, tmp_path: Path
) -> None:
    """The last chunk is sound, as verify says, although it is followed by what makes it too long."""
    plaintext, whole = large.with_suffix("").read_bytes(), large.read_bytes()
    large.write_bytes(whole + pattern(excess))
    out = tmp_path / "out"
    stdin = large.read_bytes() if pipe else None
    result = run("decrypt", "--salvage", "-k", key, "-" if pipe else large, "-o", out, stdin=stdin)
    assert result.code == 13
    assert out.read_bytes() == plaintext
    follow = "1 byte follows its end and is" if excess == 1 else f"{excess} bytes follow its end and are"
    assert f"{follow} left out" in result.err
    assert f"all that was encrypted is in {out}" in result.err
    assert "lost" not in result.err


def test_salvage_keeps_no_space_for_appended_bytes(key: Path, large: Path, tmp_path: Path) -> None:
    """What was set aside for them lies behind the output's end, where no listing shows it."""
    excess = 8 << 20
    with large.open("ab") as stream:
        stream.write(bytes(excess))
    out = tmp_path / "out"
    assert run("decrypt", "--salvage", "-k", key, large, "-o", out).code == 13
    assert out.stat().st_blocks * 512 < out.stat().st_size + excess // 2


@pytest.mark.parametrize("chunks", [0, 1, 149])
def test_salvage_of_appended_bytes_and_damage(chunks: int, key: Path, tmp_path: Path) -> None:
    """Wherever the last chunk lies, also if it is empty, and whatever is damaged before it."""
    plain, sealed, out = tmp_path / "plain", tmp_path / "plain.wa", tmp_path / "out"
    plain.write_bytes(pattern(chunks * CHUNK))
    succeed("encrypt", "-q", "-k", key, plain)
    content = bytearray(sealed.read_bytes() + b"more" * 10_000)
    for chunk in range(max(chunks - 3, 0), chunks):
        content[chunk_offset(chunk) + 9] ^= 1
    sealed.write_bytes(content)
    result = run("decrypt", "--salvage", "-k", key, sealed, "-o", out)
    damaged = min(chunks, 3) * CHUNK
    assert result.code == 13
    assert out.read_bytes() == pattern(chunks * CHUNK - damaged) + bytes(damaged)
    assert "40000 bytes follow its end and are left out" in result.err
    assert (f"{damaged} bytes are lost" in result.err) == (damaged != 0)
    assert "missing" not in result.err


@pytest.mark.parametrize(("damaged", "finds"), [((10, 140), True), ((10, 149), False), ((90, 149), True)])
def test_the_end_is_looked_for_in_64_chunks(
    damaged: tuple[int, int], finds: bool, key: Path, large: Path, tmp_path: Path
) -> None:
    """Behind the last sound chunk, however many before it are damaged."""
    first, last = damaged
    content, plaintext = bytearray(large.read_bytes() + b"more"), bytearray(pattern(150 * CHUNK + 77))
    for chunk in range(first, last + 1):
        content[chunk_offset(chunk) + 9] ^= 1
    plaintext[first * CHUNK : (last + 1) * CHUNK] = bytes((last + 1 - first) * CHUNK)
    large.write_bytes(content)
    out = tmp_path / "out"
    result = run("decrypt", "--salvage", "-k", key, large, "-o", out)
    assert result.code == 13
    assert ("4 bytes follow its end and are left out" in result.err) == finds
    assert out.read_bytes() == (plaintext if finds else plaintext[:-77] + bytes(81))
