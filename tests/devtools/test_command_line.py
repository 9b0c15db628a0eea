"""./dev as it is typed: what is wrong ends with a sentence, before anything is built, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import pytest

from devtools import wheels
from devtools.repository import ROOT


def dev(
    *arguments: str, stdout: int | TextIO = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "dev", *arguments],
        env={**os.environ, **environment},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


# Python keeps what is printed until the end, or, with this variable, writes it at once.
each_buffering = pytest.mark.parametrize("unbuffered", ["", "1"])


@each_buffering
def test_a_reader_that_goes_away_is_no_failure_to_explain(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = dev("evidence", "--check", stdout=writer, PYTHONUNBUFFERED=unbuffered)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@each_buffering
def test_a_full_disk_is_said_in_a_sentence(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = dev("evidence", "--check", stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    assert done.stderr.startswith("dev: error: [Errno 28] No space left on device")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["install", "--prefix", ""], "argument --prefix: it is empty"),
        (["uninstall", "--prefix", ""], "argument --prefix: it is empty"),
        (["uninstall", "--prefix", "~nobody-of-this-name"], "argument --prefix: ~nobody-of-this-name: "),
        (["install", "--prefix", f"{__file__}/x"], f"{__file__} is no folder"),
        (["package", "--maintainer", "me@here.org"], "it is not written as 'Name <mail@address>'"),
        (["package", "--maintainer", "Me <me>"], "it is not written as 'Name <mail@address>'"),
        (["files", "--output", "x", "--mebibytes", "0"], "8 dd share a multiple of 8 MiB"),
        (["files", "--output", "x", "--mebibytes", "-8"], "8 dd share a multiple of 8 MiB"),
        (["files", "--output", "x", "--turns", "0"], "--turns: there has to be one"),
        (["test", "--nosuch"], "usage: ./dev test "),
        (["evidence", "--check"], "git is needed, and cannot be started: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_built(arguments: list[str], complaint: str) -> None:
    done = dev(*arguments, PATH="/nonexistent")  # nothing that would build
    assert done.returncode in (1, 2)
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_project_s_files_are_read_in_any_locale() -> None:
    """As UTF-8, which they are: here in ASCII, which has nothing for their µ."""
    done = dev("evidence", "--check", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    in_this = dev("evidence", "--check")
    assert "fresh: " in in_this.stdout
    assert (done.returncode, done.stdout, done.stderr) == (in_this.returncode, in_this.stdout, in_this.stderr)


def test_a_python_of_this_folder_is_found_from_the_root_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is where the programs of ./dev are started."""
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    assert wheels.interpreters(["./python"]) == [str(tmp_path / "python")]
