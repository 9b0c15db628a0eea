"""Statements of many parts, as clang-format breaks them into lines."""

import textwrap

COLUMNS = 110
UNBROKEN = "\0"


def filled(start: str, parts: list[str]) -> str:
    """A statement in a function's body: `start`, then the parts, which commas separate. No part is broken."""
    text = ", ".join(part.replace(" ", UNBROKEN) for part in parts)
    indent = " " * len(f"  {start}")
    lines = textwrap.fill(text, COLUMNS, initial_indent=indent, subsequent_indent=indent)
    return f"  {start}{lines.lstrip()};".replace(UNBROKEN, " ")
