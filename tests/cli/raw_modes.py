"""The modes of `warpaes raw`, each with the program or library that does the same."""

from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV, AESOCB3

from tests.cli.openssl_program import openssl
from tests.cli.program import pattern

IV = bytes(range(200, 216))


@dataclass(frozen=True)
class Streaming:
    """A mode that `openssl enc` has too."""

    name: str
    multiple: int = 1  # of messages without padding
    slow: bool = False

    @property
    def iv(self) -> bytes:
        return b"" if self.name == "ecb" else IV

    def options(self) -> list[str]:
        return ["--mode", self.name, *(["--iv", self.iv.hex()] if self.iv else [])]

    def by_openssl(self, key: bytes, data: bytes, *options: str) -> bytes:
        iv = ["-iv", self.iv.hex()] if self.iv else []
        return openssl("enc", f"-aes-{8 * len(key)}-{self.name}", "-K", key.hex(), *iv, *options, stdin=data)


STREAMING = (
    Streaming("ecb", multiple=16),
    Streaming("cbc", multiple=16),
    Streaming("cfb"),
    Streaming("cfb1", slow=True),
    Streaming("cfb8", slow=True),
    Streaming("ofb"),
    Streaming("ctr"),
)


def xts(key: bytes, first_unit: int, unit_bytes: int, data: bytes) -> bytes:
    """By `cryptography`, which takes one data unit at a time."""
    units = []
    for number, at in enumerate(range(0, len(data), unit_bytes)):
        tweak = (first_unit + number).to_bytes(16, "little")
        encryptor = Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor()
        units.append(encryptor.update(data[at : at + unit_bytes]) + encryptor.finalize())
    return b"".join(units)


def eax(key: bytes, nonce: bytes, data: bytes, aad: bytes, tag_bytes: int = 16) -> bytes:
    """EAX as its authors define it (Bellare, Rogaway and Wagner 2004, figure 3), on CTR and CMAC."""

    def omac(number: int, message: bytes) -> bytes:
        cipher = ["-cipher", f"AES-{8 * len(key)}-CBC", "-macopt", f"hexkey:{key.hex()}"]
        return openssl("mac", *cipher, "-binary", "CMAC", stdin=bytes(15) + bytes([number]) + message)

    counter, header = omac(0, nonce), omac(1, aad)
    encryptor = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
    sealed = encryptor.update(data) + encryptor.finalize()
    tag = bytes(a ^ b ^ c for a, b, c in zip(counter, header, omac(2, sealed), strict=True))
    return sealed + tag[:tag_bytes]


@dataclass(frozen=True)
class Aead:
    name: str
    keys: tuple[int, ...]
    nonce_bytes: int  # of nonces that the program makes
    seal: Callable[[bytes, bytes, bytes, bytes], bytes]  # key, nonce, data, additional data


AEAD = (
    Aead("gcm", (16, 24, 32), 12, lambda key, nonce, data, aad: AESGCM(key).encrypt(nonce, data, aad)),
    Aead("gcm-siv", (16, 32), 12, lambda key, nonce, data, aad: AESGCMSIV(key).encrypt(nonce, data, aad)),
    Aead("ccm", (16, 24, 32), 12, lambda key, nonce, data, aad: AESCCM(key).encrypt(nonce, data, aad)),
    Aead("eax", (16, 24, 32), 16, eax),
    Aead("ocb3", (16, 24, 32), 12, lambda key, nonce, data, aad: AESOCB3(key).encrypt(nonce, data, aad)),
)


def key_of(size: int) -> bytes:
    return pattern(1000 + size)[-size:]
