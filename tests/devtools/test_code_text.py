"""Comments go, and nothing that only looks like one."""

import pytest

from devtools.code_text import code_of


@pytest.mark.parametrize(
    "same",
    [
        "int a = 1;\n",
        "int a = 1;  // one\n",
        "// What a is.\nint a = 1;\n",
        "\n/* What\n   a is. */\nint a = 1;\n\n",
        "// It isn't closed, and has 'quotes' and \"more\nint a = 1;\n",
        "// goes on \\\n   here\nint a = 1;\n",
    ],
)
def test_comments_and_empty_lines_are_no_code(same: str) -> None:
    assert code_of(same) == "int a = 1;\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('a("https://x");', 'a("https://y");'),
        ("a(\"it's // x\", 2'000);", "a(\"it's // y\", 2'000);"),
        ("a(1'000, \"it's // x\");", "a(1'000, \"it's // y\");"),  # the separator opens no character
        ('a(\'"\', "// x");', 'a(\'"\', "// y");'),
        (r'a("\" // x");', r'a("\" // y");'),
        (r"a('\'', 1); // '", r"a('\'', 2); // '"),
        ('a(R"x(" // )" /* x */)x");', 'a(R"x(" // )" /* y */)x");'),
        ("a(b /c);", "a(b //c);\n);"),
        ("a(0x1'ff, 1.5e3);", "a(0x1'fe, 1.5e3);"),
        ("int/**/a;", "inta;"),
        ("#if A\n#endif", "#if B\n#endif"),
        ("a\nb", "a b"),
    ],
)
def test_all_else_is_code(one: str, other: str) -> None:
    assert code_of(one) != code_of(other)
