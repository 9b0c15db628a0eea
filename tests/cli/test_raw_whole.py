"""SIV, key wrapping and ciphertext stealing with `warpaes raw`, against `cryptography`."""

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import keywrap
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCMSIV, AESSIV

from tests.cli.leases import need_to_know_writers
from tests.cli.open_files import wait_until_open
from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import IV, key_of

AES_KEYS = (16, 24, 32)
WRAP = {"kw": keywrap.aes_key_wrap, "kwp": keywrap.aes_key_wrap_with_padding}
WRAPPED = {"kw": (16, 24, 32, 1000, 100_000), "kwp": (1, 7, 8, 9, 16, 17, 32, 1001)}


def options_of(mode: str, key: bytes) -> list[str]:
    return ["--quiet", "--mode", mode, "--key-hex", key.hex()]


@pytest.mark.parametrize("size", [32, 48, 64])
def test_siv(size: int) -> None:
    key, aad, nonce = key_of(size), pattern(77), pattern(13)
    pieces: tuple[tuple[list[str], list[bytes]], ...] = (
        ([], []),
        (["--aad", ""], [b""]),
        (["--aad", aad.hex()], [aad]),
        (["--nonce", nonce.hex()], [nonce]),
        (["--nonce", nonce.hex(), "--aad", aad.hex()], [aad, nonce]),
    )
    for length in (1, 15, 16, 17, 100_003):
        data = pattern(length)
        for options, associated in pieces:
            expected = AESSIV(key).encrypt(data, associated)
            arguments = [*options_of("siv", key), *options]
            assert succeed("raw", *arguments, stdin=data).out == expected
            assert succeed("raw", "-d", *arguments, stdin=expected).out == data


def test_siv_of_nothing() -> None:
    """RFC 5297 allows it; `cryptography` does not."""
    options = options_of("siv", key_of(32))
    sealed = succeed("raw", *options, stdin=b"").out
    assert len(sealed) == 16
    assert succeed("raw", "-d", *options, stdin=sealed).out == b""
    assert run("raw", "-d", *options, "--aad", "00", stdin=sealed).code == 13


@pytest.mark.parametrize("size", AES_KEYS)
@pytest.mark.parametrize("mode", WRAP)
def test_key_wrap(mode: str, size: int) -> None:
    options = options_of(mode, key_of(size))
    for length in WRAPPED[mode]:
        data = pattern(length)
        expected = WRAP[mode](key_of(size), data)
        assert succeed("raw", *options, stdin=data).out == expected
        assert succeed("raw", "-d", *options, stdin=expected).out == data


def by_stealing(variant: int, key: bytes, data: bytes) -> bytes:
    """Addendum to SP 800-38A: CBC of the data filled up with zeros, less the stolen bytes."""
    rest = len(data) % 16
    encryptor = Cipher(algorithms.AES(key), modes.CBC(IV)).encryptor()
    sealed = encryptor.update(data + bytes(-len(data) % 16)) + encryptor.finalize()
    before, shortened, last = sealed[:-32], sealed[-32:-16][: rest or 16], sealed[-16:]
    swapped = variant == 3 or (variant == 2 and rest != 0)
    return before + (last + shortened if swapped else shortened + last)


@pytest.mark.parametrize("size", AES_KEYS)
@pytest.mark.parametrize("variant", [1, 2, 3])
def test_ciphertext_stealing(variant: int, size: int) -> None:
    options = [*options_of(f"cbc-cs{variant}", key_of(size)), "--iv", IV.hex()]
    for length in (16, 17, 31, 32, 33, 100_000, 100_003):
        data = pattern(length)
        expected = by_stealing(variant, key_of(size), data)
        assert succeed("raw", *options, stdin=data).out == expected
        assert succeed("raw", "-d", *options, stdin=expected).out == data


