"""What a compiler takes of a C++ or CUDA source: its text without comments and empty lines."""

import re

# Literals and numbers come first, since neither "//" in a string nor the separators of 1'000'000 are what
# they look like.
TOKENS = re.compile(
    r"""
    (?P<raw>R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)")
    | (?P<string>"(?:\\.|[^"\\\n])*")
    | (?P<number>\b[0-9](?:'?[0-9A-Za-z_.])*)
    | (?P<character>'(?:\\.|[^'\\\n])*')
    | (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
    """,
    re.DOTALL | re.VERBOSE,
)


def code_of(text: str) -> str:
    """Two sources with the same code are compiled to the same, but for the numbers of lines.

    Spaces and line ends between tokens stay as they are, so a source that was only laid out anew counts as
    another.
    """
    stripped = TOKENS.sub(lambda token: " " if token["comment"] else token[0], text)
    lines = (line.rstrip() for line in stripped.splitlines())
    return "".join(f"{line}\n" for line in lines if line)
