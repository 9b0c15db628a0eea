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
process, wanted = sys.argv[1], bytes(255 - byte for byte in bytes.fromhex(sys.argv[2]))
found = sys.stdin.buffer.read().count(wanted)  # pinned memory, which cannot be read from outside
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
            found += data.count(wanted)
            start += length if start + length == stop else length - len(wanted)
print(found)
"""


def times_found(piece: Any, pinned: list[Any]) -> int:
    """How often the bytes of a tensor of the device are in the host's memory."""
    inverted = bytes((255 - piece).cpu().tolist()).hex()
    command = [sys.executable, "-c", LOOKS_FOR_IT, str(os.getpid()), inverted]
    given = b"".join(bytes(one.numpy()) for one in pinned)
    done = subprocess.run(command, input=given, capture_output=True, check=True)
    return int(done.stdout)


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
    for place in (0, LENGTH // 2 // PAGE * PAGE, LENGTH - PAGE):
        assert times_found(made[place : place + 64], pinned) == 0
    planted = made[PAGE : PAGE + 64].cpu()
    assert times_found(made[PAGE : PAGE + 64], pinned) > 0  # it is found where it is
    del planted
