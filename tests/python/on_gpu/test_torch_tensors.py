"""Tensors of PyTorch on a GPU: the answers of host memory, on the right stream, without a wait."""

import contextlib
import gc
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import warpaes
from tests.python.on_gpu.arrays import KEY, KINDS, LENGTHS, NONCE, nonces_of, package, text
from warpaes import _short_ways
from warpaes._keys import DECRYPT, ENCRYPT

torch = package("torch")


def there(data: bytes, *shape: int) -> Any:
    made = torch.tensor(list(data), dtype=torch.uint8) if len(data) < 100 else _frombuffer(data)
    return made.reshape(shape or (-1,)).cuda()


def _frombuffer(data: bytes) -> Any:
    return torch.frombuffer(bytearray(data), dtype=torch.uint8)


def here(tensor: Any) -> bytes:
    return bytes(tensor.cpu().numpy().tobytes())


@contextlib.contextmanager
def no_wait() -> Iterator[None]:
    """In which PyTorch raises if one of its calls waits for the device."""
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode("default")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("aad", [None, b"header"])
def test_one_message(kind: Any, length: int, aad: bytes | None) -> None:
    cipher, plain = kind(KEY), text(length)
    sealed = cipher.encrypt(NONCE, there(plain), aad)
    assert sealed.device == torch.device("cuda", 0)
    assert here(sealed) == cipher.encrypt(NONCE, plain, aad)
    assert here(cipher.decrypt(NONCE, sealed, aad)) == plain
    out = torch.full((length,), 7, dtype=torch.uint8, device="cuda")
    assert cipher.decrypt(NONCE, sealed, aad, out=out) is out
    assert here(out) == plain
    sealed[length // 2] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed, aad, out=out)
    assert here(out) == bytes(length)


def test_there_is_a_short_way() -> None:
    """PyTorch has what it needs; and it computes, allocates and gives back as the general one does."""
    cipher, plain = warpaes.AESGCM(KEY), text(5000)
    data, out, stream = there(plain), there(bytes(5016)), torch.cuda.Stream()
    cipher.encrypt(NONCE, data)
    short = _short_ways.SHORT_WAYS[torch.Tensor]
    assert short is not None
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    with torch.cuda.stream(stream):
        assert short.run(cipher._key, ENCRYPT, NONCE, data, out) is out
        made = short.run(cipher._key, ENCRYPT, NONCE, data, None)
        opened = short.run(cipher._key, DECRYPT, NONCE, made, None)
    assert here(out) == here(made) == cipher.encrypt(NONCE, plain)
    assert here(opened) == plain
    assert (made.dtype, made.shape, made.is_contiguous()) == (torch.uint8, (5016,), True)
    del made, opened
    assert torch.cuda.memory_allocated() == before


def test_siv() -> None:
    cipher, plain = warpaes.AESSIV(bytes(range(64))), text(100_000)
    sealed = cipher.encrypt(there(plain), [b"one"])
    assert here(sealed) == cipher.encrypt(plain, [b"one"])
    assert here(cipher.decrypt(sealed, [b"one"])) == plain


def test_into() -> None:
    cipher, plain = warpaes.AESGCM(KEY), text(5000)
    data, out, back = there(plain), there(bytes(5016)), there(bytes(5000))
    assert cipher.encrypt_into(NONCE, data, b"aad", out) == 5016
    assert cipher.decrypt_into(NONCE, out, b"aad", back) == 5000
    assert here(back) == plain
    assert here(out) == cipher.encrypt(NONCE, plain, b"aad")


def test_it_follows_what_is_on_the_current_stream() -> None:
    """Data that is still being made when the call is made, on a stream that waits for no other."""
    cipher, stream = warpaes.AESGCM(KEY), torch.cuda.Stream()
    big = torch.randn(4096, 4096, device="cuda")
    data = there(bytes(1 << 20))
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for _ in range(20):
            big = (big @ big).clamp(-1, 1)
        data += 3
        sealed = cipher.encrypt(NONCE, data)
        data.zero_()
    stream.synchronize()
    assert here(sealed) == cipher.encrypt(NONCE, b"\3" * (1 << 20))


@pytest.mark.parametrize("given", ["object", "number", "default", "zero"])
def test_a_stream_by_name(given: str) -> None:
    """The default stream, too, while another one is current."""
    cipher, stream, plain = warpaes.AESGCM(KEY), torch.cuda.Stream(), text(1 << 20)
    data, other = there(plain), torch.cuda.Stream()
    torch.cuda.synchronize()
    names = {
        "object": stream,
        "number": stream.cuda_stream,
        "default": torch.cuda.default_stream(),
        "zero": 0,
    }
    with torch.cuda.stream(other):
        sealed = cipher.encrypt(NONCE, data, b"aad", stream=names[given])
        opened = cipher.decrypt(NONCE, sealed, b"aad", stream=names[given])
        torch.cuda.synchronize()
        assert here(opened) == plain
        assert here(sealed) == cipher.encrypt(NONCE, plain, b"aad")


def test_a_verdict_from_another_stream() -> None:
    """Behind long work: neither decrypt() nor check() may read a status before it is written."""
    cipher, stream = warpaes.AESGCM(KEY), torch.cuda.Stream()
    rows, nonces = there(text(100 * 256), 100, 256), there(b"".join(nonces_of(100)), 100, 12)
    batch = cipher.encrypt_batch(nonces, rows)
    wrong, tags = cipher.encrypt(NONCE, rows), batch.tags.clone()
    tags[7, 7] ^= 1
    wrong[7] ^= 1
    big = torch.randn(8192, 8192, device="cuda")
    torch.cuda.synchronize()
    for named in (stream, torch.cuda.default_stream()):
        with torch.cuda.stream(named):
            for _ in range(10):
                big = (big @ big).clamp(-1, 1)
        opened = cipher.decrypt_batch(nonces, batch.data, tags=tags, stream=named)
        assert opened.failed() == [7]
        with torch.cuda.stream(named):
            for _ in range(10):
                big = (big @ big).clamp(-1, 1)
        with pytest.raises(warpaes.InvalidTag), torch.cuda.stream(torch.cuda.Stream()):
            cipher.decrypt(NONCE, wrong, stream=named)


def test_encryption_and_batches_wait_for_nothing() -> None:
    cipher, rows = warpaes.AESGCM(KEY), there(text(100 * 256), 100, 256)
    nonces = there(b"".join(nonces_of(100)), 100, 12)
    cipher.encrypt(NONCE, rows)
    with no_wait():
        cipher.encrypt(NONCE, rows)
        batch = cipher.encrypt_batch(nonces, rows)
        opened = cipher.decrypt_batch(nonces, batch.data, tags=batch.tags)
    assert torch.equal(opened.check().data, rows)
    assert opened.statuses.device.type == "cuda"


def test_in_a_graph() -> None:
    """Captured once, and run on other data; the decryption's statuses are in the graph as well."""
    cipher = warpaes.AESGCM(KEY)
    data, sealed = there(bytes(200_000)), there(bytes(200_016))
    rows, nonces = there(bytes(50 * 1000), 50, 1000), there(b"".join(nonces_of(50)), 50, 12)
    cipher.encrypt(NONCE, data, out=sealed)  # PyTorch asks for one call before
    cipher.encrypt_batch(nonces, rows)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        cipher.encrypt(NONCE, data, out=sealed)
        batch = cipher.encrypt_batch(nonces, rows)
        opened = cipher.decrypt_batch(nonces, batch.data, tags=batch.tags)
    for _ in range(3):
        plain, many = text(200_000), text(50_000)
        data.copy_(there(plain))
        rows.copy_(there(many, 50, 1000))
        graph.replay()
        assert here(sealed) == cipher.encrypt(NONCE, plain)
        assert here(batch.data)[:1000] == cipher.encrypt(nonces_of(1)[0], many[:1000])[:1000]
        assert here(opened.check().data) == many
        batch.data[7, 9] ^= 1  # the graph makes it anew, so this is not seen
        graph.replay()
        assert opened.failed() == []


def test_a_graph_notices_forgery() -> None:
    cipher, nonces = warpaes.AESGCM(KEY), there(b"".join(nonces_of(10)), 10, 12)
    batch = cipher.encrypt_batch(nonces, there(text(10_000), 10, 1000))
    cipher.decrypt_batch(nonces, batch.data, tags=batch.tags).check()
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        opened = cipher.decrypt_batch(nonces, batch.data, tags=batch.tags)
    batch.tags[3, 5] ^= 1
    graph.replay()
    assert opened.failed() == [3]
    assert not opened.data[3].any()
    batch.tags[3, 5] ^= 1
    graph.replay()
    opened.check()


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_rows(kind: Any) -> None:
    count, length = 300, 1024
    cipher, plain, nonces = kind(KEY), text(300 * 1024), nonces_of(300)
    lengths = [(37 * number) % (length + 1) for number in range(count)]
    rows, packed = there(plain, count, length), there(b"".join(nonces), count, 12)
    batch = cipher.encrypt_batch(packed, rows, b"for all", lengths=lengths).check()
    found, tags = here(batch.data), here(batch.tags)
    for number in range(0, count, 17):
        start, used = number * length, lengths[number]
        expected = cipher.encrypt(nonces[number], plain[start : start + used], b"for all")
        assert found[start : start + used] + tags[16 * number : 16 * number + 16] == expected
    batch.data[5, 1] ^= 1
    opened = cipher.decrypt_batch(packed, batch.data, b"for all", tags=batch.tags, lengths=lengths)
    assert opened.failed() == [5]
    for number in (0, 4, 6, 299):
        start, used = number * length, lengths[number]
        assert here(opened.data)[start : start + used] == plain[start : start + used]
    with pytest.raises(warpaes.InvalidTag, match="1 of 300 messages failed: number 5"):
        opened.check()


def test_a_batch_of_a_list() -> None:
    cipher, texts = warpaes.AESGCM(KEY), [text(length) for length in (5, 100, 3000, 0, 70_000)]
    aads = [b"a", b"", b"third", b"4", b"five" * 100]
    batch = cipher.encrypt_batch(nonces_of(5), [there(one) for one in texts], aads).check()
    for number, one in enumerate(texts):
        joined = here(batch.data[number]) + here(batch.tags[number])
        assert joined == cipher.encrypt(nonces_of(5)[number], one, aads[number])
    opened = cipher.decrypt_batch(nonces_of(5), batch.data, aads, tags=batch.tags).check()
    assert [here(one) for one in opened.data] == texts


def test_in_place() -> None:
    cipher, plain = warpaes.AESGCM(KEY), text(3200)
    data = there(plain, 100, 32)
    batch = cipher.encrypt_batch(nonces_of(100), data, out=data).check()
    assert batch.data is data
    cipher.decrypt_batch(nonces_of(100), data, tags=batch.tags, out=data).check()
    assert here(data) == plain


def test_what_will_not_do() -> None:
    cipher, data = warpaes.AESGCM(KEY), there(bytes(1000))
    for given, problem in (
        (data[::2], "not contiguous"),
        (data.view(10, 100).t(), "not contiguous"),
        (data.view(torch.float32), "view"),
        (torch.zeros(3, device="meta", dtype=torch.uint8), "only the host and CUDA"),
        (torch.ones(4, dtype=torch.uint8).to_sparse().cuda(), "sparse"),
    ):
        with pytest.raises((TypeError, ValueError), match=problem):
            cipher.encrypt(NONCE, given)
    with pytest.raises(ValueError, match="exactly 1016 bytes"):
        cipher.encrypt(NONCE, data, out=there(bytes(1015)))
    with pytest.raises(ValueError, match="exactly 1016 bytes"):
        cipher.encrypt(NONCE, data, out=torch.zeros(1016, dtype=torch.uint8))
    with pytest.raises(ValueError, match="same place"):
        cipher.encrypt(NONCE, bytes(1000), out=there(bytes(1016)))
    memory = there(bytes(2000))
    with pytest.raises(ValueError, match="overlap"):
        cipher.encrypt(NONCE, memory[:1000], out=memory[8:1024])
    with pytest.raises(ValueError, match="stream= is for arrays on a CUDA device"):
        cipher.encrypt(NONCE, bytes(10), stream=torch.cuda.current_stream())
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, there(bytes(15)))


