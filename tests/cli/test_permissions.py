"""Permissions of outputs: where nobody can set them, and of inputs with an access list."""

import os
import stat
import struct
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


OWNER, USER, GROUP, MASK, OTHER = 0x01, 0x02, 0x04, 0x10, 0x20  # acl(5), as the kernel numbers them


def add_access_list(path: Path, kind: str = "access") -> None:
    """Its group may do nothing, and the bits of its group are what the list gives at most."""
    nobody, no_id = 65534, 0xFFFFFFFF
    entries = [(OWNER, 7, no_id), (USER, 6, nobody), (GROUP, 0, no_id), (MASK, 6, no_id), (OTHER, 4, no_id)]
    packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    try:
        os.setxattr(path, f"system.posix_acl_{kind}", packed)
    except OSError as error:
        pytest.skip(f"no access lists in {path.parent}: {error}")
    assert kind == "default" or permissions(path) == 0o764


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_output_has_only_the_owner_s_rights_of_an_access_list(
    key: Path, sealed: Path, tmp_path: Path
) -> None:
    """The list is not its, and without it, the bits of the group would be rights of the group."""
    add_access_list(sealed)
    succeed("decrypt", "-k", key, sealed, "-o", tmp_path / "out")
    assert permissions(tmp_path / "out") == 0o600
    succeed("rekey", "-k", key, "--new-key-file", key, sealed)
    assert permissions(sealed) == 0o700
    assert os.listxattr(sealed) == []


def test_so_has_a_folder(key: Path, plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    plain.rename(folder / "plain")
    add_access_list(folder)
    succeed("encrypt", "-r", "-k", key, folder, "--output-folder", tmp_path / "out")
    assert permissions(tmp_path / "out" / "folder") == 0o700


def test_a_file_without_a_list_gets_none_by_rekey(key: Path, sealed: Path, tmp_path: Path) -> None:
    """A folder may have a list for new files, and the new file is in the place of an old one."""
    sealed.chmod(0o640)
    add_access_list(tmp_path, "default")
    succeed("rekey", "-k", key, "--new-key-file", key, sealed)
    assert permissions(sealed) == 0o640
    assert os.listxattr(sealed) == []
