"""Files whose key is made of a passphrase, contexts, and other programs' files."""

import contextlib
import hashlib
import io
import os
import pty
import signal
import subprocess
import termios
import time
import tty
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


@pytest.fixture
def locked(word: Path, plain: Path) -> Path:
    succeed("encrypt", "-q", "--passphrase-file", word, plain)
    return plain.with_name("plain.wa")


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
    assert "no terminal" in run("encrypt", "-p", plain, start_new_session=True).err


def at_a_terminal(answers: list[bytes], *arguments: str | Path) -> tuple[int, bytes]:
    """Exit code and what the terminal showed, of a program that asks there."""
    child, controller = pty.fork()
    if child == 0:
        os.execve(command_line()[0], command_line(*arguments), environment())
    seen = b""
    for answer in answers:
        while not seen.endswith(b": "):
            seen += os.read(controller, 1000)
        os.write(controller, answer + b"\n")
        seen += b"|"
    try:
        while piece := os.read(controller, 1000):
            seen += piece
    except OSError:  # the other side is closed
        pass
    _, status = os.waitpid(child, 0)
    os.close(controller)
    return os.waitstatus_to_exitcode(status), seen


def test_asked_for_at_the_terminal(plain: Path, tmp_path: Path) -> None:
    sealed, out = plain.with_name("plain.wa"), tmp_path / "out"
    assert at_a_terminal([b"one", b"other"], "encrypt", "-p", plain)[0] == 1
    assert not sealed.exists()
    code, seen = at_a_terminal([b"sesame", b"sesame"], "encrypt", "-p", plain)
    assert code == 0, seen
    assert b"sesame" not in seen
    # Nothing says that it needs one; it asks by itself, once.
    code, seen = at_a_terminal([b"sesame"], "decrypt", sealed, "-o", out)
    assert code == 0, seen
    assert out.read_bytes() == plain.read_bytes()


def test_which_passphrase_is_asked_for(plain: Path) -> None:
    sealed = plain.with_name("plain.wa")
    assert at_a_terminal([b"sesame", b"sesame"], "encrypt", "-p", plain)[0] == 0
    # The old one first, whether an option says that there is one or the file.
    for new, old, option in ((b"new", b"sesame", []), (b"newer", b"new", ["-p"])):
        code, seen = at_a_terminal([old, new, new], "rekey", *option, "--new-passphrase", sealed)
        assert code == 0, seen
        assert 0 <= seen.index(b"Old passphrase: ") < seen.index(b"New passphrase: ")
    assert at_a_terminal([b"newer"], "verify", sealed)[0] == 0


def test_no_answer_is_no_passphrase(plain: Path) -> None:
    end_of_input = b"\x04"
    code, seen = at_a_terminal([end_of_input], "encrypt", "-p", plain)
    assert code == 1
    assert b"no passphrase was given" in seen
    code, seen = at_a_terminal([b""], "encrypt", "-p", plain)
    assert code == 1
    assert b"the passphrase is empty" in seen
    assert not plain.with_name("plain.wa").exists()


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
    assert run("encrypt", "-k", key, "--context", "x" * 513, plain).code == 2


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


def asking_program(*arguments: str | Path) -> tuple[int, int]:
    """A program that asks at a terminal of its own, and that terminal."""
    child, controller = pty.fork()
    if child == 0:
        os.execve(command_line()[0], command_line(*arguments), environment())
    read_prompt(controller)
    return child, controller


def read_prompt(controller: int) -> bytes:
    seen = b""
    while not seen.endswith(b": "):
        seen += os.read(controller, 1000)
    return seen


def shows_what_is_typed(controller: int) -> bool:
    return bool(termios.tcgetattr(controller)[3] & termios.ECHO)


def stops(child: int) -> bool:
    for _ in range(1000):
        stopped, status = os.waitpid(child, os.WUNTRACED | os.WNOHANG)
        if stopped:
            return os.WIFSTOPPED(status)
        time.sleep(0.01)
    return False


def test_the_terminal_shows_what_is_typed_after_sigquit(plain: Path) -> None:
    child, controller = asking_program("encrypt", "-p", plain)
    assert not shows_what_is_typed(controller)
    os.write(controller, b"\x1c")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert shows_what_is_typed(controller)
    os.close(controller)


def test_the_terminal_shows_what_is_typed_after_another_signal(plain: Path) -> None:
    child, controller = asking_program("encrypt", "-p", plain)
    os.kill(child, signal.SIGUSR1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert shows_what_is_typed(controller)
    os.close(controller)


def test_an_empty_passphrase_is_asked_for_once(word: Path, plain: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}" for number in range(3)]
    for file in files:
        file.write_bytes(plain.read_bytes())
    succeed("encrypt", "--rm", "--passphrase-file", word, *files)
    sealed = [f"{file}.wa" for file in files]
    code, seen = at_a_terminal([b""], "verify", *sealed)
    assert (code, seen.count(b"Passphrase: ")) == (1, 1)
    assert seen.count(b"error: the passphrase is empty") == seen.count(b"error") == 1
    result = run("verify", "--json", *sealed, start_new_session=True)
    assert result.code == 2
    assert result.err.count("error: no passphrase, and no terminal") == result.err.count("error") == 1
    assert [line["type"] for line in result.lines] == ["error"]
    code, seen = at_a_terminal([b""], "rekey", "--new-passphrase", *sealed)
    assert (code, seen.count(b"assphrase: ")) == (1, 1)


def test_a_terminal_that_hands_over_single_keys(word: Path, plain: Path) -> None:
    """As a program leaves it that did not tidy up, or `stty raw`: the first key is not all that is typed."""
    word.write_text("sesame")
    child, controller = pty.fork()
    if child == 0:
        tty.setraw(0)
        os.execve(command_line()[0], command_line("encrypt", "-p", plain), environment())
    for _ in range(2):
        read_prompt(controller)
        for letter in b"sesame\r":
            os.write(controller, bytes([letter]))
            time.sleep(0.02)
    with contextlib.suppress(OSError):  # the other side is closed
        while os.read(controller, 1000):
            pass
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert not termios.tcgetattr(controller)[3] & termios.ICANON  # as it was
    os.close(controller)
    succeed("verify", "--passphrase-file", word, plain.with_name("plain.wa"))


def test_stopped_and_continued_while_it_asks(plain: Path) -> None:
    """The shell shows what is typed meanwhile, and the passphrase is not shown afterwards."""
    child, controller = asking_program("encrypt", "-q", "-p", plain)
    os.kill(child, signal.SIGTSTP)
    assert stops(child)
    assert shows_what_is_typed(controller)
    os.kill(child, signal.SIGCONT)
    seen = read_prompt(controller)
    assert not shows_what_is_typed(controller)
    os.write(controller, b"sesame\n")
    seen += read_prompt(controller)
    os.write(controller, b"sesame\n")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"sesame" not in seen
    os.close(controller)


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


def test_inspect_knows_passphrases(word: Path, plain: Path, locked: Path) -> None:
    line = succeed("inspect", "--json", locked).last
    assert line["plaintext_bytes"] == plain.stat().st_size
    assert "passphrase" in line["format"]
    assert (
        succeed("inspect", "--json", "--passphrase-file", word, locked)
        .last["format"]
        .startswith("Cobblestone-256")
    )


def test_no_passphrase_is_an_argument(plain: Path) -> None:
    text = subprocess.run(
        command_line("encrypt", "--help"), check=True, capture_output=True, text=True
    ).stdout
    assert "--passphrase-fd NUMBER" in text
    assert run("encrypt", "--passphrase=secret", plain).code == 2
