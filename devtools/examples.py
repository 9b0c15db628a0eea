"""Code in pages is cut from the programs in examples/, which the tests build and run.

A page says where its code is from, and a comment in the program where the code begins:

    <!-- example: examples/fused_decrypt.cu, the tag -->        // cut for docs/own_kernels.md: the tag
    <!-- end of example -->                                      // end of the cut

A page that takes one piece of a program needs no name for it.
"""

import re
import textwrap
from pathlib import Path

from devtools.process import Stop, say
from devtools.repository import ROOT

BEGIN = "<!-- example: "
EXAMPLE = re.compile(
    r"(?P<begin><!-- example: (?P<path>[^\s,]+)(?:, (?P<part>[^>]+))? -->\n).*?"
    r"(?P<end><!-- end of example -->)",
    re.DOTALL,
)
LANGUAGES = {".c": "c", ".cpp": "cpp", ".cu": "cuda"}


def cut(source: str, mark: str) -> str | None:
    """What lies between the two comments, without their indentation. None if there are none."""
    found = re.search(
        rf"^[^\n]*cut for {re.escape(mark)}(?: \*/)?\n(?P<code>.*?)^[^\n]*end of the cut",
        source,
        re.DOTALL | re.MULTILINE,
    )
    return textwrap.dedent(found["code"]) if found else None


def with_examples(text: str, page: str, root: Path = ROOT) -> str:
    """The text of a page with its code made anew."""

    def example(mark: re.Match[str]) -> str:
        path = root / mark["path"]
        if not path.is_file():
            raise Stop(f"{page} has an example from {mark['path']}, and there is no such file")
        name = f"{page}: {mark['part']}" if mark["part"] else page
        code = cut(path.read_text(), name)
        if code is None:
            raise Stop(f"{mark['path']} has no code that is cut for {name}")
        return f"{mark['begin']}```{LANGUAGES[path.suffix]}\n{code}```\n{mark['end']}"

    if BEGIN in EXAMPLE.sub("", text):
        raise Stop(f"{page} has an example without <!-- end of example -->")
    return EXAMPLE.sub(example, text)


def pages(root: Path = ROOT) -> dict[Path, str]:
    """The text that each page with code from the examples should have."""
    candidates = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    texts = {path: path.read_text() for path in candidates}
    return {
        path: with_examples(text, path.relative_to(root).as_posix(), root)
        for path, text in texts.items()
        if BEGIN in text
    }


def pages_are_cut() -> bool:
    stale = [path for path, text in pages().items() if text != path.read_text()]
    for path in stale:
        say(f"{path.relative_to(ROOT)} differs from examples/: ./dev format")
    return not stale


def write_pages() -> None:
    for path, text in pages().items():
        path.write_text(text)
