"""Checkpoints of torch.distributed.checkpoint: whatever is changed, swapped or cut is refused.

PyTorch takes 4 GB, so these run only where it is installed.
"""

import io
import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
dcp = pytest.importorskip("torch.distributed.checkpoint")

import warpaes  # noqa: E402
from tests.python.checkpoints import (  # noqa: E402
    CHUNK,
    KEY,
    data_file,
    load,
    refused,
    same,
    save,
    small,
    state,
)
from warpaes.torch import _bytes, _stages  # noqa: E402
from warpaes.torch import dcp as sealed  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:torch.distributed is disabled")


@pytest.fixture(params=["host", "device"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """With "device", the host's tensors go the way of a device's, in stages of three chunks."""
    if request.param == "device":
        monkeypatch.setattr(_bytes, "is_device", lambda _: True)
        monkeypatch.setattr(sealed, "is_device", lambda _: True)
        monkeypatch.setattr(_stages, "TOGETHER", 3)
    return request.param


@pytest.mark.parametrize("options", [{"key": KEY}, {"key": KEY[:16]}, {"passphrase": "x"}], ids=str)
def test_comes_back(tmp_path: Path, where: str, options: dict[str, Any]) -> None:
    save(tmp_path, state(), context_string=b"run 7", **options)
    assert same(load(tmp_path, state(), context_string=b"run 7", **options), state())
    with pytest.raises(warpaes.WrongKey):
        load(tmp_path, state(), context_string=b"run 8", **options)


def test_nothing_is_in_clear(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        save(tmp_path, state())
        load(tmp_path, state())
    assert "Thirty" not in caplog.text
    assert KEY.hex() not in caplog.text
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    weight = state()["model"]["weight"].numpy().tobytes()
    for secret in (b"weight", b"model", b"three", KEY, weight[:16], weight[-16:]):
        assert secret not in stored


def test_a_part_of_the_state(tmp_path: Path) -> None:
    save(tmp_path, state())
    some = {"model": {"weight": state()["model"]["weight"]}}
    assert same(load(tmp_path, some), some)


def test_every_byte(tmp_path: Path) -> None:
    save(tmp_path, small())
    for path in (data_file(tmp_path), tmp_path / ".metadata"):
        good = path.read_bytes()
        for place in range(len(good)):
            damaged = bytearray(good)
            damaged[place] ^= 1
            path.write_bytes(damaged)
            assert refused(tmp_path, small()), (path.name, place)
        for length in (0, 1, 55, 56, 72, len(good) // 2, len(good) - 17, len(good) - 1):
            path.write_bytes(good[:length])
            assert refused(tmp_path, small()), (path.name, length)
        path.write_bytes(good)
    assert same(load(tmp_path, small()), small())


def test_two_tensors_cannot_be_swapped(tmp_path: Path) -> None:
    """Neither in the file, nor by whoever knows where they lie."""
    save(tmp_path, small())
    places = sealed.Reader(tmp_path, key=KEY).read_metadata().storage_data
    first, other = (
        sealed.Place(*found) for index, found in places.items() if index.fqn in ("first", "other")
    )
    path = data_file(tmp_path)
    good = path.read_bytes()
    assert first.length == other.length
    swapped = bytearray(good)
    swapped[first.start : first.start + first.length] = good[other.start : other.start + other.length]
    swapped[other.start : other.start + other.length] = good[first.start : first.start + first.length]
    path.write_bytes(swapped)
    assert refused(tmp_path, small())


def test_two_checkpoints_cannot_be_mixed(tmp_path: Path) -> None:
    one, other = tmp_path / "1", tmp_path / "2"
    for folder in (one, other):
        save(folder, small())
    data_file(one).write_bytes(data_file(other).read_bytes())
    assert refused(one, small())
    (one / ".metadata").write_bytes((other / ".metadata").read_bytes())
    with pytest.raises(dcp.api.CheckpointException, match="No such file"):
        load(one, small())


def test_nothing_is_unpickled_before_it_is_genuine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, small())

    def planted(data: Any) -> Any:
        raise AssertionError(f"{data!r} was unpickled")

    monkeypatch.setattr(pickle, "loads", planted)
    path = tmp_path / ".metadata"
    whole = path.read_bytes()
    for text in (pickle.dumps(small()), whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        path.write_bytes(text)
        with pytest.raises(warpaes.ContainerError):
            sealed.Reader(tmp_path, key=KEY)


def test_a_tensor_whose_memory_is_gone(tmp_path: Path) -> None:
    """As FSDP leaves those that are on other devices."""
    gone = torch.zeros(300)
    gone.untyped_storage().resize_(0)
    with pytest.raises(dcp.api.CheckpointException, match="without plain memory"):
        save(tmp_path, {**small(), "gone": gone})
    assert not list(tmp_path.iterdir())


def test_what_is_cut_is_not_called_genuine(tmp_path: Path) -> None:
    """As the file system may leave it after a crash, or a copy that was not completed."""
    save(tmp_path, {"large": torch.arange(100_000.0)})
    path = data_file(tmp_path)
    whole = path.read_bytes()
    for length in (100, CHUNK, 10 * (CHUNK + 16) + 48, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(dcp.api.CheckpointException) as caught:
            load(tmp_path, {"large": torch.zeros(100_000)})
        ((cause, _),) = caught.value.failures.values()
        assert isinstance(cause, warpaes.Truncated | warpaes.Damaged), (length, cause)
        assert "is genuine" not in str(cause)


def test_long_names(tmp_path: Path) -> None:
    """Names may be as long as PyTorch takes them, and no two are the same."""
    names = ["n" * 500, "n" * 600, "n" * 100_000, "n" * 99_999 + "m", "é" * 300]
    made = {name: torch.full((3,), float(number)) for number, name in enumerate(names)}
    save(tmp_path, made, key=KEY, context_string=b"run 7")
    assert same(load(tmp_path, made, key=KEY, context_string=b"run 7"), made)
    contexts = {sealed._context_of("file", name) for name in names}
    assert len(contexts) == len(names)


def test_what_is_damaged_is_zero(tmp_path: Path) -> None:
    """Whether the plaintext is written where the target is, or converted on its way."""
    save(tmp_path, {"a": torch.arange(12.0).reshape(3, 4)})
    data = bytearray(data_file(tmp_path).read_bytes())
    data[-1] ^= 1
    data_file(tmp_path).write_bytes(data)
    for dtype in (torch.float32, torch.float64):
        target = torch.full((3, 4), 9, dtype=dtype)
        with pytest.raises(dcp.api.CheckpointException) as raised:
            dcp.load({"a": target}, storage_reader=sealed.Reader(tmp_path, key=KEY))
        assert isinstance(raised.value.failures[0][0], warpaes.Damaged)
        assert not target.any()


def test_while_the_program_goes_on(tmp_path: Path) -> None:
    dcp.async_save(state(), storage_writer=sealed.Writer(tmp_path, key=KEY)).result()
    assert same(load(tmp_path, state()), state())


def test_what_a_tensor_is_of_its_memory(tmp_path: Path) -> None:
    """The conjugate or the negative of what is there: async_save() copies the memory before it is saved."""
    numbers = torch.arange(6.0) + 1j
    made = {"conjugate": numbers.conj(), "negative": numbers.conj().imag, "both": (-numbers).conj()[1::2]}
    assert made["conjugate"].is_conj()
    assert made["negative"].is_neg()
    expected = {name: tensor.resolve_conj().resolve_neg().clone() for name, tensor in made.items()}
    save(tmp_path / "now", made)
    dcp.async_save(made, storage_writer=sealed.Writer(tmp_path / "later", key=KEY)).result()
    for folder in ("now", "later"):
        assert same(load(tmp_path / folder, expected), expected)


def test_one_item_has_any_stride(tmp_path: Path) -> None:
    made, found = {"one": torch.randn(2, 8)[1:, 0]}, {"one": torch.zeros(2, 8)[1:, 0]}
    assert found["one"].stride() == (8,)
    save(tmp_path, made)
    dcp.load(found, storage_reader=sealed.Reader(tmp_path, key=KEY))
    assert same(found, made)


def test_keys_are_not_pickled(tmp_path: Path) -> None:
    for kind in (sealed.Writer, sealed.Reader):
        for options in ({"key": KEY}, {"passphrase": "Thirty"}):
            with pytest.raises(TypeError, match="cannot be pickled or copied"):
                pickle.dumps(kind(tmp_path, **options))
        (tmp_path / "key").touch(0o600)
        (tmp_path / "key").write_bytes(KEY)
        by_file = kind(tmp_path, key_file=tmp_path / "key")
        sent = pickle.dumps(by_file)
        assert b"Thirty" not in sent + repr(by_file).encode() + repr(vars(by_file)).encode()
        assert pickle.loads(sent).checkpoint_id == str(tmp_path)
    with pytest.raises(TypeError, match="pass one of"):
        sealed.Writer(tmp_path)


def test_a_key_that_is_not_given_is_none(tmp_path: Path) -> None:
    """A program may hand on all options that it has, those with None among them."""
    key_file = tmp_path / "key"
    key_file.touch(0o600)
    key_file.write_bytes(KEY)
    given: dict[str, Any] = {"key": None, "passphrase": None, "key_file": key_file}
    writer = pickle.loads(pickle.dumps(sealed.Writer(tmp_path / "saved", **given)))
    dcp.save(small(), storage_writer=writer)
    assert same(load(tmp_path / "saved", small()), small())


def test_a_tensor_of_another_type_and_place(tmp_path: Path) -> None:
    """What is loaded into has its own type, and may lie in memory in any way."""
    made = {"a": torch.arange(12.0).reshape(3, 4)}
    save(tmp_path, made)
    for target in (torch.zeros(3, 4, dtype=torch.float64), torch.zeros(4, 3).t(), torch.zeros(3, 8)[:, ::2]):
        with torch.device("meta"):  # the default, which is not where the target is
            dcp.load({"a": target}, storage_reader=sealed.Reader(tmp_path, key=KEY))
        assert torch.equal(target.to(torch.float32), made["a"])


def test_a_tensor_of_another_shape(tmp_path: Path) -> None:
    """As many items, but elsewhere: a planner that does not look must not get them."""

    class Careless(dcp.DefaultLoadPlanner):  # type: ignore[misc,name-defined]
        def resolve_tensor(self, request: Any) -> Any:
            return super().resolve_tensor(request).reshape(4, 3)

    save(tmp_path, {"a": torch.arange(12.0).reshape(3, 4)})
    reader = sealed.Reader(tmp_path, key=KEY)
    with pytest.raises(dcp.api.CheckpointException, match=r"loaded into \(4, 3\)"):
        dcp.load({"a": torch.zeros(3, 4)}, storage_reader=reader, planner=Careless())


# Run by each of two processes: saves a tensor by rows and one by columns, and loads both the other way round.
IN_EACH_PROCESS = """
import os, sys
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from warpaes.torch.dcp import Reader, Writer

folder, key_file, rank = sys.argv[1], sys.argv[2], int(sys.argv[3])
dist.init_process_group("gloo", init_method=f"file://{folder}.rendezvous", rank=rank, world_size=2)
mesh = init_device_mesh("cpu", (2,))
rows, columns = torch.arange(700.0).reshape(100, 7), torch.arange(12.0).reshape(3, 4)
state = {
    "rows": distribute_tensor(rows, mesh, [Shard(0)]),
    "columns": distribute_tensor(columns, mesh, [Shard(1)]),
    "all": distribute_tensor(rows + 1, mesh, [Replicate()]),
    "rank": "the same everywhere",
}
dcp.save(state, storage_writer=Writer(folder, key_file=key_file))
found = {
    "rows": distribute_tensor(torch.zeros(100, 7), mesh, [Shard(1)]),
    "columns": distribute_tensor(torch.zeros(3, 4), mesh, [Shard(0)]),
    "all": distribute_tensor(torch.zeros(100, 7), mesh, [Shard(0)]),
    "rank": "",
}
dcp.load(found, storage_reader=Reader(folder, key_file=key_file))
assert torch.equal(found["rows"].full_tensor(), rows)
assert torch.equal(found["columns"].full_tensor(), columns)
assert torch.equal(found["all"].full_tensor(), rows + 1)
assert found["rank"] == "the same everywhere"
dist.destroy_process_group()
"""


def test_two_processes(tmp_path: Path) -> None:
    folder, key_file = tmp_path / "checkpoint", tmp_path / "key"
    key_file.touch(0o600)
    key_file.write_bytes(KEY)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", IN_EACH_PROCESS, str(folder), str(key_file), str(rank)],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    for one in running:
        said, _ = one.communicate(timeout=240)
        assert one.returncode == 0, said
    assert len(list(folder.glob("*.wa"))) == 2
    # One process alone loads what two have saved.
    found = {"rows": torch.zeros(100, 7), "columns": torch.zeros(3, 4)}
    dcp.load(found, storage_reader=sealed.Reader(folder, key=KEY))
    assert torch.equal(found["rows"], torch.arange(700.0).reshape(100, 7))
    assert torch.equal(found["columns"], torch.arange(12.0).reshape(3, 4))
    # Two shards of equal shape cannot be swapped.
    paths = list(folder.glob("*.wa"))
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, reversed(contents), strict=True):
        path.write_bytes(content)
    assert refused(folder, found)


def test_an_object_is_bytes_of_a_pickle(tmp_path: Path) -> None:
    """Which PyTorch loads with what it knows to be harmless, or all; it is genuine before that."""
    save(tmp_path, {"n": 7})
    reader = sealed.Reader(tmp_path, key=KEY)
    ((index, found),) = reader.read_metadata().storage_data.items()
    place = sealed.Place(*found)
    assert (place.dtype, place.shape) == (None, ())
    context = sealed._context_of(place.file, index.fqn, index.offset)
    assert torch.load(io.BytesIO(opened(tmp_path, place, context)), weights_only=True) == 7


def opened(folder: Path, place: Any, context: bytes) -> bytes:
    """One item of a data file, which is a container like all others."""
    path = folder / "item"
    path.write_bytes((folder / place.file).read_bytes()[place.start : place.start + place.length])
    with warpaes.open(path, key=KEY, context_string=context) as file:
        return file.read()
