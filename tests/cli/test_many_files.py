"""Folders and many files: all of them, at the right place, and none lost."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.peak_memory import MOST_MEMORY, measured, peak_memory
from tests.cli.program import Result, command_line, damage_end, environment, pattern, run, succeed
from tests.cli.unprivileged import NOBODY, Unprivileged

FILES = 1000  # more than one group of outputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    for number in range(FILES):
        path = folder / f"{number % 7}" / f"file{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pattern(number * 5))
    (folder / "link").symlink_to("0/file0")
    (folder / "to_folder").symlink_to("0")
    return folder


def files_below(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_there_and_back(key: Path, folder: Path, tmp_path: Path) -> None:
    content = files_below(folder)
    succeed("encrypt", "-r", "-k", key, folder)
    assert files_below(folder).keys() == content.keys() | {f"{name}.wa" for name in content}
    succeed("encrypt", "-r", "-f", "-k", key, folder)  # what ends in .wa is no input
    assert len(files_below(folder)) == 2 * FILES
    succeed("verify", "-r", "-k", key, folder)
    back = tmp_path / "back"
    succeed("decrypt", "-r", "-k", key, "--output-folder", back, folder)
    assert files_below(back / "folder") == content


def test_names_in_capital_letters(key: Path, folder: Path, tmp_path: Path) -> None:
    """File systems that know no small letters make them of .wa: a file of such a name is encrypted, too."""
    content = files_below(folder)
    succeed("encrypt", "-r", "--rm", "-k", key, folder)
    for number, path in enumerate(sorted(folder.rglob("*.wa"))):
        path.rename(path.with_suffix((".WA", ".Wa")[number % 2]))
    capitals = files_below(folder)
    result = run("encrypt", "-k", key, sorted(folder.rglob("*.WA"))[0])
    assert result.code == 1
    assert "encrypted already" in result.err
    assert "no files to be encrypted" in succeed("encrypt", "-r", "-k", key, folder).err
    assert files_below(folder) == capitals
    succeed("verify", "-r", "-k", key, folder)
    succeed("decrypt", "-r", "--rm", "-k", key, folder)
    assert files_below(folder) == content


def test_two_files_whose_names_differ_in_letters_only(key: Path, plain: Path, tmp_path: Path) -> None:
    """Both would become one file, so the second is refused; with --force both are, before there is one."""
    succeed("encrypt", "-k", key, plain)
    small, capital = plain.with_name("plain.wa"), plain.with_name("plain.WA")
    capital.write_bytes(small.read_bytes())
    plain.unlink()
    assert run("decrypt", "-k", key, small, capital).code == 3
    assert run("decrypt", "--force", "-k", key, small, capital).code == 2


def test_remove_after_success(key: Path, folder: Path) -> None:
    content = files_below(folder)
    broken = folder / "0" / "file0.wa"
    broken.write_bytes(b"precious")
    result = run("encrypt", "-r", "--rm", "-k", key, folder)
    assert result.code == 3
    assert "file0.wa exists already" in result.err
    assert files_below(folder).keys() == {f"{name}.wa" for name in content} | {"0/file0"}
    assert broken.read_bytes() == b"precious"
    broken.unlink()
    succeed("decrypt", "-r", "--rm", "-k", key, folder)
    assert files_below(folder) == content


def test_reports(key: Path, folder: Path) -> None:
    result = succeed("encrypt", "-r", "--json", "-k", key, folder)
    *lines, summary = result.lines
    assert len({line["input"] for line in lines}) == FILES
    assert {line["type"] for line in lines} == {"file"}
    assert summary["files"] == FILES
    assert summary["plaintext_bytes"] == sum(line["plaintext_bytes"] for line in lines)
    text = succeed("verify", "-r", "-k", key, folder).err
    assert text.startswith(f"{FILES} files: ")
    assert text.count("\n") == 1


def test_no_sync(key: Path, folder: Path) -> None:
    succeed("encrypt", "-r", "--no-sync", "-k", key, folder)
    succeed("verify", "-r", "-k", key, folder)
    assert run("encrypt", "-r", "--no-sync", "--rm", "-k", key, folder).code == 2


def test_output_folder_for_files(key: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "sub" / "b"]
    paths[1].parent.mkdir()
    for path in paths:
        path.write_bytes(b"hello")
    out = tmp_path / "new" / "out"
    succeed("encrypt", "-k", key, "--output-folder", out, *paths)
    assert files_below(out).keys() == {"a.wa", "b.wa"}
    assert run("encrypt", "-k", key, "--output-folder", out, "-o", "x", paths[0]).code == 2
    result = run("encrypt", "-k", key, "--output-folder", out, "-", stdin=b"hello")
    assert result.code == 2
    assert "standard input has no name" in result.err


def test_folders_stay_closed(key: Path, tmp_path: Path) -> None:
    """Who could not enter the folder of the files cannot enter that of their plaintexts."""
    private = tmp_path / "private"
    for folder, mode in ((private, 0o700), (private / "group", 0o750), (private / "fixed", 0o555)):
        folder.mkdir()
        (folder / "notes").write_text("notes")
        folder.chmod(mode)
    for name in (private, f"{private}/", f"{private}/group/.."):
        out = tmp_path / "a" / "out"
        succeed("encrypt", "-r", "-k", key, "--output-folder", out, name)
        modes = {path.name: path.stat().st_mode & 0o777 for path in out.rglob("*") if path.is_dir()}
        assert modes == {"private": 0o700, "group": 0o750, "fixed": 0o755}
        shutil.rmtree(out)
    (tmp_path / "blocked").write_text("no folder")
    result = run("encrypt", "-r", "-k", key, "--output-folder", tmp_path / "blocked", private)
    assert result.code == 3
    assert f"{tmp_path}/blocked is not a folder" in result.err
    (tmp_path / "dangling").symlink_to("nothing")
    for name, is_none in (("blocked/below", "blocked"), ("dangling", "dangling")):
        result = run("encrypt", "-k", key, "--output-folder", tmp_path / name, private / "notes")
        assert result.code == 1
        assert f"{tmp_path}/{is_none} is not a folder" in result.err


def test_two_files_for_one_name(key: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name / "same" for name in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(path.parent.name)
    out = tmp_path / "out"
    result = run("encrypt", "-k", key, "--output-folder", out, *paths)
    assert result.code == 3
    assert f"{out}/same.wa " in result.err
    assert "names that differ" not in result.err
    assert succeed("decrypt", "-k", key, out / "same.wa", "-o", "-").out == b"one"


def test_a_damaged_one_among_many(key: Path, folder: Path) -> None:
    succeed("encrypt", "-r", "--rm", "-k", key, folder)
    damaged = folder / "3" / "file10.wa"
    damage_end(damaged)
    result = run("decrypt", "-r", "--rm", "--json", "-k", key, folder)
    assert result.code == 3
    assert [line["file"] for line in result.lines if line["type"] == "file_error"] == [str(damaged)]
    assert files_below(folder).keys() >= {"3/file10.wa"}
    assert "3/file10" not in files_below(folder)
    assert len(files_below(folder)) == FILES


def test_what_ends_the_run_is_told_last(key: Path, tmp_path: Path) -> None:
    """A passphrase that nobody can be asked for: no file is begun after it, and those before it are told."""
    word = tmp_path / "word"
    word.write_text("of this file")
    word.chmod(0o600)
    for name in ("locked", "sound", "damaged", "later"):
        (tmp_path / name).write_bytes(pattern(1000))
    succeed("encrypt", "--passphrase-file", word, tmp_path / "locked")
    succeed("encrypt", "-k", key, *(tmp_path / name for name in ("sound", "damaged", "later")))
    damage_end(tmp_path / "damaged.wa")
    locked, sound, damaged, later = (tmp_path / f"{n}.wa" for n in ("locked", "sound", "damaged", "later"))
    keyed = environment(WARPAES_KEY_FILE=str(key))

    def run_alone(*arguments: str | Path) -> Result:
        """Without a terminal to ask at, and one file after the other."""
        return run(*arguments, "--threads", "1", env=keyed, start_new_session=True)

    result = run_alone("verify", "--json", sound, damaged, locked, later)
    assert result.code == 2, result.err
    told = [(line["type"], line["input"] if "input" in line else line["file"]) for line in result.lines]
    assert [(kind, Path(name).stem) for kind, name in told] == [
        ("file", "sound"),
        ("file_error", "damaged"),
        ("error", "locked"),
    ]
    assert run_alone("decrypt", "--rm", "-f", locked, sound, later).code == 2
    assert sound.exists()
    assert later.exists()


def test_remove_needs_a_file(key: Path, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"hello")
    assert run("encrypt", "--rm", "-k", key, path, "-o", "-").code == 2
    assert run("encrypt", "--rm", "-k", key, "-", "-o", tmp_path / "x", stdin=b"").code == 2
    assert path.exists()


@pytest.mark.parametrize("more", [["--force"], ["--force", "--rm"]])
def test_two_inputs_of_one_name(more: list[str], key: Path, tmp_path: Path) -> None:
    """With --rm as well, one of the two would be lost."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes").write_text(folder)
    out = tmp_path / "out"
    inputs = [tmp_path / folder / "notes" for folder in ("one", "two")]
    result = run("encrypt", *more, "-k", key, "--output-folder", out, *inputs)
    assert result.code == 2
    assert "one/notes and" in result.err
    assert f"would both become {out}/notes.wa" in result.err
    assert not out.exists()
    assert files_below(tmp_path).keys() == {"key", "one/notes", "two/notes"}


