"""The AEAD classes against two other implementations, and what they say to wrong arguments."""

import array
import inspect
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from Crypto.Cipher import AES
from cryptography import exceptions
from cryptography.hazmat.primitives.ciphers import aead as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import warpaes
from warpaes.aead import AEAD

NONCE = bytes(range(12))
PAIRS = [
    (warpaes.AESGCM, theirs.AESGCM, (16, 24, 32), (12, 8, 16, 64)),
    (warpaes.AESGCMSIV, theirs.AESGCMSIV, (16, 32), (12,)),
    (warpaes.AESCCM, theirs.AESCCM, (16, 24, 32), (7, 12, 13)),
    (warpaes.AESOCB3, theirs.AESOCB3, (16, 24, 32), (12, 15)),
]
OURS: list[Any] = [warpaes.AESGCM, warpaes.AESGCMSIV, warpaes.AESCCM, warpaes.AESOCB3, warpaes.AESEAX]
LENGTHS = st.one_of(st.integers(0, 70), st.sampled_from([255, 1024, 4099, 65536, 70001]))

each_pair = pytest.mark.parametrize(
    ("ours", "other", "keys", "nonces"), PAIRS, ids=[pair[0].__name__ for pair in PAIRS]
)


def seeded(length: int, seed: int) -> bytes:
    return bytes((seed + 7 * index + (index >> 8)) & 0xFF for index in range(length))


@each_pair
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_gives_what_cryptography_gives(
    ours: Any, other: Any, keys: tuple[int, ...], nonces: tuple[int, ...], data: st.DataObject
) -> None:
    key = seeded(data.draw(st.sampled_from(keys)), 1)
    nonce = seeded(data.draw(st.sampled_from(nonces)), 2)
    text = seeded(data.draw(LENGTHS), data.draw(st.integers(0, 255)))
    aad = data.draw(st.one_of(st.none(), st.binary(max_size=100)))
    if ours is warpaes.AESCCM and len(nonce) == 13:
        text = text[:65535]
    sealed = ours(key).encrypt(nonce, text, aad)
    assert sealed == other(key).encrypt(nonce, text, aad)
    assert ours(key).decrypt(nonce, sealed, aad) == text
    damaged = bytearray(sealed)
    damaged[data.draw(st.integers(0, len(sealed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(warpaes.InvalidTag):
        ours(key).decrypt(nonce, damaged, aad)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from([32, 48, 64]), LENGTHS, st.lists(st.binary(max_size=40), max_size=5))
def test_siv_gives_what_cryptography_gives(key_length: int, length: int, strings: list[bytes]) -> None:
    key, text = seeded(key_length, 3), seeded(length, 4)
    sealed = warpaes.AESSIV(key).encrypt(text, strings)
    assert sealed == theirs.AESSIV(key).encrypt(text, strings)
    assert warpaes.AESSIV(key).decrypt(sealed, strings) == text
    with pytest.raises(warpaes.InvalidTag):
        warpaes.AESSIV(key).decrypt(sealed, [*strings, b"one more"])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from([16, 24, 32]), st.integers(1, 40), LENGTHS, st.binary(max_size=40))
def test_eax_gives_what_pycryptodome_gives(
    key_length: int, nonce_length: int, length: int, aad: bytes
) -> None:
    key, nonce, text = seeded(key_length, 5), seeded(nonce_length, 6), seeded(length, 7)
    other = AES.new(key, AES.MODE_EAX, nonce=nonce)
    other.update(aad)
    assert warpaes.AESEAX(key).encrypt(nonce, text, aad) == b"".join(other.encrypt_and_digest(text))


@pytest.mark.parametrize("tag_length", [8, 10, 12, 14, 16])
def test_ccm_has_shorter_tags(tag_length: int) -> None:
    ours, other = warpaes.AESCCM(bytes(16), tag_length), theirs.AESCCM(bytes(16), tag_length)
    assert ours.encrypt(NONCE, b"text", b"aad") == other.encrypt(NONCE, b"text", b"aad")
    assert ours.decrypt(NONCE, other.encrypt(NONCE, b"text", None)) == b"text"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: array.array("B", data)])
