"""What `cryptography` and we have under one name has the same attributes, limits and kinds of errors.

What is different on purpose is named here, with the reason; docs/python.md says it to users. A new version of
`cryptography` that has more fails here until somebody has decided.
"""

import inspect
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.decrepit.ciphers import modes as their_old_modes
from cryptography.hazmat.primitives import cmac, keywrap
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes

import warpaes

KEY, IV = bytes(range(32)), bytes(16)
AEADS = [name for name in aead.__all__ if name.startswith("AES")]

# What a module of theirs has and ours lacks: {their module: {name: why}}.
OTHER_ALGORITHM = "it is not AES"
OF_THEIR_OWN = "it is an abstract class for algorithms of others"
GCM_IN_PARTS = "decrypting in parts hands out plaintext before the tag is known to be right"
MODULES: list[tuple[Any, Any, dict[str, str]]] = [
    (warpaes.aead, aead, {"ChaCha20Poly1305": OTHER_ALGORITHM}),
    (
        warpaes.modes,
        modes,
        {
            "GCM": GCM_IN_PARTS,
            "ModeWithAuthenticationTag": GCM_IN_PARTS,
            "BlockCipherAlgorithm": OF_THEIR_OWN,
            "CipherAlgorithm": OF_THEIR_OWN,
            "UnsupportedAlgorithm": "it is an exception that they import",
        },
    ),
    (warpaes.modes, their_old_modes, {}),
    (
        warpaes.algorithms,
        algorithms,
        {
            **dict.fromkeys(
                ("ARC4", "Blowfish", "CAST5", "Camellia", "ChaCha20", "IDEA", "SEED", "SM4", "TripleDES"),
                OTHER_ALGORITHM,
            ),
            "BlockCipherAlgorithm": OF_THEIR_OWN,
            "CipherAlgorithm": OF_THEIR_OWN,
        },
    ),
    (warpaes.keywrap, keywrap, {}),
]


def our(mode: Any) -> Any:
    return warpaes.Cipher(warpaes.AES(KEY), mode)


def their(mode: Any) -> Any:
    return Cipher(algorithms.AES(KEY), mode)


# Objects of ours and of theirs, and what theirs have and ours lack on purpose.
SAME: dict[str, str] = {}
OBJECTS: list[tuple[str, Any, Any, dict[str, str]]] = [
    *((name, getattr(warpaes, name)(KEY), getattr(aead, name)(KEY), SAME) for name in AEADS),
    *(
        (
            name,
            getattr(warpaes.algorithms, name)(key),
            getattr(algorithms, name)(key),
            {"key": "it is secret"},
        )
        for name, key in (("AES", KEY), ("AES128", KEY[:16]), ("AES256", KEY))
    ),
    *(
        (name, getattr(warpaes.modes, name)(IV), getattr(modes, name)(IV), SAME)
        for name in ("CBC", "CTR", "XTS")
    ),
    *(
        (name, getattr(warpaes.modes, name)(IV), getattr(their_old_modes, name)(IV), SAME)
        for name in ("CFB", "CFB8", "OFB")
    ),
    ("ECB", warpaes.modes.ECB(), modes.ECB(), SAME),
    ("Cipher", our(warpaes.modes.CTR(IV)), their(modes.CTR(IV)), SAME),
    ("encryptor", our(warpaes.modes.CTR(IV)).encryptor(), their(modes.CTR(IV)).encryptor(), SAME),
    ("decryptor", our(warpaes.modes.CBC(IV)).decryptor(), their(modes.CBC(IV)).decryptor(), SAME),
    ("CMAC", warpaes.CMAC(warpaes.AES(KEY)), cmac.CMAC(algorithms.AES(KEY)), SAME),
]


def public(given: Any) -> set[str]:
    return {name for name in dir(given) if not name.startswith("_")}


def classes_and_functions(module: Any) -> set[str]:
    return {
        name
        for name in public(module)
        if inspect.isclass(getattr(module, name)) or callable(getattr(module, name))
    }


@pytest.mark.filterwarnings("ignore::cryptography.utils.CryptographyDeprecationWarning")
@pytest.mark.parametrize(("ours", "theirs", "lacking"), MODULES)
def test_modules_have_the_same_names(ours: Any, theirs: Any, lacking: dict[str, str]) -> None:
    assert classes_and_functions(theirs) - public(ours) == lacking.keys()


@pytest.mark.parametrize(
    ("ours", "theirs", "lacking"), [row[1:] for row in OBJECTS], ids=[row[0] for row in OBJECTS]
)
def test_objects_have_the_same_attributes(ours: Any, theirs: Any, lacking: dict[str, str]) -> None:
    assert public(theirs) - public(ours) == lacking.keys()
    for name in sorted(public(theirs) - lacking.keys()):
        expected, found = getattr(theirs, name), getattr(ours, name)
        assert callable(found) == callable(expected), name
        if isinstance(expected, (bytes, int, str)):
            assert found == expected, name
        of_class = getattr(type(theirs), name, None)  # as programs ask for algorithms.AES128.key_size
        if isinstance(of_class, (int, str)):
            assert getattr(type(ours), name) == of_class, name


@pytest.mark.parametrize(("ours", "theirs"), [row[1:3] for row in OBJECTS], ids=[row[0] for row in OBJECTS])
def test_a_cache_may_have_weak_references_to_the_same_objects(ours: Any, theirs: Any) -> None:
    if refusal(weakref.ref, theirs) is None:
        assert weakref.ref(ours)() is ours


