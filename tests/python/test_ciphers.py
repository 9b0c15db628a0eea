"""Messages in parts, CMAC and key wrap against other implementations."""

import gc
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from Crypto.Cipher import AES
from cryptography.exceptions import AlreadyFinalized, InvalidSignature
from cryptography.hazmat.decrepit.ciphers import modes as their_old_modes
from cryptography.hazmat.primitives import cmac, keywrap
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st

import warpaes
from warpaes import modes as ours

IV = bytes(range(16))
KEY = bytes(range(32))
# Ours, theirs, and what the length is a multiple of.
MODES: list[tuple[Any, Any, int]] = [
    (ours.CTR(IV), modes.CTR(IV), 1),
    (ours.CBC(IV), modes.CBC(IV), 16),
    (ours.ECB(), modes.ECB(), 16),
    (ours.CFB(IV), their_old_modes.CFB(IV), 1),
    (ours.CFB8(IV), their_old_modes.CFB8(IV), 1),
    (ours.OFB(IV), their_old_modes.OFB(IV), 1),
]


def in_parts(context: Any, text: bytes, cuts: list[int]) -> bytes:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    parts = [text[start:stop] for start, stop in pairwise(places)]
    return b"".join([context.update(part) for part in parts]) + bytes(context.finalize())


@pytest.mark.parametrize(("mode", "other", "multiple"), MODES, ids=[type(row[0]).__name__ for row in MODES])
@settings(max_examples=25, deadline=None, derandomize=True)
@given(blocks=st.integers(0, 300), cuts=st.lists(st.integers(0, 5000), max_size=6))
def test_agrees_with_cryptography(mode: Any, other: Any, multiple: int, blocks: int, cuts: list[int]) -> None:
    text = bytes(index & 0xFF for index in range(blocks * multiple))
    cipher = warpaes.Cipher(warpaes.AES(KEY), mode)
    ciphertext = in_parts(cipher.encryptor(), text, cuts)
    assert ciphertext == in_parts(Cipher(algorithms.AES(KEY), other).encryptor(), text, [])
    assert in_parts(cipher.decryptor(), ciphertext, cuts) == text


@pytest.mark.parametrize("mode", [ours.CBC_PKCS7, ours.CBC_CS1, ours.CBC_CS2, ours.CBC_CS3])
@pytest.mark.parametrize("length", [16, 17, 31, 32, 33, 1000])
def test_other_ends_of_cbc_come_back(mode: Any, length: int) -> None:
    cipher = warpaes.Cipher(warpaes.AES(KEY), mode(IV))
    text = bytes(index & 0xFF for index in range(length))
    ciphertext = in_parts(cipher.encryptor(), text, [7, 20])
    assert in_parts(cipher.decryptor(), ciphertext, [9, 33]) == text
    assert ciphertext[:16] == AES.new(KEY, AES.MODE_CBC, IV).encrypt(text[:16]) or mode is not ours.CBC_PKCS7


def test_xts_has_data_units() -> None:
    key = bytes(range(64))
    cipher = warpaes.Cipher(warpaes.AES(key), ours.XTS(bytes(16), data_unit=512))
    text = bytes(1024)
    units = [
        Cipher(algorithms.AES(key), modes.XTS(number.to_bytes(16, "little"))).encryptor().update(bytes(512))
        for number in range(2)
    ]
    assert in_parts(cipher.encryptor(), text, [100, 700]) == b"".join(units)
    encryptor, room = cipher.encryptor(), bytearray(512)
    encryptor.update(text[:511])
    with pytest.raises(ValueError, match="at least 512 bytes"):
        encryptor.update_into(text[511:512], room[1:])
    assert encryptor.update_into(text[511:512], room) == 512
    assert room == units[0]


