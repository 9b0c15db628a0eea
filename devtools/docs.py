"""./dev docs: the API reference, from the comments of the public headers and Python's docstrings.

./dev lint makes that of the headers as well, as a comment can be missing, or name a parameter that there
is not.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from devtools.process import Command, Stop, exit_code, heading, say
from devtools.repository import BUILD, ROOT, STAGED_PYTHON, tool
from devtools.setup import DOCS, TEST, set_up

FOLDER = BUILD / "docs"
PYTHON_PAGES = FOLDER / "python"
COMPOUNDS = {"class", "struct", "union"}
MEMBERS = {"enum", "function", "typedef", "variable"}
UNNAMED = "@"  # how Doxygen calls an enumeration of C whose name only its typedef has


def docs() -> int:
    """Makes the reference. Exit code 1 if a comment is wrong or missing, or a docstring is."""
    set_up(True, DOCS, TEST)
    if not (STAGED_PYTHON / "warpaes").is_dir():
        raise Stop("stage/ has no Python package, whose pages are made by importing it", hint="./dev build")
    heading("API reference")
    made = {FOLDER / "html": reference_is_whole(), PYTHON_PAGES: python_reference_is_whole()}
    for pages, whole in made.items():
        if whole:
            say(f"written: {(pages / 'index.html').relative_to(ROOT)}")
    return 0 if all(made.values()) else 1


def reference_is_whole() -> bool:
    """Doxygen says itself which comments are wrong; here is said which are missing."""
    for pages in ("html", "xml"):
        shutil.rmtree(FOLDER / pages, ignore_errors=True)  # pages of what is no more
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = exit_code(["doxygen", ROOT / "docs" / "Doxyfile"]) == 0
    missing = without_comment(FOLDER / "xml")
    for place in sorted(missing):
        say(f"{place} has no comment")
    return made and not missing


def python_reference_is_whole() -> bool:
    """The pages of the Python package in stage/; of a public name without a docstring its maker says so."""
    makes_pages: Command = [tool("python"), "-W", "error", "-m", "devtools.python_reference", PYTHON_PAGES]
    return exit_code(makes_pages, extra_environment={"PYTHONPATH": str(STAGED_PYTHON)}) == 0


def without_comment(folder: Path) -> set[str]:
    """Everything public that Doxygen found no comment of, with its file and line."""
    return {
        f"{place_of(each)}: {name}"
        for path in folder.glob("*.xml")
        for compound in ElementTree.parse(path).iter("compounddef")
        if compound.get("prot") != "private"
        for each, name in public_parts(compound)
        if not has_comment(each)
    }


def public_parts(compound: ElementTree.Element) -> Iterator[tuple[ElementTree.Element, str]]:
    """A class or structure, and what can be named of it, of a file or of a namespace."""
    if compound.get("kind") in COMPOUNDS:
        yield compound, compound.findtext("compoundname", "")
    for section in compound.iter("sectiondef"):
        if text_of(section, "description"):
            continue  # one comment for all members of a @name
        for member in section.iter("memberdef"):
            name = member.findtext("qualifiedname") or member.findtext("name") or UNNAMED
            if member.get("prot") == "public" and member.get("kind") in MEMBERS and UNNAMED not in name:
                yield member, name


def has_comment(element: ElementTree.Element) -> bool:
    own = text_of(element, "briefdescription") or text_of(element, "detaileddescription")
    return bool(own) or is_another_name(element)


def is_another_name(element: ElementTree.Element) -> bool:
    """A C++ name of a structure of C, as in `using EngineInfo = warpaes_engine_info`."""
    of = element.find("type/ref")
    return element.get("kind") == "typedef" and of is not None and of.text == text_of(element, "type")


def text_of(element: ElementTree.Element, name: str) -> str:
    found = element.find(name)
    return "" if found is None else "".join(found.itertext()).strip()


def place_of(element: ElementTree.Element) -> str:
    found = element.find("location")
    return "" if found is None else f"{found.get('file')}:{found.get('line')}"
