"""Messages in PyTorch's and CuPy's device memory, the way with few steps: with stand-ins for the packages."""

import contextlib
import gc
import math
import sys
from collections.abc import Callable
from typing import Any

import pytest

import warpaes
from tests.python import stand_in_for_cupy, stand_in_for_torch
from tests.python.cuda_arrays import DEVICE, CudaArray, Posed
from tests.python.short_ways import (
    KEY,
    NONCE,
    PACKAGES,
    Make,
    arrays_of,
    install_torch,
    no_general_way,
    pattern,
    verdicts_made,
)
from tests.python.stand_in_for_torch import Tensor, tensor
from warpaes import _short_ways, aead

if DEVICE is None:
    pytest.skip("no GPU here, and no library that poses as one", allow_module_level=True)

LENGTHS = [0, 1, 16, 1000, 20_001]
KINDS: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


@pytest.fixture(params=["attributes", "exchange"])
def torch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    return install_torch(monkeypatch, exchange=request.param == "exchange")


@pytest.fixture(params=PACKAGES)
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Make:
    return arrays_of(request.param, monkeypatch)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", LENGTHS)
def test_one_message(monkeypatch: pytest.MonkeyPatch, make: Make, kind: Any, length: int) -> None:
    cipher, data, expected = kind(KEY), make(pattern(length)), kind(KEY).encrypt(NONCE, pattern(length))
    no_general_way(monkeypatch)
    sealed = cipher.encrypt(NONCE, data)
    assert (type(sealed), sealed.shape, bytes(sealed)) == (type(data), (length + 16,), expected)
    opened = cipher.decrypt(NONCE, sealed)
    assert (opened.shape, bytes(opened)) == ((length,), pattern(length))
    out, back = make(bytes(length + 16)), make(bytes(length))
    assert cipher.encrypt(NONCE, data, out=out) is out
    assert bytes(out) == expected
    assert cipher.encrypt_into(NONCE, data, None, out) == length + 16
    assert cipher.decrypt_into(NONCE, out, None, back) == length
    assert bytes(back) == pattern(length)
    assert cipher.decrypt(NONCE, out, out=data) is data
    damaged = bytearray(expected)
    damaged[length // 2] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, make(bytes(damaged)), out=back)
    assert bytes(back) == bytes(length)


def test_no_step_of_python(monkeypatch: pytest.MonkeyPatch, make: Make) -> None:
    """The simplest calls do not come to the class's own functions; what is less simple does."""
    cipher, data, out = warpaes.AESGCM(KEY), make(pattern(100)), make(bytes(116))
    expected = cipher.encrypt(NONCE, pattern(100))

    def planted(*_: object, **__: object) -> None:
        raise AssertionError("a function of Python's was called")

    monkeypatch.setattr(aead, "run", planted)
    assert bytes(cipher.encrypt(NONCE, data)) == expected
    assert bytes(cipher.encrypt(NONCE, data, None)) == expected
    with_out: tuple[Callable[[], Any], ...] = (
        lambda: cipher.encrypt(NONCE, data, out=out),
        lambda: cipher.encrypt(NONCE, data, None, out=out),
    )
    for call in with_out:
        DEVICE.write(address_of(out), bytes(116))
        assert call() is out
        assert bytes(out) == expected
    assert cipher.decrypt(NONCE, out, out=data) is data
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, make(bytes(116)))
    with pytest.raises(ValueError, match="nonce"):
        cipher.encrypt(b"", data)
    other: Any = CudaArray((100,), pattern(100))
    less_simple: tuple[Callable[[], Any], ...] = (
        lambda: cipher.encrypt(NONCE, data, b"aad"),
        lambda: cipher.encrypt(NONCE, data, None, stream=0),
        lambda: cipher.encrypt(NONCE, data=data),
        lambda: cipher.encrypt(NONCE, other),
    )
    for call in less_simple:
        with pytest.raises(AssertionError, match=r"Python's was called"):
            call()


