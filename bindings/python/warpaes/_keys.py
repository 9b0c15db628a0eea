"""What all classes with a key have in common."""

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NoReturn

from warpaes import _native
from warpaes._arguments import whole_number
from warpaes._machine import Context, context_or_default

ENCRYPT, DECRYPT = 0, 1


class Mode(IntEnum):
    """The numbers of mode.h."""

    GCM = 1
    GCM_SIV = 2
    CCM = 3
    EAX = 4
    OCB3 = 5
    SIV = 6
    ECB = 7
    ECB_PKCS7 = 8
    CBC = 9
    CBC_PKCS7 = 10
    CBC_CS1 = 11
    CBC_CS2 = 12
    CBC_CS3 = 13
    CFB = 14
    CFB8 = 15
    CFB1 = 16
    OFB = 17
    CTR = 18
    XTS = 19
    CMAC = 20
    KW = 22
    KWP = 23


class SecretHolder:
    """Something with a key inside: it neither prints the key nor lets itself be pickled or copied."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__getstate__()

    def __getstate__(self) -> NoReturn:  # every object has one since Python 3.11, which shows all of it
        raise TypeError(
            f"{type(self).__name__} holds a key and cannot be pickled or copied: "
            "hand the key over by a way that you trust, and make a new object there"
        )


class WipedHolder(SecretHolder):
    """One that has keys in memory of Python's, and wipes them when it goes.

    Others may still use it then: where objects refer to each other in a cycle, Python calls __del__ of all of
    them before any of them is gone. So what was wiped is removed as well, and asking for it raises.
    """

    __slots__ = ()
    _secret_names: ClassVar[tuple[str, ...]]  # of attributes: a bytearray, a dictionary of them, or None

    def _secrets(self) -> Iterator[bytearray]:
        """What is to be wiped, also of an object whose arguments were refused, which may have nothing yet."""
        for name in self._secret_names:
            try:
                held = getattr(self, name) or {}
            except RuntimeError:
                continue
            yield from held.values() if isinstance(held, dict) else (held,)

    def __del__(self) -> None:
        """It uses nothing of other modules, of which nothing may be left at the interpreter's end."""
        for secret in self._secrets():
            secret[:] = bytes(len(secret))
        for name in self._secret_names:
            try:
                delattr(self, name)
            except AttributeError:
                continue

    if not TYPE_CHECKING:  # it would hide every attribute that is misspelt

        def __getattr__(self, name: str) -> NoReturn:
            what = type(self).__name__
            if name in self._secret_names:
                raise RuntimeError(f"the secret of this {what} has been wiped: the object is being removed")
            raise AttributeError(f"{what!r} object has no attribute {name!r}", name=name, obj=self)


class KeyHolder(SecretHolder):
    """A key made ready for one mode, and the context that it works in."""

    __slots__ = ("_context", "_key", "_tag_first", "_tag_length")
    _nonces_may_repeat: ClassVar[bool] = False  # and give away no more than whether messages were equal

    def __init__(
        self, mode: Mode, key: object, tag_length: int, *, tag_first: bool, context: Context | None
    ) -> None:
        if key is None:
            raise TypeError("key must be bytes-like, not None")
        self._context = context_or_default(context)
        self._tag_length, self._tag_first = tag_length, tag_first
        self._key = _native.Key(self._context._native, mode, key, tag_length, tag_first)


def generate(bits: int, allowed: tuple[int, ...]) -> bytes:
    """Random bytes for a key of one of the allowed lengths."""
    bits = whole_number(bits, "bit_length")
    if bits not in allowed:
        raise ValueError(
            f"bit_length must be {', '.join(map(str, allowed[:-1]))} or {allowed[-1]}, not {bits}"
        )
    return _native.random_bytes(bits // 8)
