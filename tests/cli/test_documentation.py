"""Help, typing mistakes and manual pages: all of them come from the command tree."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.help_texts import TOOL, Words, both_programs, commands_of
from tests.cli.program import run, succeed


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "verify", "rekey", "inspect", "raw", "mac", "kdf"])
def test_help_has_the_exit_codes(verb: str) -> None:
    text = succeed(verb, "--help").out.decode()
    assert "\nExit codes:\n" in text
    assert ("$WARPAES_KEY" in text) == (verb != "kdf")


@both_programs
def test_manual_pages_know_everything(program: Words, tmp_path: Path) -> None:
    succeed(*program, "manual-pages", tmp_path)
    for path, options in commands_of(program).items():
        page = page_of(path, tmp_path)
        for option, value in options.items():
            described = rf"{option}(, --[a-z0-9-]+)* {re.escape(value)}".rstrip()
            assert re.search(rf"{described}( .*)?\n", page), (path, option)
        assert "Exit codes:" not in page, path  # they have a section
        *_, above = page.rpartition("SEE ALSO\n")
        name = "-".join(("warpaes", *(program if path != program else ())))
        assert path == TOOL or above.strip() == f".BR {name} (1)", path
    assert len(list(tmp_path.iterdir())) == len(commands_of(program))
    if not shutil.which("groff"):
        return
    for file in tmp_path.iterdir():
        command = ["groff", "-man", "-Tascii", "-wmac", str(file)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stderr == "", file.name


def page_of(path: Words, folder: Path) -> str:
    """As it is read: without roff's marks."""
    page = (folder / ("-".join(("warpaes", *path)) + ".1")).read_text()
    return re.sub(r"\\f[BIR]|\\:", "", page).replace("\\-", "-")


@both_programs
def test_manual_pages_have_the_usage_of_help(program: Words, tmp_path: Path) -> None:
    succeed(*program, "manual-pages", tmp_path)
    for path in commands_of(program):
        _, _, page = page_of(path, tmp_path).partition("SYNOPSIS\n.B ")
        synopsis = page.partition(".SH")[0].split()
        _, _, usage = succeed(*path, "--help").out.decode().partition("Usage: ")
        assert synopsis == usage.partition("\n")[0].replace("SUBCOMMAND", "COMMAND").split()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["encyrpt"], "no command 'encyrpt'; did you mean 'encrypt'?"),
        (["kdf", "scrpyt"], "no command 'scrpyt'; did you mean 'scrypt'?"),
        (["frobnicate"], "no command 'frobnicate'\n"),
        (["a\nb"], "no command '$'a\\nb''"),
        ([], "no command was given"),
        ([], "hint: warpaes --help lists the commands; `warpaes encrypt -p FILE` encrypts a file"),
        (["-e", "f"], "`warpaes encrypt -p FILE` encrypts a file"),
        (["-"], "no command was given"),
        (["--", "encrypt"], "no command was given"),
        (["--bogus"], "warpaes has no option '--bogus'\n"),
        (["--bogus=1"], "warpaes has no option '--bogus'\n"),
        (["--versoin"], "warpaes has no option '--versoin'; did you mean '--version'?"),
        (["--encrypt", "f"], "warpaes has no option '--encrypt'; did you mean 'encrypt'?"),
        (["--json", "verify", "f"], "by a passphrase; the options of a command stand behind its name\n"),
        (["kdf", "--bogus"], "warpaes kdf has no option '--bogus'\n"),
        (
            ["kdf", "--bogus"],
            "kdf --help lists the commands; the options of a command stand behind its name\n",
        ),
        (["version"], "no command 'version'; did you mean '--version'?"),
        (["help", "encyrpt"], "no command 'encyrpt'; did you mean 'encrypt'?"),
        (["help", "encrypt", "decrypt"], "help is of one command, and 'decrypt' is none of warpaes encrypt"),
        (["encrypt", "--forse", "x"], "warpaes encrypt has no option '--forse'; did you mean '--force'?"),
        (["encrypt", "-dash"], "warpaes encrypt has no option '-dash'\n"),
        (["decrypt", "-k", "key", "-.wa"], "warpaes decrypt has no option '-.wa'\n"),
        (["encrypt", "--context", "-x"], "FILE is required"),
        (["raw", "-e", "-m", "gcm"], "-e,--engine needs a value, and took '-m' for it\n"),
        (["raw", "-m", "gcm", "-e", "-k", "key", "f"], "-e,--engine needs a value, and took '-k' for it\n"),
        (["encrypt", "--context", "--rm"], "--context needs a value, and took '--rm' for it\n"),
        (["encrypt", "--frobnicate=1", "x"], "warpaes encrypt has no option '--frobnicate'\n"),
    ],
)
def test_typing_mistakes(typed: list[str], message: str) -> None:
    result = run(*typed)
    assert result.code == 2
    assert message in result.err


def test_asking_for_help() -> None:
    assert succeed("help").out == succeed("--help").out
    assert succeed("help", "encrypt").out == succeed("encrypt", "--help").out
    assert succeed("help", "kdf", "scrypt").out == succeed("kdf", "scrypt", "--help").out
    assert succeed("help", "lab", "show").out == succeed("lab", "show", "--help").out
    assert succeed("help", "help").out == succeed("help", "--help").out
    assert b"warpaes help" in succeed("help", "help").out
    assert succeed("-V").out == succeed("--version").out