def test_xts_has_keys_of_192_bits() -> None:
    """`cryptography` has not: so by IEEE 1619's definition of a data unit of one block."""

    def enciphered(key: bytes, block: int) -> int:
        encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        return int.from_bytes(encryptor.update(block.to_bytes(16, "big")), "big")

    key, text = bytes(range(48)), bytes(range(16, 32))
    tweak = enciphered(key[24:], int.from_bytes(IV, "big"))
    expected = enciphered(key[:24], int.from_bytes(text, "big") ^ tweak) ^ tweak
    cipher = warpaes.Cipher(warpaes.AES(key), ours.XTS(IV))
    assert cipher.encryptor().update(text) == expected.to_bytes(16, "big")
    assert cipher.decryptor().update(expected.to_bytes(16, "big")) == text


@pytest.mark.parametrize("length", [16, 17, 31, 32, 512, 100_001])
def test_xts_without_data_units_is_as_in_cryptography(length: int) -> None:
    """Each message is one unit, and the answer is there at once."""
    key, text = bytes(range(64)), bytes(index & 0xFF for index in range(length))
    cipher = warpaes.Cipher(warpaes.AES(key), ours.XTS(IV))
    encryptor, expected = (
        cipher.encryptor(),
        Cipher(algorithms.AES(key), modes.XTS(IV)).encryptor().update(text),
    )
    with pytest.raises(ValueError, match="16 bytes to 16 MiB"):
        encryptor.update(bytes(15))
    assert encryptor.update(b"") == b""
    assert encryptor.update(text) == expected
    assert encryptor.update(b"") == b""
    assert encryptor.update_into(b"", bytearray(1)) == 0
    for call in (lambda: encryptor.update(text), lambda: encryptor.update_into(text, bytearray(length))):
        with pytest.raises(ValueError, match="one call of update"):
            call()
    assert encryptor.finalize() == b""
    decryptor, memory = cipher.decryptor(), bytearray(expected + b"more")
    with pytest.raises(ValueError, match=f"at least {length} bytes"):
        decryptor.update_into(expected, bytearray(length - 1))
    with pytest.raises(ValueError, match="CTR"):
        decryptor.seek(0)
    assert decryptor.update_into(memoryview(memory)[:length], memory) == length
    assert memory == text + b"more"
    assert decryptor.finalize() == b""
    with pytest.raises(warpaes.AlreadyFinalized):
        decryptor.update(expected)


@pytest.mark.parametrize("mode", [ours.CBC(IV), ours.ECB()])
def test_a_context_that_has_refused_an_incomplete_block_is_finalized(mode: Any) -> None:
    """As the documentation says: the context of `cryptography` goes on."""
    context = warpaes.Cipher(warpaes.AES(KEY), mode).encryptor()
    context.update(b"abc")
    with pytest.raises(ValueError, match="whole blocks"):
        context.finalize()
    with pytest.raises(warpaes.AlreadyFinalized):
        context.update(bytes(13))


def test_counter_mode_goes_to_any_place() -> None:
    cipher = warpaes.Cipher(warpaes.AES(KEY), ours.CTR(IV))
    whole = cipher.encryptor().update(bytes(1000))
    encryptor = cipher.encryptor()
    encryptor.seek(333)
    assert encryptor.update(bytes(100)) == whole[333:433]


def test_writes_into_memory_that_is_given() -> None:
    cipher = warpaes.Cipher(warpaes.AES(KEY), ours.CTR(IV))
    memory = bytearray(b"a message")
    assert cipher.encryptor().update_into(memory, memory) == 9
    assert bytes(memory) == cipher.encryptor().update(b"a message")


