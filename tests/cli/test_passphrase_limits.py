"""What a passphrase leaves room for: contexts, and memory."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, run, succeed

MOST = 904  # bytes of a context beside a passphrase
TOO_LONG = f"longer than {MOST} bytes, which is the most beside a passphrase"


def test_the_longest_context(word: Path, plain: Path) -> None:
    given = ("--passphrase-file", word, "--context")
    succeed("encrypt", *given, "c" * MOST, plain)
    sealed = plain.with_name("plain.wa")
    succeed("verify", *given, "c" * MOST, sealed)
    for command in (("encrypt", "-f", plain), ("verify", sealed)):
        result = run(*command[:-1], *given, "c" * (MOST + 1), command[-1])
        assert result.code == 2
        assert result.err == f"warpaes: error: --context: {TOO_LONG}\n"


@pytest.mark.parametrize("of", ["--context", "--new-context"])
def test_the_context_of_a_file_that_gets_a_passphrase(of: str, word: Path, key: Path, plain: Path) -> None:
    context = "c" * (MOST + 1)
    old = ("--context", context) if of == "--context" else ()
    new = () if of == "--context" else ("--new-context", context)
    succeed("encrypt", "-k", key, *old, plain)
    sealed = plain.with_name("plain.wa")
    result = run("rekey", "-k", key, *old, "--new-passphrase-file", word, *new, sealed)
    assert result.code == 2
    assert result.err == f"warpaes: error: {of}: {TOO_LONG}\n"
    succeed("verify", "-k", key, *old, sealed)


def test_the_new_context_of_a_file_that_keeps_its_passphrase(word: Path, locked: Path) -> None:
    given = ("--passphrase-file", word)
    result = run("rekey", *given, "--new-context", "c" * (MOST + 1), locked)
    assert result.code == 2
    assert result.err == f"warpaes: error: --new-context: {TOO_LONG}\n"
    succeed("rekey", *given, "--new-context", "c" * MOST, locked)
    succeed("verify", *given, "--context", "c" * MOST, locked)


def with_little_memory(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    limit = ["prlimit", f"--as={100_000 << 10}", *command_line(*arguments)]
    return subprocess.run(limit, check=False, capture_output=True, text=True, env=environment(), timeout=60)


def test_too_little_memory_for_the_key_of_new_files(word: Path, tmp_path: Path) -> None:
    """They have one key, so it is told once."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(30):
        (folder / str(number)).write_text("text")
    done = with_little_memory("encrypt", "-q", "--passphrase-file", word, "-r", folder)
    assert done.returncode == 1
    assert done.stderr == "warpaes: error: too little memory for SCRYPT\n"
    assert not list(folder.glob("*.wa"))


def test_too_little_memory_for_the_keys_of_old_files(word: Path, plain: Path, locked: Path) -> None:
    """Each has its own costs, so each is told with its name."""
    other = plain.with_name("other")
    other.write_text("text")
    succeed("encrypt", "-q", "--rm", "--passphrase-file", word, other)
    sealed = [locked, plain.with_name("other.wa")]
    done = with_little_memory("verify", "-q", "--passphrase-file", word, *sealed)
    assert done.returncode == 3
    lines = [f"warpaes: error: {file}: too little memory for SCRYPT" for file in sealed]
    assert sorted(done.stderr.splitlines()[:2]) == sorted(lines)
