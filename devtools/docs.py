"""./dev docs: the API reference, from the comments of the public headers.

./dev lint makes it as well, as a comment can be missing, or name a parameter that there is not.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from devtools.process import exit_code, heading, say
from devtools.repository import BUILD, ROOT
from devtools.setup import DOCS, set_up

FOLDER = BUILD / "docs"
COMPOUNDS = {"class", "struct", "union"}
MEMBERS = {"enum", "function", "typedef", "variable"}
UNNAMED = "@"  # an enumeration of C, whose name is that of the typedef before it


def docs() -> int:
    """Makes the reference. Exit code 1 if a comment is wrong or missing."""
    set_up(True, DOCS)
    heading("API reference")
    if not reference_is_whole():
        return 1
    say(f"written: {(FOLDER / 'html' / 'index.html').relative_to(ROOT)}")
    return 0


def reference_is_whole() -> bool:
    """Doxygen says itself which comments are wrong; here is said which are missing."""
    shutil.rmtree(FOLDER, ignore_errors=True)  # pages of what is no more
    FOLDER.mkdir(parents=True)
    made = exit_code(["doxygen", ROOT / "docs" / "Doxyfile"]) == 0
    missing = without_comment(FOLDER / "xml")
    for place in sorted(missing):
        say(f"{place} has no comment")
    return made and not missing


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
    return bool(text_of(element, "briefdescription") or text_of(element, "detaileddescription"))


def text_of(element: ElementTree.Element, name: str) -> str:
    found = element.find(name)
    return "" if found is None else "".join(found.itertext()).strip()


def place_of(element: ElementTree.Element) -> str:
    found = element.find("location")
    return "" if found is None else f"{found.get('file')}:{found.get('line')}"
