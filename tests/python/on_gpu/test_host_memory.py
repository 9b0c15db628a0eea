"""No plaintext of a device's tensors comes into the host's memory when they are saved and loaded.

Another process looks for it in this one's memory, which itself never holds what is looked for: that is
handed over with every bit inverted, by the device.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.python.on_gpu.arrays import KEY, package

torch = package("torch")

import warpaes.torch as encrypted  # noqa: E402
from warpaes.torch import _stages  # noqa: E402

LENGTH = 40 << 20
PAGE = 4096
LOOKS_FOR_IT = """
import sys
process, *inverted = sys.argv[1:]
wanted = [bytes(255 - byte for byte in bytes.fromhex(one)) for one in inverted]
pinned = sys.stdin.buffer.read()  # which cannot be read from outside
found = [pinned.count(one) for one in wanted]
with open(f"/proc/{process}/mem", "rb", 0) as memory, open(f"/proc/{process}/maps") as maps:
    for line in maps:
        place, rights = line.split()[:2]
        start, stop = (int(address, 16) for address in place.split("-"))
        if not rights.startswith("r") or stop >= 1 << 63:
            continue
        while start < stop:
            length = min(64 << 20, stop - start)
            try:
                memory.seek(start)
                data = memory.read(length)
            except OSError:  # a device's
                break
            found = [times + data.count(one) for times, one in zip(found, wanted)]
            start += length if start + length == stop else length - len(wanted[0])
print(*found)
"""


def times_found(pieces: list[Any], pinned: list[Any]) -> list[int]:
    """How often the bytes of tensors of the device are in the host's memory."""
    inverted = [bytes((255 - piece).cpu().tolist()).hex() for piece in pieces]
    command = [sys.executable, "-c", LOOKS_FOR_IT, str(os.getpid()), *inverted]
    given = b"".join(bytes(one.numpy()) for one in pinned)
    done = subprocess.run(command, input=given, capture_output=True, check=True)
    return [int(times) for times in done.stdout.split()]


def test_no_plaintext_comes_to_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = []

    class Watched(_stages.Stage):
        def __init__(self, chunks: int, device: Any) -> None:
            super().__init__(chunks, device)
            pinned.append(self.host)

    monkeypatch.setattr(_stages, "Stage", Watched)
    made = torch.randint(0, 256, (LENGTH,), dtype=torch.uint8, device="cuda")
    encrypted.save_file({"secret": made}, tmp_path / "file", key=KEY)
    found = encrypted.load_file(tmp_path / "file", "cuda", key=KEY)["secret"]
    assert torch.equal(found, made)
    assert pinned
    pieces = [made[place : place + 64] for place in (0, LENGTH // 2 // PAGE * PAGE, LENGTH - PAGE)]
    assert times_found(pieces, pinned) == [0, 0, 0]
    planted = pieces[1].cpu()
    first, found_times, last = times_found(pieces, pinned)
    assert found_times > 0  # where it is
    assert (first, last) == (0, 0)
    del planted
