"""`warpaes kdf` against `openssl kdf` and `cryptography`; where secrets come from and where keys go."""

import os
import pty
import resource
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from tests.cli.openssl_program import openssl
from tests.cli.program import command_line, environment, pattern, run, succeed

PASSPHRASE, SALT = b"correct horse battery staple", bytes(range(16))


@pytest.fixture
def passphrase(tmp_path: Path) -> Path:
    path = tmp_path / "passphrase"
    path.write_bytes(PASSPHRASE + b"\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_bytes(pattern(40))
    path.chmod(0o600)
    return path


def by_openssl(function: str, size: int, *options: str) -> bytes:
    pairs = [argument for option in options for argument in ("-kdfopt", option)]
    return openssl("kdf", "-keylen", str(size), "-binary", *pairs, function)


@pytest.mark.parametrize("size", [1, 16, 32, 64, 200])
@pytest.mark.parametrize(
    ("ours", "function", "theirs"),
    [
        pytest.param(
            ["pbkdf2", "--iterations", "1000"], "PBKDF2", ["digest:SHA256", "iter:1000"], id="pbkdf2"
        ),
        pytest.param(
            ["pbkdf2", "--hash", "sha1", "--iterations", "1000"],
            "PBKDF2",
            ["digest:SHA1", "iter:1000"],
            id="pbkdf2 with sha1",
        ),
        pytest.param(
            ["pbkdf2", "--hash", "sha512", "--iterations", "1000"],
            "PBKDF2",
            ["digest:SHA512", "iter:1000"],
            id="pbkdf2 with sha512",
        ),
        pytest.param(
            ["scrypt", "--cost", "1024", "--block-size", "4", "--parallelism", "2"],
            "SCRYPT",
            ["n:1024", "r:4", "p:2"],
            id="scrypt",
        ),
    ],
)
def test_passphrases_as_openssl_does(
    ours: list[str], function: str, theirs: list[str], size: int, passphrase: Path
) -> None:
    options = ["--salt", SALT.hex(), "--passphrase-file", str(passphrase), "--bytes", str(size)]
    expected = by_openssl(function, size, f"pass:{PASSPHRASE.decode()}", f"hexsalt:{SALT.hex()}", *theirs)
    assert succeed("kdf", *ours, *options, "--raw", "-o", "-").out == expected
    assert succeed("kdf", *ours, *options, "-o", "-").out == expected.hex().encode() + b"\n"


@pytest.mark.parametrize("hash_name", ["sha256", "sha384", "sha512"])
@pytest.mark.parametrize("salt", [b"", SALT])
@pytest.mark.parametrize("info", ["", "what it is for"])
def test_hkdf_as_openssl_does(hash_name: str, salt: bytes, info: str, secret: Path) -> None:
    theirs = [f"digest:{hash_name}", f"hexkey:{secret.read_bytes().hex()}"]
    ours = ["--hash", hash_name, "--secret-file", str(secret), "--bytes", "100", "--raw", "-o", "-"]
    if salt:
        theirs.append(f"hexsalt:{salt.hex()}")
        ours += ["--salt", salt.hex()]
    if info:
        theirs.append(f"info:{info}")
        ours += ["--info", info]
    expected = by_openssl("HKDF", 100, *theirs)
    assert succeed("kdf", "hkdf", *ours).out == expected
    if info:
        ours[-2:] = ["--info-hex", info.encode().hex()]
        assert succeed("kdf", "hkdf", *ours).out == expected


def argon2_is_here() -> bool:
    return subprocess.run(["ldconfig", "-p"], check=False, capture_output=True).stdout.find(b"libargon2") > 0


def test_argon2id_as_cryptography_does(passphrase: Path) -> None:
    options = ["--iterations", "2", "--memory", "256", "--lanes", "3", "--bytes", "48"]
    result = run(
        *["kdf", "argon2id", *options, "--salt", SALT.hex(), "--raw", "-o", "-"],
        *["--passphrase-file", str(passphrase)],
    )
    if result.code == 4 and "libargon2" in result.err and not argon2_is_here():
        pytest.skip(result.err)
    expected = Argon2id(salt=SALT, length=48, iterations=2, lanes=3, memory_cost=256).derive(PASSPHRASE)
    assert result.out == expected


def test_argon2id_without_its_library(passphrase: Path) -> None:
    """In a mount namespace in which the library is not to be found."""
    found = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    paths = [line.split()[-1] for line in found.splitlines() if "libargon2.so.1" in line]
    hide = 'for path in $PATHS; do mount --bind /dev/null $path || exit 99; done; exec "$@"'
    arguments = command_line(
        *["kdf", "argon2id", "--salt", SALT.hex(), "-o", "-", "--passphrase-file", str(passphrase)]
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", hide, "sh", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=environment(PATHS=" ".join(paths)),
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("a mount namespace cannot be made here")
    assert done.returncode == 4
    assert done.stdout == ""
    assert "argon2id needs libargon2.so.1 (Debian's libargon2-1): " in done.stderr


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, 300 << 20))