def test_a_file_that_is_named_twice(key: Path, plain: Path) -> None:
    result = run("encrypt", "-r", "-f", "--rm", "-k", key, plain, f"{plain.parent}/./{plain.name}")
    assert result.code == 2
    assert f"{plain.parent}/./{plain.name} is named twice" in result.err
    assert files_below(plain.parent).keys() == {"key", "plain"}


def test_a_folder_that_cannot_be_read(unprivileged: Unprivileged) -> None:
    """The others are done all the same."""
    folder, key = unprivileged.folder / "folder", unprivileged.folder / "key"
    for name in ("a", "closed", "z"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_text(name)
    (folder / "new\nline").mkdir()
    for name in ("closed", "new\nline"):
        (folder / name).chmod(0)
    succeed("keygen", "-q", "-o", key)
    key.chmod(0o644)
    if os.geteuid() == 0:
        for path in (folder, folder / "a", folder / "z"):
            os.chown(path, NOBODY, NOBODY)
    result = unprivileged.run("encrypt", "-r", "--insecure-key-file", "-k", key, folder)
    assert result.code == 3
    assert f"{folder}/closed: Permission denied" in result.err
    assert "new\\nline': Permission denied" in result.err
    assert "2 of 4 files failed" in result.err
    assert (folder / "a" / "file.wa").exists()
    assert (folder / "z" / "file.wa").exists()


def test_a_deep_folder(key: Path, tmp_path: Path) -> None:
    """More folders in each other than a process may have open files."""
    path = tmp_path / "deep"
    for _ in range(400):
        path = path / "d"
    path.mkdir(parents=True)
    (path / "file").write_text("deep")
    limit = ["prlimit", "--nofile=64", *command_line("encrypt", "-q", "-r", "-k", key, tmp_path / "deep")]
    subprocess.run(limit, check=True, env=environment())
    assert (path / "file.wa").exists()


def test_a_deep_folder_and_a_small_stack(key: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    path = f"{deep}{'/d' * ((4000 - len(str(deep))) // 2)}"
    subprocess.run(["mkdir", "-p", path], check=True)
    Path(path, "f").write_text("deep")
    limit = ["prlimit", "--stack=600000", *command_line("encrypt", "-q", "-r", "-k", key, deep)]
    done = subprocess.run(limit, check=False, env=environment())
    made = Path(path, "f.wa").exists()
    subprocess.run(["rm", "-r", str(deep)], check=True)  # too deep for what removes old folders
    assert (done.returncode, made) == (0, True)


@pytest.mark.parametrize("limit", [24, 64])
def test_few_open_files(limit: int, key: Path, tmp_path: Path) -> None:
    """Files that wait for the disk together are fewer then."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(100):
        (folder / f"{number}").write_text("hello")
    command = command_line("encrypt", "-q", "-r", "--threads", "2", "-k", key, folder)
    subprocess.run(["prlimit", f"--nofile={limit}", *command], check=True, env=environment())
    assert len(list(folder.iterdir())) == 200


def test_a_file_called_dash(key: Path, tmp_path: Path) -> None:
    (tmp_path / "-").write_text("dash")
    succeed("encrypt", "--rm", "-k", key, "./-", cwd=tmp_path)
    result = succeed("decrypt", "--rm", "-k", key, "--", "-.wa", cwd=tmp_path)
    assert result.out == b""
    assert (tmp_path / "-").read_text() == "dash"


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "verify"])
def test_a_folder_without_r(verb: str, key: Path, folder: Path) -> None:
    result = run(verb, "-k", key, folder)
    assert result.code == 1
    assert f"{folder} is a folder" in result.err
    assert "hint: -r takes the files in it" in result.err
    assert ("tar -c" in result.err) == (verb == "encrypt")


def test_more_threads_than_may_open_files(key: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}").write_bytes(bytes(200_000))
    command = command_line("encrypt", "-q", "-r", "--threads", "128", "-k", key, folder)
    limited = ["prlimit", "--nofile=64", *command]
    done = subprocess.run(limited, check=False, capture_output=True, env=environment())
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list(folder.glob("*.wa"))) == 200


def test_memory_of_many_threads(key: Path, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no space
    command = measured(command_line("encrypt", "-q", "--threads", "2000", "-k", key, large, "-o", "-"))
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(command, stdout=null, stderr=pipe, env=environment()) as running:
        assert peak_memory(running) < MOST_MEMORY
