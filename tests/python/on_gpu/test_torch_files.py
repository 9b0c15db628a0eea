"""State dictionaries and checkpoints on a GPU: the same files as from the host, read by either."""

import gc
from pathlib import Path
from typing import Any

import pytest

import warpaes
from tests.python.on_gpu.arrays import KEY, package

torch = package("torch")
dcp = pytest.importorskip("torch.distributed.checkpoint")
CheckpointException = dcp.api.CheckpointException  # which is no Exception

import warpaes.torch as encrypted  # noqa: E402
from warpaes.torch import _stages  # noqa: E402
from warpaes.torch.dcp import Reader, Writer  # noqa: E402

CHUNK = 16384
pytestmark = pytest.mark.filterwarnings("ignore:torch.distributed is disabled")


def state() -> dict[str, Any]:
    """Several stages long, with tensors that begin and end anywhere."""
    torch.manual_seed(1)
    made = {
        "layer.weight": torch.randn(300, 70),
        "layer.bias": torch.randn(7).to(torch.bfloat16),
        "steps": torch.tensor(12345),
        "empty": torch.zeros(0, 4),
        "mask": torch.tensor([True, False, True]),
        "large": torch.randint(0, 255, (40_000_003,), dtype=torch.uint8),
        "other": torch.randn(1000, 5000).to(torch.bfloat16),
    }
    return {name: one.cuda() for name, one in made.items()}


def same(found: dict[str, Any], expected: dict[str, Any], device: str) -> bool:
    return found.keys() == expected.keys() and all(
        found[name].device.type == device
        and found[name].dtype == one.dtype
        and torch.equal(found[name].cpu(), one.cpu())
        for name, one in expected.items()
    )


@pytest.mark.parametrize("device", ["cuda", "cuda:0", 0, "cpu"])
def test_comes_back(tmp_path: Path, device: Any) -> None:
    path, made = tmp_path / "file", state()
    encrypted.save_file(made, path, key=KEY, metadata={"format": "pt"})
    where = "cpu" if device == "cpu" else "cuda"
    assert same(encrypted.load_file(path, device, key=KEY), made, where)
    chosen = ["steps", "other"]
    found = encrypted.load_file(path, device, key=KEY, names=chosen)
    assert same(found, {name: made[name] for name in chosen}, where)
    assert b"layer" not in path.read_bytes()[:CHUNK]


def test_of_the_host(tmp_path: Path) -> None:
    made = {name: one.cpu() for name, one in state().items()}
    encrypted.save_file(made, tmp_path / "file", passphrase="a passphrase", context_string=b"purpose")
    secret: dict[str, Any] = {"passphrase": "a passphrase", "context_string": b"purpose"}
    assert same(encrypted.load_file(tmp_path / "file", "cuda", **secret), made, "cuda")


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, 3 * CHUNK + 1, 1023 * CHUNK, 1023 * CHUNK + 1])
def test_lengths_around_a_stage(tmp_path: Path, length: int) -> None:
    made = {"a": torch.randint(0, 255, (length,), dtype=torch.uint8, device="cuda")}
    encrypted.save_file(made, tmp_path / "file", key=KEY)
    assert same(encrypted.load_file(tmp_path / "file", "cuda", key=KEY), made, "cuda")
    assert same(encrypted.load_file(tmp_path / "file", key=KEY), made, "cpu")


def test_on_a_side_stream(tmp_path: Path) -> None:
    made, stream = state(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        made["large"] += 1
        encrypted.save_file(made, tmp_path / "file", key=KEY)
        found = encrypted.load_file(tmp_path / "file", "cuda", key=KEY)
        twice = {name: one.clone() for name, one in found.items()}
    stream.synchronize()
    assert same(twice, made, "cuda")


def test_slices(tmp_path: Path) -> None:
    made = state()
    encrypted.save_file(made, tmp_path / "file", key=KEY)
    with encrypted.safe_open(tmp_path / "file", "pt", device="cuda:0", key=KEY) as file:
        part = file.get_slice("other")
        for index in (slice(10, 20), slice(0, 0), 7, (slice(5, 8), slice(None, 3))):
            found = part[index]
            assert found.is_cuda
            assert torch.equal(found, made["other"][index])


def test_damage_is_refused(tmp_path: Path) -> None:
    path, made = tmp_path / "file", {"a": torch.ones(100_000, device="cuda")}
    encrypted.save_file(made, path, key=KEY)
    good = path.read_bytes()
    for place in (0, 56, 16456, 56 + 2 * 16400 + 9, len(good) - 17, len(good) - 1):
        damaged = bytearray(good)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises((warpaes.WrongKey, warpaes.Damaged)):
            encrypted.load_file(path, "cuda", key=KEY)
    path.write_bytes(good[:-16400])
    with pytest.raises(warpaes.ContainerError):
        encrypted.load_file(path, "cuda", key=KEY, names=["a"])
    path.write_bytes(good)
    with pytest.raises(warpaes.WrongKey):
        encrypted.load_file(path, "cuda", key=bytes(32))


def test_memory_stays_as_it_is(tmp_path: Path) -> None:
    """Of the device: the stages, and nothing that remains."""
    path, made = tmp_path / "file", state()
    damaged = tmp_path / "damaged"
    encrypted.save_file(made, path, key=KEY)
    whole = path.read_bytes()
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))

    def round_trip() -> None:
        encrypted.save_file(made, tmp_path / "new", key=KEY)
        encrypted.load_file(path, "cuda", key=KEY)
        with pytest.raises(warpaes.Damaged):
            encrypted.load_file(damaged, "cuda", key=KEY)

    def settled() -> int:
        gc.collect()
        torch.cuda.synchronize()
        return int(torch.cuda.memory_allocated())

    round_trip()
    before = settled()
    for _ in range(20):
        round_trip()
    assert settled() == before
    size = sum(one.numel() * one.element_size() for one in made.values())
    most = size + (_stages.STAGES + 1) * _stages.PINNED + (8 << 20)
    torch.cuda.reset_peak_memory_stats()
    found = encrypted.load_file(path, "cuda", key=KEY)
    assert torch.cuda.max_memory_allocated() - before < most
    del found


def test_a_checkpoint(tmp_path: Path) -> None:
    made = {**state(), "epoch": 7}
    dcp.save(made, storage_writer=Writer(tmp_path, key=KEY))
    for device in ("cuda", "cpu"):
        found: dict[str, Any] = {name: torch.zeros_like(one, device=device) for name, one in state().items()}
        found["epoch"] = 0
        dcp.load(found, storage_reader=Reader(tmp_path, key=KEY))
        assert found.pop("epoch") == 7
        assert same(found, state(), device)
    (path,) = tmp_path.glob("*.wa")
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(CheckpointException, match="damaged: chunk"):
        dcp.load(found, storage_reader=Reader(tmp_path, key=KEY))
