"""What a program shows on a terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

from tests.cli.program import command_line, environment


def seen_on_a_terminal(*arguments: str | Path, columns: int = 100, **variables: str) -> str:
    """What the tool writes to its standard error, with these variables in its environment."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    command, given = command_line(*arguments), environment(**variables)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=given) as running:
        os.close(terminal)
        seen = b""
        try:
            while piece := os.read(controller, 4096):
                seen += piece
        except OSError:  # Linux says EIO when the last writer has closed the terminal
            pass
        assert running.wait(60) == 0
    os.close(controller)
    return seen.decode()