@pytest.mark.parametrize(
    ("mode", "arguments", "length", "code", "says"),
    [
        ("siv", ["-d"], 15, 14, "shorter than the 16 bytes of its tag"),
        ("siv", ["-d"], 100, 13, "the additional data"),
        ("siv", ["--nonce", ""], 1, 2, "--nonce is empty"),
        ("siv", ["--tag-bytes", "12"], 1, 2, "siv has no use for --tag-bytes"),
        ("siv", ["--tag-file", "x"], 1, 2, "siv has no use for --tag-file"),
        ("kw", [], 8, 1, "KW wraps 16 bytes or more"),
        ("kw", [], 17, 1, "--mode kwp"),
        ("kw", ["-d"], 16, 14, "24 or more"),
        ("kw", ["-d"], 24, 13, "another key"),
        ("kwp", [], 0, 1, "KWP wraps"),
        ("kwp", ["-d"], 16, 13, "another key"),
        ("kwp", ["--aad", "00"], 16, 2, "kwp has no use for --aad"),
        ("cbc-cs1", ["--iv", IV.hex()], 15, 1, "takes 16 or more"),
        ("cbc-cs3", ["--iv", IV.hex(), "-d"], 15, 14, "takes 16 or more"),
    ],
)
def test_refusals(mode: str, arguments: list[str], length: int, code: int, says: str) -> None:
    size = 64 if mode == "siv" else 32
    result = run("raw", *options_of(mode, key_of(size)), *arguments, stdin=pattern(length))
    assert result.code == code, result.err
    assert result.out == b""
    assert says in result.err


@pytest.mark.parametrize("mode", WRAP)
def test_hints_for_a_wrapped_key_name_what_it_has(mode: str) -> None:
    """It has neither a nonce nor additional data."""
    sealed = succeed("raw", *options_of(mode, key_of(16)), stdin=pattern(32)).out
    result = run("raw", "-d", *options_of(mode, key_of(32)), stdin=sealed)
    assert result.code == 13
    assert "hint: the key and the mode, kw or kwp, must be those of the wrapping" in result.err
    assert "nonce" not in result.err
    assert "additional data" not in result.err


@pytest.mark.parametrize("mode", ["ccm", "siv", "cbc-cs3"])
def test_files_that_say_they_are_empty(mode: str, tmp_path: Path) -> None:
    """Those of /proc: some of them give all that they hold to the first read, or lose it."""
    options = (
        "-q",
        "-m",
        mode,
        "--key-hex",
        pattern(32).hex(),
        *(["--iv", IV.hex()] if mode == "cbc-cs3" else []),
    )
    for source in map(Path, ("/proc/sys/kernel/pid_max", "/proc/cpuinfo")):
        if mode == "cbc-cs3" and len(source.read_bytes()) < 16:
            continue  # it is too short for this mode
        succeed("raw", *options, source, "-o", tmp_path / "out", "-f")
        opened = succeed("raw", "-d", *options, tmp_path / "out").out
        assert opened.splitlines()[0] == source.read_bytes().splitlines()[0]
        assert opened.endswith(b"\n")


