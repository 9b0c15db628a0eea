"""State dictionaries of PyTorch in encrypted safetensors files.

PyTorch takes 4 GB, so these run only where it is installed. There is no CUDA device in most places: what is
done for one is run here with tensors of the host in the place of the device's.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import warpaes  # noqa: E402
import warpaes.torch as encrypted  # noqa: E402
from warpaes import numpy as of_numpy  # noqa: E402
from warpaes._streams import RawReader  # noqa: E402
from warpaes.files import NewFile  # noqa: E402
from warpaes.torch import _bytes, _stages, _states  # noqa: E402
from warpaes.torch._chunks import DeviceChunks  # noqa: E402

KEY = bytes(range(32))
CHUNK = 16384
DTYPES = list(_states._TYPES.values())


def state() -> dict[str, Any]:
    torch.manual_seed(1)
    return {
        "layer.weight": torch.randn(300, 70),
        "layer.bias": torch.randn(7).to(torch.bfloat16),
        "steps": torch.tensor(12345),
        "empty": torch.zeros(0, 4),
        "mask": torch.tensor([True, False, True]),
        "large": torch.arange(5 * CHUNK + 3).to(torch.uint8),
    }


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    return found.keys() == expected.keys() and all(
        found[name].dtype == one.dtype and torch.equal(found[name], one) for name, one in expected.items()
    )


@pytest.fixture(params=["host", "device"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """With "device", the host's tensors go the way of a device's, in stages of three chunks."""
    if request.param == "device":
        monkeypatch.setattr(_bytes, "is_device", lambda _: True)
        monkeypatch.setattr(_stages, "TOGETHER", 3)
    return request.param


@pytest.mark.parametrize("key", [KEY, KEY[:16]], ids=len)
def test_comes_back(tmp_path: Path, where: str, key: bytes) -> None:
    path = tmp_path / "file"
    encrypted.save_file(state(), path, key=key, metadata={"format": "pt"})
    assert same(encrypted.load_file(path, key=key), state())
    chosen = ["steps", "large"]
    assert same(encrypted.load_file(path, key=key, names=chosen), {name: state()[name] for name in chosen})
    assert b"layer" not in path.read_bytes()


@pytest.mark.parametrize("saved_by", ["host", "device"])
@pytest.mark.parametrize(
    "length", [0, 1, CHUNK - 1, CHUNK, 3 * CHUNK, 3 * CHUNK + 1, 6 * CHUNK, 7 * CHUNK - 1]
)
def test_both_ways_make_files_that_the_other_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved_by: str, length: int
) -> None:
    monkeypatch.setattr(_stages, "TOGETHER", 3)
    path, made = tmp_path / "file", {"a": torch.arange(length).to(torch.uint8), "b": torch.ones(3)}
    monkeypatch.setattr(_bytes, "is_device", lambda _: saved_by == "device")
    encrypted.save_file(made, path, passphrase="a passphrase", context_string=b"purpose")
    monkeypatch.setattr(_bytes, "is_device", lambda _: saved_by == "host")
    found = encrypted.load_file(path, passphrase="a passphrase", context_string=b"purpose")
    assert same(found, made)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_type(tmp_path: Path, dtype: Any) -> None:
    made = torch.arange(96, dtype=torch.uint8).remainder(2).view(dtype).reshape(-1, 2)
    encrypted.save_file({"a": made, "odd": torch.zeros(3, dtype=torch.uint8)}, tmp_path / "file", key=KEY)
    found = encrypted.load_file(tmp_path / "file", key=KEY)["a"]
    assert found.dtype == dtype
    assert torch.equal(found.view(torch.uint8), made.view(torch.uint8))


def test_where_the_default_device_is_another_one(tmp_path: Path, where: str) -> None:
    path, made = tmp_path / "file", state()
    with torch.device("meta"):  # as torch.set_default_device("cuda") does it for a whole program
        encrypted.save_file(made, path, key=KEY)
        assert same(encrypted.load_file(path, key=KEY), made)
        with encrypted.safe_open(path, key=KEY) as file:
            assert torch.equal(file.get_slice("layer.weight")[3:9], made["layer.weight"][3:9])


def test_items_of_half_a_byte(tmp_path: Path, where: str) -> None:
    """PyTorch counts pairs of them, and safetensors each."""
    kind = getattr(torch, "float4_e2m1fn_x2", None)
    if kind is None:
        pytest.skip("this PyTorch has none")
    items = torch.arange(24, dtype=torch.uint8)
    made = {"a": items.view(2, 3, 4).view(kind), "flat": items.view(kind), "none": items[:0].view(kind)}
    made["s"] = torch.arange(3.0)
    encrypted.save_file(made, tmp_path / "file", key=KEY)

    def fits(found: dict[str, Any]) -> bool:
        bits = {name: one.view(torch.uint8) for name, one in found.items()}
        right = all(found[name].shape == one.shape for name, one in made.items())
        return right and same(bits, {name: one.view(torch.uint8) for name, one in made.items()})

    assert fits(encrypted.load_file(tmp_path / "file", key=KEY))
    with encrypted.safe_open(tmp_path / "file", key=KEY) as file:
        assert file.get_slice("a").get_shape() == [2, 3, 8]
        assert file.get_slice("a")[1:].view(torch.uint8).flatten().tolist() == list(range(12, 24))
        assert file.get_slice("flat")[2:5].view(torch.uint8).tolist() == [2, 3, 4]
    with pytest.raises(TypeError, match="without a dimension"):
        encrypted.save_file({"a": items.view(kind)[0]}, tmp_path / "file", key=KEY)
    with pytest.raises(TypeError, match="which NumPy has not"):
        of_numpy.load_file(tmp_path / "file", key=KEY)
    pytest.importorskip("safetensors", "0.7")
    safetensors = pytest.importorskip("safetensors.torch")
    with warpaes.open(tmp_path / "file", key=KEY) as sealed, (tmp_path / "plain").open("wb") as plain:
        plain.write(sealed.read())
    assert fits(safetensors.load_file(tmp_path / "plain"))
    safetensors.save_file({name: one.clone() for name, one in made.items()}, tmp_path / "plain")
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as other:
        other.write((tmp_path / "plain").read_bytes())
    assert fits(encrypted.load_file(tmp_path / "file", key=KEY))


def test_safetensors_and_this_read_each_other(tmp_path: Path, where: str) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    encrypted.save_file(state(), tmp_path / "file", key=KEY, metadata={"format": "pt"})
    with warpaes.open(tmp_path / "file", key=KEY) as file:
        text = file.read()
    assert same(safetensors.load(text), state())
    with warpaes.open(tmp_path / "other", "wb", key=KEY) as other:
        other.write(safetensors.save(state(), {"format": "pt"}))
    assert same(encrypted.load_file(tmp_path / "other", key=KEY), state())


def test_numpy_reads_the_same_files(tmp_path: Path) -> None:
    encrypted.save_file({"a": torch.ones(3, 2)}, tmp_path / "file", key=KEY)
    assert of_numpy.load_file(tmp_path / "file", key=KEY)["a"].tolist() == [[1, 1]] * 3


def test_safe_open(tmp_path: Path, where: str) -> None:
    path = tmp_path / "file"
    encrypted.save_file(state(), path, key=KEY, metadata={"format": "pt"})
    weight = state()["layer.weight"]
    with encrypted.safe_open(path, "pt", key=KEY) as file:
        assert file.keys() == sorted(state())
        assert set(file.offset_keys()) == set(state())
        assert file.metadata() == {"format": "pt"}
        assert torch.equal(file.get_tensor("layer.weight"), weight)
        assert same(file.get_tensors(), state())
        part = file.get_slice("layer.weight")
        assert part.get_shape() == [300, 70]
        assert part.get_dtype() == "F32"
        for index in (
            slice(10, 20),
            slice(None),
            slice(-5, None),
            slice(20, 10),
            slice(0, 9, 2),
            7,
            (slice(5, 8), slice(None, 3)),
            (..., 1),
        ):
            assert torch.equal(part[index], weight[index])
        with pytest.raises(KeyError, match="no tensor 'none'"):
            file.get_tensor("none")


def test_damage_is_refused(tmp_path: Path, where: str) -> None:
    path = tmp_path / "file"
    encrypted.save_file(state(), path, key=KEY)
    good = path.read_bytes()
    places = [0, 30, 56, 100, 16455, 16456, 56 + 2 * 16400 + 9, len(good) - 17, len(good) - 1]
    for place in places:
        damaged = bytearray(good)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises((warpaes.WrongKey, warpaes.Damaged)):
            encrypted.load_file(path, key=KEY)
    for length in (0, 100, 16456 + 16, len(good) - 16400, len(good) - 1):
        path.write_bytes(good[:length])
        with pytest.raises(warpaes.ContainerError):
            encrypted.load_file(path, key=KEY, names=["steps"])
    path.write_bytes(good)
    with pytest.raises(warpaes.WrongKey):
        encrypted.load_file(path, key=bytes(32))


def test_nothing_goes_on_behind_a_failure(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the file or the disk, in the middle: no thread is left, no file, and no part of one."""
    path, made = tmp_path / "file", {"a": torch.arange(50 * CHUNK).to(torch.uint8)}
    encrypted.save_file(made, path, key=KEY)
    before, calls = threading.active_count(), 0
    real: dict[str, Any] = {
        "read_sealed": RawReader.read_sealed,
        "read_at": RawReader.read_at,
        "write": NewFile.write,
    }

    def fails(name: str) -> Any:
        def planted(self: Any, *arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls > 5:
                raise OSError("planted")
            return real[name](self, *arguments)

        return planted

    for kind, name in ((RawReader, "read_sealed"), (RawReader, "read_at"), (NewFile, "write")):
        monkeypatch.setattr(kind, name, fails(name))
    calling: tuple[Callable[[], Any], ...] = (
        lambda: [encrypted.load_file(path, key=KEY) for _ in range(6)],
        lambda: encrypted.save_file(made, tmp_path / "new", key=KEY),
    )
    for call in calling:
        calls = 0 if where == "device" else 4
        with pytest.raises(OSError, match="planted"):
            call()
        assert threading.active_count() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_no_plaintext_in_the_memory_of_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered: list[Any] = []

    def fails(self: Any, plain: Any, *others: Any) -> None:
        del self, others
        assert plain.any()
        gathered.append(plain)
        raise OSError("planted")

    monkeypatch.setattr(_bytes, "is_device", lambda _: True)
    monkeypatch.setattr(DeviceChunks, "seal", fails)
    with pytest.raises(OSError, match="planted"):
        encrypted.save_file({"a": torch.ones(5 * CHUNK, dtype=torch.uint8)}, tmp_path / "file", key=KEY)
    assert not gathered[0].any()
    assert list(tmp_path.iterdir()) == []


def test_a_model(tmp_path: Path) -> None:
    model, other = torch.nn.Linear(100, 30), torch.nn.Linear(100, 30)
    encrypted.save_file(model.state_dict(), tmp_path / "model", key=KEY)
    other.load_state_dict(encrypted.load_file(tmp_path / "model", key=KEY))
    assert torch.equal(model.weight, other.weight)


def stands_for(tensor: Any) -> Any:
    """As a DTensor does, whose memory is that of another tensor."""

    kind: Any = type("StandIn", (torch.Tensor,), {"__torch_dispatch__": classmethod(lambda *_: None)})
    return kind._make_wrapper_subclass(kind, tensor.shape, dtype=tensor.dtype)


def test_a_tensor_without_memory_is_refused() -> None:
    for given in (stands_for(torch.zeros(3, dtype=torch.uint8)), freed(torch.zeros(3, dtype=torch.uint8))):
        for call in (
            lambda given=given: warpaes.AESGCM(KEY).encrypt(bytes(12), given),
            lambda given=given: warpaes.AESGCM(KEY).encrypt_batch([bytes(12)], [given]),
            lambda given=given: warpaes.AESGCM(KEY).decrypt(bytes(12), bytes(19), out=given),
        ):
            with pytest.raises(TypeError, match="without memory of its own"):
                call()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.complex64])
