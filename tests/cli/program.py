"""The program under test, and how to run it."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("WARPAES", ROOT / "stage" / "bin" / "warpaes"))

CHUNK, SEALED_CHUNK, HEADER, TAG = 16384, 16400, 56, 16
SIZES = (0, 1, 16383, 16384, 16385, 100_000, (64 << 20) + 7)


@dataclass(frozen=True)
class Result:
    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The objects of --json."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def last(self) -> dict[str, Any]:
        return self.lines[-1]


def environment(**extra: str) -> dict[str, str]:
    """This process's, without what would give a key."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARPAES_KEY")}
    return {**kept, **extra}


def command_line(*arguments: str | Path) -> list[str]:
    return [str(PROGRAM), *map(str, arguments)]


def run(*arguments: str | Path, stdin: bytes | None = None, **options: Any) -> Result:
    command = command_line(*arguments)
    options.setdefault("env", environment())
    source: dict[str, Any] = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    output: dict[str, Any] = {} if "stdout" in options else {"stdout": subprocess.PIPE}
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        command, check=False, timeout=300, stderr=subprocess.PIPE, **source, **output, **options
    )
    return Result(done.returncode, done.stdout or b"", done.stderr.decode())


def succeed(*arguments: str | Path, stdin: bytes | None = None, **options: Any) -> Result:
    result = run(*arguments, stdin=stdin, **options)
    assert result.code == 0, result.err
    return result


PIECE = b"".join(number.to_bytes(3, "big") for number in range(1, 70_001))


def pattern(size: int) -> bytes:
    """Bytes that do not repeat at any chunk's distance, the same in every run."""
    return (PIECE * (size // len(PIECE) + 1))[:size]


def damage_end(path: Path) -> None:
    """Changes the last byte, whatever it is: another fixed one would be the same in one of 256 files."""
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def chunk_offset(chunk: int) -> int:
    return HEADER + chunk * SEALED_CHUNK
