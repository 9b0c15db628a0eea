"""The C library's own calls through ctypes, with all arguments made before: what Python's calls add to."""

import ctypes
import time
from collections.abc import Callable
from pathlib import Path

GCM = 1
ENCRYPT, DECRYPT = 0, 1


class Message(ctypes.Structure):
    """warpaes_message of cipher.h."""

    _fields_ = (
        ("size", ctypes.c_size_t),
        ("input", ctypes.c_void_p),
        ("length", ctypes.c_uint64),
        ("output", ctypes.c_void_p),
        ("output_capacity", ctypes.c_uint64),
        ("output_length", ctypes.c_void_p),
        ("nonce", ctypes.c_char_p),
        ("nonce_length", ctypes.c_size_t),
        ("aad", ctypes.c_void_p),
        ("aad_length", ctypes.c_uint64),
        ("tag", ctypes.c_void_p),
        ("tag_length", ctypes.c_size_t),
        ("strings", ctypes.c_void_p),
        ("string_count", ctypes.c_size_t),
        ("data_unit", ctypes.c_uint64),
        ("unused_bits", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("status", ctypes.c_void_p),
    )


class Options(ctypes.Structure):
    """The beginning of warpaes_context_options: `size` says that there is no more of it."""

    _fields_ = (("size", ctypes.c_size_t), ("engine", ctypes.c_char_p))


class Library:
    """The library of this process, and a cipher of it."""

    def __init__(self, key: bytes, nonce: bytes, engine: bytes | None = None) -> None:
        self._library = ctypes.CDLL(str(loaded("libwarpaes.so")))
        self._nonce = nonce
        self._context, self._cipher = ctypes.c_void_p(), ctypes.c_void_p()
        options = Options(ctypes.sizeof(Options), engine)
        create = self._library.warpaes_context_create
        self._require(create(ctypes.byref(options), ctypes.byref(self._context)))
        make = self._library.warpaes_cipher_create
        length = ctypes.c_size_t(len(key))
        self._require(make(self._context, GCM, key, length, ctypes.byref(self._cipher)))

    def _require(self, status: int) -> None:
        if status != 0:
            self._library.warpaes_last_error.restype = ctypes.c_char_p
            raise RuntimeError(f"status {status}: {self._library.warpaes_last_error().decode()}")

    def message(self, text: int, length: int, output: int) -> Message:
        """From one address to another, the tag behind the ciphertext."""
        return self._message(text, length, output, output + length)

    def sealed_message(self, sealed: int, length: int, output: int, status: int) -> Message:
        """Back again. status: 4 bytes that the device can write to."""
        message = self._message(sealed, length, output, sealed + length)
        message.status = status
        return message

    def _message(self, text: int, length: int, output: int, tag: int) -> Message:
        return Message(
            size=ctypes.sizeof(Message),
            input=text,
            length=length,
            output=output,
            output_capacity=length,
            nonce=self._nonce,
            nonce_length=len(self._nonce),
            tag=tag,
            tag_length=16,
        )

    def workspace_size(self, length: int, direction: int = ENCRYPT) -> int:
        size = ctypes.c_size_t()
        ask = self._library.warpaes_workspace_size
        one, many = ctypes.c_uint64(1), ctypes.c_uint64(length)
        self._require(ask(self._cipher, direction, one, many, ctypes.byref(size)))
        return size.value

    def on_device(
        self, direction: int, message: Message, workspace: int, size: int, stream: int
    ) -> Callable[[], object]:
        run = self._library.warpaes_decrypt_device if direction else self._library.warpaes_encrypt_device
        given = (ctypes.c_void_p(workspace), ctypes.c_size_t(size), ctypes.c_void_p(stream))
        return self._ready(run, message, *given)

    def encrypts(self, message: Message) -> Callable[[], object]:
        return self._ready(self._library.warpaes_encrypt, message)

    def _ready(self, function: Callable[..., int], message: Message, *more: object) -> Callable[[], object]:
        given = (self._cipher, ctypes.byref(message), *more)
        self._require(function(*given))
        return lambda: function(*given)

    def of_ctypes(self, arguments: int) -> float:
        """Seconds that ctypes takes for a call of so many arguments that does nothing: to free nothing."""
        nothing = self._library.warpaes_cipher_destroy
        given = (ctypes.c_void_p(),) * arguments  # those behind the first are never looked at
        call = lambda: nothing(*given)  # noqa: E731
        times = []
        for _ in range(9):
            start = time.perf_counter()
            for _ in range(1000):
                call()
            times.append((time.perf_counter() - start) / 1000)
        return sorted(times)[4]


def loaded(name: str) -> Path:
    """Where this process has a library from."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return next(Path(line.split()[-1]) for line in lines if name in line)
