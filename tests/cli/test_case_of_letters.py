"""Folders in which A and a are one name, as on memory sticks (FAT, exFAT), on servers (SMB), and where ext4
has been asked for it."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import environment, run, succeed

FOLDS = """
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define OF_SYSTEM(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static const char* folded(const char* path, char* into) {
  const char* const below = strstr(path, "/folds/");
  snprintf(into, PATH_MAX, "%s", path);
  for (char* at = below ? into + (below - path) + strlen("/folds/") : ""; *at; at++) *at = tolower(*at);
  return into;
}
int stat(const char* path, struct stat* into) {
  char one[PATH_MAX];
  return OF_SYSTEM(stat)(folded(path, one), into);
}
int fstatat(int in, const char* path, struct stat* into, int flags) {
  char one[PATH_MAX];
  return OF_SYSTEM(fstatat)(in, folded(path, one), into, flags);
}
int unlinkat(int in, const char* path, int flags) {
  char one[PATH_MAX];
  return OF_SYSTEM(unlinkat)(in, folded(path, one), flags);
}
int linkat(int in, const char* from, int out, const char* to, int flags) {
  char one[PATH_MAX];
  return OF_SYSTEM(linkat)(in, from, out, folded(to, one), flags);
}
int renameat(int in, const char* from, int out, const char* to) {
  char one[PATH_MAX], other[PATH_MAX];
  return OF_SYSTEM(renameat)(in, folded(from, one), out, folded(to, other));
}
int renameat2(int in, const char* from, int out, const char* to, unsigned flags) {
  char one[PATH_MAX], other[PATH_MAX];
  return OF_SYSTEM(renameat2)(in, folded(from, one), out, folded(to, other), flags);
}
"""


@pytest.fixture(name="folds")
def folder_that_knows_no_case(tmp_path: Path) -> Path:
    folder = tmp_path / "folds"
    folder.mkdir()
    return folder


@pytest.fixture(name="posed")
def environment_in_which_it_knows_none(tmp_path: Path) -> dict[str, str]:
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(FOLDS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return environment(LD_PRELOAD=str(library))


def test_an_output_does_not_replace_one_of_the_same_run(
    posed: dict[str, str], key: Path, folds: Path, tmp_path: Path
) -> None:
    inputs = [tmp_path / "A", tmp_path / "a"]
    for path in inputs:
        path.write_text(path.name)
    (folds / "a.wa").write_text("of another run")
    command = ("encrypt", "-f", "--rm", "-k", key, "--output-folder", folds)
    result = run(*command, *inputs, env=posed)
    assert result.code == 3
    assert f"{folds}/a.wa is another output of this run already" in result.err
    assert [path.exists() for path in inputs] == [False, True]
    assert succeed("decrypt", "-k", key, folds / "a.wa", "-o", "-").out == b"A"
    # The next run is another one.
    assert run("encrypt", "-k", key, tmp_path / "a", "--output-folder", folds, env=posed).code == 1
    succeed("encrypt", "-f", "-k", key, tmp_path / "a", "--output-folder", folds, env=posed)


def test_a_ciphertext_does_not_replace_its_tag(
    posed: dict[str, str], key: Path, plain: Path, folds: Path
) -> None:
    for more in ((), ("--force",)):
        command = ("raw", "-m", "gcm", "-q", "-k", key, plain, "-o", folds / "X", "--tag-file", folds / "x")
        result = run(*command, *more, env=posed)
        assert result.code == 1