def test_a_key_cannot_be_read() -> None:
    """So it is in no debugger's list of attributes and in no log by mistake, and is wiped when it goes."""
    with pytest.raises(AttributeError):
        warpaes.AES(KEY).key  # type: ignore[attr-defined]  # noqa: B018


def test_a_cipher_knows_what_it_was_made_with() -> None:
    algorithm, mode = warpaes.algorithms.AES256(KEY), warpaes.modes.CTR(IV)
    cipher = warpaes.Cipher(algorithm, mode)
    assert (cipher.algorithm, cipher.mode) == (algorithm, mode)
    assert (cipher.mode.nonce, cipher.mode.name, cipher.algorithm.key_size) == (IV, "CTR", 256)
    for name, other in (("algorithm", warpaes.AES(bytes(16))), ("mode", warpaes.modes.CBC(IV))):
        with pytest.raises(AttributeError):  # it would not be used
            setattr(cipher, name, other)


Made = Callable[[Any, Any, Any], object]
# Calls with (algorithms, modes, Cipher), which both refuse, and by which kind of exception.
REFUSED: list[tuple[str, type[Exception], Made]] = [
    ("AES", ValueError, lambda a, *_: a.AES(bytes(17))),
    ("AES128", ValueError, lambda a, *_: a.AES128(bytes(32))),
    ("AES256", ValueError, lambda a, *_: a.AES256(bytes(16))),
    ("text", TypeError, lambda a, *_: a.AES("0" * 16)),
    ("nonce", ValueError, lambda a, m, c: c(a.AES(KEY), m.CTR(bytes(12)))),
    ("tweak", ValueError, lambda _, m, __: m.XTS(bytes(12))),
    ("two keys", ValueError, lambda a, m, c: c(a.AES(bytes(64)), m.CTR(IV))),
    ("one key", ValueError, lambda a, m, c: c(a.AES(bytes(16)), m.XTS(IV))),
    ("equal keys", ValueError, lambda a, m, c: c(a.AES(bytes(32)), m.XTS(IV)).encryptor()),
    ("no two keys", TypeError, lambda a, m, c: c(a.AES256(KEY), m.XTS(IV))),
    ("validated", ValueError, lambda a, m, _: m.XTS(IV).validate_for_algorithm(a.AES(bytes(16)))),
    ("no mode", TypeError, lambda _, m, c: c(KEY, m.CTR(IV))),
    ("reset", ValueError, lambda a, m, c: c(a.AES(KEY), m.CTR(IV)).encryptor().reset_nonce(bytes(12))),
]


@pytest.mark.parametrize(("error", "call"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refuses_what_cryptography_refuses(error: type[Exception], call: Made) -> None:
    for package in ((warpaes.algorithms, warpaes.modes, warpaes.Cipher), (algorithms, modes, Cipher)):
        with pytest.raises(error):
            call(*package)


@pytest.mark.parametrize(
    ("package", "name"),
    [(modes, "CBC"), (modes, "CTR"), *((their_old_modes, name) for name in ("CFB", "CFB8", "OFB"))],
)
def test_a_mode_takes_what_only_its_cipher_refuses(package: Any, name: str) -> None:
    for cipher, kind in ((our, getattr(warpaes.modes, name)), (their, getattr(package, name))):
        mode = kind(bytes(8))
        with pytest.raises(ValueError, match=r"IV|nonce"):
            cipher(mode)


@pytest.mark.parametrize("name", sorted(name for name in public(keywrap) if name.startswith("aes_key")))
def test_key_wrap_refuses_by_the_same_exceptions(name: str) -> None:
    for key in (None, "0" * 16, b"", bytes(5), bytes(16)):
        for given in (None, "0" * 16, b"", b"a", bytes(8), bytes(17), bytes(24)):
            found, expected = (refusal(getattr(package, name), key, given) for package in (warpaes, keywrap))
            assert found == expected, (key, given)


def refusal(call: Any, *given: Any) -> str | None:
    """The name of the exception, if there is one."""
    try:
        call(*given)
    except Exception as error:
        return type(error).__name__
    return None


@pytest.mark.parametrize("name", AEADS)
def test_generates_keys_of_the_same_lengths(name: str) -> None:
    for bits in (0, 64, 128, 129, 192, 256, 384, 512, 1024, "256", None, 256.0):
        found, expected = (outcome(getattr(package, name), bits) for package in (warpaes, aead))
        if name == "AESGCMSIV" and bits == 192:  # its standard has no such keys
            expected = ValueError
        assert found == expected, bits


def outcome(kind: Any, bits: Any) -> Any:
    """The length of the key, or the kind of exception."""
    try:
        return len(kind.generate_key(bits))
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("length", [0, 5, 16, 40])
def test_another_nonce_begins_another_message(length: int) -> None:
    other = bytes(range(16))
    ours, theirs = our(warpaes.modes.CTR(IV)).encryptor(), their(modes.CTR(IV)).encryptor()
    for context in (ours, theirs):
        context.update(bytes(length))
        context.reset_nonce(other)
    assert (
        ours.update(bytes(50))
        == theirs.update(bytes(50))
        == our(warpaes.modes.CTR(other)).encryptor().update(bytes(50))
    )
    ours.finalize()
    with pytest.raises(warpaes.AlreadyFinalized):
        ours.reset_nonce(other)
    with pytest.raises(ValueError, match="CBC has no nonce"):
        our(warpaes.modes.CBC(IV)).encryptor().reset_nonce(other)
