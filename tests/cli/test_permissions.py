"""Outputs where nobody can set their permissions."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import environment, run, succeed

WITHOUT_PERMISSIONS = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int fchmod(int file, mode_t mode) { return (void)file, (void)mode, errno = EPERM, -1; }
int fstat(int file, struct stat* into) {
  if (syscall(SYS_newfstatat, file, "", into, 0x1000) != 0) return -1;
  if (S_ISREG(into->st_mode) && (into->st_mode & 0777) == 0600) into->st_mode |= 0177;
  return 0;
}
"""


@pytest.fixture(name="no_permissions")
def program_where_nobody_sets_permissions(tmp_path: Path) -> dict[str, str]:
    """The environment in which it seems so, as on a memory stick that is mounted for all users."""
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(WITHOUT_PERMISSIONS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return environment(LD_PRELOAD=str(library))


def test_a_file_system_that_lets_nobody_set_permissions(
    no_permissions: dict[str, str], key: Path, plain: Path, tmp_path: Path
) -> None:
    """The output can have none but those that all files have there."""
    plain.chmod(0o640)
    more = ("--insecure-key-file", "-k", key)  # it poses as one of these
    result = succeed("encrypt", *more, plain, env=no_permissions)
    sealed = plain.with_name("plain.wa")
    assert f"warning: {sealed} gets the permissions 0777 and not 0640" in result.err
    folder = tmp_path / "folder"
    result = succeed("decrypt", *more, sealed, "--output-folder", folder, env=no_permissions)
    assert (folder / "plain").read_bytes() == plain.read_bytes()
    result = run("keygen", "-o", folder / "key", env=no_permissions)
    assert result.code == 1
    assert "could be used by other users (mode 0777)" in result.err
    assert not (folder / "key").exists()
