"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
STAGE = ROOT / "stage"
VENV = ROOT / ".venv"
EVIDENCE = ROOT / "evidence"

WARPAES = STAGE / "bin" / "warpaes"
STAGED_PYTHON = STAGE / "lib" / "python"
STAGED_TESTS = STAGE / "libexec" / "warpaes"
STAGED_DATA = STAGE / "share" / "warpaes"
CONFORMANCE = STAGED_TESTS / "warpaes_conformance"


def tool(name: str) -> Path:
    """A program that set-up has put into the virtual environment."""
    return VENV / "bin" / name
