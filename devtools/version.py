"""The version, which the public header alone has. The tests of wheels, of any Python, read it here, too."""

import re

from devtools.repository import ROOT


def version() -> str:
    header = (ROOT / "include" / "warpaes" / "warpaes.h").read_text()
    return ".".join(
        re.findall(r"^#define WARPAES_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
    )


def interface_version() -> str:
    """What a program keeps working with, and libwarpaes.so's SONAME ends in (cmake/Version.cmake)."""
    major, minor, _ = version().split(".")
    return f"0.{minor}" if major == "0" else major