def test_memory_that_is_gone() -> None:
    """An address that is no memory of the device is refused before anything is written."""

    class Dangling:
        def __init__(self, address: int, length: int) -> None:
            self.__cuda_array_interface__ = {
                "shape": (length,),
                "typestr": "|u1",
                "data": (address, False),
                "version": 3,
            }

    cipher, out = warpaes.AESGCM(KEY), there(bytes(1016))
    freed = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
    address = freed.data_ptr() + (48 << 20)  # where nothing new will be
    del freed
    gc.collect()
    torch.cuda.empty_cache()
    for wrong in (address, id(out)):
        with pytest.raises((ValueError, warpaes.Error), match="memory"):
            cipher.encrypt(NONCE, Dangling(wrong, 1000), out=out)
    assert here(cipher.encrypt(NONCE, there(b"works on"))) == cipher.encrypt(NONCE, b"works on")


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="there is one GPU")
def test_another_device() -> None:
    data = torch.zeros(1000, dtype=torch.uint8, device="cuda:1")
    with pytest.raises(ValueError, match="on device 1, and the context of this AESGCM works on device 0"):
        warpaes.AESGCM(KEY).encrypt(NONCE, data)
    cipher = warpaes.AESGCM(KEY, context=warpaes.Context(device=1))
    for current in (0, 1):
        with torch.cuda.device(current):
            sealed = cipher.encrypt(NONCE, data, b"aad")
            assert sealed.device == data.device
            assert here(sealed) == cipher.encrypt(NONCE, bytes(1000), b"aad")
            assert here(cipher.decrypt(NONCE, sealed, b"aad")) == bytes(1000)
            batch = cipher.encrypt_batch(nonces_of(10), data.view(10, 100)).check()
            cipher.decrypt_batch(nonces_of(10), batch.data, tags=batch.tags).check()


