"""Arrays of JAX in host memory come back as such; what JAX compiles has no key in it."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpaes

jax = pytest.importorskip("jax")
jnp = jax.numpy

KEY, NONCE = bytes(range(200, 232)), bytes(12)
KINDS: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]


@pytest.fixture(autouse=True)
def _on_the_host() -> Any:
    """Also where JAX has a GPU."""
    with jax.default_device(jax.devices("cpu")[0]):
        yield


def array(length: int, *shape: int) -> Any:
    return (jnp.arange(length) % 251).astype("uint8").reshape(shape or (-1,))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [0, 1, 1000, 100_001])
def test_one_message(kind: Any, length: int) -> None:
    cipher, data = kind(KEY), array(length)
    sealed = cipher.encrypt(NONCE, data, b"aad")
    assert isinstance(sealed, jax.Array)
    assert (sealed.shape, sealed.dtype, sealed.devices()) == (
        (length + 16,),
        np.dtype("uint8"),
        data.devices(),
    )
    assert bytes(sealed) == cipher.encrypt(NONCE, bytes(data), b"aad")
    opened = cipher.decrypt(jnp.zeros(12, "uint8"), sealed, jnp.asarray(np.frombuffer(b"aad", "uint8")))
    assert isinstance(opened, jax.Array)
    assert bool((opened == data).all())
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt(NONCE, sealed.at[length].add(1), b"aad")


def test_siv() -> None:
    cipher = warpaes.AESSIV(KEY)
    sealed = cipher.encrypt(array(100), [b"name"])
    assert isinstance(sealed, jax.Array)
    assert bytes(cipher.decrypt(sealed, [b"name"])) == bytes(array(100))


def test_other_items_of_one_byte() -> None:
    cipher = warpaes.AESGCM(KEY)
    for dtype in ("int8", "bool", "float8_e4m3fn"):
        data = array(64).view(dtype)
        assert bytes(cipher.encrypt(NONCE, data)) == cipher.encrypt(NONCE, np.asarray(data).tobytes()), dtype


def test_the_rows_of_an_array() -> None:
    cipher, rows = warpaes.AESGCM(KEY), array(300, 3, 100)
    nonces = array(36, 3, 12)
    batch = cipher.encrypt_batch(nonces, rows, b"aad", lengths=[100, 7, 0]).check()
    for answer, shape in ((batch.data, (3, 100)), (batch.tags, (3, 16)), (batch.statuses, (3,))):
        assert isinstance(answer, jax.Array)
        assert answer.shape == shape
    assert bytes(batch.data[1, :7]) + bytes(batch.tags[1]) == cipher.encrypt(
        bytes(nonces[1]), bytes(rows[1, :7]), b"aad"
    )
    assert not batch.data[1, 7:].any()
    wrong = cipher.decrypt_batch(
        nonces, batch.data, b"aad", tags=batch.tags.at[1, 0].add(1), lengths=[100, 7, 0]
    )
    assert wrong.failed() == [1]
    assert isinstance(wrong.data, jax.Array)
    assert bool((wrong.data[0] == rows[0]).all())


def test_a_list_of_arrays() -> None:
    cipher, messages = warpaes.AESGCM(KEY), [array(10), b"bytes", array(1000)]
    nonces = [bytes([number]) * 12 for number in range(3)]
    batch = cipher.encrypt_batch(nonces, messages).check()
    assert [isinstance(one, jax.Array) for one in batch.data] == [True, False, True]
    assert [bytes(one) for one in batch.data] == [
        cipher.encrypt(nonce, bytes(one))[:-16] for nonce, one in zip(nonces, messages, strict=True)
    ]


def test_memory_that_is_given() -> None:
    cipher, memory = warpaes.AESGCM(KEY), np.zeros(116, "uint8")
    assert cipher.encrypt(NONCE, array(100), out=memory) is memory
    assert memory.tobytes() == cipher.encrypt(NONCE, bytes(array(100)))


def traced(call: Callable[[Any], Any], length: int) -> Callable[[], Any]:
    return lambda: jax.jit(call)(array(length))


CIPHER = warpaes.AESGCM(KEY)
REFUSED: list[tuple[str, str, Callable[[], Any]]] = [
    ("float", r"view\('uint8'\)", lambda: CIPHER.encrypt(NONCE, jnp.zeros(3))),
    ("half bytes", "array of int4", lambda: CIPHER.encrypt(NONCE, jnp.zeros(4, "int4"))),
    ("odd half bytes", "of float4_e2m1fn", lambda: CIPHER.encrypt(NONCE, jnp.zeros(3, "float4_e2m1fn"))),
    ("out", "out is read-only", lambda: CIPHER.encrypt(NONCE, array(4), out=array(20))),
    ("random key", "data must be bytes-like or an array", lambda: CIPHER.encrypt(NONCE, jax.random.key(0))),
    ("jit", "data is traced by JAX", traced(lambda data: CIPHER.encrypt(NONCE, data), 10)),
    (
        "vmap",
        "data is traced by JAX",
        lambda: jax.vmap(lambda row: CIPHER.encrypt(NONCE, row))(array(10, 2, 5)),
    ),
    ("out of jit", "out is traced by JAX", traced(lambda data: CIPHER.encrypt(NONCE, b"", out=data), 16)),
    ("nonce", "nonce must be bytes-like, not .*Tracer", traced(lambda data: CIPHER.encrypt(data, b""), 12)),
    ("key", "key must be bytes-like, not .*Tracer", traced(warpaes.AESGCM, 32)),
    ("batch", "nonces is traced by JAX", traced(lambda data: CIPHER.encrypt_batch(data[None], [b""]), 12)),
]


@pytest.mark.parametrize(("says", "call"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_says_what_is_wrong(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=says):
        call()


def shown(key: bytes) -> re.Pattern[str]:
    """Some of the key's bytes, in the ways in which arrays and constants are printed."""
    some = key[:8]
    numbers = r",?\s*".join(rf"(?:{byte}|{byte - 256})" for byte in some)
    digits = some.hex() + "|" + some[::-1].hex()
    escaped = "".join(rf"\\+(?:x{byte:02x}|{byte:o}|{byte:02x})" for byte in some)
    return re.compile(f"{numbers}|{digits}|{escaped}", re.IGNORECASE)


def texts_of(function: Callable[[Any], Any], given: Any) -> list[str]:
    """What JAX has of a function: its own form, that for the compiler, and what the compiler made of it."""
    lowered = jax.jit(function).lower(given)
    return [
        str(jax.make_jaxpr(function)(given)),
        lowered.as_text(),
        lowered.as_text(dialect="hlo"),
        lowered.compile().as_text(),
    ]


def test_no_key_is_in_what_jax_compiles() -> None:
    cipher, data = warpaes.AESGCM(KEY), array(100)

    def sealed(data: Any) -> Any:
        answer = jax.ShapeDtypeStruct((data.size + 16,), "uint8")
        return jax.pure_callback(lambda given: cipher.encrypt(NONCE, given), answer, data)

    assert bytes(jax.jit(sealed)(data)) == cipher.encrypt(NONCE, bytes(data))
    for text in texts_of(sealed, data):
        assert "callback" in text
        assert not shown(KEY).search(text)


def test_a_key_that_is_a_constant_would_be_found() -> None:
    """The test above can fail: this is what happens to bytes that a function encloses."""
    key = jnp.asarray(np.frombuffer(KEY, "uint8"))
    texts = texts_of(lambda data: data ^ np.frombuffer(KEY, "uint8") ^ key, array(32))
    assert [bool(shown(KEY).search(text)) for text in texts[1:3]] == [True, True]
