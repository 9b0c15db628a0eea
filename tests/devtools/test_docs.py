"""What is public and has no comment is found in what Doxygen writes of the headers."""

import shutil
import subprocess
from pathlib import Path

import pytest

from devtools import docs
from devtools.repository import ROOT

HEADER = """/** @file
 * A header. */
/** Documented. @param a a number */
int documented(int a);
int bare(int a);
/** A number. */
typedef unsigned kind;
enum { KIND_ONE = 1 };
/** A structure. */
struct pair {
  int first; /**< the first */
  int second;
};
namespace n {
struct Bare {
  /// @name Of a range
  /// Each as std::vector has it.
  /// @{
  int begin() const;
  int end() const;
  /// @}
  int size() const;
 private:
  struct Inside { int hidden; };
  int hidden_;
};
using Pair = pair;
using Pairs = pair*;
}
"""


def doxygen(folder: Path, header: str) -> int:
    """Makes the reference of one header with the project's settings. @return the exit code"""
    if not shutil.which("doxygen"):
        pytest.skip("doxygen is not installed")
    for name in ("include/warpaes", "docs", "build/docs"):
        (folder / name).mkdir(parents=True)
    (folder / "docs" / "api.md").write_text("# The interface\n")
    (folder / "include" / "warpaes" / "a.hpp").write_text(header)
    command = ["doxygen", str(ROOT / "docs" / "Doxyfile")]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode


def test_what_has_no_comment_is_found(tmp_path: Path) -> None:
    assert doxygen(tmp_path, HEADER) == 0
    assert docs.without_comment(tmp_path / "build" / "docs" / "xml") == {
        "warpaes/a.hpp:5: bare",
        "warpaes/a.hpp:12: pair::second",
        "warpaes/a.hpp:15: n::Bare",
        "warpaes/a.hpp:22: n::Bare::size",
        "warpaes/a.hpp:28: n::Pairs",
    }


def test_a_comment_on_what_there_is_not_is_an_error(tmp_path: Path) -> None:
    assert doxygen(tmp_path, "/** @file */\n/** @param b it */\nint f(int a);\n") != 0
