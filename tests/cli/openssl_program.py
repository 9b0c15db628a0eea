"""The program openssl, as the second opinion."""

import subprocess
from pathlib import Path


def openssl(*arguments: str | Path, stdin: bytes = b"") -> bytes:
    """What it writes to standard output."""
    done = subprocess.run(
        ["openssl", *map(str, arguments)], check=False, input=stdin, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
