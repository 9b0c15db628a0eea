"""Folders in which names can be made, and neither removed nor given to another file (chattr +a)."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, pattern, run, succeed

RAW = ("raw", "--mode", "gcm")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(name="kept")
def append_only_folder(key: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "plain").write_bytes(pattern(1000))
    succeed("encrypt", "-q", "-k", key, folder / "plain")
    succeed(*RAW, "-q", "-k", key, folder / "plain", "-o", folder / "out", "--tag-file", folder / "tag")
    try:
        subprocess.run(["chattr", "+a", str(folder)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the attribute cannot be set here: {error}")
    yield folder
    subprocess.run(["chattr", "-a", str(folder)], check=True)


@pytest.mark.parametrize(
    ("arguments", "replaced"),
    [
        (["encrypt", "--force", "plain"], "plain.wa"),
        (["decrypt", "--force", "plain.wa"], "plain"),
        (["rekey", "--new-context", "x", "plain.wa"], "plain.wa"),
        ([*RAW, "--force", "plain", "-o", "out"], "out"),
        ([*RAW, "--force", "plain", "-o", "new", "--tag-file", "tag"], "tag"),
        ([*RAW, "--force", "plain", "-o", "out", "--tag-file", "new"], "out"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_nothing_is_left_where_nothing_can_be_replaced(
    arguments: list[str], replaced: str, key: Path, kept: Path
) -> None:
    before = files_of(kept)
    result = run(*arguments, "-k", key, cwd=kept)
    assert result.code == 1
    assert f"{replaced} cannot be replaced: its folder takes new files only (chattr +a)\n" in result.err
    assert files_of(kept) == before


def test_new_files_can_be_made_there(key: Path, kept: Path) -> None:
    before = files_of(kept)
    succeed("encrypt", "-k", key, "plain", "-o", "other", "--force", cwd=kept)
    succeed(*RAW, "-k", key, "plain", "-o", "o", "--tag-file", "t", "--force", cwd=kept)
    assert files_of(kept).keys() == before.keys() | {"other", "o", "t"}


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_what_is_left_is_told(key: Path, plain: Path, sealed: Path) -> None:
    """As where a server has such a folder, and says so only when it is asked for it."""
    before = sealed.read_bytes()
    fault = ["-e", "inject=rename,renameat,renameat2,unlink,unlinkat:error=EPERM"]
    command = ["strace", "-qq", "-f", "-o", "/dev/null", *fault]
    done = subprocess.run(
        [*command, *command_line("encrypt", "--force", "-k", key, plain)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
    )
    assert done.returncode == 1
    left = next(path for path in plain.parent.iterdir() if path.name.startswith("plain.wa."))
    assert f"warning: {left} is left, and could not be removed: Operation not permitted\n" in done.stderr
    assert f"error: renaming a file to {sealed}: Operation not permitted\n" in done.stderr
    assert sealed.read_bytes() == before