def test_a_file_that_is_empty(key: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    options = ("-q", "-m", "cbc-cs3", "--iv", IV.hex(), "-k", key)
    result = run("raw", *options, tmp_path / "empty", "-o", tmp_path / "out")
    assert result.code == 1
    assert "empty has 0 bytes: cbc-cs3 takes 16 or more" in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("mode", WRAP)
def test_no_mode_is_advised_that_does_not_wrap_nothing_either(mode: str, key: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    result = run("raw", "--mode", mode, "-k", key, tmp_path / "empty", "-o", tmp_path / "out")
    assert result.code == 1
    assert "hint" not in result.err


LONG = (32 << 20) + 5  # kKeptInMemory of cli/spool.hpp, and more
LIBRARY: dict[str, Callable[[bytes, bytes, bytes, bytes], bytes]] = {
    "ccm": lambda key, nonce, data, aad: AESCCM(key).encrypt(nonce, data, aad),
    "gcm-siv": lambda key, nonce, data, aad: AESGCMSIV(key).encrypt(nonce, data, aad),
    "siv": lambda key, nonce, data, aad: AESSIV(key).encrypt(data, [aad, nonce]),
}


@pytest.mark.parametrize("mode", LIBRARY)
def test_long_files(mode: str, tmp_path: Path) -> None:
    """With the caller's nonce and a made one, and with the tag apart."""
    plain, out, tag = tmp_path / "plain", tmp_path / "out", tmp_path / "tag"
    data, nonce, aad = pattern(LONG), pattern(11 if mode == "ccm" else 12), pattern(20)
    plain.write_bytes(data)
    options = [*options_of(mode, key_of(32)), "--aad", aad.hex()]
    given = ["--nonce", nonce.hex()]
    expected = LIBRARY[mode](key_of(32), nonce, data, aad)
    succeed("raw", *options, *given, plain, "-o", out)
    assert out.read_bytes() == expected
    succeed("raw", *options, *given, "-f", "-", "-o", out, stdin=data)  # and from a pipe
    assert out.read_bytes() == expected
    if mode == "siv":
        return
    succeed("raw", *options, *given, "-f", "--tag-file", tag, plain, "-o", out)
    assert (out.read_bytes(), tag.read_bytes()) == (expected[:-16], expected[-16:])
    if mode == "ccm":
        return  # the nonce that it makes leaves no room for such a length
    succeed("raw", *options, "-f", plain, "-o", out)
    made = out.read_bytes()
    assert made[12:] == LIBRARY[mode](key_of(32), made[:12], data, aad)


def changed_while_it_is_read(
    mode: str, tmp_path: Path, change: Callable[[Path, subprocess.Popen[str]], object]
) -> tuple[int, str]:
    """Of modes that take part of a second for such a file."""
    plain = tmp_path / "plain"
    with plain.open("wb") as file:
        file.truncate(600 << 20)
    need_to_know_writers(plain)
    options = [*options_of(mode, key_of(32)), "--nonce", "00" * 11]
    command = command_line("raw", *options, plain, "-o", tmp_path / "out")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as program:
        wait_until_open(program, plain)
        time.sleep(0.1)  # work has begun
        change(plain, program)
        _, said = program.communicate(timeout=60)
    assert list(tmp_path.iterdir()) == [plain]
    return program.returncode, said


@pytest.mark.parametrize("mode", ["ccm", "siv"])
def test_a_long_file_that_becomes_shorter(mode: str, tmp_path: Path) -> None:
    code, said = changed_while_it_is_read(mode, tmp_path, lambda plain, _: os.truncate(plain, 4096))
    assert code == 1, said
    assert "plain became shorter while it was read" in said
    assert "hint: try again" in said


@pytest.mark.parametrize("mode", ["ccm", "siv"])
def test_a_long_file_that_is_written_to(mode: str, tmp_path: Path) -> None:
    """Its tag might be of other bytes than its ciphertext."""

    def write(plain: Path, _: object) -> None:
        with plain.open("r+b") as file:
            file.write(b"other")

    code, said = changed_while_it_is_read(mode, tmp_path, write)
    assert code == 1, said
    assert "plain was changed while it was read" in said


def test_a_signal_ends_long_work_at_once(tmp_path: Path) -> None:
    code, said = changed_while_it_is_read("ccm", tmp_path, lambda _, program: program.terminate())
    assert code == 130
    assert said.endswith("warpaes: error: interrupted\n")


def forbid_much_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))


@pytest.mark.parametrize("way", ["file", "pipe"])
@pytest.mark.parametrize("mode", ["kw", "kwp"])
def test_less_memory_than_a_message_needs(mode: str, way: str, tmp_path: Path) -> None:
    """It is told before anything is written, or when the pipe has brought too much."""
    message = tmp_path / "message"
    with message.open("wb") as file:
        file.truncate(600 << 20)
    command: list[str | Path] = ["raw", *options_of(mode, key_of(32)), "-o", tmp_path / "out"]
    with message.open("rb") as stream:
        done = subprocess.run(
            command_line(*command, *([message] if way == "file" else [])),
            stdin=stream if way == "pipe" else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
            env=environment(),
            preexec_fn=forbid_much_memory,
        )
    assert done.returncode == 1
    name = message if way == "file" else "standard input"
    assert f"error: {name} has to be in memory as a whole: no " in done.stderr
    assert "hint: `warpaes encrypt` authenticates chunk by chunk" in done.stderr
    assert list(tmp_path.iterdir()) == [message]


def test_help_tells_which_modes_need_memory_or_a_temporary_file() -> None:
    says = " ".join(succeed("raw", "--help").out.decode().split())
    assert "ccm, gcm-siv and siv need all of a message twice, so of a pipe more than 32 MiB wait in a" in says
    assert "kw and kwp are in memory as a whole" in says
