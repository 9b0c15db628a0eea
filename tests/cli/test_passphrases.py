"""Files whose key is made of a passphrase, contexts, and other programs' files."""

import bz2
import hashlib
import io
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from cryptography.cobblestone import Cobblestone256Decryptor, Cobblestone256Encryptor

from tests.cli.program import CHUNK, HEADER, command_line, environment, run, succeed

PREFIX = 48


def secret_file(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def decrypted(key: bytes, container: bytes, context: bytes) -> bytes:
    decryptor = Cobblestone256Decryptor(key, context)
    return decryptor.update(container) + decryptor.finalize()


def test_a_passphrase_opens_what_it_closed(word: Path, plain: Path, locked: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    succeed("decrypt", "--passphrase-file", word, locked, "-o", out)
    assert out.read_bytes() == plain.read_bytes()
    assert locked.stat().st_size == PREFIX + HEADER + plain.stat().st_size + 4 * 16
    succeed("verify", "--passphrase-file", word, "-", stdin=locked.read_bytes())
    fd, writing = os.pipe()
    os.write(writing, b"correct horse\n")
    os.close(writing)
    assert run("verify", "--passphrase-fd", str(fd), locked, pass_fds=[fd]).code == 0
    os.close(fd)


def test_others_can_read_it(plain: Path, locked: Path) -> None:
    """docs/container.md is enough: scrypt of the Python standard library, and cryptography's Cobblestone."""
    content = locked.read_bytes()
    prefix, container = content[:PREFIX], content[PREFIX:]
    assert prefix[:16] == b"warpaes.scrypt.1"
    n, r, p = (int.from_bytes(prefix[at : at + 4], "big") for at in (16, 20, 24))
    assert (n, r, p, prefix[28:32]) == (1 << 17, 8, 1, bytes(4))
    key = hashlib.scrypt(b"correct horse", salt=prefix[32:], n=n, r=r, p=p, dklen=32, maxmem=1 << 28)
    opened = decrypted(key, container, prefix)
    assert opened == plain.read_bytes()


def test_wrong_passphrase_and_wrong_kind(
    key: Path, word: Path, plain: Path, locked: Path, tmp_path: Path
) -> None:
    wrong = secret_file(tmp_path / "wrong", "incorrect horse")
    result = run("verify", "--json", "--passphrase-file", wrong, locked)
    assert result.code == 12
    assert "wrong passphrase" in result.err
    result = run("verify", "-k", key, locked)
    assert result.code == 12
    assert "encrypted with a passphrase" in result.err
    succeed("encrypt", "--force", "-k", key, plain)
    result = run("verify", "--passphrase-file", word, locked)
    assert result.code == 12
    assert "encrypted with a key" in result.err
    assert run("encrypt", "-p", "-k", key, plain).code == 2
    assert "no terminal" in run("encrypt", "-fp", plain, start_new_session=True).err


def test_without_a_terminal_the_passphrase_that_is_lacking_is_named(
    key: Path, word: Path, sealed: Path, tmp_path: Path
) -> None:
    """The old one was given, and the hint told to give it."""
    succeed("rekey", "-k", key, "--new-passphrase-file", word, "-o", tmp_path / "locked", sealed)
    given: list[tuple[tuple[str, Path], Path]] = [
        (("-k", key), sealed),
        (("--passphrase-file", word), tmp_path / "locked"),
    ]
    for old, path in given:
        result = run("rekey", *old, "--new-passphrase", path, start_new_session=True)
        assert result.code == 2
        assert "error: no new passphrase, and no terminal to ask for it at\n" in result.err
        assert "hint: --new-passphrase-file FILE, or --new-passphrase-fd NUMBER\n" in result.err


def test_damage_behind_the_header(word: Path, locked: Path) -> None:
    content = bytearray(locked.read_bytes())
    at = PREFIX + HEADER + CHUNK + 16
    content[at] ^= 1
    locked.write_bytes(content)
    result = run("verify", "--json", "--passphrase-file", word, locked)
    assert result.code == 13
    assert (result.last["chunk"], result.last["offset"]) == (1, at)


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (16, 1 << 24, "would take"),  # 16 GiB
        (16, 100_001, "makes no sense"),  # no power of two
        (20, 0, "makes no sense"),
        (20, 1, "makes no sense"),  # N is 2^17, and has to be less than 2^(16 r)
        (20, 1 << 9, "would take"),
        (24, 1 << 30, "makes no sense"),
        (28, 1, "makes no sense"),
    ],
)
def test_costs_that_nobody_would_choose(at: int, value: int, message: str, word: Path, locked: Path) -> None:
    content = bytearray(locked.read_bytes())
    content[at : at + 4] = value.to_bytes(4, "big")
    locked.write_bytes(content)
    result = run("verify", "--passphrase-file", word, locked)
    assert result.code == 1
    assert f"{locked}: " in result.err
    assert message in result.err


