"""Code in pages is the examples' code."""

from pathlib import Path

import pytest

from devtools.examples import cut, pages, pages_are_cut, with_examples
from devtools.process import Stop

SOURCE = """int main() {
  // cut for README.md
  if (a) {
    b();
  }
  // end of the cut
  // cut for docs/a.md: the first
  c();
  // end of the cut
  // cut for docs/a.md: the second
  d();
  // end of the cut
}
"""
README = "before\n<!-- example: a.cpp -->\nold\n<!-- end of example -->\nafter\n"
PAGE = "<!-- example: a.cpp, the second -->\n<!-- end of example -->\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.cpp").write_text(SOURCE)
    return tmp_path


def test_a_cut_loses_its_indentation() -> None:
    assert cut(SOURCE, "README.md") == "if (a) {\n  b();\n}\n"


def test_a_comment_of_c() -> None:
    assert cut("/* cut for README.md */\na();\n/* end of the cut */\n", "README.md") == "a();\n"


def test_a_page_s_cuts_have_names() -> None:
    assert cut(SOURCE, "docs/a.md: the first") == "c();\n"
    assert cut(SOURCE, "docs/a.md: the second") == "d();\n"
    assert cut(SOURCE, "docs/b.md: the second") is None
    assert cut(SOURCE, "docs/a.md: the") is None


def test_old_code_is_replaced_and_the_rest_stays(root: Path) -> None:
    text = with_examples(README, "README.md", root)
    assert text == (
        "before\n<!-- example: a.cpp -->\n```cpp\nif (a) {\n  b();\n}\n```\n<!-- end of example -->\nafter\n"
    )
    assert with_examples(text, "README.md", root) == text


def test_two_examples_do_not_swallow_what_is_between(root: Path) -> None:
    twice = with_examples(README + README, "README.md", root)
    assert twice == 2 * with_examples(README, "README.md", root)


def test_all_pages_with_code_are_made(root: Path) -> None:
    (root / "docs").mkdir()
    (root / "README.md").write_text(README)
    (root / "docs" / "a.md").write_text(PAGE)
    (root / "docs" / "without.md").write_text("no code\n")
    made = pages(root)
    assert set(made) == {root / "README.md", root / "docs" / "a.md"}
    assert "\n```cpp\nd();\n```\n" in made[root / "docs" / "a.md"]


@pytest.mark.parametrize(
    "text",
    [
        README,  # nothing is cut for docs/a.md without a name
        PAGE.replace("a.cpp", "b.cpp"),
        PAGE.replace("end of", "ende"),
        PAGE.replace("second", "third"),
    ],
)
def test_a_mark_that_leads_nowhere(text: str, root: Path) -> None:
    with pytest.raises(Stop):
        with_examples(text, "docs/a.md", root)


def test_the_pages_have_the_examples_code() -> None:
    assert pages_are_cut()