def test_the_sentence_about_other_items_says_what_works(dtype: Any) -> None:
    """Tensors have no view("uint8")."""
    cipher, given = warpaes.AESGCM(KEY), torch.arange(6).to(dtype)
    with pytest.raises(TypeError, match=r"pass its bytes, as with (.*)") as raised:
        cipher.encrypt(bytes(12), given)
    expression = str(raised.value).partition("as with ")[2]
    sealed = cipher.encrypt(bytes(12), eval(expression, {"data": given, "torch": torch}))
    assert torch.equal(cipher.decrypt(bytes(12), sealed).view(dtype), given)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_nested_tensor_is_refused() -> None:
    given = torch.nested.nested_tensor([torch.zeros(5, dtype=torch.uint8), torch.zeros(3, dtype=torch.uint8)])
    for call in (
        lambda: warpaes.AESGCM(KEY).encrypt(bytes(12), given),
        lambda: warpaes.AESGCM(KEY).encrypt_batch([bytes(12)], [given]),
    ):
        with pytest.raises(TypeError, match=r"nested tensor: pass its tensors"):
            call()


def freed(tensor: Any) -> Any:
    """As FSDP leaves parameters that are on other devices."""
    tensor.untyped_storage().resize_(0)
    return tensor


def test_a_storage_is_no_tensor() -> None:
    storage = torch.zeros(16, dtype=torch.uint8).untyped_storage()
    with pytest.raises(TypeError, match=r"data must be bytes-like or an array of uint8 .*UntypedStorage"):
        warpaes.AESGCM(KEY).encrypt(bytes(12), storage)


