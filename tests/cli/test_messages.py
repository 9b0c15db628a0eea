"""What the program says of mistakes: true, in plain words, and harmless to a terminal."""

import gzip
import os
import stat
from pathlib import Path

import pytest

from tests.cli.program import CHUNK, Result, chunk_offset, pattern, run, succeed

ESCAPE = "\x1b[31mx"
RIGHT_TO_LEFT = "\u202ex"


@pytest.mark.parametrize("text", [ESCAPE, RIGHT_TO_LEFT])
@pytest.mark.parametrize(
    "arguments",
    [
        ["keygen", "-q", "-o", "NEW", "TEXT"],
        ["keygen", "-o", "NEW", "--bits", "TEXT"],
        ["raw", "-m", "TEXT", "-k", "KEY", "PLAIN"],
        ["mac", "-m", "TEXT", "-k", "KEY", "PLAIN"],
        ["encrypt", "-k", "KEY", "-e", "TEXT", "PLAIN"],
        ["encrypt", "-k", "KEY", "--device", "TEXT", "PLAIN"],
        ["encrypt", "-k", "KEY", "--threads", "TEXT", "PLAIN"],
        ["encrypt", "-k", "KEY", "--timing", "TEXT", "PLAIN"],
        ["encrypt", "-k", "KEY", "--verify-output", "TEXT", "PLAIN"],
        ["encrypt", "-k", "KEY", "--key-fd", "TEXT", "PLAIN"],
        ["kdf", "hkdf", "--hash", "TEXT", "-o", "NEW"],
        ["kdf", "scrypt", "--cost", "TEXT", "-o", "NEW"],
        ["lab", "show", "TEXT"],
        ["lab", "run", "serial_t_table", "--mode", "TEXT"],
    ],
)
def test_no_control_characters_reach_the_terminal(
    arguments: list[str], text: str, key: Path, plain: Path, tmp_path: Path
) -> None:
    given = {"TEXT": text, "KEY": str(key), "PLAIN": str(plain), "NEW": str(tmp_path / "new")}
    result = run(*(given.get(argument, argument) for argument in arguments))
    assert result.code != 0
    assert text[0] not in result.err
    assert ("\\x1b[31mx" if text is ESCAPE else "\\xe2\\x80\\xaex") in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encrypt", "--timing", "x", "f"], "--timing takes any, conflict-free or strict, not 'x'"),
        (["encrypt", "--verify-output", "x", "f"], "--verify-output takes none, sample or full, not 'x'"),
        # Numbers that stand for the names in the program are no names.
        (["encrypt", "--timing", "1", "f"], "--timing takes any, conflict-free or strict, not '1'"),
        (["encrypt", "--verify-output", "1", "f"], "--verify-output takes none, sample or full, not '1'"),
        (["kdf", "hkdf", "--hash", "1"], "--hash takes sha256, sha384 or sha512, not '1'"),
        (["kdf", "pbkdf2", "--hash", "1"], "--hash takes sha256, sha384, sha512 or sha1, not '1'"),
        (["keygen", "-o", "k", "--bits", "abc"], "--bits takes 128, 192, 256, 384 or 512, not 'abc'"),
        (["keygen", "-o", "k", "--bits", "129"], "--bits takes 128, 192, 256, 384 or 512, not '129'"),
        (["kdf", "hkdf", "--hash", "md5"], "--hash takes sha256, sha384 or sha512, not 'md5'"),
        (
            ["kdf", "scrypt", "--parallelism", "abc", "-o", "k"],
            "--parallelism: it takes a number from 1 to 4294967295, in decimal digits, not 'abc'",
        ),
        (["encrypt", "f", "--key-file"], "--key-file needs a value"),
        (["encrypt", "f", "-k", "a", "-k", "b"], "--key-file is given 2 times, and takes one value"),
    ],
)
def test_wrong_values(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert result.err.startswith(f"warpaes: error: {message}\n")


def test_a_context_that_is_missing(key: Path, plain: Path, tmp_path: Path) -> None:
    """The key may well be right."""
    word = tmp_path / "word"
    word.write_text("correct horse\n")
    word.chmod(0o600)
    for option, secret, wrong in (("-k", key, "wrong key"), ("--passphrase-file", word, "wrong passphrase")):
        succeed("encrypt", "-f", "-q", "--context", "backups", option, secret, plain)
        result = run("verify", option, secret, f"{plain}.wa")
        assert result.code == 12
        error, hint = result.err.splitlines()
        assert wrong in error
        assert "wrong --context" in error
        assert "another one" not in error
        assert "--context that it was encrypted with" in hint


def test_what_is_no_container(key: Path, tmp_path: Path) -> None:
    path = tmp_path / "notes.wa"
    path.write_bytes(b"plain text, and nothing else. " * 100)
    result = run("verify", "-k", key, path)
    assert result.code == 12
    assert "or no .wa file" in result.err
    assert "12   wrong key, passphrase or context, or no .wa file" in succeed("--help").out.decode()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (gzip.compress(pattern(1000)), "a gzip file"),
        (b"\xfd7zXZ\0" + bytes(100), "an xz file"),
        (b"\x28\xb5\x2f\xfd" + bytes(100), "a Zstandard file"),
        (b"BZh91AY&SY" + bytes(100), "a bzip2 file"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(100), "a 7z archive"),
        (b"%PDF-1.7\n" + bytes(100), "a PDF document"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG picture"),
    ],
)
def test_files_that_were_never_encrypted(content: bytes, name: str, key: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.wa"
    path.write_bytes(content)
    for verb in ("verify", "inspect"):
        result = run(verb, "-k", key, path)
        assert result.code == 1
        assert f"{path} is {name}, not one of warpaes" in result.err


def test_what_is_encrypted_already(key: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    content, twice = sealed.read_bytes(), Path(f"{sealed}.wa")
    result = run("encrypt", "--no-sync", "-k", key, sealed)
    assert result.code == 1
    assert f"{sealed} ends in .wa, so it is encrypted already" in result.err
    assert "hint: rekey gives it another key or passphrase; --force encrypts it once more" in result.err
    assert run("encrypt", "-k", key, tmp_path / "missing.wa").code == 10
    other = tmp_path / "other"
    other.write_bytes(b"other")
    result = run("encrypt", "--rm", "-k", key, sealed, other)
    assert result.code == 3
    assert sealed.read_bytes() == content
    assert not twice.exists()
    assert Path(f"{other}.wa").exists()
    assert not other.exists()
    succeed("encrypt", "--force", "-k", key, sealed)
    assert twice.exists()
    assert plain.exists()


@pytest.mark.parametrize("verb", ["decrypt", "verify", "rekey"])
def test_nothing_to_work_on(verb: str, key: Path, plain: Path, tmp_path: Path) -> None:
    """Whoever hears nothing of a folder without .wa files takes it for verified."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "notes").write_text("notes")
    new = ["--new-key-file", str(plain)] if verb == "rekey" else []
    if new:
        plain.write_bytes(pattern(32))
        plain.chmod(0o600)
    result = run(verb, "-r", "-k", key, *new, "--json", empty)
    assert result.code == 10
    assert "there are no files to be" in result.err
    assert "-r takes files whose names end in .wa" in result.err
    assert result.last["type"] == "error"
    (empty / "notes").unlink()
    assert "there are no files to be encrypted" in succeed("encrypt", "-r", "-k", key, empty).err


def test_all_devices_of_none(key: Path, plain: Path) -> None:
    if succeed("devices", "--json").last["devices"]:
        pytest.skip("there is a GPU here")
    for devices in ("0", "all"):
        result = run("encrypt", "--device", devices, "-k", key, plain)
        assert result.code == 4
        assert "no CUDA device" in result.err
    assert "(0)" not in succeed("engines", "--help").out.decode().partition("--device")[2].splitlines()[0]
    succeed("encrypt", "-k", key, plain)


@pytest.fixture
def long(key: Path, tmp_path: Path) -> Path:
    plain = tmp_path / "long"
    plain.write_bytes(pattern(5 * CHUNK + 100))
    succeed("encrypt", "-q", "--rm", "-k", key, plain)
    return tmp_path / "long.wa"


def salvaged(key: Path, path: Path) -> Result:
    result = run("decrypt", "--force", "--salvage", "-k", key, path)
    assert result.code == 13
    return result


def test_salvage_says_what_is_missing(key: Path, long: Path) -> None:
    whole = long.read_bytes()
    long.write_bytes(whole[: chunk_offset(3)])
    error, hint = salvaged(key, long).err.splitlines()
    assert error == f"warpaes: error: {long}: the end is missing"
    assert hint == "warpaes: hint: the rest was authenticated and is right"

    long.write_bytes(whole[: chunk_offset(3) + 1016])
    error = salvaged(key, long).err
    assert f"1000 bytes are lost, and zeros in {long.with_suffix('')}: {3 * CHUNK} to " in error
    assert "damaged or cut off, so perhaps the end is missing" in error
    assert "the rest was authenticated and is right" in error

    long.write_bytes(whole[: chunk_offset(0)])
    error = salvaged(key, long).err
    assert "the end is missing" in error
    assert "nothing of it could be saved" in error

    lost = bytearray(whole)
    for chunk in range(6):
        lost[chunk_offset(chunk)] ^= 1
    long.write_bytes(lost)
    error = salvaged(key, long).err
    assert "the rest" not in error
    assert "nothing of it could be saved" in error


def test_salvage_of_one_byte(key: Path, tmp_path: Path) -> None:
    plain, sealed = tmp_path / "one", tmp_path / "one.wa"
    plain.write_bytes(b"x")
    assert "1 byte encrypted" in succeed("encrypt", "--rm", "-k", key, plain).err
    content = sealed.read_bytes()
    sealed.write_bytes(content + b"x")
    assert "1 byte follows its end and is left out" in salvaged(key, sealed).err
    sealed.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert "1 byte is lost, and zeros in" in salvaged(key, sealed).err


@pytest.mark.parametrize("bits", [192, 384, 512])
@pytest.mark.parametrize("form", [[], ["--raw"]])
def test_a_key_of_another_length(bits: int, form: list[str], plain: Path, tmp_path: Path) -> None:
    key = tmp_path / "other"
    succeed("keygen", "-q", "--bits", str(bits), *form, "-o", key)
    result = run("encrypt", "-k", key, plain)
    assert result.code == 1
    assert f"key file {key} holds a key of {bits} bits, and one of 256 or 128 is needed" in result.err


def test_hints_name_what_the_command_takes(key: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("b")
    one, several = run("encrypt", "-k", key, plain), run("encrypt", "-k", key, plain, tmp_path / "b")
    assert "--force replaces it; -o names another file" in one.err
    assert "--force replaces it; --output-folder names another place" in several.err
    assert "-o names" not in several.err
    result = run("decrypt", "-k", key, sealed, "-o", "/dev/stdout")
    assert "hint: -o - is standard output\n" in result.err


def test_no_hint_at_what_is_refused(key: Path, plain: Path, tmp_path: Path) -> None:
    """What one command has, or one output of it, another may not have."""
    plain.with_name("plain.wa").mkdir()
    socket = tmp_path / "socket"
    os.mknod(socket, stat.S_IFSOCK | 0o600)
    mac = ("mac", "-m", "cmac", "-k", key, plain)
    for command, hint in (
        (("keygen", "-o", "/dev/null"), "-o names another file"),
        (("encrypt", "-k", key, plain, "-o", socket), "-o names another file"),  # that no shell opens
        (("encrypt", "-k", key, plain), "-o names another file"),
        (
            ("encrypt", "-k", key, plain, "--output-folder", tmp_path, "-r"),
            "--output-folder names another place",
        ),
        (
            ("raw", "-m", "gcm", "-k", key, plain, "-o", tmp_path / "out", "--tag-file", "/dev/stdout"),
            "--tag-file names another file",
        ),
        ((*mac, "--verify", ""), "one of cmac has 8 to 16 bytes"),
        ((*mac, "--verify", "00" * 7), "one of cmac has 8 to 16 bytes"),
        ((*mac, "--verify", "00" * 17), "one of cmac has 8 to 16 bytes"),
        ((*mac, "--verify", "00" * 8), "--tag-bytes 8, if the MAC was shortened to that"),
    ):
        result = run(*command)
        assert result.code in (1, 2)
        assert result.err.endswith(f"\nwarpaes: hint: {hint}\n"), result.err
    assert not (tmp_path / "out").exists()


def test_a_new_context_alone(key: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    """The key, or the passphrase, stays."""
    word = tmp_path / "word"
    word.write_text("correct horse\n")
    word.chmod(0o600)
    locked = tmp_path / "locked.wa"
    succeed("encrypt", "-q", "--passphrase-file", word, plain, "-o", locked)
    for path, option, secret in ((sealed, "-k", key), (locked, "--passphrase-file", word)):
        succeed("rekey", option, secret, "--new-context", "hi", path)
        assert run("verify", option, secret, path).code == 12
        assert (
            succeed("decrypt", option, secret, "--context", "hi", path, "-o", "-").out == plain.read_bytes()
        )
        succeed("rekey", option, secret, "--context", "hi", "--new-context", "", path)
        succeed("verify", option, secret, path)


@pytest.mark.parametrize("verb", ["inspect", "mac -m cmac", "raw -m ecb -o out", "encrypt", "verify"])
def test_a_missing_key_is_not_told_of_the_file(verb: str, plain: Path, tmp_path: Path) -> None:
    result = run(*verb.split(), "-k", tmp_path / "nothing", "--json", plain, cwd=tmp_path)
    assert result.code == 10
    assert f"key file {tmp_path / 'nothing'}" in result.last["message"]
    assert "file" not in result.last


@pytest.mark.parametrize("arguments", ["-m gcm", "-m ccm", "-m siv --key-hex-file double", "-m kw"])
def test_a_forgery_is_told_of_the_file(arguments: str, key: Path, tmp_path: Path) -> None:
    """A script that works on many of them has only the message."""
    double, forged = tmp_path / "double", tmp_path / "forged"
    double.write_text("00" * 32 + "11" * 32)
    double.chmod(0o600)
    forged.write_bytes(bytes(104))
    keys = [] if "double" in arguments else ["-k", str(key)]
    command = ["raw", "-d", *arguments.split(), *keys, "-o", "out"]
    by_file = run(*command, "--json", forged, cwd=tmp_path)
    by_pipe = run(*command, "--json", stdin=forged.read_bytes(), cwd=tmp_path)
    for result, name in ((by_file, str(forged)), (by_pipe, "standard input")):
        assert result.code == 13
        assert result.last["message"].startswith(f"{name}: ")
        assert f"warpaes: error: {name}: " in result.err


def test_the_hint_names_what_goes_with_the_other_options(key: Path, plain: Path, tmp_path: Path) -> None:
    """Beside --output-folder there is no -o, also for a single file."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/plain.wa").write_text("in the way")
    result = run("encrypt", "-k", key, plain, "--output-folder", tmp_path / "folder")
    assert result.code == 1
    assert "hint: --force replaces it; --output-folder names another place\n" in result.err
