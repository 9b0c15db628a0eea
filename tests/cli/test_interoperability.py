"""The same bytes in both directions as the package `cryptography`, by files and by pipes."""

from pathlib import Path

import pytest
from cryptography.cobblestone import (
    Cobblestone128Decryptor,
    Cobblestone128Encryptor,
    Cobblestone256Decryptor,
    Cobblestone256Encryptor,
)

from tests.cli.program import SIZES, pattern, run, succeed

Encryptor = type[Cobblestone128Encryptor] | type[Cobblestone256Encryptor]
Decryptor = type[Cobblestone128Decryptor] | type[Cobblestone256Decryptor]
ENCRYPTORS: dict[int, Encryptor] = {16: Cobblestone128Encryptor, 32: Cobblestone256Encryptor}
DECRYPTORS: dict[int, Decryptor] = {16: Cobblestone128Decryptor, 32: Cobblestone256Decryptor}


@pytest.fixture(params=ENCRYPTORS, ids=lambda size: f"{8 * size}-bit")
def key_of_each_size(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(pattern(request.param))
    path.chmod(0o600)
    return path


def oracle_encrypts(key: bytes, plaintext: bytes) -> bytes:
    encryptor = ENCRYPTORS[len(key)](key, b"")
    return encryptor.update(plaintext) + encryptor.finalize()


def oracle_decrypts(key: bytes, container: bytes) -> bytes:
    decryptor = DECRYPTORS[len(key)](key, b"")
    return decryptor.update(container) + decryptor.finalize()


@pytest.mark.parametrize("size", SIZES)
def test_ours_opened_by_the_oracle(size: int, key_of_each_size: Path, tmp_path: Path) -> None:
    key, plaintext = key_of_each_size.read_bytes(), pattern(size)
    plain, container = tmp_path / "plain", tmp_path / "plain.wa"
    plain.write_bytes(plaintext)
    succeed("encrypt", "-k", key_of_each_size, plain)
    assert oracle_decrypts(key, container.read_bytes()) == plaintext
    piped = succeed("encrypt", "-k", key_of_each_size, "-", stdin=plaintext).out
    assert oracle_decrypts(key, piped) == plaintext
    assert len(piped) == container.stat().st_size


@pytest.mark.parametrize("size", SIZES)
def test_the_oracle_s_opened_by_us(size: int, key_of_each_size: Path, tmp_path: Path) -> None:
    key, plaintext = key_of_each_size.read_bytes(), pattern(size)
    plain, container = tmp_path / "plain", tmp_path / "plain.wa"
    container.write_bytes(oracle_encrypts(key, plaintext))
    succeed("verify", "-k", key_of_each_size, container)
    succeed("decrypt", "-k", key_of_each_size, container)
    assert plain.read_bytes() == plaintext
    piped = succeed("decrypt", "-k", key_of_each_size, "-", stdin=container.read_bytes()).out
    assert piped == plaintext


@pytest.mark.parametrize("engine", ["openssl", "portable/t_tables", "portable/fips197"])
def test_every_engine_that_runs_anywhere(engine: str, key: Path, tmp_path: Path) -> None:
    plain, again = tmp_path / "plain", tmp_path / "again"
    plain.write_bytes(pattern(100_000))
    sealed = succeed("encrypt", "--json", "--engine", engine, "-k", key, plain)
    assert sealed.last["engine"].startswith(engine)
    assert oracle_decrypts(key.read_bytes(), (tmp_path / "plain.wa").read_bytes()) == plain.read_bytes()
    succeed("decrypt", "--engine", engine, "-k", key, tmp_path / "plain.wa", "-o", again)
    assert again.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("extent", ["none", "sample", "full"])
def test_verified_output_is_the_same_format(extent: str, key: Path) -> None:
    sealed = succeed("encrypt", "--verify-output", extent, "-k", key, "-", stdin=pattern(100_000)).out
    assert oracle_decrypts(key.read_bytes(), sealed) == pattern(100_000)
    assert run("encrypt", "--verify-output", "some", "-k", key, "-", stdin=b"").code == 2
