"""Arrays of CuPy, Numba and JAX on a GPU."""

import contextlib
import gc
import importlib
from typing import Any

import pytest

import warpaes
from tests.python.on_gpu.arrays import KEY, KINDS, LENGTHS, NONCE, nonces_of, package, text
from warpaes import _short_ways
from warpaes._keys import DECRYPT, ENCRYPT

cupy, numpy = package("cupy"), package("numpy")


def optional(name: str) -> Any:
    """A package, which may also be there and find no CUDA that it can use."""
    try:
        return importlib.import_module(name)
    except Exception as error:
        pytest.skip(f"{name}: {error}")


def there(data: bytes, *shape: int) -> Any:
    return cupy.asarray(numpy.frombuffer(data, dtype="uint8").reshape(shape or (-1,)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("aad", [None, b"aad"])
def test_one_message(kind: Any, length: int, aad: bytes | None) -> None:
    cipher, plain = kind(KEY), text(length)
    sealed = cipher.encrypt(NONCE, there(plain), aad)
    assert isinstance(sealed, cupy.ndarray)
    assert sealed.tobytes() == cipher.encrypt(NONCE, plain, aad)
    assert cipher.decrypt(NONCE, sealed, aad).tobytes() == plain
    sealed[length // 2] ^= 1
    out = there(bytes([7]) * length)
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed, aad, out=out)
    assert out.tobytes() == bytes(length)


def test_there_is_a_short_way() -> None:
    cipher, data = warpaes.AESGCM(KEY), there(text(5000))
    cipher.encrypt(NONCE, data)
    short = _short_ways.SHORT_WAYS[cupy.ndarray]
    assert short is not None
    made = short.run(cipher._key, ENCRYPT, NONCE, data, None)
    opened = short.run(cipher._key, DECRYPT, NONCE, made, None)
    assert isinstance(made, cupy.ndarray)
    assert (made.dtype, made.shape) == (data.dtype, (5016,))
    assert made.tobytes() == cipher.encrypt(NONCE, data.tobytes())
    assert bool((opened == data).all())


def test_the_current_stream_and_others() -> None:
    cipher, stream = warpaes.AESGCM(KEY), cupy.cuda.Stream(non_blocking=True)
    data = there(bytes(1 << 20))
    cupy.cuda.Device().synchronize()
    with stream:
        big = cupy.random.rand(3000, 3000)
        for _ in range(10):
            big = big @ big % 1
        data += 3
        sealed = cipher.encrypt(NONCE, data)
        data.fill(0)
        assert sealed.tobytes() == cipher.encrypt(NONCE, b"\3" * (1 << 20))
    for named in (stream, stream.ptr):
        sealed = cipher.encrypt(NONCE, data, b"aad", stream=named)
        assert cipher.decrypt(NONCE, sealed, b"aad", stream=named).tobytes() == bytes(1 << 20)


def test_in_a_graph() -> None:
    cipher, stream = warpaes.AESGCM(KEY), cupy.cuda.Stream(non_blocking=True)
    data, sealed = there(bytes(100_000)), there(bytes(100_016))
    with stream:
        cipher.encrypt(NONCE, data, out=sealed)
        stream.synchronize()
        stream.begin_capture()
        cipher.encrypt(NONCE, data, out=sealed)
        graph = stream.end_capture()
        plain = text(100_000)
        data[:] = there(plain)
        graph.launch(stream)
        stream.synchronize()
    assert sealed.tobytes() == cipher.encrypt(NONCE, plain)


def test_a_decryption_that_a_graph_captures() -> None:
    """It would have to wait, which CUDA refuses then; the sentence says what to do."""
    cipher, stream = warpaes.AESGCM(KEY), cupy.cuda.Stream(non_blocking=True)
    plain = text(100_000)
    data, back = there(plain), there(bytes(100_000))
    with stream:
        sealed = cipher.encrypt(NONCE, data)
        cipher.decrypt(NONCE, sealed, out=back)
        stream.begin_capture()
        try:
            with pytest.raises(warpaes.Error, match="capture decrypt_batch"):
                cipher.decrypt(NONCE, sealed, out=back)
        finally:
            with contextlib.suppress(Exception):  # there is no graph any more
                stream.end_capture()
        back.fill(0)
        cipher.decrypt(NONCE, sealed, out=back)
        assert bool((back == there(plain)).all())  # pytest would take minutes to show how bytes differ


def test_a_batch() -> None:
    cipher, plain = warpaes.AESGCM(KEY), text(100 * 333)
    rows, nonces = there(plain, 100, 333), there(b"".join(nonces_of(100)), 100, 12)
    lengths = [7 * number % 334 for number in range(100)]
    batch = cipher.encrypt_batch(nonces, rows, b"aad", lengths=lengths).check()
    one = batch.data[9, : lengths[9]].tobytes() + batch.tags[9].tobytes()
    start = 9 * 333
    assert one == cipher.encrypt(nonces_of(10)[9], plain[start : start + lengths[9]], b"aad")
    batch.tags[4, 4] ^= 1
    opened = cipher.decrypt_batch(nonces, batch.data, b"aad", tags=batch.tags, lengths=lengths)
    assert isinstance(opened.statuses, cupy.ndarray)
    assert opened.failed() == [4]


def test_what_will_not_do() -> None:
    cipher = warpaes.AESGCM(KEY)
    with pytest.raises(ValueError, match="not contiguous"):
        cipher.encrypt(NONCE, there(bytes(100))[::2])
    with pytest.raises(TypeError, match="view"):
        cipher.encrypt(NONCE, cupy.zeros(10, dtype="float32"))


def test_memory_stays_as_it_is() -> None:
    cipher, data, wrong = warpaes.AESGCM(KEY), there(text(4096)), there(bytes(4112))
    pool = cupy.get_default_memory_pool()

    def rounds(count: int) -> tuple[int, int]:
        for _ in range(count):
            cipher.decrypt(NONCE, cipher.encrypt(NONCE, data, b"aad"), b"aad")
            with contextlib.suppress(warpaes.InvalidTag):
                cipher.decrypt(NONCE, wrong)
        cupy.cuda.Device().synchronize()
        gc.collect()
        return pool.used_bytes(), pool.total_bytes()

    assert rounds(10) == rounds(10_000)


def test_numba() -> None:
    cuda = optional("numba.cuda")
    cipher, plain = warpaes.AESGCM(KEY), text(50_000)
    data = cuda.to_device(numpy.frombuffer(plain, dtype="uint8"))
    sealed, back = cipher.encrypt(NONCE, data, b"aad"), cuda.device_array(50_000, dtype="uint8")
    cuda.synchronize()
    assert sealed.copy_to_host().tobytes() == cipher.encrypt(NONCE, plain, b"aad")
    for stream in (None, cuda.stream(), 0):
        back.copy_to_device(numpy.full(50_000, 7, dtype="uint8"))
        cuda.synchronize()
        assert cipher.decrypt(NONCE, sealed, b"aad", out=back, stream=stream) is back
        assert back.copy_to_host().tobytes() == plain
    batch = cipher.encrypt_batch(nonces_of(50), data.reshape(50, 1000))
    again = cipher.decrypt_batch(nonces_of(50), batch.data, tags=batch.tags).check()
    assert again.data.copy_to_host().tobytes() == plain


def host_bytes(array: Any) -> bytes:
    """Of JAX's, by JAX."""
    return bytes(numpy.asarray(array))


def test_jax() -> None:
    """The answer is a new array of JAX's on the same device, and whole for what JAX computes with it."""
    jax = optional("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("this JAX has no GPU")
    cipher, plain = warpaes.AESGCM(KEY), text(50_000)
    data = jax.numpy.asarray(numpy.frombuffer(plain, dtype="uint8")) + 0
    for aad in (b"aad", jax.numpy.asarray(numpy.frombuffer(b"aad", dtype="uint8"))):
        sealed = cipher.encrypt(NONCE, data, aad)
        assert (type(sealed), sealed.devices(), sealed.shape) == (type(data), data.devices(), (50_016,))
        expected = cipher.encrypt(NONCE, plain, b"aad")
        assert (host_bytes(sealed + 0), host_bytes(sealed)) == (expected, expected)
        opened = cipher.decrypt(NONCE, sealed, aad)
        assert bool((opened == data).all())
        with pytest.raises(warpaes.InvalidTag):
            cipher.decrypt(NONCE, sealed.at[7].add(1), aad)
    rounds = jax.jit(lambda given: given * 3)
    for number in range(200):  # no answer is overtaken by what JAX does before or after
        given = rounds(data + number)
        assert bool((cipher.decrypt(NONCE, cipher.encrypt(NONCE, given)) == given).all())


def test_jax_in_batches() -> None:
    jax = optional("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("this JAX has no GPU")
    cipher, plain = warpaes.AESGCM(KEY), text(5_000)
    rows = jax.numpy.asarray(numpy.frombuffer(plain, dtype="uint8")).reshape(50, 100)
    batch = cipher.encrypt_batch(nonces_of(50), rows, lengths=range(50, 100)).check()
    assert all(isinstance(one, jax.Array) for one in (batch.data, batch.tags, batch.statuses))
    for row, nonce in enumerate(nonces_of(50)):
        length = 50 + row
        expected = cipher.encrypt(nonce, plain[100 * row : 100 * row + length])
        assert host_bytes(batch.data[row, :length]) + host_bytes(batch.tags[row]) == expected
        assert not batch.data[row, length:].any()
    wrong = batch.tags.at[7, 0].add(1)
    opened = cipher.decrypt_batch(nonces_of(50), batch.data, tags=wrong, lengths=range(50, 100))
    assert opened.failed() == [7]
    assert host_bytes(opened.data[8, :58]) == plain[800:858]


def test_jax_and_others() -> None:
    """With memory for the answer; JAX's own cannot be written to."""
    jax = optional("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("this JAX has no GPU")
    cipher, plain = warpaes.AESGCM(KEY), text(50_000)
    data = jax.numpy.asarray(numpy.frombuffer(plain, dtype="uint8")) + 0
    sealed = cipher.encrypt(NONCE, data, b"aad", out=there(bytes(50_016)))
    assert sealed.tobytes() == cipher.encrypt(NONCE, plain, b"aad")
    given = jax.dlpack.from_dlpack(sealed)
    assert cipher.decrypt(NONCE, given, b"aad", out=there(bytes(50_000))).tobytes() == plain
    with pytest.raises(TypeError, match="read-only"):
        cipher.encrypt(NONCE, data, out=given)
    on_host = jax.device_put(data, jax.devices("cpu")[0])
    sealed = cipher.encrypt(NONCE, on_host)
    assert (type(sealed), sealed.devices()) == (type(data), on_host.devices())
    assert bytes(sealed) == cipher.encrypt(NONCE, plain)
