"""Messages go past nanobind: what is wrong with a call is said as it would say it, and by nobody else."""

from collections.abc import Callable
from typing import Any

import pytest

import warpaes
from warpaes import _native

NONCE = bytes(12)
KEY: Any = warpaes.AESGCM(bytes(32))._key
SEALED = KEY.encrypt(NONCE, b"text", b"aad")


def test_both_ways_are_the_same() -> None:
    for data in (b"", b"text", bytearray(b"text"), memoryview(b"text"), bytes(5000)):
        sealed = KEY.encrypt(NONCE, data, b"aad")
        assert sealed == KEY._encrypt(NONCE, data, b"aad")
        assert KEY.decrypt(NONCE, sealed, b"aad") == KEY._decrypt(NONCE, sealed, b"aad") == bytes(data)


WRONG: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "no arguments": (lambda key: key.encrypt(), lambda key: key._encrypt()),
    "two arguments": (lambda key: key.encrypt(NONCE, b""), lambda key: key._encrypt(NONCE, b"")),
    "four arguments": (
        lambda key: key.decrypt(NONCE, b"", b"", b""),
        lambda key: key._decrypt(NONCE, b"", b"", b""),
    ),
    "no nonce": (lambda key: key.encrypt(None, b"", b""), lambda key: key._encrypt(None, b"", b"")),
    "nonce": (lambda key: key.encrypt(b"", b"", None), lambda key: key._encrypt(b"", b"", None)),
    "data": (lambda key: key.encrypt(NONCE, 1, None), lambda key: key._encrypt(NONCE, 1, None)),
    "text": (lambda key: key.encrypt(NONCE, "text", None), lambda key: key._encrypt(NONCE, "text", None)),
    "list": (lambda key: key.encrypt(NONCE, b"", [b""]), lambda key: key._encrypt(NONCE, b"", [b""])),
    "short": (lambda key: key.decrypt(NONCE, b"short", b""), lambda key: key._decrypt(NONCE, b"short", b"")),
    "tag": (lambda key: key.decrypt(NONCE, SEALED, b"no"), lambda key: key._decrypt(NONCE, SEALED, b"no")),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_alike(name: str) -> None:
    said = []
    for call in WRONG[name]:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            call(KEY)
        said.append(
            (caught.type, str(caught.value).replace("_encrypt", "encrypt").replace("_decrypt", "decrypt"))
        )
    assert said[0] == said[1]


def test_what_is_not_genuine_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever sends forged messages would have each of them decrypted twice."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(_native.Key, "_decrypt", never)
    for sealed, aad in ((SEALED, b"no"), (b"short", b"aad")):
        with pytest.raises(warpaes.InvalidTag):
            KEY.decrypt(NONCE, sealed, aad)


def test_what_is_no_key_is_refused() -> None:
    """And not taken for one."""
    made: Any = _native.Key
    with pytest.raises(TypeError):
        made.encrypt(object(), NONCE, b"", None)
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        made.__new__(made).encrypt(NONCE, b"", None)
    with pytest.raises(TypeError):
        KEY.encrypt(nonce=NONCE, data=b"", aad=None)


def test_nothing_stays_behind() -> None:
    """Of an exception that is told by the other way."""
    with pytest.raises(warpaes.InvalidTag) as caught:
        KEY.decrypt(NONCE, SEALED, b"no")
    assert caught.value.__context__ is None
    assert KEY.decrypt(NONCE, SEALED, b"aad") == b"text"


def test_a_subclass_may_have_methods_of_any_name() -> None:
    """What takes no short way is the library's own all the same: of a name that a subclass may use, too."""

    class Sealer(warpaes.AESGCM):
        def _encrypt(self, data: bytes | bytearray) -> bytes:
            return NONCE + self.encrypt(NONCE, data, None)

        def _decrypt(self, *_: object, **__: object) -> bytes:
            return b"never genuine"

    sealer = Sealer(bytes(32))
    for data in (b"text", bytearray(b"text")):
        assert sealer._encrypt(data) == NONCE + KEY.encrypt(NONCE, b"text", b"")
    with pytest.raises(warpaes.InvalidTag):
        sealer.decrypt(NONCE, bytearray(20), None)