def test_an_argument_that_is_refused_ends_nothing() -> None:
    """As in `cryptography`: the next call goes on where the one before the wrong one was."""
    ours_here = warpaes.Cipher(warpaes.AES(KEY), ours.CBC(IV)).encryptor()
    theirs = Cipher(algorithms.AES(KEY), modes.CBC(IV)).encryptor()
    for encryptor in (ours_here, theirs):
        encryptor.update(b"seven..")
        for part, room, error in (
            (bytes(25), bytearray(31), ValueError),
            (bytes(25), bytes(50), TypeError),
            (bytes(25), None, TypeError),
            ("text", bytearray(50), TypeError),
            (None, bytearray(50), TypeError),
        ):
            with pytest.raises(error):
                encryptor.update_into(part, room)
        with pytest.raises(TypeError):
            encryptor.update(None)
    with pytest.raises(ValueError, match="at least 32 bytes for this part, not 31"):
        ours_here.update_into(bytes(25), bytearray(31))
    memory = memoryview(bytearray(99))
    for first, other in ((1, 0), (0, 24)):
        with pytest.raises(ValueError, match="overlap"):  # which `cryptography` takes
            ours_here.update_into(memory[first:][:25], memory[other:])
    answer, expected = bytearray(32), bytearray(50)
    assert ours_here.update_into(bytes(25), answer) == theirs.update_into(bytes(25), expected) == 32
    assert answer == expected[:32]
    assert ours_here.finalize() == theirs.finalize() == b""


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=3))
def test_cmac_gives_what_cryptography_gives(text: bytes, cuts: list[int]) -> None:
    mac, other = warpaes.CMAC(warpaes.AES(KEY)), cmac.CMAC(algorithms.AES(KEY))
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, stop in pairwise(places):
        mac.update(text[start:stop])
    other.update(text)
    code = mac.finalize()
    assert code == other.finalize()
    again = warpaes.CMAC(warpaes.AES(KEY))
    again.update(text)
    again.verify(code)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.binary(max_size=50), st.binary(max_size=50), st.binary(max_size=50))
def test_copies_of_cmac_are_those_of_cryptography(begin: bytes, one: bytes, two: bytes) -> None:
    mac, other = warpaes.CMAC(warpaes.AES(KEY)), cmac.CMAC(algorithms.AES(KEY))
    mac.update(begin)
    other.update(begin)
    copy, other_copy = mac.copy(), other.copy()
    for each, text in ((mac, one), (copy, two), (other, one), (other_copy, two)):
        each.update(text)
    assert mac.finalize() == other.finalize()
    assert copy.finalize() == other_copy.finalize()
    for over in (mac, other, copy, other_copy):
        with pytest.raises((warpaes.AlreadyFinalized, AlreadyFinalized)):
            over.copy()


def test_a_wrong_code_is_noticed() -> None:
    mac = warpaes.CMAC(warpaes.AES(KEY))
    mac.update(b"a message")
    with pytest.raises(TypeError, match="signature must be bytes-like"):
        mac.verify(None)  # which ends nothing
    with pytest.raises(InvalidSignature):
        mac.verify(bytes(16))


@pytest.mark.parametrize("length", [16, 24, 32, 256])
def test_key_wrap_gives_what_cryptography_gives(length: int) -> None:
    secret = bytes(index & 0xFF for index in range(length))
    wrapped = warpaes.aes_key_wrap(KEY, secret)
    assert wrapped == keywrap.aes_key_wrap(KEY, secret)
    assert warpaes.aes_key_unwrap(KEY, wrapped) == secret


@pytest.mark.parametrize("length", [1, 7, 8, 9, 20, 31, 32])
def test_padded_key_wrap_gives_what_cryptography_gives(length: int) -> None:
    secret = bytes(index & 0xFF for index in range(length))
    wrapped = warpaes.aes_key_wrap_with_padding(KEY, secret)
    assert wrapped == keywrap.aes_key_wrap_with_padding(KEY, secret)
    assert warpaes.aes_key_unwrap_with_padding(KEY, wrapped) == secret


@pytest.mark.parametrize("wrapped", [b"", bytes(8), bytes(15), bytes(24), bytes(33)])
def test_what_was_not_wrapped_is_not_unwrapped(wrapped: bytes) -> None:
    for unwrap in (warpaes.aes_key_unwrap, warpaes.aes_key_unwrap_with_padding):
        with pytest.raises(keywrap.InvalidUnwrap):
            unwrap(KEY, wrapped)


def encryptor() -> Any:
    return warpaes.Cipher(warpaes.AES(KEY), ours.CTR(IV)).encryptor()


def finished() -> Any:
    encryptor = warpaes.Cipher(warpaes.AES(KEY), ours.CTR(IV)).encryptor()
    encryptor.finalize()
    return encryptor


