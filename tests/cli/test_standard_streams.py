"""Standard streams that are closed, full or read by nobody: the work is done and the exit code is right."""

import json
import os
import pty
import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, damage_end, environment, pattern, run, succeed
from tests.cli.test_outputs import limit_file_size


def run_by_shell(redirection: str, *arguments: str | Path, timeout: float = 60) -> int:
    """The exit code of the program under a shell's redirections such as `<&-`, which closes a stream."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *command_line(*arguments)]
    return subprocess.run(command, check=False, timeout=timeout, env=environment()).returncode


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_messages_that_cannot_be_written(redirection: str, key: Path, sealed: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a", "b", "c")]
    for path in files:
        path.write_bytes(b"hello")
    assert run_by_shell(redirection, "encrypt", "-k", key, *files) == 0
    assert all(path.with_name(path.name + ".wa").exists() for path in files)
    damage_end(sealed)
    assert run_by_shell(redirection, "verify", "-k", key, sealed) == 13
    assert run_by_shell(redirection, "encrypt", "--frobnicate") == 2


def test_nobody_reads_the_messages(key: Path, sealed: Path) -> None:
    damage_end(sealed)
    for arguments, code in ((["verify", "-k", key, sealed], 13), (["encrypt", "--frobnicate"], 2)):
        reading, writing = os.pipe()
        os.close(reading)
        command = command_line(*arguments)
        done = subprocess.run(command, check=False, timeout=60, stderr=writing, env=environment())
        os.close(writing)
        assert done.returncode == code


def test_a_closed_stream_does_not_become_the_key_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert run_by_shell("<&- >&- 2>&-", "keygen", "-o", path) == 0
    assert len(path.read_bytes().strip()) == 64


def test_closed_streams_are_errors_where_they_are_used(key: Path, sealed: Path, tmp_path: Path) -> None:
    closed_input = run_by_shell("<&- 2>/dev/null", "encrypt", "-k", key, "-", "-o", tmp_path / "x")
    closed_output = run_by_shell(">&- 2>/dev/null", "decrypt", "-k", key, sealed, "-o", "-")
    assert (closed_input, closed_output) == (1, 1)
    for verb in (["raw", "--mode", "ctr", "--iv", "00" * 16], ["mac", "--mode", "cmac", "-"]):
        assert run_by_shell("<&- >/dev/null 2>&1", *verb, "-k", key) == 1
    assert not (tmp_path / "x").exists()


def forbid_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    "arguments", ["--help", "--version", "engines", "inspect --json plain.wa", "completion bash", "calibrate"]
)
def test_a_file_size_limit(arguments: str, sealed: Path, tmp_path: Path) -> None:
    variables = environment(XDG_CACHE_HOME=str(tmp_path / "cache"))
    with (tmp_path / "out").open("wb") as out:
        result = run(
            *arguments.split(), cwd=sealed.parent, env=variables, stdout=out, preexec_fn=forbid_files
        )
    assert result.code == 1
    assert result.err.startswith("warpaes: error: ")
    assert "File too large" in result.err
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.parametrize("way", ["in", "out"])
def test_the_other_end_of_a_pipe(way: str, key: Path, sealed: Path) -> None:
    """It never gets ready for what is wanted of it."""
    reading, writing = os.pipe()
    command = ["encrypt", "-", "-o", "x"] if way == "in" else ["decrypt", str(sealed), "-o", "-"]
    result = subprocess.run(
        command_line(*command, "-k", key),
        stdin=writing if way == "in" else subprocess.DEVNULL,
        stdout=reading if way == "out" else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=key.parent,
        env=environment(),
        check=False,
        timeout=30,
    )
    with os.fdopen(reading), os.fdopen(writing, "w"):
        assert result.returncode == 1
    assert f"standard {way}put: Bad file descriptor".encode() in result.stderr


def test_names_cannot_command_the_terminal(key: Path, tmp_path: Path) -> None:
    path = tmp_path / "two\nlines \x1b[31m it's"
    path.write_bytes(b"hello")
    shown = str(tmp_path) + "/two\\nlines \\x1b[31m it\\'s"
    texts = [
        run("encrypt", "-k", key, path).err,
        run("encrypt", "-k", key, path).err,  # the output exists
        run("verify", "-k", key, path).err,
        run("decrypt", "-k", key, path).err,
        run("encrypt", "-k", key, f"{path}?").err,
        run("keygen", "-o", f"{path}.key").err,
        run("encrypt", "-k", path, path).err,
        succeed("inspect", f"{path}.wa").out.decode(),
    ]
    for text in texts:
        assert "\x1b" not in text
        assert "two\nlines" not in text
        assert f"$'{shown}" in text, text
    assert succeed("verify", "--json", "-k", key, f"{path}.wa").lines[0]["input"] == f"{path}.wa"


@pytest.mark.parametrize("verb", ["decrypt", "verify", "inspect"])
def test_one_end_of_file_ends_what_is_typed(verb: str, key: Path) -> None:
    """A terminal gives more behind it, for which the program waited."""
    controller, terminal = pty.openpty()
    os.write(controller, b"hello\n\x04")
    command = command_line(verb, "-k", key, "-")
    done = subprocess.run(
        command, check=False, timeout=20, stdin=terminal, capture_output=True, env=environment()
    )
    os.close(terminal)
    os.close(controller)
    assert done.returncode == 14


def test_no_output_takes_the_place_of_a_link_to_an_open_file(key: Path, plain: Path, tmp_path: Path) -> None:
    """Root could replace /dev/stderr so, where that is sent to a file."""
    messages, near, far = (tmp_path / name for name in ("messages", "near", "far"))
    near.symlink_to("/proc/self/fd/2")
    far.symlink_to("near")
    for link in (near, far):
        with messages.open("wb") as stderr:
            command = command_line("encrypt", "--force", "-k", key, plain, "-o", link)
            done = subprocess.run(command, check=False, timeout=60, stderr=stderr, env=environment())
        assert done.returncode == 1
        assert f"{link} is not a file" in messages.read_text()
        assert link.is_symlink()


RAW = ["raw", "-k", "key", "plain", "--force", "--json"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["encrypt", "-k", "key", "plain", "-o", "FILE", "--force", "--json"],
        ["encrypt", "-k", "key", "plain", "-o", "FILE"],
        ["encrypt", "-k", "key", "-r", ".", "--force", "--json"],
        ["decrypt", "-k", "key", "plain.wa", "-o", "FILE", "--force", "--json"],
        ["rekey", "-k", "key", "--new-context", "x", "plain.wa", "-o", "FILE", "--force", "--json"],
        [*RAW, "--mode", "ctr", "--iv", "00" * 16, "-o", "FILE"],
        [*RAW, "--mode", "gcm", "-o", "FILE"],
        [*RAW, "--mode", "gcm", "-o", "new", "--tag-file", "FILE"],
        ["keygen", "-o", "FILE", "--json"],
    ],
    ids=lambda arguments: " ".join(arguments[:6]),
)
@pytest.mark.usefixtures("sealed")
@pytest.mark.parametrize(("redirection", "stream"), [(">", "standard output"), ("2>", "standard error")])
def test_no_output_takes_the_place_of_what_a_stream_goes_to(
    arguments: list[str], redirection: str, stream: str, tmp_path: Path
) -> None:
    """What is written there would be lost with the file that is replaced."""
    name = "file.wa" if "-r" in arguments else "FILE"
    (tmp_path / name.removesuffix(".wa")).write_bytes(b"hello")
    before = sorted({path.name for path in tmp_path.iterdir()} - {name})
    other = "2>messages" if redirection == ">" else ">report"
    arguments = [str(tmp_path / name) if argument == "FILE" else argument for argument in arguments]
    command = ["sh", "-c", f'exec "$@" {redirection}{name} {other}', "sh", *command_line(*arguments)]
    done = subprocess.run(command, check=False, cwd=tmp_path, timeout=60, env=environment())
    assert done.returncode == (3 if "-r" in arguments else 1)
    messages = (tmp_path / ("messages" if redirection == ">" else name)).read_text()
    assert f"{name} is the file that {stream} goes to" in messages
    if "--json" in arguments:
        lines = (tmp_path / (name if redirection == ">" else "report")).read_text().splitlines()
        assert json.loads(lines[-1])["type"] == "error"
    assert (tmp_path / "key").read_bytes() == pattern(32)
    if "-r" not in arguments:
        after = {path.name for path in tmp_path.iterdir()} - {name, "messages", "report"}
        assert sorted(after) == before


@pytest.mark.parametrize(
    "command",
    [["encrypt"], ["raw", "-m", "gcm"], ["raw", "-m", "ctr", "--iv", "00" * 16], ["raw", "-m", "siv"]],
    ids=lambda command: command[-1] if len(command) < 4 else "ctr",
)
def test_what_is_on_standard_output_is_counted(command: list[str], key: Path, tmp_path: Path) -> None:
    """Also when a write has brought a part of its bytes there."""
    plain, out = tmp_path / "large", tmp_path / "out"
    plain.write_bytes(pattern(3 << 20))
    with out.open("wb") as stream:
        result = run(*command, "-k", key, "-o", "-", plain, stdout=stream, preexec_fn=limit_file_size)
    assert result.code == 1
    assert out.stat().st_size == 1 << 20
    assert f"the {1 << 20} bytes on standard output are only the beginning" in result.err


def test_standard_streams_have_one_name_in_messages(key: Path, sealed: Path, tmp_path: Path) -> None:
    """Whatever the command, and not that of a file: ./- is one."""
    content = sealed.read_bytes()
    damage_end(sealed)
    damaged = sealed.read_bytes()
    for command in ("verify", "decrypt", "decrypt --salvage"):
        result = run(*command.split(), "-k", key, "-", stdin=damaged)
        assert result.code == 13
        assert result.err.startswith("warpaes: error: standard input: "), command
    result = run("decrypt", "--salvage", "-k", key, "-", "-o", "-", stdin=content + b"appended")
    assert "hint: all that was encrypted is in standard output and right" in result.err
    result = run("decrypt", "--salvage", "-k", key, "-", stdin=damaged)
    assert "lost, and zeros in standard output: " in result.err
    result = succeed("verify", "-k", key, "-", stdin=content)
    assert result.err.startswith("standard input: ")
    result = succeed("raw", "--mode", "gcm", "-k", key, "-", "-o", tmp_path / "out", stdin=b"text")
    assert result.err.startswith(f"standard input -> {tmp_path / 'out'}: ")