def test_argon2id_is_read(word: Path, tmp_path: Path) -> None:
    """Not what warpaes writes, but what it reads."""
    prefix = b"warpaes.argon2id" + b"".join(number.to_bytes(4, "big") for number in (1, 64, 2, 0)) + bytes(16)
    costs = ("--iterations", "1", "--memory", "64", "--lanes", "2", "--salt", "00" * 16)
    digits = run("kdf", "argon2id", *costs, "--passphrase-file", word, "-o", "-")
    if digits.code == 4:
        pytest.skip("libargon2 is missing")
    key = bytes.fromhex(digits.out.decode())
    path = tmp_path / "a.wa"
    encryptor = Cobblestone256Encryptor(key, prefix)
    path.write_bytes(prefix + encryptor.update(b"hello") + encryptor.finalize())
    assert succeed("decrypt", "--passphrase-file", word, path, "-o", "-").out == b"hello"


def test_context(key: Path, plain: Path, tmp_path: Path) -> None:
    sealed = tmp_path / "plain.wa"
    succeed("encrypt", "-k", key, "--context", "backup 7", plain)
    assert decrypted(key.read_bytes(), sealed.read_bytes(), b"backup 7") == plain.read_bytes()
    assert run("verify", "-k", key, sealed).code == 12
    assert run("verify", "-k", key, "--context", "backup 8", sealed).code == 12
    succeed("verify", "-k", key, "--context", "backup 7", sealed)
    assert run("encrypt", "-k", key, "--context", "x" * 953, plain).code == 2


@pytest.mark.parametrize("length", [0, 20, PREFIX - 1, PREFIX, PREFIX + HEADER])
def test_a_file_of_which_little_is_left(length: int, word: Path, locked: Path) -> None:
    locked.write_bytes(locked.read_bytes()[:length])
    result = run("verify", "--passphrase-file", word, locked)
    assert result.code == 14
    assert "truncated" in result.err


def test_the_hint_for_appended_bytes_counts_the_header(word: Path, locked: Path) -> None:
    whole = locked.read_bytes()
    locked.write_bytes(whole + b"more")
    result = run("verify", "--passphrase-file", word, locked)
    assert result.code == 13
    assert f"`truncate -s {len(whole)}`" in result.err


def test_files_with_secrets_that_others_can_read(word: Path, key: Path, plain: Path, sealed: Path) -> None:
    """The option that the hint names is of all of them."""
    for path in (word, key):
        path.chmod(0o644)
    commands: list[list[str | Path]] = [
        ["encrypt", "--passphrase-file", word, plain, "-o", plain.with_name("other.wa")],
        ["rekey", "-k", key, "--new-passphrase-file", word, sealed],
        ["rekey", "--passphrase-file", word, "--new-key-file", key, sealed],
    ]
    for arguments in commands:
        result = run(*arguments)
        assert result.code == 1
        assert "--insecure-key-file to use it as it is" in result.err
        succeed(*arguments, "--insecure-key-file")


