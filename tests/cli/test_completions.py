"""Completions of bash, zsh and fish for both programs, which are made from the command tree."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.help_texts import LAB, TOOL, Words, both_programs, commands_of, subcommands
from tests.cli.program import PROGRAM, run, succeed

SHELLS = ("bash", "zsh", "fish")


@both_programs
@pytest.mark.parametrize("shell", SHELLS)
def test_completions_know_everything(shell: str, program: Words) -> None:
    script = succeed(*program, "completion", shell).out.decode()
    for path, options in commands_of(program).items():
        words = " ".join(("warpaes", *path))
        assert words in script
        for option, value in options.items():
            assert (f"-l {option[2:]}" if shell == "fish" else option) in script, (path, option)
            if shell == "fish":
                lines = re.findall(
                    rf"_command {words}' .*-l {option[2:]}(?= )(?: -l [a-z0-9-]+)*( -r)?", script
                )
                assert lines == [" -r" if value else ""], (path, option)
            else:
                assert (f'"{words} {option}"' in script) == (value != ""), (path, option)
    assert "any conflict-free strict" in script  # values of --timing
    assert "manual-pages" not in script


@both_programs
@pytest.mark.parametrize("shell", SHELLS)
def test_shells_accept_their_completions(shell: str, program: Words, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_bytes(succeed(*program, "completion", shell).out)
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
        (["bench", "--bytes", "en"], ""),
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


IN_LAB = [
    (["key"], "key-byte"),
    (["stu"], "study"),
    (["study", "s"], "seed0 seed1 seed2 seed3 seed4"),
    (["study", "seed0", "al"], "all"),
    (["show", "serial_st"], "serial_standard"),
    (["run", "--co"], "--copies"),
    (["run", "--copies", "1"], "1 16"),
    (["run", "--keys-in", "=", "s"], "shared"),
    (["run", "--mode", ""], "ecb ctr ghash key_expansion"),
    (["run", "--key-bits", ""], "128 192 256"),
    (["penguin", "--timing", "st"], "strict"),
    (["help", "pen"], "penguin"),
    (["completion", ""], "bash zsh fish"),
    (["penguin", ""], ""),
    (["report", "-o", ""], ""),
    (["run", "--bytes", "re"], ""),
]


@pytest.mark.parametrize(("typed", "expected"), IN_LAB)
def test_bash_completes_the_lab(typed: list[str], expected: str, tmp_path: Path) -> None:
    assert completed_by_bash(typed, tmp_path, program="warpaes-lab") == expected.split()
    assert completed_by_bash(["lab", *typed], tmp_path) == expected.split()


def test_nothing_is_completed_of_a_lab_that_is_not_installed(tmp_path: Path) -> None:
    for typed in ([""], ["show", "rep"], ["study", "s"], ["help", "encr"], ["-"]):
        assert completed_by_bash(["lab", *typed], tmp_path, knows_lab=False) == []
        assert completed_by_bash(["help", "lab", *typed], tmp_path, knows_lab=False) == []


@pytest.mark.parametrize("loader", ["_comp_load", "__load_completion"])
def test_bash_loads_the_completion_of_the_lab(loader: str, tmp_path: Path) -> None:
    """As bash-completion does, under both of its names, where both files are installed."""
    (tmp_path / "warpaes").write_bytes(succeed("completion", "bash").out)
    (tmp_path / "warpaes-lab").write_bytes(succeed("lab", "completion", "bash").out)
    program = f"""
        cd "$0"; source warpaes
        {loader}() {{ echo loaded "$1"; echo loaded "$1" >> loads; source "$1"; }}
        complete_words() {{ COMP_WORDS=(warpaes "$@"); COMP_CWORD=$#; _warpaes; echo "${{COMPREPLY[*]}}"; }}
        complete_words lab stu
        complete_words lab study al
    """
    done = subprocess.run(["bash", "-c", program, tmp_path], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("study\nall\n", "")
    assert (tmp_path / "loads").read_text() == "loaded warpaes-lab\n"


def completed_by_bash(
    typed: list[str], folder: Path, program: str = "warpaes", knows_lab: bool = True
) -> list[str]:
    script = folder / "script"
    script.write_bytes(succeed("completion", "bash").out)
    if knows_lab:
        script.write_bytes(script.read_bytes() + succeed("lab", "completion", "bash").out)
    call = (
        'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        'type=($(complete -p "$1")); ${type[4]}; echo "${COMPREPLY[*]}"'
    )
    done = subprocess.run(
        ["bash", "-c", call, script, program, *typed], check=True, capture_output=True, text=True
    )
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
        (["lab", "run", "--keys-in", "s"], "global constant shared parameter"),
        (["lab", "run", "", "--keys-in=s"], "global constant shared parameter"),
        (["lab", "run", "--bytes="], "files"),
        (["lab", "study", "s"], "described seed0 seed1 seed2"),
        (["help", "lab", "sh"], "described list:List the lessons"),
        (["lab", ""], "described list:List the lessons"),
    ],
)
def test_zsh_completes(typed: list[str], expected: str, tmp_path: Path) -> None:
    lines = completed_by_zsh(["warpaes", *typed], tmp_path)
    option, equals, _ = typed[-1].partition("=")
    assert lines[:-1] == ([f"taken off: {option}="] if equals else [])
    assert lines[-1].startswith(expected)
    if typed[0] == "lab":
        assert completed_by_zsh(["warpaes-lab", *typed[1:]], tmp_path) == lines


def test_zsh_completes_nothing_of_a_lab_that_is_not_installed(tmp_path: Path) -> None:
    assert completed_by_zsh(["warpaes", "lab", "s"], tmp_path, knows_lab=False) == []


def completed_by_zsh(words: list[str], folder: Path, knows_lab: bool = True) -> list[str]:
    """With stand-ins for what zsh has in completion; it chooses itself from what it is offered."""
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    script = folder / "script"
    script.write_bytes(succeed("completion", "zsh").out)
    if knows_lab:
        script.write_bytes(script.read_bytes() + succeed("lab", "completion", "zsh").out)
    program = """
        typeset -A completes
        compdef() { completes[$2]=$1 }
        compadd() { shift; print $@ }
        compset() { print taken off: $2; PREFIX=${PREFIX#$2} }
        _describe() { print described ${(P)@[-1]} }
        _files() { print files }
        source $0
        words=("$@"); CURRENT=$#words; PREFIX=$words[-1]; $completes[$words[1]]
    """
    done = subprocess.run(
        ["zsh", "-f", "-c", program, script, *words], check=False, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@both_programs
def test_zsh_learns_by_source(program: Words) -> None:
    """As bash does: what only ran the completion once said errors and taught nothing."""
    script = succeed(*program, "completion", "zsh").out.decode().splitlines()
    name, function = "-".join(("warpaes", *program)), "_".join(("_warpaes", *program))
    assert script[0] == f"#compdef {name}"
    assert script[-1] == (
        f'if [[ $funcstack[1] == {function} ]]; then {function} "$@"; else compdef {function} {name}; fi'
    )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("encr", ["encrypt"]),
        ("kdf scr", ["scrypt"]),
        ("encrypt --timing s", ["strict"]),
        ("help lab stu", ["study"]),
        *(
            (" ".join(("lab", *typed)), offered.split())
            for typed, offered in IN_LAB
            if offered and "=" not in typed
        ),
    ],
)
def test_fish_completes(typed: str, expected: list[str], tmp_path: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    assert completed_by_fish(f"warpaes {typed}", tmp_path) == sorted(expected)
    if typed.startswith("lab "):
        assert completed_by_fish(f"warpaes-{typed}", tmp_path) == sorted(expected)


def completed_by_fish(line: str, folder: Path) -> list[str]:
    for name, program in (("warpaes", TOOL), ("warpaes-lab", LAB)):
        (folder / f"{name}.fish").write_bytes(succeed(*program, "completion", "fish").out)
    call = "set fish_complete_path $argv[1]; complete -C $argv[2]"
    # fish loads completions of programs that there are.
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": path}
    done = subprocess.run(
        ["fish", "-c", call, folder, line],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **home},
    )
    assert done.stderr == ""
    return sorted(row.partition("\t")[0] for row in done.stdout.splitlines())


def test_completion_offers_commands_first(tmp_path: Path) -> None:
    offered = completed_by_bash([""], tmp_path)
    assert set(offered) == set(subcommands(succeed("--help").out.decode()))
    assert completed_by_bash(["help", ""], tmp_path) == [name for name in offered if name != "help"]
    assert "--force" in completed_by_bash(["encrypt", "-"], tmp_path)


def test_completion_knows_the_lab_and_the_engines(tmp_path: Path) -> None:
    listed = subcommands(succeed("lab", "--help").out.decode())
    assert completed_by_bash(["lab", ""], tmp_path) == listed
    lessons = [line["name"] for line in succeed("lab", "list", "--json").lines[:-1]]
    assert completed_by_bash(["lab", "show", ""], tmp_path) == lessons
    assert completed_by_bash(["lab", "run", ""], tmp_path) == lessons
    engines = {line["name"] for line in succeed("engines", "--json").lines[:-1]}
    assert set(completed_by_bash(["verify", "--engine", ""], tmp_path)) == {"auto", *engines}


@both_programs
@pytest.mark.parametrize("shell", SHELLS)
def test_completions_that_cannot_be_written(shell: str, program: Words) -> None:
    """They are longer than what is kept before it is written."""
    with Path("/dev/full").open("wb") as full:
        result = run(*program, "completion", shell, stdout=full)
    assert result.code == 1
    assert "error: writing standard output: No space left on device\n" in result.err
