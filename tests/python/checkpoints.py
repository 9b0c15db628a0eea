"""Checkpoints that tests save and load, for those that have PyTorch."""

from pathlib import Path
from typing import Any

import torch
from torch.distributed import checkpoint as dcp

import warpaes
from warpaes.torch import dcp as sealed

KEY = b"Thirty-two bytes nobody may see!"
CHUNK = 16384


def state(seed: int = 1) -> dict[str, Any]:
    torch.manual_seed(seed)
    return {
        "model": {"weight": torch.randn(300, 70), "bias": torch.randn(7).to(torch.bfloat16)},
        "steps": torch.tensor(12345 + seed),
        "empty": torch.zeros(0, 4),
        "large": torch.randint(0, 255, (5 * CHUNK + 3,), dtype=torch.uint8),
        "turned": torch.randn(40, 30).t(),
        "numbers": [1, 2.5, "three"],
        "epoch": seed,
    }


def small() -> dict[str, Any]:
    return {"first": torch.arange(5, dtype=torch.uint8), "other": torch.zeros(5, dtype=torch.uint8), "n": 7}


def zeros_like(made: Any) -> Any:
    if isinstance(made, dict):
        return {name: zeros_like(one) for name, one in made.items()}
    if isinstance(made, list):
        return [zeros_like(one) for one in made]
    return torch.zeros_like(made) if isinstance(made, torch.Tensor) else type(made)()


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[name], expected[name]) for name in expected)
    if isinstance(expected, torch.Tensor):
        return bool(found.dtype == expected.dtype and torch.equal(found, expected))
    return bool(found == expected)


def save(folder: Path, made: dict[str, Any], **options: Any) -> None:
    dcp.save(made, storage_writer=sealed.Writer(folder, **(options or {"key": KEY})))


def load(folder: Path, like: dict[str, Any], **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = zeros_like(like)
    dcp.load(found, storage_reader=sealed.Reader(folder, **(options or {"key": KEY})))
    return found


def data_file(folder: Path) -> Path:
    (found,) = folder.glob("*.wa")
    return found


def refused(folder: Path, like: dict[str, Any]) -> bool:
    """Is it refused because it is not genuine, and for no other reason?"""
    try:
        load(folder, like)
    except warpaes.ContainerError:
        return True
    except dcp.api.CheckpointException as error:
        return all(isinstance(one[0], warpaes.ContainerError) for one in error.failures.values())
    return False
