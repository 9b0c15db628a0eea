"""The commands and options of both programs, as --help lists them."""

import functools
import re

import pytest

from tests.cli.program import succeed

TOOL: tuple[str, ...] = ()  # the program warpaes, by what is typed behind its name
LAB = ("lab",)  # warpaes-lab
both_programs = pytest.mark.parametrize("program", [TOOL, LAB], ids=["warpaes", "warpaes-lab"])

Words = tuple[str, ...]  # a command's path: ("kdf", "scrypt")
Commands = dict[Words, dict[str, str]]  # their options, and what stands for the value


def subcommands(text: str) -> list[str]:
    _, _, below = text.partition("Subcommands:\n")
    return re.findall(r"^  ([\w-]+)", below.partition("\n\n")[0], re.MULTILINE)


def commands_below(path: Words) -> Commands:
    text = succeed(*path, "--help").out.decode()
    rows = re.findall(r"^  ((?:-\w,)?--[a-z0-9,-]+)(?: (?!Excludes:)(\S+))?", text, re.MULTILINE)
    found = {path: {name: value for names, value in rows for name in names.split(",") if name[1] == "-"}}
    for name in subcommands(text):
        if (*path, name) != LAB:
            found |= commands_below((*path, name))
    return found


@functools.cache
def commands_of(program: Words) -> Commands:
    """Every command of a program, and the program itself."""
    found = commands_below(program)
    if program == TOOL:
        assert len(found) > 15
        assert found["encrypt",]["--force"] == ""
        assert found["bench",]["--bytes"] == "TEXT"
        assert ("kdf", "scrypt") in found
    else:
        assert len(found) > 10
        assert found["lab", "run"]["--bytes"] == "SIZE"
    return found
