"""-r over a folder in which somebody else may write: what comes there after it was listed is not followed."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, run, succeed

# A container may allow no system call that it does not know; others are older than openat2(2).
SYSTEMS = {
    "openat2": [],
    "before openat2": ["-e", "inject=openat2:error=ENOSYS"],
    "openat2 is forbidden": ["-e", "inject=openat2:error=EPERM"],
}


def strace(calls: str, inject: list[str]) -> list[str]:
    return ["strace", "-qq", "-f", "-o", "/dev/null", "-e", f"trace={calls}", *inject] if inject else []


def work(
    change: Callable[[], object], folder: Path, *arguments: str | Path, before: list[str] | None = None
) -> tuple[int, str]:
    """Runs a command on a folder, which is changed when its files have been listed and before the first of
    them is opened: until then the only thread works on another file, a pipe."""
    pipe = folder.with_name("pipe.wa" if arguments[0] != "encrypt" else "pipe")
    os.mkfifo(pipe)
    command = command_line(*arguments, "--threads", "1", "-r", pipe, folder)
    with subprocess.Popen(
        [*(before or []), *command], stderr=subprocess.PIPE, text=True, env=environment()
    ) as running:
        with pipe.open("wb"):  # waits for the program to open it
            change()
        _, said = running.communicate(timeout=60)
    return running.returncode, said


@pytest.fixture(name="tree")
def folder_of_somebody_else(key: Path, tmp_path: Path) -> Path:
    """With a file in a folder below, and beside it a folder that others may not reach by way of it."""
    tree, secret = tmp_path / "tree", tmp_path / "secret"
    (tree / "below" / "deep").mkdir(parents=True)
    secret.mkdir()
    for folder in (tree / "below" / "deep", secret):
        (folder / "file").write_text(f"of {folder.name}")
        succeed("encrypt", "-q", "-k", key, folder / "file")
    (secret / "file").write_text("precious")
    return tree


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "rekey"])
@pytest.mark.parametrize("link", ["below", "below/deep"])
def test_a_folder_becomes_a_link(verb: str, link: str, system: str, key: Path, tree: Path) -> None:
    secret = tree.with_name("secret")
    (secret / "deep").mkdir()
    for path in list(secret.iterdir()):
        if path.is_file():
            (secret / "deep" / path.name).write_bytes(path.read_bytes())
    before = contents(secret / "deep")

    def change() -> None:
        (tree / link).rename(tree.with_name("moved"))
        (tree / link).symlink_to(secret if link == "below" else secret / "deep")

    options = ["--new-key-file", str(key)] if verb == "rekey" else ["--force"]
    code, said = work(change, tree, verb, *options, "-k", key, before=strace("openat2", SYSTEMS[system]))
    assert code == 3
    assert f"error: {tree / 'below' / 'deep'}: " in said
    assert contents(secret / "deep") == before


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "rekey"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_file_becomes_something_else(verb: str, kind: str, key: Path, tree: Path) -> None:
    secret = tree.with_name("secret")
    folder, before = tree / "below" / "deep", contents(secret)
    name = "file" if verb == "encrypt" else "file.wa"
    (folder / ("file.wa" if verb == "encrypt" else "file")).unlink()

    def change() -> None:
        (folder / name).unlink()
        if kind == "link":
            (folder / name).symlink_to(secret / name)
        else:
            os.mkfifo(folder / name)

    options = ["--new-key-file", str(key)] if verb == "rekey" else []
    code, said = work(change, tree, verb, *options, "-k", key)
    assert code == 3
    assert f"error: {folder / name} is no regular file any more, as it was in the folder" in said
    assert [path.name for path in folder.iterdir()] == [name]
    assert contents(secret) == before


def test_the_named_folder_becomes_a_link(key: Path, tree: Path) -> None:
    secret = tree.with_name("secret")
    (secret / "below" / "deep").mkdir(parents=True)
    (secret / "below" / "deep" / "file").write_text("precious")

    def change() -> None:
        tree.rename(tree.with_name("moved"))
        tree.symlink_to(secret)

    code, said = work(change, tree, "encrypt", "--force", "-k", key)
    assert code == 3
    assert f"{tree} is another folder now than when its files were listed" in said
    assert (secret / "below" / "deep" / "file").read_text() == "precious"


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "rekey"])
def test_the_output_stays_in_the_folder_of_its_input(verb: str, key: Path, tree: Path) -> None:
    """Although another one has come to its place before the output gets its name."""
    secret, moved = tree.with_name("secret"), tree.with_name("moved")
    before = contents(secret)
    options = ["--new-key-file", str(key)] if verb == "rekey" else ["--force", "--rm"]
    slow_disk = strace("fsync", ["-e", "inject=fsync:delay_enter=2000000:when=1"])
    command = [*slow_disk, *command_line(verb, *options, "-k", key, "-r", tree)]
    (tree / "below" / "deep" / "file").write_text("old")
    old = contents(tree / "below" / "deep")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as running:
        time.sleep(1)
        assert running.poll() is None
        (tree / "below" / "deep").rename(moved)
        (tree / "below" / "deep").symlink_to(secret)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 0, said
    assert contents(secret) == before
    now = contents(moved)
    kept = {"encrypt": {"file.wa"}, "decrypt": {"file"}, "rekey": {"file", "file.wa"}}
    assert set(now) == kept[verb]
    made = "file" if verb == "decrypt" else "file.wa"
    assert now[made] != old[made]


def test_a_folder_of_which_the_names_may_be_read_and_nothing_else(tree: Path, key: Path) -> None:
    """On a file system that does not tell kinds with names: what cannot be looked at is not left out."""
    source, library = tree.with_name("shim.c"), tree.with_name("shim.so")
    source.write_text(
        """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
struct dirent* readdir(DIR* folder) {
  struct dirent* const entry = ((struct dirent * (*)(DIR*)) dlsym(RTLD_NEXT, "readdir"))(folder);
  if (entry) entry->d_type = DT_UNKNOWN;
  return entry;
}
int fstatat(int in, const char* path, struct stat* into, int flags) {
  if (strcmp(path, "file") == 0) return errno = EACCES, -1;
  return ((int (*)(int, const char*, struct stat*, int))dlsym(RTLD_NEXT, "fstatat"))(in, path, into, flags);
}
"""
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    posed = environment(LD_PRELOAD=str(library))
    (tree / "readable").write_text("readable")
    result = run("encrypt", "-r", "-k", key, tree, env=posed)
    assert result.code == 3
    assert f"{tree / 'below' / 'deep' / 'file'}: Permission denied" in result.err
    assert (tree / "readable.wa").exists()
    assert not (tree / "below" / "deep" / "file.wa.wa").exists()