def test_an_engine_without_a_device_says_so() -> None:
    cipher = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl"))
    with pytest.raises((warpaes.Error, ValueError), match="device"):
        cipher.encrypt(NONCE, there(bytes(100)))


def test_memory_and_references_stay_as_they_are() -> None:
    """10^4 calls of each kind, errors among them."""
    cipher, data = warpaes.AESGCM(KEY), there(text(4096))
    rows, nonces = data.view(16, 256), there(b"".join(nonces_of(16)), 16, 12)
    sealed, wrong = cipher.encrypt(NONCE, data, b"aad"), there(bytes(4112))
    batch = cipher.encrypt_batch(nonces, rows, b"aad")

    def forged() -> None:
        with contextlib.suppress(warpaes.InvalidTag):
            cipher.decrypt(NONCE, wrong, b"aad")

    calls = [
        lambda: cipher.encrypt(NONCE, data, b"aad"),
        lambda: cipher.encrypt(NONCE, data),
        lambda: cipher.decrypt(NONCE, sealed, b"aad"),
        lambda: cipher.encrypt_batch(nonces, rows, b"aad"),
        lambda: cipher.decrypt_batch(nonces, batch.data, b"aad", tags=batch.tags),
        forged,
    ]

    def rounds(count: int) -> tuple[int, int, list[int]]:
        for _ in range(count):
            for call in calls:
                call()
        torch.cuda.synchronize()
        gc.collect()
        references = [sys.getrefcount(one) for one in (cipher, data, rows, nonces, sealed, wrong, NONCE, KEY)]
        return torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0], references

    # What PyTorch and the driver keep for later calls, as events, they have by then.
    rounds(10_000)
    assert rounds(10) == rounds(10_000)
