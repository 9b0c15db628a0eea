"""The tests of device arrays without a GPU: with a library whose CUDA is posed and whose GPU is emulated.

It is built as tests/posed_gpu says, and takes the place of libwarpaes.so in a process of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(os.environ.get("WARPAES", "stage/bin/warpaes")).absolute()
LIBRARY = PROGRAM.parent.parent / "libexec" / "warpaes" / "posed"
HERE = Path(__file__).parent
NAMES = (
    "test_device_arrays.py",
    "test_device_packages.py",
    "test_device_streams.py",
    "test_short_ways.py",
    "test_verdicts.py",
)
TESTS = [str(HERE / name) for name in NAMES]


@pytest.mark.skipif(not list(LIBRARY.glob("libwarpaes.so.*")), reason="no library with a posed GPU was built")
def test_device_arrays() -> None:
    command = [sys.executable, "-m", "pytest", "--quiet", "-rs", "-p", "no:cacheprovider", *TESTS]
    settings = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY)}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout, done.stdout
