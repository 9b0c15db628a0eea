"""Slips that everybody makes once, such as a class in its object's place: the exception says what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import warpaes
import warpaes.numpy
from warpaes import AES, AESGCM, CMAC, Cipher, modes
from warpaes._secrets import SecretOptions

KEY, IV, NONCE = bytes(range(32)), bytes(16), bytes(12)
NONCES = [bytes([number]) * 12 for number in range(3)]
ROWS = numpy.zeros((3, 8), dtype="uint8")


def batch_of(data: Any, **options: Any) -> Any:
    return AESGCM(KEY).encrypt_batch(NONCES, data, **options)


SLIPS: dict[str, tuple[str, Callable[[], object]]] = {
    # What has no key or no cipher of its own.
    "aead in general": ("AEAD stands for several classes", lambda: warpaes.aead.AEAD(KEY)),
    "mode in general": ("Mode stands for several modes", modes.Mode),
    "mode with a nonce": ("ModeWithNonce stands for several", lambda: modes.ModeWithNonce(IV)),
    "mode with an IV": ("stands for several", lambda: modes.ModeWithInitializationVector(IV)),
    "mode with a tweak": ("ModeWithTweak stands for several", lambda: modes.ModeWithTweak(IV)),
    # A class in its object's place.
    "class of a mode": (
        "not the class warpaes.modes.ECB: make an object of it by ECB(…)",
        lambda: Cipher(AES(KEY), modes.ECB),  # type: ignore[type-var]
    ),
    "class of keys": (
        "not the class warpaes.algorithms.AES: make an object of it by AES(…)",
        lambda: Cipher(AES, modes.ECB()),  # type: ignore[arg-type]
    ),
    "class for a MAC": ("make an object of it", lambda: CMAC(AES)),  # type: ignore[arg-type]
    # Text in the place of bytes.
    "text": ("not str: encode the text first", lambda: AESGCM(KEY).encrypt(NONCE, "text")),  # type: ignore
    "texts": ("not str: encode the text first", lambda: batch_of(["one", "two", "three"])),
    "text for all": ("not str: encode the text first", lambda: batch_of(ROWS, aads="for all")),
    # Arrays and collections that are not what they seem to be.
    "objects": ("data is an array of objects", lambda: batch_of(numpy.array([b"a", b"bb", None], object))),
    "set of lengths": (
        "lengths must be a list or an array, not set",
        lambda: batch_of(ROWS, lengths={1, 2, 3}),
    ),
    "names of lengths": ("not dict", lambda: batch_of(ROWS, lengths={"a": 1, "b": 2, "c": 3})),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_says_what_to_do(slip: str) -> None:
    says, call = SLIPS[slip]
    with pytest.raises(TypeError) as caught:
        call()
    assert says in str(caught.value)


@pytest.mark.parametrize("given", [(0, 3), [3], [(0,)], [(0, 1, 2)], [None]])
def test_ranges_are_pairs(tmp_path: Path, given: Any) -> None:
    with warpaes.open(tmp_path / "file", "wb", key=KEY) as file:
        file.write(b"text")
    with (
        warpaes.open(tmp_path / "file", key=KEY) as file,
        pytest.raises(TypeError, match=r"read_ranges\(\[\(start, stop\)\]\)"),
    ):
        file.read_ranges(given)


def test_an_option_that_is_misspelt_is_named(tmp_path: Path) -> None:
    for call in (
        lambda: warpaes.numpy.save_file({}, tmp_path / "file", kye=KEY),  # type: ignore[call-arg]
        lambda: warpaes.numpy.load_file(tmp_path / "file", kye=KEY),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match="there is no option kye: pass key="):
            call()
    assert not list(tmp_path.iterdir())


def test_an_option_of_open_alone_is_not_said_to_be_taken(tmp_path: Path) -> None:
    """How a passphrase makes a key is chosen by warpaes.open(); here the sentence says what there is."""
    given: dict[str, Any] = {"passphrase": "x", "passphrase_function": "argon2id"}
    with pytest.raises(TypeError, match="no option passphrase_function") as caught:
        warpaes.numpy.save_file({}, tmp_path / "file", **given)
    for name in SecretOptions.__annotations__:
        assert f"{name}=" in str(caught.value)
    assert "warpaes.open()" not in str(caught.value)


def test_a_function_of_a_passphrase_is_one_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="passphrase_function must be scrypt or argon2id, not this list"):
        warpaes.open(tmp_path / "file", "wb", passphrase="secret", passphrase_function=["scrypt"])  # type: ignore


@pytest.mark.parametrize("mode", ["rb", "wb"])
def test_where_urls_are_opened(mode: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"Is it a URL\? fsspec\.open") as caught:
        warpaes.open("s3://bucket/name", mode, key=KEY)
    assert caught.value.filename == "s3://bucket/name"
    with pytest.raises(FileNotFoundError) as caught:
        warpaes.open("none/name", mode, key=KEY)
    assert "URL" not in str(caught.value)
