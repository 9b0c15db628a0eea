"""What the tests of encrypted files have in common."""

import os
import random
from pathlib import Path

import warpaes
from devtools.repository import WARPAES

KEY = bytes(range(32))
CHUNK = 16384
PROGRAM = Path(os.environ.get("WARPAES", WARPAES))


def pattern(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def written(path: Path, text: bytes, context: bytes = b"") -> Path:
    with warpaes.open(path, "wb", key=KEY, context_string=context) as file:
        assert file.write(text) == len(text)
        assert file.tell() == len(text)
    return path
