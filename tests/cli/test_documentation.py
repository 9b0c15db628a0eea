"""Help, typing mistakes, manual pages and shell completions: all of them come from the command tree."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import run, succeed

SHELLS = ("bash", "zsh", "fish")


def commands_of(path: tuple[str, ...] = ()) -> dict[tuple[str, ...], list[str]]:
    """Every command, by its path, with its options, as --help lists them."""
    text = succeed(*path, "--help").out.decode() if path != ("lab",) else ""
    options = re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", text, re.MULTILINE)
    found = {path: options}
    _, _, below = text.partition("Subcommands:\n")
    for name in re.findall(r"^  (\w+)", below.partition("\n\n")[0], re.MULTILINE):
        found |= commands_of((*path, name))
    return found


@pytest.fixture(scope="module")
def commands() -> dict[tuple[str, ...], list[str]]:
    found = commands_of()
    assert len(found) > 15
    assert "--force" in found["encrypt",]
    assert ("kdf", "scrypt") in found
    return found


@pytest.mark.parametrize("shell", SHELLS)
def test_completions_know_everything(shell: str, commands: dict[tuple[str, ...], list[str]]) -> None:
    script = succeed("completion", shell).out.decode()
    for path, options in commands.items():
        assert " ".join(("warpaes", *path)) in script
        for option in options:
            assert (f"-l {option[2:]}" if shell == "fish" else option) in script, (path, option)
    assert "none sample full" in script  # values of --verify-output
    assert "manual-pages" not in script


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_accept_their_completions(shell: str, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_bytes(succeed("completion", shell).out)
    done = subprocess.run([shell, "-n", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["enc"], "encrypt"),
        (["encrypt", "--verify-output", "f"], "full"),
        (["kdf", "scr"], "scrypt"),
        (["raw", "--mode", "gcm-s"], "gcm-siv"),
        (["decrypt", "--forc"], "--force"),
        (["hel"], "help"),
        (["help", "deco"], ""),
        (["help", "encr"], "encrypt"),
        (["help", "kdf", "scr"], "scrypt"),
        (["help", "encrypt", ""], ""),
        (["lab", "key"], "key-byte"),
        (["encrypt", "--timing", ""], "any conflict-free strict"),
        (["encrypt", "--timing", "=", "s"], "strict"),
        (["encrypt", "-e", ""], "auto cuda openssl portable"),
        (["completion", ""], "bash zsh fish"),
        # Nothing is offered where a file's name may stand: bash offers files then.
        (["encrypt", ""], ""),
        (["encrypt", "e"], ""),
        (["encrypt", "-k", ""], ""),
        (["encrypt", "-o", ""], ""),
        (["encrypt", "--context", "--fo"], ""),
        (["encrypt", "--key-file", "="], ""),
    ],
)
def test_bash_completes(typed: list[str], expected: str, tmp_path: Path) -> None:
    assert completed_by_bash(typed, tmp_path) == expected.split()


def completed_by_bash(typed: list[str], folder: Path) -> list[str]:
    script = folder / "script"
    script.write_bytes(succeed("completion", "bash").out)
    program = 'source "$0"; COMP_WORDS=(warpaes "$@"); COMP_CWORD=$#; _warpaes; echo "${COMPREPLY[*]}"'
    done = subprocess.run(["bash", "-c", program, script, *typed], check=True, capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["raw", "--mode", "gcm-"], "ecb cbc"),
        (["raw", "--mode=gcm-"], "ecb cbc"),
        (["encrypt", "--timing=s"], "any conflict-free strict"),
        (["encrypt", "--key-file=k"], "files"),
        (["encrypt", "k"], "files"),
        (["kdf", "hkdf", "--hash=sha3"], "sha256 sha384 sha512"),
    ],
)
def test_zsh_completes(typed: list[str], expected: str, tmp_path: Path) -> None:
    """With stand-ins for what zsh has in completion; it chooses itself from what it is offered."""
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    script = tmp_path / "script"
    script.write_bytes(succeed("completion", "zsh").out)
    program = """
        compdef() { print registered $@ }
        compadd() { shift; print $@ }
        compset() { print taken off: $2; PREFIX=${PREFIX#$2} }
        _files() { print files }
        source $0
        words=(warpaes $@); CURRENT=$#words; PREFIX=$words[-1]; _warpaes
    """
    done = subprocess.run(
        ["zsh", "-f", "-c", program, script, *typed], check=True, capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert lines[0] == "registered _warpaes warpaes"
    option, equals, _ = typed[-1].partition("=")
    assert lines[1:-1] == ([f"taken off: {option}="] if equals else [])
    assert lines[-1].startswith(expected)


def test_zsh_learns_by_source() -> None:
    """As bash does: what only ran the completion once said errors and taught nothing."""
    last = succeed("completion", "zsh").out.decode().splitlines()[-1]
    assert last == 'if [[ $funcstack[1] == _warpaes ]]; then _warpaes "$@"; else compdef _warpaes warpaes; fi'


def test_completion_offers_commands_first(commands: dict[tuple[str, ...], list[str]], tmp_path: Path) -> None:
    offered = completed_by_bash([""], tmp_path)
    assert set(offered) == {path[0] for path in commands if path}
    assert completed_by_bash(["help", ""], tmp_path) == [name for name in offered if name != "help"]
    assert "--force" in completed_by_bash(["encrypt", "-"], tmp_path)


def test_completion_knows_the_lab_and_the_engines(tmp_path: Path) -> None:
    _, _, below = succeed("lab", "--help").out.decode().partition("Subcommands:\n")
    listed = re.findall(r"^  ([\w-]+)", below.partition("\n\n")[0], re.MULTILINE)
    assert set(completed_by_bash(["lab", ""], tmp_path)) == set(listed) - {"help"}
    engines = {line["name"] for line in succeed("engines", "--json").lines[:-1]}
    assert set(completed_by_bash(["verify", "--engine", ""], tmp_path)) == {"auto", *engines}


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "verify", "rekey", "inspect", "raw", "mac", "kdf"])
def test_help_has_the_exit_codes(verb: str) -> None:
    text = succeed(verb, "--help").out.decode()
    assert "\nExit codes:\n" in text
    assert ("$WARPAES_KEY" in text) == (verb != "kdf")


def test_manual_pages_know_everything(commands: dict[tuple[str, ...], list[str]], tmp_path: Path) -> None:
    succeed("manual-pages", tmp_path)
    for path, options in commands.items():
        page = (tmp_path / ("-".join(("warpaes", *path)) + ".1")).read_text()
        for option in options:
            assert option.replace("-", "\\-") in page, (path, option)
        assert "Exit codes:" not in page, path  # they have a section
    assert "COMMAND" in (tmp_path / "warpaes-lab.1").read_text()
    assert len(list(tmp_path.iterdir())) == len(commands)
    if not shutil.which("groff"):
        return
    for file in tmp_path.iterdir():
        command = ["groff", "-man", "-Tascii", "-wmac", str(file)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stderr == "", file.name


def test_manual_pages_have_the_usage_of_help(
    commands: dict[tuple[str, ...], list[str]], tmp_path: Path
) -> None:
    succeed("manual-pages", tmp_path)
    for path in commands.keys() - {("lab",)}:  # its help is another program's
        _, _, page = (tmp_path / ("-".join(("warpaes", *path)) + ".1")).read_text().partition("SYNOPSIS\n.B ")
        synopsis = re.sub(r"\\f[IR]", "", page.partition(".SH")[0]).replace("\\-", "-").split()
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