@pytest.mark.parametrize(
    ("function", "option", "least"),
    [
        ("argon2id", "--iterations", 1),
        ("argon2id", "--memory", 8),
        ("argon2id", "--lanes", 1),
        ("scrypt", "--cost", 1),
        ("scrypt", "--block-size", 1),
        ("scrypt", "--parallelism", 1),
        ("pbkdf2", "--iterations", 1),
    ],
)
def test_no_cost_is_not_the_usual_cost(function: str, option: str, least: int, passphrase: Path) -> None:
    """0 is the library's own choice, and nobody who types it means that."""
    given = ("kdf", function, "--salt", SALT.hex(), "--passphrase-file", passphrase, "-o", "-")
    result = run(*given, option, str(least - 1))
    assert result.code == 2
    assert f"{option}: it takes a number from {least} to " in result.err
    assert result.out == b""


@pytest.mark.parametrize(
    "options", [["scrypt", "--cost", str(1 << 20)], ["argon2id", "--memory", str(1 << 20), "--lanes", "1"]]
)
def test_too_little_memory(options: list[str], passphrase: Path, tmp_path: Path) -> None:
    """Both ask for a GiB."""
    arguments = ["--salt", SALT.hex(), "--passphrase-file", str(passphrase), "-o", str(tmp_path / "out")]
    result = run("kdf", *options, *arguments, preexec_fn=limit_memory)
    assert result.code == 1 or (result.code == 4 and not argon2_is_here())
    assert "too little memory for" in result.err or result.code == 4
    assert not (tmp_path / "out").exists()


