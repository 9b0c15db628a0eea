"""Options typed as other programs have them, which the parser would read in a way that nobody means."""

from pathlib import Path

import pytest

from tests.cli.program import run, succeed

VERBS = (
    ["encrypt"],
    ["decrypt"],
    ["verify"],
    ["rekey"],
    ["inspect"],
    ["keygen"],
    ["raw"],
    ["mac"],
    ["kdf", "hkdf"],
    ["engines"],
    ["devices"],
    ["selftest"],
    ["calibrate"],
    ["bench"],
    ["lab", "list"],
)


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_long_name_with_one_dash(verb: list[str], tmp_path: Path) -> None:
    result = run(*verb, "-json", cwd=tmp_path)
    assert result.code == 2
    assert f"warpaes {' '.join(verb)} has no option '-json'; did you mean '--json'?\n" in result.err
    assert not names_in(tmp_path)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_value_for_a_flag(verb: list[str], tmp_path: Path) -> None:
    result = run(*verb, "--json=1", cwd=tmp_path)
    assert result.code == 2
    assert "error: --json takes no value, not '1'\n" in result.err
    assert f"hint: warpaes {' '.join(verb)} --help\n" in result.err
    assert result.out == b""
    assert not names_in(tmp_path)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("-force", "--force"),
        ("-force=yes", "--force"),
        ("-output", "--output"),
        ("-out", "--output"),
        ("-out=sealed", "--output"),
        ("-key", "--key-file"),
        ("-key-file", "--key-file"),
        ("-keyfile", "--key-file"),
        ("-quiet", "--quiet"),
        ("-rm", "--rm"),
        ("-passphrase-file", "--passphrase-file"),
    ],
)
def test_no_letters_are_taken_for_a_value(
    typed: str, meant: str, key: Path, plain: Path, tmp_path: Path
) -> None:
    """-force would be -f -o rce."""
    before = names_in(tmp_path)
    result = run("encrypt", "-k", key, plain, typed, cwd=tmp_path)
    assert result.code == 2
    name = typed.partition("=")[0]
    assert f"error: warpaes encrypt has no option '{name}'; did you mean '{meant}'?\n" in result.err
    assert names_in(tmp_path) == before


@pytest.mark.parametrize(
    "typed", ["--force=yes", "--force=no", "--rm=false", "--quiet=", "-f=1", "-r=true", "-fq=1"]
)
def test_no_flag_is_set_or_left_out_by_a_value(typed: str, key: Path, plain: Path, tmp_path: Path) -> None:
    before = names_in(tmp_path)
    result = run("encrypt", "-k", key, plain, typed, cwd=tmp_path)
    assert result.code == 2
    flag, value = typed.split("=")
    assert f"error: {flag} takes no value, not '{value}'\n" in result.err
    assert names_in(tmp_path) == before


def test_what_is_no_mistake(key: Path, plain: Path, tmp_path: Path) -> None:
    """Letters together, values behind their letters, help, and such texts as values and as names of files."""
    succeed("encrypt", f"-k{key}", "-fqoout", plain, cwd=tmp_path)
    succeed("encrypt", "-k", key, "-fqo", "-force", plain, cwd=tmp_path)
    succeed("verify", "-k", key, "-q", "--", "-force", cwd=tmp_path)
    for text in ("--json=1", "-force", "-key]", "--?", "--rm=%"):
        succeed("encrypt", "-k", key, "-f", "-o", "out", "--context", text, plain, cwd=tmp_path)
        succeed("verify", "-k", key, f"--context={text}", "out", cwd=tmp_path)
        (tmp_path / text).write_text("the data")
        succeed("encrypt", "-k", key, "--rm", "--", text, cwd=tmp_path)
        assert not (tmp_path / text).exists()
        assert (tmp_path / f"{text}.wa").is_file()
    assert succeed("encrypt", "-help").out == succeed("encrypt", "--help").out


def test_a_file_of_that_name_is_told(key: Path, tmp_path: Path) -> None:
    (tmp_path / "-force").write_text("the data")
    result = run("encrypt", "-k", key, "-force", cwd=tmp_path)
    assert result.code == 2
    assert "hint: the file of that name is ./-force; " in result.err


@pytest.mark.parametrize(
    ("typed", "superfluous"),
    [
        (["devices", "more"], "more"),
        (["devices", "--", "-more"], "-more"),
        (["keygen", "-o", "k", "two\nlines"], "$'two\\nlines'"),
        (["completion", "bash", "more", "and more"], "more"),
        (["inspect", "one", "two"], "two"),
        (["raw", "-m", "ecb", "one", "[two]"], "[two]"),
    ],
)
def test_one_argument_too_many(typed: list[str], superfluous: str, tmp_path: Path) -> None:
    result = run(*typed, cwd=tmp_path)
    assert result.code == 2
    assert f" has no use for '{superfluous}'\nwarpaes: hint: warpaes {typed[0]}" in result.err
    assert not names_in(tmp_path)


def test_no_option_is_the_name_of_an_engine(key: Path, plain: Path) -> None:
    """For `openssl enc`, -e is to encrypt."""
    result = run("raw", "-e", "-d", "-m", "ecb", "-k", key, plain)
    assert result.code == 2
    assert "error: -e,--engine needs a value, and took '-d' for it\n" in result.err
    result = run("raw", "--engine=-x", "-m", "ecb", "-k", key, plain)
    assert result.code == 2
    assert "error: --engine takes auto, cuda, openssl or portable, not '-x'\n" in result.err