def test_takes_whatever_lends_its_memory(kind: Callable[[bytes], Any]) -> None:
    cipher = warpaes.AESGCM(kind(bytes(16)))
    sealed = cipher.encrypt(kind(NONCE), kind(b"text"), kind(b"aad"))
    assert type(sealed) is bytes
    assert sealed == theirs.AESGCM(bytes(16)).encrypt(NONCE, b"text", b"aad")
    assert cipher.decrypt(kind(NONCE), kind(sealed), kind(b"aad")) == b"text"


@pytest.mark.parametrize("ours", OURS)
def test_writes_into_memory_that_is_given(ours: Any) -> None:
    cipher = ours(bytes(16))
    nonce = NONCE if ours is not warpaes.AESEAX else bytes(16)
    sealed, opened = bytearray(20), bytearray(4)
    assert cipher.encrypt_into(nonce, b"text", None, sealed) == 20
    assert sealed == cipher.encrypt(nonce, b"text")
    assert cipher.decrypt_into(nonce, sealed, None, opened) == 4
    assert opened == b"text"
    assert cipher.encrypt(nonce, b"text", out=sealed) is sealed
    whole = bytearray(b"text" + bytes(16))
    cipher.encrypt_into(nonce, memoryview(whole)[:4], None, whole)  # in place
    assert whole == sealed


def test_siv_writes_into_memory_that_is_given() -> None:
    cipher = warpaes.AESSIV(bytes(32))
    sealed, opened = bytearray(20), bytearray(4)
    assert cipher.encrypt_into(b"text", None, sealed) == 20
    assert sealed == cipher.encrypt(b"text")
    assert cipher.decrypt_into(sealed, None, opened) == 4
    assert opened == b"text"


def test_a_wrong_message_leaves_no_plaintext() -> None:
    cipher = warpaes.AESGCM(bytes(16))
    opened = bytearray(b"before")
    with pytest.raises(warpaes.InvalidTag):
        cipher.decrypt_into(NONCE, cipher.encrypt(NONCE, b"secret"), b"other", opened)
    assert opened == bytes(6)


def test_exceptions_are_those_of_cryptography_too() -> None:
    """It is installed here, so whoever catches its exceptions catches ours."""
    assert issubclass(warpaes.InvalidTag, exceptions.InvalidTag)
    assert issubclass(warpaes.InvalidSignature, exceptions.InvalidSignature)
    assert issubclass(warpaes.AlreadyFinalized, exceptions.AlreadyFinalized)


def gcm() -> warpaes.AESGCM:
    return warpaes.AESGCM(bytes(16))


def overlapping() -> None:
    memory = memoryview(bytearray(100))
    gcm().encrypt_into(NONCE, memory[1:33], None, memory[:48])


def released() -> memoryview:
    view = memoryview(bytearray(5))
    view.release()
    return view