def address_of(array: Any) -> int:
    return int(array.data_ptr() if isinstance(array, Tensor) else array.data.ptr)


def test_by_the_exchange_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attributes are not asked for then; of a version that is not known, nothing is."""
    for major, ways in ((1, "exchange"), (2, "attributes")):
        exchanges = stand_in_for_torch.exchange(major=major)
        stand_in_for_torch.install(monkeypatch, internals=True, exchanges=exchanges)
        cipher, data = warpaes.AESGCM(KEY), tensor(pattern(100), "cuda")
        sealed, asked = bytes(cipher.encrypt(NONCE, data)), list[Tensor]()

        def numel(given: Tensor, asked: list[Tensor] = asked) -> int:
            asked.append(given)
            return 100

        with monkeypatch.context() as patched:
            patched.setattr(Tensor, "numel", numel)
            assert bytes(cipher.encrypt(NONCE, data)) == sealed
        assert asked == ([] if ways == "exchange" else [data])


@pytest.mark.parametrize("shape", [(100,), (2, 50), (5, 1, 20), (1, 100), (1, 100, 1), (0,), (3, 0, 2), ()])
def test_shapes(monkeypatch: pytest.MonkeyPatch, torch: Any, shape: tuple[int, ...]) -> None:
    text = pattern(math.prod(shape))
    cipher, data = warpaes.AESGCM(KEY), Tensor(shape, "uint8", "cuda", text)
    cipher.encrypt(NONCE, tensor(b"the first one goes the general way", "cuda"))
    no_general_way(monkeypatch)
    assert bytes(cipher.encrypt(NONCE, data)) == cipher.encrypt(NONCE, text)
    assert torch.Tensor is Tensor


def test_strides_that_no_item_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an axis with one item, or of an array without any, the stride says nothing."""
    install_torch(monkeypatch, exchange=True)
    cipher = warpaes.AESGCM(KEY)
    cipher.encrypt(NONCE, tensor(b"the first one goes the general way", "cuda"))
    with monkeypatch.context() as patched:
        no_general_way(patched)
        for shape in ((1, 100, 1), (3, 0, 2), (0,)):
            data = Tensor(shape, "uint8", "cuda", pattern(math.prod(shape)))
            data.contiguous = False  # its strides are other ones then
            monkeypatch.setattr(Tensor, "stride", lambda given: (7, 1, 9)[: len(given.shape)])
            assert bytes(cipher.encrypt(NONCE, data)) == cipher.encrypt(NONCE, pattern(math.prod(shape)))
    data = Tensor((1, 100, 2), "uint8", "cuda", pattern(200))
    data.contiguous = False
    with pytest.raises(ValueError, match="not contiguous"):
        cipher.encrypt(NONCE, data)


def test_a_short_tag(make: Make) -> None:
    cipher = warpaes.AESCCM(KEY, tag_length=8)
    sealed = cipher.encrypt(NONCE, make(pattern(100)))
    assert bytes(sealed) == cipher.encrypt(NONCE, pattern(100))
    assert bytes(cipher.decrypt(NONCE, sealed)) == pattern(100)


def five_calls(cipher: Any, data: Any) -> None:
    """Some of which fail."""
    sealed = cipher.encrypt(NONCE, data)
    calls: tuple[Callable[[], Any], ...] = (
        lambda: cipher.encrypt(b"", data),
        lambda: cipher.encrypt("no bytes", data),
        lambda: cipher.decrypt(NONCE, sealed),
        lambda: cipher.decrypt(bytes(12), sealed),
    )
    for call in calls:
        with contextlib.suppress(ValueError, TypeError, warpaes.InvalidTag):
            call()


