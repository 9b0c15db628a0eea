"""Keys by file, descriptor and environment; what is no key; keygen."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.unprivileged import Unprivileged

RAW = pattern(32)


def write_key(path: Path, content: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda key: key, id="raw"),
        pytest.param(lambda key: key.hex().encode(), id="digits"),
        pytest.param(lambda key: key.hex().upper().encode() + b"\n", id="upper case and a line end"),
        pytest.param(lambda key: key.hex().encode() + b"\r\n", id="another line end"),
    ],
)
@pytest.mark.parametrize("size", [16, 32])
def test_all_forms_of_one_key_are_the_same(size: int, form: Callable[[bytes], bytes], tmp_path: Path) -> None:
    sealed = succeed("encrypt", "-k", write_key(tmp_path / "raw", RAW[:size]), "-", stdin=b"hello").out
    other = write_key(tmp_path / "other", form(RAW[:size]))
    assert succeed("decrypt", "-k", other, "-", stdin=sealed).out == b"hello"


def test_32_digits_are_a_128_bit_key(tmp_path: Path, plain: Path) -> None:
    key = write_key(tmp_path / "digits", b"0123456789abcdef" * 2)
    succeed("encrypt", "-k", key, plain)
    line = succeed("inspect", "--json", "-k", key, plain.with_name("plain.wa")).last
    assert line["format"] == "Cobblestone-128"


def test_by_descriptor_and_by_environment(key: Path) -> None:
    sealed = succeed("encrypt", "-k", key, "-", stdin=b"hello").out
    reading, writing = os.pipe()
    os.write(writing, RAW)
    os.close(writing)
    opened = succeed("decrypt", "--key-fd", str(reading), "-", stdin=sealed, pass_fds=(reading,))
    os.close(reading)
    assert opened.out == b"hello"
    for variables in ({"WARPAES_KEY": RAW.hex()}, {"WARPAES_KEY_FILE": str(key)}):
        assert succeed("decrypt", "-", stdin=sealed, env=environment(**variables)).out == b"hello"


def test_inspect_takes_the_key_of_the_environment(key: Path, sealed: Path) -> None:
    for variables in ({"WARPAES_KEY": key.read_bytes().hex()}, {"WARPAES_KEY_FILE": str(key)}):
        line = succeed("inspect", "--json", sealed, env=environment(**variables)).last
        assert line["format"] == "Cobblestone-256"
    assert run("inspect", sealed, env=environment(WARPAES_KEY="00" * 32)).code == 12


def test_inspect_checks_a_context_or_says_that_it_cannot(key: Path, plain: Path) -> None:
    succeed("encrypt", "-k", key, "--context", "right", plain)
    sealed = plain.with_name("plain.wa")
    assert succeed("inspect", "-k", key, "--context", "right", sealed).code == 0
    assert run("inspect", "-k", key, "--context", "wrong", sealed).code == 12
    result = run("inspect", "--context", "right", sealed)
    assert result.code == 2
    assert "--context is checked with the key, and there is none" in result.err


@pytest.mark.parametrize("number", ["-1", "x", "1x", "0.5", "99999999999"])
@pytest.mark.parametrize("option", ["--key-fd", "--passphrase-fd"])
def test_no_descriptor(option: str, number: str, plain: Path) -> None:
    result = run("encrypt", option, number, plain)
    assert result.code == 2
    assert f"{option}: '{number}' is not the number of a file descriptor" in result.err


def test_an_option_goes_before_the_environment(key: Path) -> None:
    sealed = succeed("encrypt", "-k", key, "-", stdin=b"hello").out
    wrong = environment(WARPAES_KEY="00" * 32)
    assert succeed("decrypt", "-k", key, "-", stdin=sealed, env=wrong).out == b"hello"
    assert run("decrypt", "-", stdin=sealed, env=wrong).code == 12


def test_no_key_or_two_are_matters_of_usage(key: Path, plain: Path) -> None:
    assert run("encrypt", plain).code == 2
    both = environment(WARPAES_KEY=RAW.hex(), WARPAES_KEY_FILE=str(key))
    assert run("encrypt", plain, env=both).code == 2
    assert run("encrypt", "-k", key, "--key-fd", "3", plain).code == 2


def test_an_empty_variable_names_no_file(plain: Path) -> None:
    result = run("encrypt", plain, env=environment(WARPAES_KEY_FILE=""))
    assert result.code == 2
    assert "error: $WARPAES_KEY_FILE is empty" in result.err


def test_missing(tmp_path: Path, plain: Path) -> None:
    result = run("encrypt", "-k", tmp_path / "nothing", plain)
    assert result.code == 10
    assert f"key file {tmp_path / 'nothing'}" in result.err


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(RAW[:15], id="15 bytes"),
        pytest.param(RAW[:31], id="31 bytes"),
        pytest.param(RAW + b"\n", id="raw and a line end"),
        pytest.param(RAW.hex().encode()[:-1], id="63 digits"),
        pytest.param(RAW.hex().encode() + b"0", id="65 digits"),
        pytest.param(b"g" + RAW.hex().encode()[1:], id="no digit among 64"),
        pytest.param(pattern(1000), id="long"),
    ],
)
def test_what_is_no_key(content: bytes, tmp_path: Path, plain: Path) -> None:
    result = run("encrypt", "-k", write_key(tmp_path / "k", content), plain)
    assert result.code == 1
    assert "holds no key" in result.err
    assert "warpaes: hint: a key is 32 or 16 random bytes" in result.err
    assert not plain.with_name("plain.wa").exists()


def test_a_key_with_a_typing_mistake(tmp_path: Path, plain: Path) -> None:
    result = run("encrypt", "-k", write_key(tmp_path / "k", b"g" + RAW.hex().encode()[1:] + b"\n"), plain)
    assert result.code == 1
    assert "not all of its 64 characters are hexadecimal digits" in result.err


@pytest.mark.parametrize("text", ["{} ", " {}", "{}\n\n", "\t{}\r\n \r\n"])
def test_a_key_with_white_space(text: str, tmp_path: Path, plain: Path) -> None:
    """As editors and copied lines leave it."""
    result = run("encrypt", "-k", write_key(tmp_path / "k", text.format(RAW.hex()).encode()), plain)
    assert result.code == 1
    assert "holds no key: there is white space around its 64 hexadecimal digits\n" in result.err


def test_a_key_of_one_byte(tmp_path: Path, plain: Path) -> None:
    result = run("encrypt", "-k", write_key(tmp_path / "k", b"?"), plain)
    assert "holds no key: it is 1 byte long\n" in result.err


def test_a_folder_is_no_key(tmp_path: Path, plain: Path) -> None:
    result = run("encrypt", "-k", tmp_path, plain)
    assert result.code == 1
    assert "folder" in result.err


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o777])
def test_others_can_read_it(mode: int, tmp_path: Path, plain: Path) -> None:
    key = write_key(tmp_path / "open", RAW, mode)
    result = run("encrypt", "-k", key, plain)
    assert result.code == 1
    assert f"mode {mode:04o}" in result.err
    assert f"hint: chmod 600 {key}" in result.err
    succeed("encrypt", "--insecure-key-file", "-k", key, plain)


def test_unreadable(unprivileged: Unprivileged) -> None:
    key = write_key(unprivileged.folder / "theirs", RAW, 0o000)
    plain = unprivileged.folder / "plain"
    plain.write_bytes(b"hello")
    result = unprivileged.run("encrypt", "-k", key, plain)
    assert result.code == 1
    assert "Permission denied" in result.err


def test_never_on_the_command_line(plain: Path) -> None:
    assert run("encrypt", "--key", RAW.hex(), plain).code == 2


def test_the_environment_forgets_the_key() -> None:
    command = command_line("encrypt", "-")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment(WARPAES_KEY=RAW.hex())
    ) as running:
        assert running.stdin
        running.stdin.write(bytes(1 << 20))  # more than a pipe holds: so the program is at work
        variables = Path(f"/proc/{running.pid}/environ")
        # Only root may look into a process that forbids core dumps.
        seen = variables.read_bytes() if os.access(variables, os.R_OK) else b""
        running.stdin.close()
        assert running.wait(60) == 0
    assert RAW.hex().encode() not in seen


@pytest.mark.parametrize(
    ("bits", "raw"),
    [(256, False), (128, False), (256, True), (128, True), (192, False), (384, True), (512, False)],
)
def test_keygen(bits: int, raw: bool, tmp_path: Path) -> None:
    keys = []
    for name in ("one", "two"):
        path = tmp_path / name
        line = succeed("keygen", "--json", "--bits", str(bits), *["--raw"] * raw, "-o", path).last
        assert line == {"type": "summary", "command": "keygen", "output": str(path), "key_bits": bits}
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        content = path.read_bytes()
        keys.append(content if raw else bytes.fromhex(content.decode()))
    assert [len(key) for key in keys] == [bits // 8] * 2
    assert keys[0] != keys[1]
    if bits in (128, 256):  # the others are for raw modes
        sealed = succeed("encrypt", "-k", tmp_path / "one", "-", stdin=b"hello").out
        assert succeed("decrypt", "-k", tmp_path / "one", "-", stdin=sealed).out == b"hello"


def test_keygen_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("precious")
    result = run("keygen", "-o", path)
    assert result.code == 1
    assert "--force" not in result.err  # it has none
    assert path.read_text() == "precious"
    assert run("keygen").code == 2
    for stream in ("-", "/dev/stdout"):
        assert "a key is written to a file only" in run("keygen", "-o", stream).err
    assert run("keygen", "-o", "-").code == 2
    assert run("keygen", "--bits", "160", "-o", tmp_path / "odd").code == 2
    assert not (tmp_path / "odd").exists()


def test_no_key_for_many_files(key: Path, plain: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        file.write_bytes(plain.read_bytes())
    succeed("encrypt", "--rm", "-k", key, *files)
    for verb in ("verify", "decrypt"):
        result = run(verb, *(f"{file}.wa" for file in files))
        assert result.code == 2
        assert result.err == "warpaes: error: no key\nwarpaes: hint: --key-file FILE\n"
