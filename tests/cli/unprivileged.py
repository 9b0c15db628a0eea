"""Running the program as a user who may not do everything: root's permissions are never refused."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.cli.program import PROGRAM, Result, environment

NOBODY = 65534


@dataclass(frozen=True)
class Unprivileged:
    folder: Path  # that user's own
    program: Path  # where that user can run it

    def run(self, *arguments: str | Path, before: tuple[str, ...] = ()) -> Result:
        user = NOBODY if os.geteuid() == 0 else None
        done = subprocess.run(
            [*before, self.program, *map(str, arguments)],
            check=False,
            timeout=60,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())


def make_unprivileged(folder: Path) -> Unprivileged:
    program = folder / "bin" / "warpaes"
    program.parent.mkdir()
    shutil.copy2(PROGRAM, program)
    for library in PROGRAM.parent.parent.glob("lib*/libwarpaes.so.*"):
        (folder / library.parent.name).mkdir(exist_ok=True)
        shutil.copy2(library, folder / library.parent.name)
    own = folder / "own"
    own.mkdir()
    folder.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(own, NOBODY, NOBODY)
    return Unprivileged(own, program)
