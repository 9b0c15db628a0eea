"""Code in README.md is cut from the programs in examples/, which the tests build and run."""

import re
import textwrap
from pathlib import Path

from devtools.process import Stop
from devtools.repository import ROOT

README = ROOT / "README.md"

EXAMPLE = re.compile(
    r"(?P<begin><!-- example: (?P<path>\S+) -->\n).*?(?P<end><!-- end of example -->)", re.DOTALL
)
CUT = re.compile(
    r"^[^\n]*cut for README\.md[^\n]*\n(?P<code>.*?)^[^\n]*end of the cut", re.DOTALL | re.MULTILINE
)
LANGUAGES = {".c": "c", ".cpp": "cpp"}


def cut(source: str) -> str:
    """What lies between the two comments, without their indentation; the whole file if there are none."""
    found = CUT.search(source)
    return textwrap.dedent(found["code"]) if found else source


def with_examples(text: str, root: Path = ROOT) -> str:
    def example(mark: re.Match[str]) -> str:
        path = root / mark["path"]
        if not path.is_file():
            raise Stop(f"README.md has an example from {mark['path']}, and there is no such file")
        return f"{mark['begin']}```{LANGUAGES[path.suffix]}\n{cut(path.read_text())}```\n{mark['end']}"

    if "<!-- example: " in EXAMPLE.sub("", text):
        raise Stop("README.md has an example without <!-- end of example -->")
    return EXAMPLE.sub(example, text)


def readme_is_cut() -> bool:
    return with_examples(README.read_text()) == README.read_text()


def write_readme() -> None:
    README.write_text(with_examples(README.read_text()))