@pytest.mark.parametrize("stride", [0, 8])
def test_one_item_has_any_stride(tmp_path: Path, stride: int) -> None:
    """Such a tensor is contiguous, whatever its stride, and clone() keeps that."""
    one = torch.randn(2, 8).as_strided((1,), (stride,), 3)
    assert one.is_contiguous()
    encrypted.save_file({"one": one}, tmp_path / "file", key=KEY)
    assert torch.equal(encrypted.load_file(tmp_path / "file", key=KEY)["one"], one)
    assert _bytes.bytes_of(one).data_ptr() == one.data_ptr()  # no copy, and where in its memory it begins


def test_misuse(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for given, problem in (
        ([1, 2], "is no tensor"),
        (torch.zeros(3, device="meta"), "without memory"),
        (torch.zeros(3).to_sparse(), "without memory"),
        (torch.nested.nested_tensor([torch.zeros(3), torch.zeros(2)]), "without memory"),
        (torch.zeros([1] * 65), "cannot be saved: it is a tensor of more than 64 dimensions"),
        (torch.zeros(2**40, 0, 2**21), "cannot be saved: it is a tensor whose shape is too large"),
        (stands_for(torch.zeros(3)), "StandIn without memory of its own"),
        (torch.zeros(3, dtype=torch.complex128), "safetensors does not have"),
        (torch.zeros(3, 4).t(), "not contiguous"),
    ):
        with pytest.raises((TypeError, ValueError), match=problem):
            encrypted.save_file({"a": given}, path, key=KEY)
    with pytest.raises(TypeError, match="tensors must be a dictionary with names as keys, not Linear"):
        encrypted.save_file(torch.nn.Linear(1, 1), path, key=KEY)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match=r"warpaes\.numpy"):
        encrypted.safe_open(path, "np", key=KEY)  # type: ignore[arg-type]


def test_batches_on_the_host() -> None:
    cipher = warpaes.AESGCM(KEY)
    frames = torch.zeros((4, 3, 12 + 100 + 16), dtype=torch.uint8)
    nonces, data, tags = frames[..., :12], frames[..., 12:-16], frames[..., -16:]
    nonces[..., -1] = torch.arange(12).reshape(4, 3)
    batch = cipher.encrypt_batch(nonces, data, out=data, tags=tags).check()
    assert batch.data is data
    for frame in frames.reshape(12, -1):
        assert not any(cipher.decrypt(frame[:12].numpy(), frame[12:].contiguous()))
    assert not cipher.decrypt_batch(nonces, data, tags=tags).check().data.any()
    with pytest.raises(ValueError, match="not contiguous"):
        cipher.encrypt_batch(nonces, frames[:, :, ::2])
