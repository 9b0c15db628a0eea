"""The algorithms for warpaes.Cipher and warpaes.CMAC: AES, with a key."""

from warpaes._arguments import bytes_like
from warpaes._keys import WipedHolder
from warpaes.typing import HostMemory

__all__ = ["AES", "AES128", "AES256"]


class AES(WipedHolder):
    """A key of AES: 16, 24 or 32 bytes; for XTS the two keys one behind the other.

    The key cannot be read back, and is wiped when the object goes.

    name, block_size, key_sizes: of the algorithm, lengths in bits; those of XTS are among the keys'.
    """

    __slots__ = ("__weakref__", "_bytes")
    _secret_names = ("_bytes",)
    name = "AES"
    block_size = 128
    key_sizes = frozenset((128, 192, 256, 384, 512))

    def __init__(self, key: HostMemory) -> None:
        self._bytes = bytearray(bytes_like(key, "key"))
        if 8 * len(self._bytes) not in self.key_sizes:
            raise ValueError(f"{self._what_a_key_has()}, not {len(self._bytes)}")

    def _what_a_key_has(self) -> str:
        return "an AES key has 16, 24 or 32 bytes (XTS: twice that)"

    @property
    def key_size(self) -> int:
        """The length of the key in bits."""
        return 8 * len(self._bytes)


class AES128(AES):
    """A key of AES-128, 16 bytes; for any mode but XTS.

    key_size: the one, in bits, of the class as well.
    key_sizes: a set of it.
    """

    __slots__ = ()
    key_size = 128
    key_sizes = frozenset((128,))

    def _what_a_key_has(self) -> str:
        return "an AES-128 key has 16 bytes"


class AES256(AES):
    """A key of AES-256, 32 bytes; for any mode but XTS.

    key_size: the one, in bits, of the class as well.
    key_sizes: a set of it.
    """

    __slots__ = ()
    key_size = 256
    key_sizes = frozenset((256,))

    def _what_a_key_has(self) -> str:
        return "an AES-256 key has 32 bytes"