def test_one_workspace_is_kept_for_the_default_stream(torch: Any) -> None:
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(20_001), "cuda")
    cipher.encrypt(NONCE, data)
    torch._C.streams.clear()
    five_calls(cipher, data)
    assert torch._C.streams == [0]
    assert len(torch._C.held) == 1
    cipher.encrypt(NONCE, tensor(pattern(40_000), "cuda"))  # the larger one is kept in its place
    cipher.encrypt(NONCE, tensor(pattern(40_000), "cuda"))
    assert torch._C.streams == [0, 0]
    assert len(torch._C.held) == 1
    cipher.encrypt(NONCE, tensor(pattern(2_000_000), "cuda"))  # its workspace is too large to be kept
    assert len(torch._C.held) == 1
    (kept,) = torch._C.held
    _short_ways.SHORT_WAYS.clear()
    gc.collect()
    assert kept not in torch._C.held


def test_workspaces_of_other_streams_are_given_back(torch: Any) -> None:
    """A graph uses them whenever it is replayed, and a new stream may have the address of an old one."""
    if not isinstance(DEVICE, Posed):
        pytest.skip("the folder on_gpu has that for GPUs")
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(20_001), "cuda")
    cipher.encrypt(NONCE, data)
    torch._C.streams.clear()
    stream = DEVICE.new_stream()
    with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
        five_calls(cipher, data)
    assert torch._C.streams == [stream] * 4  # for a nonce that is no bytes, none is asked for
    assert torch._C.held == {}


