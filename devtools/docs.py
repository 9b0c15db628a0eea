"""./dev docs: the API reference, from the comments of the public headers and Python's docstrings."""

from devtools.process import Command, Stop, exit_code, heading, say
from devtools.repository import BUILD, ROOT, STAGED_PYTHON, tool
from devtools.setup import DOCS, TEST, set_up

PAGES = BUILD / "docs" / "html"
PYTHON_PAGES = BUILD / "docs" / "python"


def docs() -> int:
    """Makes the reference. Exit code 1 if a comment names a parameter or declaration that does not exist, or
    a public name of the Python package has no docstring."""
    set_up(True, DOCS, TEST)
    if not (STAGED_PYTHON / "warpaes").is_dir():
        raise Stop("stage/ has no Python package, whose pages are made by importing it", hint="./dev build")
    heading("API reference")
    (BUILD / "docs").mkdir(parents=True, exist_ok=True)
    makes_pages: Command = [tool("python"), "-W", "error", "-m", "devtools.python_reference", PYTHON_PAGES]
    codes = [
        exit_code(["doxygen", ROOT / "docs" / "Doxyfile"]),
        exit_code(makes_pages, extra_environment={"PYTHONPATH": str(STAGED_PYTHON)}),
    ]
    for folder, code in zip((PAGES, PYTHON_PAGES), codes, strict=True):
        if code == 0:
            say(f"written: {folder.relative_to(ROOT)}/index.html")
    return max(codes)
