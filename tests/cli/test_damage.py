"""Wrong key, damage, truncation and trailing bytes: told apart, located, and no output left."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.cli.program import CHUNK, HEADER, Result, chunk_offset, pattern, run, succeed
from tests.vectors.damaged_containers.make import Container, plaintext

WRONG_KEY, DAMAGED, TRUNCATED = 12, 13, 14


def decrypt_changed(content: bytes, key: Path, folder: Path) -> tuple[Result, Result]:
    """Decrypts it as a file, where nothing may be left behind, and as a pipe."""
    container = folder / "changed.wa"
    container.write_bytes(content)
    before = sorted(folder.iterdir())
    as_file = run("decrypt", "--json", "-k", key, container)
    assert sorted(folder.iterdir()) == before
    assert run("verify", "-k", key, container).code == as_file.code
    container.unlink()
    return as_file, run("decrypt", "-k", key, "-", stdin=content)


def expect(content: bytes, key: Path, folder: Path, code: int, **fields: int) -> None:
    as_file, as_pipe = decrypt_changed(content, key, folder)
    assert as_file.code == as_pipe.code == code, as_file.err
    line = as_file.last
    assert line["type"] == "error"
    assert line["code"] == code
    assert line["file"] == str(folder / "changed.wa")
    assert line["hint"]
    assert {name: line.get(name) for name in fields} == fields
    # A pipe gets what was authenticated, and hears that it is not all.
    assert pattern(3 * CHUNK + 100).startswith(as_pipe.out)
    assert len(as_pipe.out) % CHUNK == 0
    assert ("only the beginning" in as_pipe.err) == bool(as_pipe.out)


class Disguised(Container):
    """Of a salt that begins as gzip's files do: random ones do, now and then."""

    @property
    def salt(self) -> bytes:
        return b"\x1f\x8b\x08" + bytes(21)


def test_a_salt_that_looks_like_another_format(tmp_path: Path) -> None:
    """Its key tells, and so does what is wrong with the rest."""
    made, key, sealed = Disguised(100), tmp_path / "key", tmp_path / "sealed.wa"
    key.write_bytes(made.key)
    key.chmod(0o600)
    sealed.write_bytes(made.whole)
    assert succeed("decrypt", "-k", key, sealed, "-o", "-").out == plaintext(100)
    assert succeed("inspect", "--json", "-k", key, sealed).last["header_authenticated"] is True
    assert "is a gzip file" in run("inspect", sealed).err  # nothing tells
    other = tmp_path / "other"
    other.write_bytes(bytes(32))
    other.chmod(0o600)
    for verb in ("inspect", "verify"):
        result = run(verb, "-k", other, sealed)
        assert (result.code, "is a gzip file" in result.err) == (1, True)
    os.truncate(sealed, HEADER + 4)
    for verb in ("inspect", "verify"):
        result = run(verb, "-k", key, sealed)
        assert (result.code, "gzip" in result.err) == (TRUNCATED, False)
    os.truncate(sealed, HEADER - 1)
    assert "is a gzip file" in run("verify", "-k", key, sealed).err


def test_wrong_key(key: Path, sealed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    succeed("keygen", "-q", "-o", other)
    expect(sealed.read_bytes(), other, tmp_path, WRONG_KEY)
    assert run("inspect", "-k", other, sealed).code == WRONG_KEY


@pytest.mark.parametrize("byte", [0, 23, 24, 55])
def test_damaged_header(byte: int, key: Path, sealed: Path, tmp_path: Path) -> None:
    content = bytearray(sealed.read_bytes())
    content[byte] ^= 1
    expect(bytes(content), key, tmp_path, WRONG_KEY)


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("inside", [0, 50, 115])
def test_damaged_chunk(chunk: int, inside: int, key: Path, sealed: Path, tmp_path: Path) -> None:
    content = bytearray(sealed.read_bytes())
    content[chunk_offset(chunk) + inside] ^= 0x80
    expect(bytes(content), key, tmp_path, DAMAGED, chunk=chunk, offset=chunk_offset(chunk))


@pytest.mark.parametrize(
    ("length", "code"),
    [
        (0, TRUNCATED),
        (1, TRUNCATED),
        (HEADER - 1, TRUNCATED),
        (HEADER, TRUNCATED),
        (HEADER + 15, TRUNCATED),
        (HEADER + 16, DAMAGED),  # a length that a container can have
        (chunk_offset(1) - 1, DAMAGED),
        (chunk_offset(1), TRUNCATED),
        (chunk_offset(1) + 15, TRUNCATED),
        (chunk_offset(1) + 16, DAMAGED),
        (chunk_offset(2) + 8000, DAMAGED),
        (chunk_offset(3), TRUNCATED),
        (chunk_offset(3) + 115, DAMAGED),
    ],
)
def test_truncated(length: int, code: int, key: Path, sealed: Path, tmp_path: Path) -> None:
    expect(sealed.read_bytes()[:length], key, tmp_path, code)
    (tmp_path / "cut.wa").write_bytes(sealed.read_bytes()[:length])
    assert run("inspect", tmp_path / "cut.wa").code == (TRUNCATED if code == TRUNCATED else 0)


def test_a_length_that_no_container_has(tmp_path: Path) -> None:
    """More than 2^38 chunks."""
    for folder in (tmp_path, Path("/dev/shm")):
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".wa") as long:
            try:
                os.truncate(long.name, chunk_offset((1 << 38) + 1) + 16)
            except OSError:
                continue
            result = run("inspect", "--json", long.name)
            assert result.code == DAMAGED
            assert result.last["type"] == "error"
            return
    pytest.skip("no file system has files of 4 PiB")


@pytest.mark.parametrize("excess", [1, 16, 1000, 20000])
def test_trailing_bytes(excess: int, key: Path, sealed: Path, tmp_path: Path) -> None:
    whole = sealed.read_bytes()
    content = whole + pattern(excess)
    expect(content, key, tmp_path, DAMAGED, chunk=3, offset=len(whole))
    as_file, _ = decrypt_changed(content, key, tmp_path)
    assert f"{excess} bytes follow" in as_file.err


def test_chunks_swapped_repeated_dropped(key: Path, sealed: Path, tmp_path: Path) -> None:
    content = sealed.read_bytes()
    header = content[:HEADER]
    first, second, third, last = (
        content[chunk_offset(chunk) : chunk_offset(chunk + 1)] for chunk in range(4)
    )
    expect(header + second + first + third + last, key, tmp_path, DAMAGED, chunk=0)
    expect(header + first + first + second + third + last, key, tmp_path, DAMAGED, chunk=1)
    expect(header + first + third + last, key, tmp_path, DAMAGED, chunk=1)
    expect(header + first + second + third, key, tmp_path, TRUNCATED, chunk=3)
    expect(content + last, key, tmp_path, DAMAGED, chunk=3, offset=len(content))


def test_the_message_names_file_chunk_and_bytes(key: Path, sealed: Path) -> None:
    content = bytearray(sealed.read_bytes())
    content[chunk_offset(2) + 3] ^= 1
    sealed.write_bytes(content)
    error = run("verify", "-k", key, sealed).err
    assert error.startswith(
        f"warpaes: error: {sealed}: damaged: chunk 2 (bytes 32856 to 49255) failed authentication\n"
        "warpaes: hint: "
    )
