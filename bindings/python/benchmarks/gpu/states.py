"""State dictionaries on the device: encrypted files beside plain ones, in one process and turn by turn."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from timing import Call, Line, each_or_skipped, turns

TMPFS = Path("/dev/shm")
KEY = os.urandom(32)
GOALS = {"load_file": 1.0, "save_file": 0.9, "DCP save": 1 / 1.3, "DCP load": 1 / 1.3}
DEVICE_MEMORY_GOAL = 256 << 20


def lines(gibibytes: int) -> Iterator[Line]:
    yield from each_or_skipped(
        (
            ("safetensors", lambda: _of_files(gibibytes)),
            ("DCP", lambda: _of_checkpoints(max(1, gibibytes // 4))),
        )
    )


def _state(gibibytes: int) -> dict[str, Any]:
    """Random bfloat16, in tensors of 128 MiB as large models have them."""
    import torch

    def tensor() -> Any:
        bits = torch.randint(-(2**63), 2**63 - 1, (1 << 24,), device="cuda")
        return bits.view(torch.bfloat16).reshape(8192, 8192)

    return {f"layers.{number}.weight": tensor() for number in range(8 * gibibytes)}


def _same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    import torch

    return found.keys() == expected.keys() and all(
        torch.equal(found[name].view(torch.int16), one.view(torch.int16)) for name, one in expected.items()
    )


def _described(what: str, size: int, taken: dict[str, list[float]], **more: object) -> Line:
    """How fast, beside the plain way: more than 1 is faster."""
    seconds = {name: statistics.median(times) for name, times in taken.items()}
    return {
        "type": "python_state",
        "call": what,
        "bytes": size,
        "gb_per_s": round(size / seconds["warpaes"] / 1e9, 2),
        "plain_gb_per_s": round(size / seconds["plain"] / 1e9, 2),
        "times_plain": round(seconds["plain"] / seconds["warpaes"], 3),
        "goal": round(GOALS[what], 3),
        "seconds": [round(one, 3) for one in taken["warpaes"]],
        "plain_seconds": [round(one, 3) for one in taken["plain"]],
        **more,
    }


def _of_files(gibibytes: int) -> Iterator[Line]:
    import safetensors.torch
    import torch

    import warpaes.torch

    made, size = _state(gibibytes), gibibytes << 30
    with tempfile.TemporaryDirectory(dir=TMPFS) as name:
        plain, sealed = Path(name) / "plain", Path(name) / "sealed"
        saving = {
            "plain": lambda: safetensors.torch.save_file(made, plain),
            "warpaes": lambda: warpaes.torch.save_file(made, sealed, key=KEY),
        }
        saved = turns(saving, 2)
        yield _described("save_file", size, saved, **_memory(saving["warpaes"], 0))

        def load_plain() -> Any:
            return _waited(safetensors.torch.load_file(plain, device="cuda:0"))

        def load_sealed() -> Any:
            return _waited(warpaes.torch.load_file(sealed, "cuda:0", key=KEY))

        loaded = turns({"plain": load_plain, "warpaes": load_sealed}, 5)
        yield _described("load_file", size, loaded, **_memory(load_sealed, size))
        assert _same(load_sealed(), made)
        assert _same(load_plain(), made)
        torch.cuda.empty_cache()


def _waited(found: Any) -> Any:
    import torch

    torch.cuda.synchronize()
    return found


def _memory(call: Call, kept: int) -> Line:
    """The most that the call takes besides what it returns: of the device, of the host, and of it pinned."""
    import torch

    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is what is there now
    resident = _status("VmRSS")
    made = call()
    torch.cuda.synchronize()
    extra = torch.cuda.max_memory_allocated() - before - kept
    pinned = _pinned()
    del made
    return {
        "device_extra_bytes": extra,
        "device_extra_goal": DEVICE_MEMORY_GOAL,
        "host_extra_bytes": max(0, _status("VmHWM") - resident),
        "pinned_bytes": pinned,
    }


def _status(name: str) -> int:
    text = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(name + ":"))


def _pinned() -> int | None:
    """What PyTorch keeps pinned."""
    import torch

    ask: Callable[[], dict[str, int]] | None = getattr(torch.cuda, "host_memory_stats", None)
    return None if ask is None else ask().get("allocated_bytes.current")


def _of_checkpoints(gibibytes: int) -> Iterator[Line]:
    import torch
    from torch.distributed import checkpoint

    from warpaes.torch.dcp import Reader, Writer

    made, size = _state(gibibytes), gibibytes << 30
    target = {name: torch.zeros_like(one) for name, one in made.items()}
    with tempfile.TemporaryDirectory(dir=TMPFS) as name:
        plain, sealed = Path(name) / "plain", Path(name) / "sealed"

        def save_plain() -> None:
            shutil.rmtree(plain, ignore_errors=True)
            checkpoint.save(made, storage_writer=checkpoint.FileSystemWriter(plain))

        def save_sealed() -> None:
            shutil.rmtree(sealed, ignore_errors=True)
            checkpoint.save(made, storage_writer=Writer(sealed, key=KEY))

        saved = turns({"plain": save_plain, "warpaes": save_sealed}, 3)
        yield _described("DCP save", size, saved)

        def load(reader: Callable[[], Any]) -> Callable[[], None]:
            return lambda: _waited(checkpoint.load(target, storage_reader=reader()))

        loads = {
            "plain": load(lambda: checkpoint.FileSystemReader(plain)),
            "warpaes": load(lambda: Reader(sealed, key=KEY)),
        }
        loaded = turns(loads, 3)
        assert _same(target, made)
        yield _described("DCP load", size, loaded)