def test_a_file_for_the_owner_alone(passphrase: Path, tmp_path: Path) -> None:
    key = tmp_path / "derived"
    options = ["--iterations", "1000", "--salt", SALT.hex(), "--passphrase-file", str(passphrase)]
    line = succeed("kdf", "pbkdf2", *options, "--json", "-o", key).last
    assert line == {
        "type": "summary",
        "command": "kdf",
        "function": "pbkdf2",
        "output": str(key),
        "bytes": 32,
    }
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert succeed("encrypt", "-k", key, "-", stdin=b"hello").out  # it is a key
    before = key.read_bytes()
    result = run("kdf", "pbkdf2", *options, "-o", key)
    assert result.code == 1
    assert "exists already" in result.err
    assert key.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"one\ntwo\n", "more than one line"),
        (b"x" * 70_000, "more than 65536 bytes"),
    ],
)
def test_what_is_no_passphrase(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(content)
    path.chmod(0o600)
    result = run("kdf", "scrypt", "--salt", "00", "--passphrase-file", path, "-o", tmp_path / "out")
    assert result.code == 1
    assert says in result.err
    assert not (tmp_path / "out").exists()


def test_line_ends_are_no_part_of_a_passphrase(passphrase: Path) -> None:
    options = ["kdf", "pbkdf2", "--iterations", "10", "--salt", "00", "-o", "-"]
    expected = succeed(*options, "--passphrase-file", passphrase).out
    for content in (PASSPHRASE, PASSPHRASE + b"\r\n"):
        passphrase.write_bytes(content)
        assert succeed(*options, "--passphrase-file", passphrase).out == expected


@pytest.mark.parametrize("option", ["--passphrase-file", "--secret-file"])
def test_others_can_read_it(option: str, passphrase: Path, tmp_path: Path) -> None:
    passphrase.chmod(0o644)
    function = ["hkdf"] if option == "--secret-file" else ["pbkdf2", "--iterations", "1", "--salt", "00"]
    result = run("kdf", *function, option, passphrase, "-o", tmp_path / "out")
    assert result.code == 1
    assert "can be used by other users (mode 0644)" in result.err
    assert f"chmod 600 {passphrase}" in result.err
    succeed("kdf", *function, option, passphrase, "--insecure-key-file", "-o", tmp_path / "out")


def test_by_descriptor(secret: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, secret.read_bytes())
    os.close(writing)
    by_fd = succeed("kdf", "hkdf", "--secret-fd", str(reading), "-o", "-", pass_fds=(reading,))
    os.close(reading)
    assert by_fd.out == succeed("kdf", "hkdf", "--secret-file", secret, "-o", "-").out


def test_hkdf_takes_no_salt_but_none_that_is_empty(secret: Path) -> None:
    succeed("kdf", "hkdf", "--secret-file", secret, "-o", "-")
    for salt in (["--salt", ""], ["--salt-file", "/dev/null"]):
        result = run("kdf", "hkdf", "--secret-file", secret, *salt, "-o", "-")
        assert result.code == 2
        assert "the salt is empty" in result.err
        assert "leave the option out" in result.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["kdf"], 2, "no command was given"),
        (["kdf", "hkdf", "-o", "-"], 2, "no secret"),
        (["kdf", "pbkdf2", "-o", "-"], 2, "no salt"),
        (["kdf", "scrypt", "--salt", "", "-o", "-"], 2, "the salt is empty"),
        (["kdf", "pbkdf2", "--salt-file", "/dev/null", "-o", "-"], 2, "the salt is empty"),
        (["kdf", "scrypt", "--salt", "0", "-o", "-"], 2, "pairs of hexadecimal digits"),
        (["kdf", "scrypt", "--salt", "00", "--cost", "1000", "-o", "-"], 2, "no power of 2"),
        (["kdf", "scrypt", "--salt", "00", "--cost", "1099511627776", "-o", "-"], 2, "more than 16 GiB"),
        (["kdf", "pbkdf2", "--salt", "00", "--iterations", "0", "-o", "-"], 2, "iterations"),
        (["kdf", "argon2id", "--salt", "00", "-o", "-"], 2, "salt of 8 bytes"),
        (
            ["kdf", "argon2id", "--salt", SALT.hex(), "--bytes", "3", "-o", "-"],
            2,
            "--bytes: argon2id derives 4 to 1048576 bytes, not 3",
        ),
        (["kdf", "argon2id", "--salt", SALT.hex(), "--memory", "8", "-o", "-"], 2, "8 KiB a lane"),
        (["kdf", "hkdf", "--hash", "sha1", "-o", "-"], 2, "sha1"),
        (["kdf", "pbkdf2", "--salt", "00", "--json", "-o", "-"], 2, "standard output"),
        (["kdf", "pbkdf2", "--salt", "00"], 2, "--output"),
        (["kdf", "pbkdf2", "--salt", "00", "--bytes", "0", "-o", "-"], 2, "--bytes"),
    ],
)
def test_misuse(arguments: list[str], code: int, says: str, passphrase: Path) -> None:
    if arguments[1:2] not in ([], ["hkdf"]):
        arguments = [*arguments, "--passphrase-file", str(passphrase)]
    result = run(*arguments)
    assert result.code == code
    assert says in result.err
    assert result.out.startswith(b"{") or result.out == b""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bytes", "8161"], "--bytes: hkdf derives 1 to 8160 bytes, not 8161"),
        (["--hash", "sha384", "--bytes", "12241"], "--bytes: hkdf derives 1 to 12240 bytes, not 12241"),
        (["--hash", "sha512", "--bytes", "16321"], "--bytes: hkdf derives 1 to 16320 bytes, not 16321"),
        (["--info", "x" * 1025], "info is of more than 1024 bytes"),
    ],
)
def test_lengths_that_hkdf_does_not_have(arguments: list[str], says: str, secret: Path) -> None:
    result = run("kdf", "hkdf", "--secret-file", secret, *arguments, "-o", "-")
    assert result.code == 2
    assert says in result.err
    assert result.err.endswith("warpaes: hint: warpaes kdf hkdf --help\n")
    assert result.out == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["scrypt", "--cost", "1000"],
        ["pbkdf2", "--iterations", "0"],
        ["argon2id", "--memory", "8"],
        ["argon2id", "--bytes", "3"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_hint_names_the_command(arguments: list[str], passphrase: Path) -> None:
    result = run("kdf", *arguments, "--salt", SALT.hex(), "--passphrase-file", passphrase, "-o", "-")
    assert result.code == 2
    assert result.err.endswith(f"warpaes: hint: warpaes kdf {arguments[0]} --help\n")


def test_there_is_no_option_for_the_passphrase_itself() -> None:
    assert run("kdf", "scrypt", "--passphrase", "x", "--salt", "00", "-o", "-").code == 2


def test_no_terminal_to_ask_at(tmp_path: Path) -> None:
    result = run("kdf", "scrypt", "--salt", "00", "-o", tmp_path / "out", start_new_session=True)
    assert result.code == 2
    assert "no terminal to ask for it at" in result.err
    assert "--passphrase-file" in result.err


def typed(*answers: bytes) -> tuple[int, bytes, bytes]:
    """Exit code, standard output, and what the terminal showed."""
    reading, writing = os.pipe()
    child, controller = pty.fork()
    if child == 0:
        os.dup2(writing, 1)
        command = command_line("kdf", "pbkdf2", "--iterations", "10", "--salt", SALT.hex(), "-o", "-")
        os.execve(command[0], command, environment())
    os.close(writing)
    shown = b""
    for answer in answers:
        while not shown.rstrip(b" ").endswith(b":"):
            shown += os.read(controller, 1000)
        time.sleep(0.3)  # until it shows nothing
        os.write(controller, answer + b"\n")
        shown += os.read(controller, 2)
    with os.fdopen(reading, "rb") as output:
        out = output.read()
    try:
        while piece := os.read(controller, 1000):
            shown += piece
    except OSError:  # Linux says EIO when the last writer has closed the terminal
        pass
    _, status = os.waitpid(child, 0)
    os.close(controller)
    return os.waitstatus_to_exitcode(status), out, shown


def test_asked_for_at_the_terminal(passphrase: Path) -> None:
    code, out, shown = typed(PASSPHRASE, PASSPHRASE)
    assert code == 0
    assert PASSPHRASE not in shown
    by_file = succeed(
        *["kdf", "pbkdf2", "--iterations", "10", "--salt", SALT.hex(), "-o", "-"],
        *["--passphrase-file", str(passphrase)],
    )
    assert out == by_file.out


def test_typed_differently(passphrase: Path) -> None:
    code, out, shown = typed(PASSPHRASE, PASSPHRASE + b"x")
    assert code == 1
    assert out == b""
    assert b"the two passphrases differ" in shown


@pytest.mark.parametrize("write", [lambda path: path.write_bytes(b""), lambda path: path.mkdir()])
def test_an_output_that_is_in_the_way(
    write: Callable[[Path], object], passphrase: Path, tmp_path: Path
) -> None:
    write(tmp_path / "out")
    started = time.monotonic()
    result = run(
        *["kdf", "pbkdf2", "--iterations", "2000000000", "--salt", "00"],
        *["--passphrase-file", str(passphrase), "-o", str(tmp_path / "out")],
    )
    assert result.code == 1
    assert time.monotonic() - started < 30  # said before the work, not after it