def test_a_workspace_has_one_user(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call within a call stands for one on another thread."""
    made = verdicts_made(monkeypatch)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(20_001), "cuda")
    sealed = cipher.encrypt(NONCE, data)
    cipher.encrypt(NONCE, data)
    (kept,), held_within, arrays = torch._C.held, set[int](), _short_ways.SHORT_WAYS[Tensor]
    assert arrays is not None
    (verdicts,) = made

    def waits(_: int) -> None:
        arrays.run(cipher._key, 0, NONCE, data, None)
        held_within.update(torch._C.held)

    monkeypatch.setattr(verdicts, "_wait", waits)
    torch._C.streams.clear()
    cipher.decrypt(NONCE, sealed)
    assert torch._C.streams == [0]
    assert kept in held_within
    assert len(held_within) == 2
    assert len(torch._C.held) == 1


def test_workspaces_of_cupy(make: Make) -> None:
    """At most one is held, which CuPy's memory gives back by itself."""
    cipher, data = warpaes.AESGCM(KEY), make(pattern(20_001))
    cipher.decrypt(NONCE, cipher.encrypt(NONCE, data))
    with pytest.raises(ValueError, match="nonce"):
        cipher.encrypt(b"", data)
    assert len(stand_in_for_cupy.held) <= 1
    _short_ways.SHORT_WAYS.clear()
    gc.collect()
    assert stand_in_for_cupy.held == []


def test_on_the_current_stream(torch: Any) -> None:
    """What is captured there is done again with the graph, and memory is asked for with that stream."""
    if not isinstance(DEVICE, Posed):
        pytest.skip("the folder on_gpu has that for GPUs")
    cipher, data, out = warpaes.AESGCM(KEY), tensor(pattern(3000), "cuda"), tensor(bytes(3016), "cuda")
    cipher.encrypt(NONCE, data, out=out)
    DEVICE.write(out.data_ptr(), bytes(3016))
    stream = DEVICE.new_stream()
    torch._C.streams.clear()
    with torch.cuda.stream(torch.cuda.ExternalStream(stream)), DEVICE.pool(1 << 20):
        replay = DEVICE.in_graph(stream, lambda: cipher.encrypt(NONCE, data, out=out))
    assert torch._C.streams == [stream]
    assert bytes(out) == bytes(3016)
    replay()
    assert bytes(out) == cipher.encrypt(NONCE, pattern(3000))


def test_what_is_unusual_goes_the_general_way(torch: Any) -> None:
    """Where it works as ever, or is refused with the general way's sentences."""
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(100), "cuda")
    expected = cipher.encrypt(NONCE, pattern(100), b"aad")
    sealed = cipher.encrypt(NONCE, data)
    assert bytes(cipher.encrypt(NONCE, data, b"aad")) == expected
    assert bytes(cipher.encrypt(NONCE, data, stream=DEVICE.new_stream())) == bytes(sealed)
    assert bytes(cipher.encrypt(tensor(NONCE, "cpu"), data)) == bytes(sealed)
    gaps, gaps_out, elsewhere, sparse = (tensor(pattern(100), "cuda") for _ in range(4))
    gaps.contiguous = gaps_out.contiguous = sparse.contiguous = False
    sparse.layout = "torch.sparse_coo"
    elsewhere.device.index = 1
    floats = Tensor(100, "float32", "cuda")
    for given, out, says in (
        (gaps, None, "data is not contiguous"),
        (floats, None, "float32"),
        (sparse, None, r"layout torch.sparse_coo: pass data.to_dense\(\)"),
        (elsewhere, None, "on device 1"),
        (data, tensor(bytes(115), "cuda"), "exactly 116 bytes"),
        (data, tensor(bytes(116), "cpu"), "exactly 116 bytes"),
        (data, gaps_out, "out is not contiguous"),
        (data, bytearray(116), "exactly 116 bytes"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            cipher.encrypt(NONCE, given, out=out)
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, tensor(bytes(15), "cuda"))
    with pytest.raises((warpaes.Error, ValueError), match="device"):
        warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl")).encrypt(NONCE, data)


def test_another_current_device(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """There memory without an array would be made, so the general way has to do it."""
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(100), "cuda")
    sealed = cipher.encrypt(NONCE, data)
    torch._C.streams.clear()
    torch._C.device = 1
    assert bytes(cipher.encrypt(NONCE, data)) == bytes(sealed)
    assert torch._C.streams == []
    stand_in_for_cupy.install(monkeypatch)
    array = stand_in_for_cupy.array(pattern(100))
    cipher.encrypt(NONCE, array)
    monkeypatch.setattr(stand_in_for_cupy.Memory, "__init__", lambda *_: pytest.fail("asked for memory"))
    monkeypatch.setattr(stand_in_for_cupy, "current_device", [1])
    assert bytes(cipher.encrypt(NONCE, array)) == bytes(sealed)


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("_cuda_getDevice", None),
        ("_cuda_cudaCachingAllocator_raw_alloc", lambda length: 0),
        ("_cuda_cudaCachingAllocator_raw_alloc", lambda length, stream: 0),
        ("_dynamo", None),
    ],
)
def test_internals_that_are_not_as_expected(torch: Any, name: str, planted: Any) -> None:
    """Those of another version of PyTorch, say."""
    setattr(torch._C, name, planted)
    cipher, data = warpaes.AESGCM(KEY), tensor(pattern(100), "cuda")
    for _ in range(2):
        assert bytes(cipher.encrypt(NONCE, data)) == cipher.encrypt(NONCE, pattern(100))
    assert _short_ways.SHORT_WAYS[Tensor] is None


def test_memory_and_references_stay_as_they_are(make: Make) -> None:
    cipher, data, wrong, out = warpaes.AESGCM(KEY), make(pattern(160)), make(bytes(100)), make(bytes(176))
    package = (_short_ways.SHORT_WAYS[type(data)], NONCE, KEY)

    def rounds(count: int) -> list[int]:
        for _ in range(count):
            cipher.decrypt(NONCE, cipher.encrypt(NONCE, data))
            cipher.encrypt(NONCE, data, out=out)
            with pytest.raises(warpaes.InvalidTag):
                cipher.decrypt(NONCE, wrong)
            with pytest.raises(ValueError, match="nonce"):
                cipher.encrypt(b"", data)
            with pytest.raises(ValueError, match="exactly"):
                cipher.encrypt(NONCE, data, out=wrong)
        gc.collect()
        return [CudaArray.alive, *map(sys.getrefcount, (cipher, data, wrong, out, *package))]

    assert rounds(3) == rounds(200)
