"""The modes for warpaes.Cipher."""

from typing import ClassVar

from warpaes._arguments import bytes_like, whole_number
from warpaes._keys import Mode as Number
from warpaes.algorithms import AES, AES128, AES256
from warpaes.typing import HostMemory

__all__ = [
    "CBC",
    "CBC_CS1",
    "CBC_CS2",
    "CBC_CS3",
    "CBC_PKCS7",
    "CFB",
    "CFB8",
    "CTR",
    "ECB",
    "ECB_PKCS7",
    "OFB",
    "XTS",
    "Mode",
    "ModeWithInitializationVector",
    "ModeWithNonce",
    "ModeWithTweak",
]


class Mode:
    """What all modes have in common; it is none itself."""

    __slots__ = ("__weakref__", "_iv")
    _number: ClassVar[Number]
    _data_unit = 0
    _iv: bytes | None
    name: ClassVar[str]
    """The mode's, as "CBC"."""

    def __init_subclass__(cls) -> None:
        cls.name = cls.__name__

    def __init__(self) -> None:
        """Raises TypeError: only the classes of single modes make objects."""
        self._require_one_mode()

    def _require_one_mode(self) -> None:
        if not hasattr(self, "_number"):
            raise TypeError(f"{type(self).__name__} stands for several modes: make one of them, such as CTR")

    def validate_for_algorithm(self, algorithm: AES) -> None:
        """Raises ValueError if the mode takes no key or no IV of that length; Cipher() calls it."""
        if algorithm.key_size not in (128, 192, 256):
            raise ValueError(f"{self.name} needs a key of 16, 24 or 32 bytes, not {algorithm.key_size // 8}")
        self._require_iv()

    def _keep(self, given: HostMemory, name: str) -> None:
        self._require_one_mode()
        self._iv = bytes(bytes_like(given, name))

    def _require_iv(self) -> None:
        """As `cryptography`, which takes another one when the mode is made, and not for a cipher."""
        if self._iv is not None and len(self._iv) != 16:
            raise ValueError(f"{self.name} needs an IV of 16 bytes, not {len(self._iv)}")

    def __repr__(self) -> str:
        return f"<warpaes.modes.{self.name}>"


class ModeWithInitializationVector(Mode):
    """A mode that chains its first block to an initialization vector of 16 bytes."""

    __slots__ = ()
    _iv: bytes

    def __init__(self, initialization_vector: HostMemory) -> None:
        self._keep(initialization_vector, "initialization_vector")

    @property
    def initialization_vector(self) -> bytes:
        """What the first block is chained to."""
        return self._iv


class ModeWithNonce(Mode):
    """A mode that takes a nonce of 16 bytes."""

    __slots__ = ()
    _iv: bytes

    def __init__(self, nonce: HostMemory) -> None:
        self._keep(nonce, "nonce")

    @property
    def nonce(self) -> bytes:
        """The first counter block."""
        return self._iv


class ModeWithTweak(Mode):
    """A mode that takes a tweak of 16 bytes."""

    __slots__ = ()
    _iv: bytes

    def __init__(self, tweak: HostMemory) -> None:
        self._keep(tweak, "tweak")
        self._require_iv()

    @property
    def tweak(self) -> bytes:
        """The number of the first data unit."""
        return self._iv


class CTR(ModeWithNonce):
    """Counter mode. Any length; the IV is the first counter block, none of which may be used twice."""

    __slots__ = ()
    _number = Number.CTR


class CBC(ModeWithInitializationVector):
    """Cipher block chaining of whole blocks of 16 bytes. The IV must be unpredictable."""

    __slots__ = ()
    _number = Number.CBC


class CBC_PKCS7(ModeWithInitializationVector):  # noqa: N801
    """CBC with padding: any length. Check a MAC before you decrypt, or the padding gives plaintext away.

    The IV must be unpredictable, as in all forms of CBC and CFB: 16 fresh random bytes.
    """

    __slots__ = ()
    _number = Number.CBC_PKCS7


class CBC_CS1(ModeWithInitializationVector):  # noqa: N801
    """CBC with ciphertext stealing, the first variant of SP 800-38A's addendum. 16 bytes or more."""

    __slots__ = ()
    _number = Number.CBC_CS1


class CBC_CS2(ModeWithInitializationVector):  # noqa: N801
    """CBC with ciphertext stealing, the second variant of the addendum to SP 800-38A."""

    __slots__ = ()
    _number = Number.CBC_CS2


class CBC_CS3(ModeWithInitializationVector):  # noqa: N801
    """CBC with ciphertext stealing, the third variant of the addendum to SP 800-38A: that of Kerberos."""

    __slots__ = ()
    _number = Number.CBC_CS3


class CFB(ModeWithInitializationVector):
    """Cipher feedback by blocks. Any length. The IV must be unpredictable."""

    __slots__ = ()
    _number = Number.CFB


class CFB8(ModeWithInitializationVector):
    """Cipher feedback by bytes. Any length. The IV must be unpredictable."""

    __slots__ = ()
    _number = Number.CFB8


class OFB(ModeWithInitializationVector):
    """Output feedback. Any length; never the same IV twice."""

    __slots__ = ()
    _number = Number.OFB


class ECB(Mode):
    """Each block by itself: it shows which blocks are equal. For building other modes, not for data."""

    __slots__ = ()
    _number = Number.ECB

    def __init__(self) -> None:
        self._iv = None


class ECB_PKCS7(ECB):  # noqa: N801
    """ECB with padding: any length. It is what `openssl enc -aes-256-ecb` makes; not for new data."""

    __slots__ = ()
    _number = Number.ECB_PKCS7


class XTS(ModeWithTweak):
    """For disks (IEEE 1619). The tweak is the number of the first data unit, 16 bytes little-endian.
    Equal blocks at the same place, written at different times, are equal when encrypted.

    data_unit: the length of a data unit in bytes, 16 to 2**24, as 512 or 4096. Units follow each other, and
        the message may come in any parts. Without it a message is one unit, in one call of update().
    """

    __slots__ = ("_data_unit",)
    _number = Number.XTS

    def __init__(self, tweak: HostMemory, *, data_unit: int | None = None) -> None:
        super().__init__(tweak)
        if data_unit is not None and not 16 <= whole_number(data_unit, "data_unit") <= 2**24:
            raise ValueError(f"data_unit must be 16 to 2**24 bytes, not {data_unit}")
        self._data_unit = data_unit or 0

    @property
    def data_unit(self) -> int | None:
        """The length of a data unit in bytes, if it was given."""
        return self._data_unit or None

    def validate_for_algorithm(self, algorithm: AES) -> None:
        """Raises ValueError unless there are two keys, and TypeError for AES128 and AES256, which are one."""
        if isinstance(algorithm, (AES128, AES256)):
            raise TypeError(f"XTS takes two keys, which {type(algorithm).__name__} does not have: pass AES")
        if algorithm.key_size not in (256, 384, 512):
            raise ValueError(
                f"XTS needs two keys of 16, 24 or 32 bytes each in one, not {algorithm.key_size // 8} bytes"
            )
