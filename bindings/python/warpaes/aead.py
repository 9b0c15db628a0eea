"""Authenticated encryption, with the names and the behaviour of `cryptography`'s AEAD classes.

Every class makes a ciphertext with a tag behind it (AESSIV: before it), in one piece. Data may be any
bytes-like object, of any length that the mode allows; the answer is a bytes object then. An array of uint8
(NumPy, PyTorch, CuPy) gives an array of the same kind on the same device: see docs/python.md.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, overload

from warpaes import _native
from warpaes._arguments import whole_number
from warpaes._arrays import PLAIN, run, run_into
from warpaes._batches import Batch, Messages, TagsT, run_batch
from warpaes._keys import DECRYPT, ENCRYPT, KeyHolder, Mode, generate
from warpaes._machine import Context
from warpaes._siv import AESSIV
from warpaes._typing import Unpack
from warpaes.typing import (
    Aads,
    Array,
    ArrayT,
    BatchOptions,
    Buffer,
    Data,
    HostMemory,
    Many,
    OutT,
    Stream,
)

__all__ = ["AEAD", "AESCCM", "AESEAX", "AESGCM", "AESGCMSIV", "AESOCB3", "AESSIV"]


class AEAD(KeyHolder):
    """What the classes share that take a nonce; it is none of them itself."""

    __slots__ = ()

    _mode: ClassVar[Mode]
    _key_bits: ClassVar[tuple[int, ...]] = (128, 192, 256)

    def __init__(self, key: HostMemory, *, context: Context | None = None) -> None:
        if not hasattr(self, "_mode"):
            what = type(self).__name__
            raise TypeError(
                f"{what} stands for several classes: make an object of one of them, such as AESGCM"
            )
        super().__init__(self._mode, key, 16, tag_first=False, context=context)

    @classmethod
    def generate_key(cls, bit_length: int) -> bytes:
        """A random key of that many bits."""
        return generate(bit_length, cls._key_bits)

    @overload
    def encrypt(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None = None,
        *,
        out: OutT,
        stream: Stream | None = None,
    ) -> OutT: ...
    @overload
    def encrypt(
        self,
        nonce: Data,
        data: ArrayT,
        associated_data: Data | None = None,
        *,
        out: None = None,
        stream: Stream | None = None,
    ) -> ArrayT: ...
    @overload
    def encrypt(
        self,
        nonce: Data,
        data: Buffer,
        associated_data: Data | None = None,
        *,
        out: None = None,
        stream: None = None,
    ) -> bytes: ...
    def encrypt(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None = None,
        *,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Data:
        """Ciphertext and tag: len(data) + 16 bytes, or len(data) + tag_length.

        nonce: never twice with one key; random ones for 2**32 messages at most (docs/modes.md).
        associated_data: authenticated, not encrypted.
        out: memory for the answer, which is returned; it may not overlap data, unless both begin at the same
        address. stream: for device arrays, the CUDA stream to work on; the call does not wait for it.

        Raises ValueError for lengths that the mode does not have, TypeError for what is no memory.
        """
        if out is None and stream is None and type(data) in PLAIN:
            return self._key.encrypt(nonce, data, associated_data)
        return run(self, ENCRYPT, nonce, data, associated_data, out=out, stream=stream)

    @overload
    def decrypt(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None = None,
        *,
        out: OutT,
        stream: Stream | None = None,
    ) -> OutT: ...
    @overload
    def decrypt(
        self,
        nonce: Data,
        data: ArrayT,
        associated_data: Data | None = None,
        *,
        out: None = None,
        stream: Stream | None = None,
    ) -> ArrayT: ...
    @overload
    def decrypt(
        self,
        nonce: Data,
        data: Buffer,
        associated_data: Data | None = None,
        *,
        out: None = None,
        stream: None = None,
    ) -> bytes: ...
    def decrypt(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None = None,
        *,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Data:
        """The plaintext of ciphertext and tag.

        Raises InvalidTag if they are not genuine; what was written to `out` is zero then. With device arrays
        the call waits for the device, to be able to say so.
        """
        if out is None and stream is None and type(data) in PLAIN:
            return self._key.decrypt(nonce, data, associated_data)
        return run(self, DECRYPT, nonce, data, associated_data, out=out, stream=stream)

    def encrypt_into(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None,
        buf: Data,
        *,
        stream: Stream | None = None,
    ) -> int:
        """As encrypt(), into memory of exactly the answer's length, which is returned."""
        if type(data) in PLAIN and type(buf) in PLAIN and stream is None:
            return self._key.encrypt_into(nonce, data, associated_data, buf)
        return run_into(self, ENCRYPT, nonce, data, associated_data, buf=buf, stream=stream)

    def decrypt_into(
        self,
        nonce: Data,
        data: Data,
        associated_data: Data | None,
        buf: Data,
        *,
        stream: Stream | None = None,
    ) -> int:
        """As decrypt(), into memory of exactly the answer's length, which is returned."""
        if type(data) in PLAIN and type(buf) in PLAIN and stream is None:
            return self._key.decrypt_into(nonce, data, associated_data, buf)
        return run_into(self, DECRYPT, nonce, data, associated_data, buf=buf, stream=stream)

    @overload
    def encrypt_batch(
        self, nonces: Many, data: ArrayT, aads: Aads = None, **options: "Unpack[BatchOptions]"
    ) -> Batch[ArrayT, ArrayT]: ...
    @overload
    def encrypt_batch(
        self, nonces: Many, data: Sequence[ArrayT], aads: Aads = None, **options: "Unpack[BatchOptions]"
    ) -> Batch[list[ArrayT], Any]: ...
    @overload
    def encrypt_batch(
        self, nonces: Many, data: Sequence[Buffer], aads: Aads = None, **options: "Unpack[BatchOptions]"
    ) -> Batch[list[bytes], list[bytes]]: ...
    @overload
    def encrypt_batch(
        self,
        nonces: Many,
        data: Many,
        aads: Aads = None,
        *,
        out: Any = None,
        tags: Any = None,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[Any, Any]: ...
    def encrypt_batch(
        self,
        nonces: Many,
        data: Many,
        aads: Aads = None,
        *,
        lengths: Sequence[int] | Array | None = None,
        out: Any = None,
        tags: Any = None,
        stream: Stream | None = None,
    ) -> Batch[Any, Any]:
        """Encrypts many messages in one call, each with its own nonce and tag.

        data: an array of uint8 whose rows, in its last dimension, are the messages, or a list of messages.
        nonces: an array with a row for each message, or a list of bytes. Two that are equal in a list are
            refused, except by AES-GCM-SIV; the rows of an array are not compared.
        aads: nothing, one string for all of them, or an array or list as `data`.
        lengths: for an array, how many bytes of each row are the message. The rest of the row is zero in a
            new answer, and left alone in `out`.
        out, tags: memory for the answers, of the shapes that Batch describes; it may be `data` itself. What
            is written for one message must not overlap anything of another one.
        Between the rows of an array there may be gaps, as between the parts of frames.

        What is wrong with the call as a whole is raised. What is wrong with one message is in Batch.statuses.
        """
        return run_batch(self, ENCRYPT, Messages(nonces, data, aads, lengths, out, tags, stream))

    @overload
    def decrypt_batch(
        self, nonces: Many, data: ArrayT, aads: Aads = None, *, tags: TagsT, **options: "Unpack[BatchOptions]"
    ) -> Batch[ArrayT, TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        nonces: Many,
        data: Sequence[ArrayT],
        aads: Aads = None,
        *,
        tags: TagsT,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[ArrayT], TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        nonces: Many,
        data: Sequence[Buffer],
        aads: Aads = None,
        *,
        tags: TagsT,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[bytes], TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        nonces: Many,
        data: Many,
        aads: Aads = None,
        *,
        tags: TagsT,
        out: Any,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[Any, TagsT]: ...
    def decrypt_batch(
        self,
        nonces: Many,
        data: Many,
        aads: Aads = None,
        *,
        tags: Any,
        lengths: Sequence[int] | Array | None = None,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Batch[Any, Any]:
        """Decrypts many messages in one call; arguments as for encrypt_batch(), `tags` as it returned them.

        Messages that are not genuine become zero, and all others are decrypted. Call check() on the answer
        before you use it: it raises InvalidTag and names them.
        """
        return run_batch(self, DECRYPT, Messages(nonces, data, aads, lengths, out, tags, stream))


# Methods of the extension come before encrypt, decrypt and ..._into, which are _encrypt and so on then.
_native.call_quickly(AEAD)


class AESGCM(AEAD):
    """AES-GCM (SP 800-38D). Nonces of 12 bytes; one that is used twice breaks the key.

    >>> import os
    >>> key, nonce = AESGCM.generate_key(256), os.urandom(12)
    >>> sealed = AESGCM(key).encrypt(nonce, b"a secret", b"header")
    >>> len(sealed)
    24
    >>> AESGCM(key).decrypt(nonce, sealed, b"header")
    b'a secret'
    >>> AESGCM(key).decrypt(nonce, sealed, b"another header")
    Traceback (most recent call last):
    ...
    warpaes.InvalidTag: the message is not genuine: another key, nonce or additional data, or damage
    """

    __slots__ = ()
    _mode = Mode.GCM


class AESGCMSIV(AEAD):
    """AES-GCM-SIV (RFC 8452). Nonces of 12 bytes; a repeated one reveals only whether messages were equal.

    >>> aead = AESGCMSIV(AESGCMSIV.generate_key(256))
    >>> aead.decrypt(bytes(12), aead.encrypt(bytes(12), b"a secret"))
    b'a secret'
    """

    __slots__ = ()
    _mode = Mode.GCM_SIV
    _nonces_may_repeat = True
    _key_bits = (128, 256)


class AESCCM(AEAD):
    """AES-CCM (SP 800-38C). Nonces of 7 to 13 bytes, never twice with one key.

    The longer the nonces are, the shorter is the longest message.
    """

    __slots__ = ()
    _mode = Mode.CCM

    def __init__(
        self, key: HostMemory, tag_length: int | None = 16, *, context: Context | None = None
    ) -> None:
        tag_length = 16 if tag_length is None else whole_number(tag_length, "tag_length")
        if tag_length not in (8, 10, 12, 14, 16):
            raise ValueError(f"tag_length must be 8, 10, 12, 14 or 16, not {tag_length!r}")
        KeyHolder.__init__(self, self._mode, key, tag_length, tag_first=False, context=context)


class AESOCB3(AEAD):
    """AES-OCB (RFC 7253). Nonces of 12 bytes, or 1 to 15; never twice with one key."""

    __slots__ = ()
    _mode = Mode.OCB3


class AESEAX(AEAD):
    """AES-EAX. Nonces of 16 bytes, or any other length but 0; never twice with one key."""

    __slots__ = ()
    _mode = Mode.EAX