MISUSE: list[tuple[str, type[Exception], str, Callable[[], object]]] = [
    ("key length", ValueError, "16, 24 or 32 bytes", lambda: warpaes.AESGCM(b"1")),
    ("key of 24", ValueError, "GCM-SIV", lambda: warpaes.AESGCMSIV(bytes(24))),
    ("key text", TypeError, "text is no key", lambda: warpaes.AESGCM("secret")),
    ("key gaps", ValueError, "not contiguous", lambda: warpaes.AESGCM(memoryview(bytes(32))[::2])),
    ("key none", TypeError, "not None", lambda: warpaes.AESGCM(None)),
    ("context", TypeError, "warpaes.Context", lambda: warpaes.AESGCM(bytes(16), context="cuda")),
    ("bits", ValueError, "128, 192 or 256", lambda: warpaes.AESGCM.generate_key(64)),
    ("bits of SIV", ValueError, "256, 384 or 512", lambda: warpaes.AESSIV.generate_key(128)),
    ("bits type", TypeError, "int", lambda: warpaes.AESGCM.generate_key("256")),
    ("tag length", ValueError, "8, 10, 12, 14 or 16", lambda: warpaes.AESCCM(bytes(16), 5)),
    ("tag length type", TypeError, "tag_length must be an int", lambda: warpaes.AESCCM(bytes(16), 8.0)),
    ("nonce empty", ValueError, "nonce", lambda: gcm().encrypt(b"", b"", None)),
    ("nonces empty", ValueError, "1 byte or more", lambda: gcm().encrypt_batch([b""], [b"text"])),
    (
        "nonces to open",
        ValueError,
        "1 byte or more",
        lambda: gcm().decrypt_batch([b""], [b"text"], tags=[bytes(16)]),
    ),
    ("nonce none", TypeError, "nonce", lambda: gcm().encrypt(None, b"", None)),
    ("nonce text", TypeError, "nonce", lambda: gcm().encrypt("0" * 12, b"", None)),
    ("nonce of SIV", ValueError, "nonce", lambda: warpaes.AESGCMSIV(bytes(16)).encrypt(bytes(11), b"")),
    ("data text", TypeError, "data", lambda: gcm().encrypt(NONCE, "text", None)),
    ("data none", TypeError, "data", lambda: gcm().encrypt(NONCE, None, None)),
    ("data int", TypeError, "data", lambda: gcm().encrypt(NONCE, 5, None)),
    ("data gaps", ValueError, "not contiguous", lambda: gcm().encrypt(NONCE, memoryview(b"text")[::2], None)),
    ("data released", ValueError, "released", lambda: gcm().encrypt(NONCE, released(), None)),
    ("aad text", TypeError, "associated_data", lambda: gcm().encrypt(NONCE, b"", "header")),
    (
        "buf short",
        ValueError,
        "exactly 19 bytes",
        lambda: gcm().encrypt_into(NONCE, b"abc", None, bytearray(18)),
    ),
    (
        "buf long",
        ValueError,
        "exactly 19 bytes",
        lambda: gcm().encrypt_into(NONCE, b"abc", None, bytearray(20)),
    ),
    ("buf bytes", TypeError, "read-only", lambda: gcm().encrypt_into(NONCE, b"abc", None, bytes(19))),
    ("buf none", TypeError, "buf", lambda: gcm().encrypt_into(NONCE, b"abc", None, None)),
    ("overlap", ValueError, "overlap", overlapping),
    ("stream", ValueError, "stream", lambda: gcm().encrypt(NONCE, b"abc", stream=7)),
    ("ccm too long", ValueError, "", lambda: warpaes.AESCCM(bytes(16)).encrypt(bytes(13), bytes(65536))),
    (
        "ccm too long to be genuine",
        warpaes.InvalidTag,
        "genuine",
        lambda: warpaes.AESCCM(bytes(16)).decrypt(bytes(13), bytes(65536 + 16), None),
    ),
    ("no tag", warpaes.InvalidTag, "genuine", lambda: gcm().decrypt(NONCE, b"too short", None)),
    ("siv strings", TypeError, "list", lambda: warpaes.AESSIV(bytes(32)).encrypt(b"", b"aad")),
    ("aad list", TypeError, "AESSIV alone", lambda: gcm().encrypt(NONCE, b"", [b"aad"])),
    ("aad no strings", TypeError, "AESSIV alone", lambda: gcm().decrypt(NONCE, bytes(16), [])),
    ("siv none", TypeError, "None", lambda: warpaes.AESSIV(bytes(32)).encrypt(b"", [b"aad", None])),
    ("siv string", TypeError, "associated_data", lambda: warpaes.AESSIV(bytes(32)).encrypt(b"", ["aad"])),
    ("siv many", ValueError, "strings", lambda: warpaes.AESSIV(bytes(32)).encrypt(b"", [b""] * 127)),
    ("engine", ValueError, "no engine", lambda: warpaes.Context(engine="quantum")),
    ("engines", TypeError, "engine must be", lambda: warpaes.Context(engine=[])),
    ("no engine", TypeError, "engine must be", lambda: warpaes.Context(engine=None)),
    ("timing", ValueError, "timing", lambda: warpaes.Context(timing="fast")),
    ("threads", ValueError, "threads", lambda: warpaes.Context(threads=5000)),
    ("half a thread", TypeError, "threads must be an int", lambda: warpaes.Context(threads=2.5)),
    ("far device", ValueError, "device must be", lambda: warpaes.Context(device=1 << 40)),
    ("device before the first", ValueError, "device must be", lambda: warpaes.Context(device=-1)),
    ("device's name", TypeError, "device must be an int", lambda: warpaes.engines("0")),
    ("device", ValueError, "several", lambda: warpaes.Context(device="both")),
    ("no device", ValueError, "several", lambda: warpaes.Context(device=[])),
    ("device none", ValueError, "several", lambda: warpaes.Context(device=None)),
    ("device of bytes", ValueError, "several", lambda: warpaes.Context(device=b"\0")),
    ("device of a bytearray", ValueError, "several", lambda: warpaes.Context(device=bytearray(1))),
    ("device of a part", ValueError, "several", lambda: warpaes.Context(device=[0, 0.5])),
    ("length", ValueError, "length must be 0 to", lambda: warpaes.Context().engine_for(-1)),
    ("length's name", TypeError, "length must be an int", lambda: warpaes.Context().engine_for("1")),
]


