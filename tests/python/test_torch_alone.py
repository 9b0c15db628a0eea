"""PyTorch without NumPy, which it does not bring along: in a process of its own, which finds no NumPy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

NO_NUMPY = "raise ModuleNotFoundError('there is no NumPy here', name='numpy')"
PROGRAM = """
import sys

import torch
import torch.distributed.checkpoint as dcp

import warpaes.torch
from warpaes.torch.dcp import Reader, Writer

key, folder, rows = bytes(range(32)), sys.argv[1], torch.arange(40, dtype=torch.uint8).reshape(2, 20)
state = {"a": torch.arange(7.0), "b": rows, "empty": torch.zeros(0, 3)}

warpaes.torch.save_file(state, f"{folder}/file", key=key)
loaded = warpaes.torch.load_file(f"{folder}/file", key=key)
assert all(torch.equal(loaded[name], state[name]) for name in state)

dcp.save(state, storage_writer=Writer(f"{folder}/checkpoint", key=key), no_dist=True)
target = {name: torch.full_like(tensor, 9) for name, tensor in state.items()}
dcp.load(target, storage_reader=Reader(f"{folder}/checkpoint", key=key), no_dist=True)
assert all(torch.equal(target[name], state[name]) for name in state)

aead = warpaes.AESGCM(key)
nonces = rows[:, :12].contiguous()
batch = aead.encrypt_batch(nonces, rows).check()
operators = warpaes.torch.Operators(aead)
sealed = torch.vmap(operators.encrypt)(nonces, rows)
assert torch.equal(sealed[:, :20], batch.data)
assert torch.equal(operators.decrypt(nonces[1], sealed[1]), aead.decrypt(nonces[1], sealed[1]))
assert "numpy" not in sys.modules
print("all of it")
"""


def test_what_works_without_numpy(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "numpy.py").write_text(NO_NUMPY)
    path = os.pathsep.join([str(hidden), os.environ.get("PYTHONPATH", "")])
    made = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, tmp_path],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.stdout == "all of it\n", made.stderr