def test_an_empty_name_is_no_passphrase(key: Path, plain: Path) -> None:
    """A key of the environment does not take the place of one."""
    for option in ("--passphrase-file", "--key-file"):
        result = run("encrypt", option, "", plain, env=environment(WARPAES_KEY_FILE=str(key)))
        assert result.code == 2
        assert "its value is empty" in result.err
        assert not plain.with_name("plain.wa").exists()


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("name", "hello" * 100)
    return target.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"age-encryption.org/v1\n-> X25519 " + bytes(100), "an age file"),
        (b"-----BEGIN PGP MESSAGE-----\n" + bytes(100), "an OpenPGP file"),
        (b"\x8c\x0d\x04\x09\x03\x08" + bytes(100), "an OpenPGP file"),
        # For keys of P-256 and of RSA with 3072 bits by gpg 2.2, and the same in OpenPGP's new form.
        (bytes.fromhex("847e03194da95153dcb504120203") + bytes(100), "an OpenPGP file"),
        (bytes.fromhex("85018c035e75592852f0b1a7010b") + bytes(100), "an OpenPGP file"),
        (bytes.fromhex("c1c04c035e75592852f0b1a7010b") + bytes(100), "an OpenPGP file"),
        (bytes.fromhex("c30d04090308") + bytes(100), "an OpenPGP file"),
        # Signed by gpg 2.2, without compression and with ZLIB and BZip2.
        (bytes.fromhex("900d03000816eb593218d6014ab201ad") + bytes(100), "an OpenPGP file"),
        (bytes.fromhex("a302789c9bc0cbccc021f63ad248e21a") + bytes(100), "an OpenPGP file"),
        (bytes.fromhex("a303425a683631415926535933") + bytes(100), "an OpenPGP file"),
        (b"-----BEGIN PGP SIGNED MESSAGE-----\n" + bytes(100), "an OpenPGP file"),
        (b"Salted__" + bytes(20), "a file of `openssl enc`"),
        (b"U2FsdGVkX18" + b"A" * 60, "a file of `openssl enc`"),
        (zipped(), "a zip archive"),
        (b"PK\x05\x06" + bytes(18), "a zip archive"),
        (bz2.compress(b"hello", 1), "a bzip2 file"),
        (bz2.compress(bytes(range(256)), 9), "a bzip2 file"),
        (bz2.compress(b""), "a bzip2 file"),
    ],
)
def test_files_of_other_programs(content: bytes, name: str, key: Path, word: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.wa"
    path.write_bytes(content)
    for option, secret in (("-k", key), ("--passphrase-file", word)):
        for verb in ("verify", "decrypt"):
            result = run(verb, option, secret, path)
            assert result.code == 1
            assert f"{path} is {name}, not one of warpaes" in result.err


def test_a_key_is_made_before_a_file_is_worked_on(word: Path, locked: Path, tmp_path: Path) -> None:
    """What scrypt takes is in the run's time, and not in what the file's speed is counted by."""
    *files, summary = succeed(
        "decrypt", "--json", "--passphrase-file", word, locked, "-o", tmp_path / "out"
    ).lines
    assert files[0]["type"] == "file"
    assert files[0]["seconds"] < summary["seconds"] / 2


def test_inspect_knows_passphrases(word: Path, plain: Path, locked: Path) -> None:
    line = succeed("inspect", "--json", locked).last
    assert line["plaintext_bytes"] == plain.stat().st_size
    assert "passphrase" in line["format"]
    assert (
        succeed("inspect", "--json", "--passphrase-file", word, locked)
        .last["format"]
        .startswith("Cobblestone-256")
    )


def test_inspect_asks_for_no_passphrase(key: Path, locked: Path, tmp_path: Path) -> None:
    """A key of the environment is of files that have one, and not even looked at for others."""
    for file in (key, tmp_path / "missing"):
        given = environment(WARPAES_KEY_FILE=str(file))
        line = succeed("inspect", "--json", locked, env=given, start_new_session=True).last
        assert line == succeed("inspect", "--json", locked).last


def test_inspect_counts_the_bytes_of_the_file(word: Path, locked: Path) -> None:
    size = locked.stat().st_size
    line = succeed("inspect", "--json", locked).last
    assert (line["file_bytes"], line["container_bytes"]) == (size, size - PREFIX)
    assert f"\nlength       {size} bytes\n" in succeed("inspect", locked).out.decode()
    # It says of a file that was cut what verify says.
    os.truncate(locked, PREFIX + HEADER + 2 * (CHUNK + 16))
    checked = run("verify", "--json", "--passphrase-file", word, locked)
    seen = run("inspect", "--json", locked)
    assert (seen.code, seen.last) == (checked.code, checked.last)
    assert seen.last["offset"] == locked.stat().st_size


@pytest.mark.parametrize("place", [0, 18, 19, 23, 27, 40, PREFIX, PREFIX + 30])
def test_inspect_does_not_pass_a_damaged_header_for_a_sound_one(place: int, word: Path, locked: Path) -> None:
    """Name, costs, salt of the passphrase, salt and commitment: no passphrase is there to tell."""
    content = bytearray(locked.read_bytes())
    content[place] ^= 4 if place == 18 else 1
    locked.write_bytes(content)
    seen = run("inspect", "--json", locked)
    if seen.code == 0:
        assert seen.last["header_authenticated"] is False
        assert "\nheader       not authenticated: only the " in succeed("inspect", locked).out.decode()
    else:  # costs that no file has
        assert seen.code == 1
        assert seen.last["type"] == "error"
    assert run("inspect", "--json", "--passphrase-file", word, locked).code in (1, 12)


def test_inspect_refuses_costs_that_no_file_has(locked: Path) -> None:
    content = bytearray(locked.read_bytes())
    content[16:20] = (1 << 21).to_bytes(4, "big")  # scrypt's N
    locked.write_bytes(content)
    result = run("inspect", locked)
    assert result.code == 1
    assert result.out == b""
    assert result.err == run("verify", "--passphrase-fd", "0", locked, stdin=b"any").err


def test_inspect_says_when_the_header_is_authenticated(word: Path, locked: Path) -> None:
    assert succeed("inspect", "--json", locked).last["header_authenticated"] is False
    opened = ("inspect", "--passphrase-file", word, locked)
    assert succeed(*opened, "--json").last["header_authenticated"] is True
    assert "\nheader       authenticated\n" in succeed(*opened).out.decode()


def test_inspect_tells_a_wrong_passphrase(locked: Path, tmp_path: Path) -> None:
    result = run("inspect", "--passphrase-file", secret_file(tmp_path / "wrong", "incorrect"), locked)
    assert result.code == 12
    assert "wrong passphrase, or wrong --context" in result.err


def test_no_passphrase_is_an_argument(plain: Path) -> None:
    text = subprocess.run(
        command_line("encrypt", "--help"), check=True, capture_output=True, text=True
    ).stdout
    assert "--passphrase-fd NUMBER" in text
    assert run("encrypt", "--passphrase=secret", plain).code == 2
