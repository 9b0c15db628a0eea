"""The modes for warpaes.Cipher."""

from warpaes._arguments import whole_number
from warpaes._keys import Mode
from warpaes._typing import HostMemory
from warpaes.ciphers import CipherMode


class _WithInitializationVector(CipherMode):
    @property
    def initialization_vector(self) -> bytes | None:
        """What the first block is chained to."""
        return self.iv


class CTR(CipherMode):
    """Counter mode. Any length; the IV is the first counter block, none of which may be used twice."""

    number = Mode.CTR
    _iv_is = "nonce"

    def __init__(self, nonce: HostMemory) -> None:
        super().__init__(nonce)

    @property
    def nonce(self) -> bytes | None:
        """The first counter block."""
        return self.iv


class CBC(_WithInitializationVector):
    """Cipher block chaining of whole blocks of 16 bytes. The IV must be unpredictable."""

    number = Mode.CBC


class CBC_PKCS7(_WithInitializationVector):  # noqa: N801
    """CBC with padding: any length. Check a MAC before you decrypt, or the padding gives plaintext away."""

    number = Mode.CBC_PKCS7


class CBC_CS1(_WithInitializationVector):  # noqa: N801
    """CBC with ciphertext stealing, the first variant of SP 800-38A's addendum. 16 bytes or more."""

    number = Mode.CBC_CS1


class CBC_CS2(_WithInitializationVector):  # noqa: N801
    """The second variant."""

    number = Mode.CBC_CS2


class CBC_CS3(_WithInitializationVector):  # noqa: N801
    """The third variant, that of Kerberos."""

    number = Mode.CBC_CS3


class CFB(_WithInitializationVector):
    """Cipher feedback by blocks. Any length."""

    number = Mode.CFB


class CFB8(_WithInitializationVector):
    """Cipher feedback by bytes. Any length."""

    number = Mode.CFB8


class OFB(_WithInitializationVector):
    """Output feedback. Any length; never the same IV twice."""

    number = Mode.OFB


class ECB(CipherMode):
    """Each block by itself: it shows which blocks are equal. For building other modes, not for data."""

    number = Mode.ECB

    def __init__(self) -> None:
        self.iv = None
        self.data_unit = 0


class ECB_PKCS7(ECB):  # noqa: N801
    """ECB with padding: any length. It is what `openssl enc -aes-256-ecb` makes; not for new data."""

    number = Mode.ECB_PKCS7


class XTS(CipherMode):
    """For disks (IEEE 1619). The tweak is the number of the first data unit, 16 bytes little-endian.

    data_unit: the length of a data unit in bytes, 16 to 2**24, as 512 or 4096. Units follow each other, and
    the message may come in any parts. Without it a message is one unit, and comes in one call of update().
    """

    number = Mode.XTS
    _iv_is = "tweak"

    def __init__(self, tweak: HostMemory, *, data_unit: int | None = None) -> None:
        super().__init__(tweak)
        if data_unit is not None and not 16 <= whole_number(data_unit, "data_unit") <= 2**24:
            raise ValueError(f"data_unit must be 16 to 2**24 bytes, not {data_unit}")
        self.data_unit = data_unit or 0

    @property
    def tweak(self) -> bytes | None:
        """The number of the first data unit."""
        return self.iv
