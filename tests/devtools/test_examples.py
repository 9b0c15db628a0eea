"""README's code is the examples' code."""

from pathlib import Path

import pytest

from devtools.examples import cut, with_examples
from devtools.process import Stop

SOURCE = """int main() {
  // cut for README.md
  if (a) {
    b();
  }
  // end of the cut
}
"""
README = "before\n<!-- example: a.cpp -->\nold\n<!-- end of example -->\nafter\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.cpp").write_text(SOURCE)
    return tmp_path


def test_a_cut_loses_its_indentation() -> None:
    assert cut(SOURCE) == "if (a) {\n  b();\n}\n"


def test_a_file_without_cut_is_shown_whole() -> None:
    assert cut("int main() {}\n") == "int main() {}\n"


def test_old_code_is_replaced_and_the_rest_stays(root: Path) -> None:
    text = with_examples(README, root)
    assert text == (
        "before\n<!-- example: a.cpp -->\n```cpp\nif (a) {\n  b();\n}\n```\n<!-- end of example -->\nafter\n"
    )
    assert with_examples(text, root) == text


def test_two_examples_do_not_swallow_what_is_between(root: Path) -> None:
    assert with_examples(README + README, root) == 2 * with_examples(README, root)


@pytest.mark.parametrize("text", [README.replace("a.cpp", "b.cpp"), README.replace("end of", "ende")])
def test_a_mark_that_leads_nowhere(text: str, root: Path) -> None:
    with pytest.raises(Stop):
        with_examples(text, root)
