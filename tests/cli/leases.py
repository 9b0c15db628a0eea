"""Where the system tells whether somebody writes to a file."""

import fcntl
import subprocess
from pathlib import Path

import pytest

TELLS = ("ext2/ext3", "xfs", "btrfs", "f2fs", "bcachefs")  # as stat(1) calls them


def need_to_know_writers(file: Path) -> None:
    """Skips the test if the file's system does not tell who writes to it, as in the images of containers."""
    kind = subprocess.run(
        ["stat", "-f", "-c", "%T", str(file)], check=True, capture_output=True, text=True
    ).stdout.strip()
    if kind not in TELLS:
        pytest.skip(f"{file} is on {kind}")
    need_leases(file)


def need_leases(file: Path) -> None:
    """Skips the test if the system gives no lease of the file, as on a server's file system."""
    with file.open("rb") as stream:
        try:
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            pytest.skip(f"no lease of {file}: {error}")