def half_a_block() -> None:
    encryptor = warpaes.Cipher(warpaes.AES(KEY), ours.CBC(IV)).encryptor()
    encryptor.update(bytes(8))
    encryptor.finalize()


def wrong_padding() -> None:
    decryptor = warpaes.Cipher(warpaes.AES(KEY), ours.CBC_PKCS7(IV)).decryptor()
    decryptor.update(bytes(32))
    decryptor.finalize()


def short_output() -> None:
    warpaes.Cipher(warpaes.AES(KEY), ours.CTR(IV)).encryptor().update_into(bytes(10), bytearray(9))


MISUSE: list[tuple[str, type[Exception], str, Callable[[], object]]] = [
    ("key", ValueError, "16, 24 or 32", lambda: warpaes.AES(bytes(17))),
    (
        "key of XTS",
        ValueError,
        "XTS",
        lambda: warpaes.Cipher(warpaes.AES(bytes(16)), ours.XTS(IV, data_unit=16)),
    ),
    (
        "equal keys",
        ValueError,
        "",
        lambda: warpaes.Cipher(warpaes.AES(bytes(32)), ours.XTS(IV, data_unit=16)),
    ),
    ("iv", ValueError, "16 bytes", lambda: warpaes.Cipher(warpaes.AES(KEY), ours.CTR(bytes(12)))),
    ("tweak", ValueError, "16 bytes", lambda: ours.XTS(bytes(12))),
    ("another nonce", ValueError, "16 bytes", lambda: encryptor().reset_nonce(bytes(12))),
    ("data unit", ValueError, "data_unit", lambda: ours.XTS(IV, data_unit=1)),
    ("algorithm", TypeError, "warpaes.AES, not builtins.bytes", lambda: warpaes.Cipher(KEY, ours.CTR(IV))),
    ("another's", TypeError, "not cryptography.", lambda: warpaes.Cipher(algorithms.AES(KEY), ours.CTR(IV))),
    ("a MAC's", TypeError, "warpaes.AES, not cryptography.", lambda: warpaes.CMAC(algorithms.AES(KEY))),
    ("mode", TypeError, "modes, not cryptography.", lambda: warpaes.Cipher(warpaes.AES(KEY), modes.ECB())),
    ("text", TypeError, "data", lambda: warpaes.CMAC(warpaes.AES(KEY)).update("text")),
    ("nothing", TypeError, "not None", lambda: warpaes.CMAC(warpaes.AES(KEY)).update(None)),
    ("no buf", TypeError, "buf must be bytes-like, not NoneType", lambda: encryptor().update_into(b"", None)),
    ("key text", TypeError, "key must be bytes-like", lambda: warpaes.AES("0" * 16)),
    ("iv text", TypeError, "initialization_vector must be bytes-like", lambda: ours.CBC("0" * 16)),
    ("nonce text", TypeError, "nonce must be bytes-like", lambda: ours.CTR("0" * 16)),
    ("tweak text", TypeError, "tweak must be bytes-like", lambda: ours.XTS("0" * 16)),
    ("unit text", TypeError, "data_unit must be an int", lambda: ours.XTS(IV, data_unit="16")),
    ("code text", TypeError, "signature", lambda: warpaes.CMAC(warpaes.AES(KEY)).verify("0" * 16)),
    ("seek back", ValueError, "offset must be", lambda: encryptor().seek(-1)),
    ("seek text", TypeError, "offset must be an int", lambda: encryptor().seek("1")),
    ("wrap by nothing", TypeError, "wrapping_key must be", lambda: warpaes.aes_key_wrap(None, bytes(16))),
    ("wrap nothing", TypeError, "key_to_wrap must be", lambda: warpaes.aes_key_wrap(KEY, None)),
    ("unwrap nothing", TypeError, "wrapped_key must be", lambda: warpaes.aes_key_unwrap(KEY, None)),
    ("finished", warpaes.AlreadyFinalized, "another", lambda: finished().update(b"")),
    ("finished twice", warpaes.AlreadyFinalized, "another", lambda: finished().finalize()),
    ("half a block", ValueError, "", half_a_block),
    ("padding", ValueError, "", wrong_padding),
    ("short output", ValueError, "", short_output),
    ("seek", ValueError, "", lambda: warpaes.Cipher(warpaes.AES(KEY), ours.OFB(IV)).encryptor().seek(1)),
    ("wrap a short key", ValueError, "with_padding", lambda: warpaes.aes_key_wrap(KEY, bytes(8))),
    ("wrap a crooked key", ValueError, "", lambda: warpaes.aes_key_wrap(KEY, bytes(17))),
]


