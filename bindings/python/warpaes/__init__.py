"""AES on NVIDIA GPUs and CPUs: the same arrays in and out, on the device that they live on.

AESGCM and its siblings have the names and the behaviour of the classes in `cryptography`, without their limit
of 2 GiB. docs/python.md is a tour.
"""

from warpaes import _native, algorithms, modes
from warpaes._batches import Batch
from warpaes._errors import (
    AlreadyFinalized,
    ContainerError,
    Damaged,
    Error,
    InvalidSignature,
    InvalidTag,
    InvalidUnwrap,
    Truncated,
    WrongKey,
)
from warpaes._machine import Context, Device, Engine, devices, engines, selftest
from warpaes.aead import AESCCM, AESEAX, AESGCM, AESGCMSIV, AESOCB3, AESSIV
from warpaes.algorithms import AES
from warpaes.ciphers import CMAC, Cipher
from warpaes.files import Reader, Writer, open  # noqa: A004
from warpaes.keywrap import (
    aes_key_unwrap,
    aes_key_unwrap_with_padding,
    aes_key_wrap,
    aes_key_wrap_with_padding,
)

__version__: str = _native.version

__all__ = [
    "AES",
    "AESCCM",
    "AESEAX",
    "AESGCM",
    "AESGCMSIV",
    "AESOCB3",
    "AESSIV",
    "CMAC",
    "AlreadyFinalized",
    "Batch",
    "Cipher",
    "ContainerError",
    "Context",
    "Damaged",
    "Device",
    "Engine",
    "Error",
    "InvalidSignature",
    "InvalidTag",
    "InvalidUnwrap",
    "Reader",
    "Truncated",
    "Writer",
    "WrongKey",
    "aes_key_unwrap",
    "aes_key_unwrap_with_padding",
    "aes_key_wrap",
    "aes_key_wrap_with_padding",
    "algorithms",
    "devices",
    "engines",
    "modes",
    "open",
    "selftest",
]
