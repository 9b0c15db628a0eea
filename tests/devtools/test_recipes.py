"""The recipes of CONTRIBUTING.md name files that there are, and all that list what a recipe adds to."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from typing import NamedTuple

import pytest

from devtools.repository import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text()
FOLDERS = (
    "benchmarks", "bindings", "cli", "cmake", "devtools", "docs", "examples", "include", "lab", "src",
    "tests",
)  # fmt: skip
SUFFIXES = (
    "c", "cmake", "cpp", "cu", "cuh", "h", "hpp", "json", "lock", "md", "py", "pyi", "rsp", "toml", "txt",
)  # fmt: skip
# Results, history, and what this file itself quotes: nobody writes there to add something.
NOT_LISTS = (
    "CHANGELOG.md", "CONTRIBUTING.md", "docs/course/*", "docs/figures.md", "docs/notes/*",
    "tests/devtools/test_recipes.py",
)  # fmt: skip


class Listing(NamedTuple):
    """Files that have a word of each of these patterns list the things of a kind."""

    recipes: tuple[str, ...]  # which together have to name them
    words: tuple[str, ...]
    not_lists: tuple[str, ...] = ()  # files that mention them all, and need nothing when one is added


# A word may stand in a longer name, as in WARPAES_MODE_EAX, but not within another word.
LISTINGS = {
    "AEAD modes": Listing(
        ("A mode", "A kernel", "A function or class of the Python package"),
        (r"(?i)ccm", r"(?i)eax", r"(?i)ocb3"),
        ("tests/c_api/messages_test.cpp",),  # a comment
    ),
    "other modes": Listing(
        ("A mode", "A kernel", "A function or class of the Python package"),
        (r"(?i)(?<![a-z])cbc(?![a-z])", r"(?i)(?<![a-z])cfb8", r"(?i)(?<![a-z])ofb(?![a-z])"),
    ),
    "engines of the CPU": Listing(
        ("An engine",),
        (r"t_tables", r"fips197(?!::)"),
        # Of the engines themselves.
        ("src/engines/portable/portable_engine.cpp", "src/engines/portable/portable_engine.hpp"),
    ),
    "engines of GPUs": Listing(
        ("An engine",),
        (r"(?<![a-z])lane_private_tables(?![a-z_])", r"(?<![a-z_])bitsliced(?![a-z_])"),
        # The lab's studies compare the two; tables of figures are tried with one of each.
        ("lab/studies/*.cpp", "tests/devtools/test_*figures.py"),
    ),
    "kernels": Listing(("A kernel",), (r"(?i)ctr_?hybrid", r"(?i)bitsliced_?xts")),
    "architectures": Listing(("A GPU architecture",), (r"\b75\b", r"\b86\b", r"\b120\b")),
    "commands": Listing(
        ("A command of the tool",),
        (r"(?<![A-Za-z])keygen(?![A-Za-z])", r"(?<![A-Za-z])calibrate(?![A-Za-z])"),
    ),
    "headers of C": Listing(("A public function",), (r"\bkdf\.h\b", r"\boperation\.h\b")),
    "headers of C++": Listing(
        ("A public function",), (r"\bkdf\.hpp\b", r"\boperation\.hpp\b", r"\bcontainer\.hpp\b")
    ),
    "lessons": Listing(
        ("A lesson",),
        (r"\bt_tables_in_shared_memory\b", r"\bbitsliced_over_lanes\b"),
        ("lab/studies/*.cpp", "tests/lab/*", "tests/lab_report/*", "tests/cli/*"),  # a choice of them
    ),
    "verbs of ./dev": Listing(("A verb of ./dev",), (r'"evidence"', r'"wheel"', r'"demo"')),
}


@cache
def files() -> dict[str, str]:
    """The text of each file, by its path."""
    below = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for path in sorted([*ROOT.glob("*.*"), *below])
        if path.is_file() and path.suffix[1:] in SUFFIXES
    }


def recipes(page: str) -> dict[str, str]:
    text = page.partition("\n## Recipes\n")[2].partition("\n## ")[0]
    _, *parts = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def paths_in(recipe: str) -> Iterator[str]:
    """What is written as a path or as a file's name: `a/<mode>.{hpp,cpp}` are a/*.hpp and a/*.cpp."""
    for span in re.findall(r"`([^`\s]+)`", recipe):
        before, _, rest = span.partition("{")
        choice, _, after = rest.partition("}")
        for each in choice.split(","):
            path = re.sub(r"<\w+>", "*", before + each + after)
            if path.startswith(tuple(f"{folder}/" for folder in FOLDERS)) or (
                re.match(r"[\w*]", path) and path.rpartition(".")[2] in SUFFIXES
            ):
                yield path


def named(recipe: str) -> tuple[set[str], list[str]]:
    """The files that a recipe names, and what it names without there being such a file or folder.

    A name without a folder is of a file beside one that was named before. A placeholder names no file.
    """
    found: set[str] = set()
    missing = []
    folders = {""}
    for path in paths_in(recipe):
        patterns = [path] if "/" in path else [f"{folder}{path}" for folder in folders]
        here = {file for file in files() for pattern in patterns if fnmatch(file, pattern)}
        if not here and not any(ROOT.glob(path)):
            missing.append(path)
        if "/" in path:
            folders.add(f"{path.rpartition('/')[0]}/")
        if "*" not in path:
            found |= here
    return found, missing


def unnamed(listing: Listing, page: str) -> list[str]:
    """Files with such a list that no recipe of it names."""
    of_page = recipes(page)
    known = set().union(*(named(of_page[title])[0] for title in listing.recipes))
    return [
        file
        for file, text in files().items()
        if all(re.search(word, text, re.MULTILINE) for word in listing.words)
        and file not in known
        and not any(fnmatch(file, pattern) for pattern in (*NOT_LISTS, *listing.not_lists))
    ]


@pytest.mark.parametrize("title", recipes(PAGE))
def test_files_of_a_recipe_exist(title: str) -> None:
    assert named(recipes(PAGE)[title])[1] == []


@pytest.mark.parametrize("kind", LISTINGS)
def test_lists_are_named(kind: str) -> None:
    assert unnamed(LISTINGS[kind], PAGE) == []


def test_a_file_that_is_gone_is_found() -> None:
    recipe = (
        "1. `src/modes/<mode>.cpp`, `gcm_parts.{hpp,cuh}`, `lane/ccm.cu`, `kTable` in `mode.h`, `tests/no/`"
    )
    files_named, missing = named(recipe)
    assert missing == ["gcm_parts.cuh", "lane/ccm.cu", "mode.h", "tests/no/"]
    assert files_named == {"src/modes/gcm_parts.hpp"}


def test_a_list_that_no_recipe_names_is_found() -> None:
    for kind, forgotten in {
        "AEAD modes": "`src/modes/mode_table.cpp`",
        "architectures": "`docs/design/architectures.md`",
        "commands": "`cli/main.cpp`",
        "headers of C": "`docs/api.md`",
    }.items():
        assert forgotten in PAGE
        assert unnamed(LISTINGS[kind], PAGE.replace(forgotten, "it")) == [forgotten.strip("`")]


def test_every_listing_is_found_somewhere() -> None:
    """Patterns that match nothing would find nothing."""
    nothing = re.sub(r"`[^`]*`", "it", PAGE)
    for kind, listing in LISTINGS.items():
        assert unnamed(listing, nothing), kind
