"""./dev docs: the API reference, from the comments of the public headers."""

from devtools.process import exit_code, heading, say
from devtools.repository import BUILD, ROOT
from devtools.setup import DOCS, set_up

PAGES = BUILD / "docs" / "html"


def docs() -> int:
    """Makes the reference. Exit code 1 if a comment names a parameter or declaration that does not exist."""
    set_up(True, DOCS)
    heading("API reference")
    (BUILD / "docs").mkdir(parents=True, exist_ok=True)
    code = exit_code(["doxygen", ROOT / "docs" / "Doxyfile"])
    if code == 0:
        say(f"written: {PAGES.relative_to(ROOT)}/index.html")
    return code
