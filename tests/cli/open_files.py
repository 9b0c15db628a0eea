"""What a program that runs has open."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any


def wait_until_open(running: subprocess.Popen[Any], file: Path) -> None:
    """Until the program has opened that file, or has ended."""
    while running.poll() is None:
        for descriptor in Path(f"/proc/{running.pid}/fd").iterdir():
            try:
                if os.readlink(descriptor) == str(file):
                    return
            except FileNotFoundError:
                pass  # it was closed meanwhile
        time.sleep(0.001)
