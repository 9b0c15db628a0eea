"""`warpaes calibrate` where its answer has no place."""

import time
from pathlib import Path

from tests.cli.program import environment, run
from tests.cli.unprivileged import Unprivileged


def test_no_place_for_the_answer_is_told_before_it_is_measured() -> None:
    begin = time.monotonic()
    result = run("calibrate", env=environment(HOME="", XDG_CACHE_HOME="relative"))
    assert result.code == 1
    assert result.out == b""
    assert "error: neither $XDG_CACHE_HOME nor $HOME names a folder" in result.err
    assert "hint: $XDG_CACHE_HOME" in result.err
    assert time.monotonic() - begin < 1


def test_a_folder_that_takes_no_file_is_told_before_it_is_measured(
    tmp_path: Path, unprivileged: Unprivileged
) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    locked = unprivileged.folder / "locked"
    (locked / "warpaes").mkdir(parents=True)
    (locked / "warpaes").chmod(0o500)
    begin = time.monotonic()
    for result, cache, why in (
        (run("calibrate", env=environment(XDG_CACHE_HOME=str(no_folder))), no_folder, "Not a directory"),
        (
            unprivileged.run("calibrate", before=("env", f"XDG_CACHE_HOME={locked}")),
            locked,
            "Permission denied",
        ),
    ):
        assert result.code == 1
        assert result.out == b""
        assert f"error: no speeds can be stored in {cache}/warpaes: {why}\n" in result.err
        assert "hint: $XDG_CACHE_HOME" in result.err
    assert time.monotonic() - begin < 1