@pytest.mark.parametrize(
    ("error", "says", "call"), [row[1:] for row in MISUSE], ids=[row[0] for row in MISUSE]
)
def test_says_what_is_wrong(error: type[Exception], says: str, call: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.type is error
    assert says in str(caught.value)


def test_a_nonce_of_no_bytes_is_refused_in_arrays_too() -> None:
    """The library takes a length of 0 for the mode's own, and would read as many bytes."""
    for aead in (warpaes.AESGCM(bytes(16)), warpaes.AESCCM(bytes(16)), warpaes.AESGCMSIV(bytes(16))):
        with pytest.raises(ValueError, match="1 byte or more"):
            aead.encrypt_batch(numpy.zeros((2, 0), "uint8"), [b"one", b"two"])
    assert warpaes.AESGCM(bytes(16)).encrypt_batch([], []).data == []


def test_numbers_are_those_of_numpy_too() -> None:
    assert len(warpaes.AESGCM.generate_key(numpy.int64(192))) == 24
    ccm = warpaes.AESCCM(bytes(16), None)
    assert ccm.encrypt(NONCE, b"text", None) == warpaes.AESCCM(bytes(16), 16).encrypt(NONCE, b"text", None)


@pytest.mark.parametrize("longer", [0, 1, 2, 17, 18, 100_000])
def test_too_long_for_ccm_is_what_it_is_in_cryptography(longer: int) -> None:
    """By the same exception, also where that is a matter of one byte."""
    for aead in (warpaes.AESCCM(bytes(16)), theirs.AESCCM(bytes(16))):
        expected = ValueError if longer > 1 else exceptions.InvalidTag
        with pytest.raises(expected):
            aead.decrypt(bytes(13), bytes(65535 + 16 + longer), None)


def test_a_ccm_message_may_have_all_that_its_nonce_leaves_room_for() -> None:
    ccm = warpaes.AESCCM(bytes(16))
    assert ccm.decrypt(bytes(13), ccm.encrypt(bytes(13), bytes(65535), None), None) == bytes(65535)
    assert ccm.decrypt(bytes(7), ccm.encrypt(bytes(7), bytes(65536), None), None) == bytes(65536)


def test_engines_can_be_chosen() -> None:
    names = {engine.name for engine in warpaes.selftest()}
    assert "portable" in names
    sealed = {
        warpaes.AESGCM(bytes(16), context=warpaes.Context(engine=name, threads=1)).encrypt(NONCE, bytes(999))
        for name in names
    }
    assert sealed == {theirs.AESGCM(bytes(16)).encrypt(NONCE, bytes(999), None)}
    assert warpaes.Context(engine="portable").engine_for(1) == "portable"


class Zero:
    """A number that is no int, as NumPy's are none."""

    def __index__(self) -> int:
        return 0


def test_the_number_of_a_device_may_be_of_any_type() -> None:
    for device in (Zero(), [Zero()], numpy.int64(0), numpy.zeros(1, int)):
        assert warpaes.Context(device=device).device == 0
    assert len(warpaes.engines(Zero())) == len(warpaes.engines())
    with pytest.raises(TypeError, match="device must be an int, not float"):
        warpaes.engines(0.0)


def test_contexts_of_several_devices() -> None:
    for device in ([0], "all"):
        context = warpaes.Context(device=device)
        assert context.device == 0
        assert f"device={device!r}" in repr(context)
        message = warpaes.AESGCM(bytes(16), context=context).encrypt(NONCE, bytes(999))
        assert warpaes.AESGCM(bytes(16)).decrypt(NONCE, message) == bytes(999)


def test_an_engine_that_cannot_run_here_says_why() -> None:
    if warpaes.devices():
        pytest.skip("this machine has a GPU")
    with pytest.raises(warpaes.Error) as caught:
        warpaes.Context(engine="cuda")
    assert caught.value.name in ("WARPAES_ERROR_NO_DEVICE", "WARPAES_ERROR_ENGINE_UNAVAILABLE")


def own(name: str) -> Callable[..., Any]:
    """The class's own function, which takes everything; the method takes what is simple itself."""
    functions: dict[str, Callable[..., Any]] = vars(AEAD)["_own_functions"]
    return functions[name]


def outcome(call: Callable[[], Any]) -> object:
    try:
        return call()
    except (TypeError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    ("placed", "named"),
    [
        ((NONCE,), {}),
        ((), {"nonce": NONCE, "data": b""}),
        ((NONCE, b""), {"associated_data": b""}),
        ((NONCE, b"", None), {"out": bytearray(16)}),
        ((NONCE, bytearray(3)), {}),
        ((NONCE, memoryview(b"123"), None), {}),
        ((NONCE, b"", None, None), {}),
    ],
)
def test_what_is_not_simple_goes_to_the_class(placed: tuple[object, ...], named: dict[str, object]) -> None:
    """As it was given."""
    by_method = outcome(lambda: gcm().encrypt(*placed, **named))
    assert by_method == outcome(lambda: own("encrypt")(gcm(), *placed, **named))


def test_simple_calls_go_straight_to_the_key() -> None:
    sealed = gcm().encrypt(NONCE, b"text")
    assert type(sealed) is bytes
    assert sealed == gcm().encrypt(NONCE, b"text", None) == own("encrypt")(gcm(), NONCE, b"text")


def test_a_key_that_is_none_is_not_taken_for_one() -> None:
    with pytest.raises(AttributeError, match="_key"):
        warpaes.AESGCM.__new__(warpaes.AESGCM).encrypt(NONCE, b"text")
    cipher = gcm()
    cipher._key = None  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="NoneType"):
        cipher.encrypt(NONCE, b"text")


@pytest.mark.parametrize("name", ["encrypt", "decrypt", "encrypt_into", "decrypt_into"])
def test_methods_look_like_functions_of_python(name: str) -> None:
    method, function = getattr(warpaes.AESGCM, name), own(name)
    assert not inspect.isfunction(method)
    assert inspect.isfunction(function)

    def described(given: object) -> list[tuple[str, object]]:
        return [(one.name, one.default) for one in inspect.signature(given).parameters.values()]

    assert described(method) == described(function)
    assert inspect.getdoc(method) == inspect.getdoc(function)


def test_methods_are_called_by_the_class_too() -> None:
    assert warpaes.AESGCM.encrypt(gcm(), NONCE, b"text") == gcm().encrypt(NONCE, b"text")
    with pytest.raises(TypeError, match="AEAD"):
        warpaes.AESGCM.encrypt(5, NONCE, b"text")