@pytest.mark.parametrize(
    ("error", "says", "call"), [row[1:] for row in MISUSE], ids=[row[0] for row in MISUSE]
)
def test_says_what_is_wrong(error: type[Exception], says: str, call: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["CBC", "CFB", "CFB8", "OFB", "CTR", "XTS"])
def test_arguments_have_the_names_of_cryptography(name: str) -> None:
    """A program that passes them by name, or a backend as was usual once, changes its import and no more."""
    argument = {"CTR": "nonce", "XTS": "tweak"}.get(name, "initialization_vector")
    value: Any = {argument: bytes(range(16))}
    results = []
    packages: list[tuple[Any, Any, Any]] = [
        (warpaes.AES, getattr(warpaes.modes, name), warpaes.Cipher),
        (algorithms.AES, getattr(their_old_modes, name, None) or getattr(modes, name), Cipher),
    ]
    for algorithm, mode, cipher in packages:
        made = mode(**value)
        assert (made.name, bytes(getattr(made, argument))) == (name, value[argument])
        key = algorithm(key=bytes(range(32)))
        assert (key.name, key.block_size, key.key_size) == ("AES", 128, 256)
        encryptor = cipher(algorithm=key, mode=made, backend=object()).encryptor()
        results.append(encryptor.update(data=bytes(32)) + encryptor.finalize())
    assert results[0] == results[1]


def test_a_backend_is_ignored() -> None:
    backend, key = object(), bytes(range(16))
    mac = warpaes.CMAC(algorithm=warpaes.AES(key), backend=backend)
    mac.update(data=b"text")
    again = warpaes.CMAC(warpaes.AES(key), backend)
    again.update(b"text")
    again.verify(signature=mac.finalize())
    for wrap, unwrap in (
        (warpaes.aes_key_wrap, warpaes.aes_key_unwrap),
        (warpaes.aes_key_wrap_with_padding, warpaes.aes_key_unwrap_with_padding),
    ):
        wrapped = wrap(wrapping_key=key, key_to_wrap=key, backend=backend)
        assert wrapped == wrap(key, key, backend)
        assert (
            unwrap(wrapping_key=key, wrapped_key=wrapped, backend=backend)
            == unwrap(key, wrapped, backend)
            == key
        )


def test_a_long_chain_of_copies_ends() -> None:
    """None keeps the one that it was made of, or the last would free all of them by as many nested calls."""
    program = """
import resource, warpaes
mac = warpaes.CMAC(warpaes.AES(bytes(16)))
mac.update(b"text")
expected = mac.copy().finalize()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(300_000):
    mac = mac.copy()
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
assert mac.finalize() == expected
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_copy_outlives_what_it_was_made_of() -> None:
    mac = warpaes.CMAC(warpaes.AES(KEY))
    mac.update(b"text")
    copy = mac.copy()
    expected = mac.finalize()
    del mac
    gc.collect()
    assert copy.finalize() == expected


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 1000])
def test_ecb_with_padding(length: int) -> None:
    text = bytes(index & 0xFF for index in range(length))
    cipher = warpaes.Cipher(warpaes.AES(KEY), ours.ECB_PKCS7())
    ciphertext = in_parts(cipher.encryptor(), text, [7, 20])
    padded = text + bytes([16 - length % 16]) * (16 - length % 16)
    assert ciphertext == AES.new(KEY, AES.MODE_ECB).encrypt(padded)
    assert in_parts(cipher.decryptor(), ciphertext, [9, 33]) == text
    with pytest.raises(ValueError, match="padding"):
        in_parts(cipher.decryptor(), AES.new(KEY, AES.MODE_ECB).encrypt(bytes(16)), [])
