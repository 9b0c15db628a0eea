"""How much memory a program has at most, without what the test that starts it has."""

import subprocess
import sys

MOST_MEMORY = 512 << 20  # of the tool, as docs/command_line.md promises

# Linux counts what a process had before exec(), too, which is this test's memory. So a small one is between.
BETWEEN = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def measured(command: list[str]) -> list[str]:
    """The command, so that peak_memory() can tell; it must be started with a pipe as stderr."""
    return [sys.executable, "-I", "-S", "-c", BETWEEN, *command]


def peak_memory(running: subprocess.Popen[bytes]) -> int:
    """Bytes of memory that a measured() command had at most, once it has ended well."""
    assert running.stderr
    told = running.stderr.read()
    assert running.wait() == 0, told
    return int(told.splitlines()[-1]) * 1024
