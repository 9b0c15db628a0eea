"""Names of files in which the parser of options would see something else, such as a list."""

from pathlib import Path

import pytest

from tests.cli.program import pattern, run, succeed

NAMES = ("[x]", "[a,b]", "[]", "[[x]]", "[[xx]]", "{}", "%%", "x]", "[x]%", "++")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the files that a list would name."""
    path = tmp_path / "folder"
    path.mkdir()
    for name in ("x", "a", "b", "xx"):
        (path / name).write_text(f"this is {name}")
    return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", [(), ("--",)])
def test_a_file_is_the_one_that_is_named(name: str, before: tuple[str, ...], key: Path, folder: Path) -> None:
    others = {path: path.read_text() for path in folder.iterdir()}
    plain, sealed = folder / name, folder / f"{name}.wa"
    plain.write_text("the data")
    succeed("encrypt", "--rm", "-k", key, *before, name, cwd=folder)
    assert {path: path.read_text() for path in folder.iterdir() if path != sealed} == others
    sealed.rename(plain)
    old = plain.read_bytes()
    succeed("verify", "-k", key, *before, name, cwd=folder)
    succeed("inspect", "-k", key, *before, name, cwd=folder)
    succeed("rekey", "-k", key, "--new-key-file", key, *before, name, cwd=folder)
    assert plain.read_bytes() != old
    succeed("decrypt", "--rm", "-k", key, "-o", "out", *before, name, cwd=folder)
    assert (folder / "out").read_text() == "the data"
    assert {path: path.read_text() for path in folder.iterdir() if path.name != "out"} == others


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_the_one_that_is_named(name: str, key: Path, folder: Path) -> None:
    (folder / "x").unlink()
    (folder / "x").mkdir()
    (folder / "x" / "other").write_text("other")
    (folder / name).mkdir()
    (folder / name / "file").write_text("the data")
    succeed("encrypt", "--rm", "-k", key, "-r", name, cwd=folder)
    assert [path.name for path in (folder / name).iterdir()] == ["file.wa"]
    assert [path.name for path in (folder / "x").iterdir()] == ["other"]


@pytest.mark.parametrize("name", NAMES)
def test_an_option_s_file_is_the_one_that_is_named(name: str, plain: Path, folder: Path) -> None:
    (folder / name).write_bytes(pattern(32))
    (folder / name).chmod(0o600)
    succeed("encrypt", "-k", name, f"--context={name}", "-o", "out", plain, cwd=folder)
    (folder / "key").write_bytes(pattern(32))
    (folder / "key").chmod(0o600)
    succeed("verify", "-k", "key", "--context", name, "out", cwd=folder)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_of_raw_is_the_one_that_is_named(name: str, folder: Path) -> None:
    """And not standard input, which it is without a name."""
    (folder / name).write_text("the data")
    options = ("raw", "-q", "--mode", "ctr", "--iv", "00" * 16, "--key-hex", "00" * 32)
    made = succeed(*options, name, cwd=folder, stdin=b"something else").out
    assert succeed(*options, "-d", stdin=made).out == b"the data"
    assert len(succeed("mac", "--mode", "cmac", *options[6:], name, cwd=folder).out) == 33


def test_the_names_of_several_files(key: Path, folder: Path) -> None:
    for name in NAMES:
        (folder / name).write_text("the data")
    succeed("encrypt", "--rm", "-k", key, "a", *NAMES, "b", cwd=folder)
    sealed = {f"{name}.wa" for name in ("a", "b", *NAMES)}
    assert {path.name for path in folder.iterdir()} == sealed | {"x", "xx"}


def test_a_name_that_is_empty_is_one_of_the_files(key: Path, folder: Path) -> None:
    result = run("encrypt", "-k", key, "a", "", "b", cwd=folder)
    assert result.code == 3
    assert "1 of 3 files failed" in result.err
    for verb in ("encrypt", "encrypt --rm", "verify", "inspect", "mac -m cmac", "raw -m ecb -q"):
        result = run(*verb.split(), "-k", key, "", cwd=folder)
        assert result.err == "warpaes: error: '': No such file or directory\n"


def test_a_value_that_is_refused_is_shown_as_it_is(key: Path, plain: Path) -> None:
    result = run("encrypt", "-k", key, "--verify-output", "[full]", plain)
    assert result.code == 2
    assert "--verify-output takes none, sample or full, not '[full]'" in result.err


def test_nothing_behind_an_option_is_nothing(key: Path, folder: Path) -> None:
    """And not the next argument, which would be a file that is left out without a word."""
    succeed("encrypt", "--rm", "-k", key, "--context=", "a", "b", cwd=folder)
    assert sorted(path.name for path in folder.iterdir()) == ["a.wa", "b.wa", "x", "xx"]
    succeed("verify", "-k", key, "a.wa", "b.wa", cwd=folder)
    for option in ("--output-folder=", "--key-file=", "--threads=", "--range="):
        refused = run("decrypt", "-k", key, option, "a.wa", cwd=folder)
        assert refused.code == 2, option
        assert option[:-1] in refused.err


def test_a_file_like_an_option_without_a_value(key: Path, folder: Path) -> None:
    (folder / "--name=").write_text("the data")
    succeed("encrypt", "--rm", "-k", key, "--", "--name=", cwd=folder)
    assert (folder / "--name=.wa").exists()


def test_a_file_whose_name_looks_like_an_option(key: Path, folder: Path) -> None:
    for name in ("-dash", "--dash"):
        (folder / name).write_text("the data")
        result = run("encrypt", "-k", key, name, cwd=folder)
        assert result.code == 2
        assert f"hint: the file of that name is ./{name}; warpaes encrypt --help\n" in result.err
        succeed("encrypt", "-k", key, f"./{name}", cwd=folder)
