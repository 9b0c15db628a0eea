"""What a terminal can show, as $TERM says."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment


def shown_while_encrypting(key: Path, large: Path, kind: str) -> bytes:
    controller, terminal = pty.openpty()
    command = command_line("encrypt", "-k", key, large, "-o", "-")
    named = environment(TERM=kind)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=named) as running:
        os.close(terminal)
        seen = b""
        try:
            while piece := os.read(controller, 4096):
                seen += piece
        except OSError:  # Linux says EIO when the last writer has closed the terminal
            pass
        assert running.wait(60) == 0
    os.close(controller)
    return seen


@pytest.mark.parametrize(("kind", "bar"), [("xterm", True), ("dumb", False), ("", False)])
def test_a_bar_where_lines_can_be_cleared(kind: str, bar: bool, key: Path, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no space
    assert (b"\x1b[K" in shown_while_encrypting(key, large, kind)) == bar
