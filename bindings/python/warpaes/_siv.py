"""AES-SIV, which is in warpaes.aead: it has no nonce, and takes a list of additional strings."""

from collections.abc import Sequence
from typing import Any, overload

from warpaes._arrays import PLAIN, run, run_into
from warpaes._batches import Batch, Messages, TagsT, run_batch
from warpaes._keys import DECRYPT, ENCRYPT, KeyHolder, Mode, generate
from warpaes._machine import Context
from warpaes._typing import Unpack
from warpaes.typing import Array, ArrayT, BatchOptions, Buffer, Data, HostMemory, Many, OutT, Stream


class AESSIV(KeyHolder):
    """AES-SIV (RFC 5297). Keys of 256, 384 and 512 bits. It has no nonce of its own.

    Equal messages give equal ciphertexts, unless one of the additional strings makes them differ.
    `associated_data` is a list of them, or nothing. The tag of 16 bytes comes first.

    >>> aead = AESSIV(AESSIV.generate_key(512))
    >>> aead.decrypt(aead.encrypt(b"a secret", [b"nonce", b"header"]), [b"nonce", b"header"])
    b'a secret'
    """

    __module__ = "warpaes.aead"
    __slots__ = ()

    def __init__(self, key: HostMemory, *, context: Context | None = None) -> None:
        super().__init__(Mode.SIV, key, 16, tag_first=True, context=context)

    @classmethod
    def generate_key(cls, bit_length: int) -> bytes:
        """A random key of that many bits: the MAC's half and the cipher's."""
        return generate(bit_length, (256, 384, 512))

    @overload
    def encrypt(
        self,
        data: Data,
        associated_data: Sequence[Data] | None = None,
        *,
        out: OutT,
        stream: Stream | None = None,
    ) -> OutT: ...
    @overload
    def encrypt(
        self,
        data: ArrayT,
        associated_data: Sequence[Data] | None = None,
        *,
        out: None = None,
        stream: Stream | None = None,
    ) -> ArrayT: ...
    @overload
    def encrypt(
        self,
        data: Buffer,
        associated_data: Sequence[Data] | None = None,
        *,
        out: None = None,
        stream: None = None,
    ) -> bytes: ...
    def encrypt(
        self,
        data: Data,
        associated_data: Sequence[Data] | None = None,
        *,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Data:
        """Tag and ciphertext: 16 + len(data) bytes. `out` and `stream` as in AESGCM.encrypt()."""
        strings = _strings(associated_data)
        if out is None and stream is None and (type(data) is bytes or type(data) in PLAIN):
            return self._key.encrypt(None, data, strings)
        return run(self, ENCRYPT, None, data, strings, out=out, stream=stream)

    @overload
    def decrypt(
        self,
        data: Data,
        associated_data: Sequence[Data] | None = None,
        *,
        out: OutT,
        stream: Stream | None = None,
    ) -> OutT: ...
    @overload
    def decrypt(
        self,
        data: ArrayT,
        associated_data: Sequence[Data] | None = None,
        *,
        out: None = None,
        stream: Stream | None = None,
    ) -> ArrayT: ...
    @overload
    def decrypt(
        self,
        data: Buffer,
        associated_data: Sequence[Data] | None = None,
        *,
        out: None = None,
        stream: None = None,
    ) -> bytes: ...
    def decrypt(
        self,
        data: Data,
        associated_data: Sequence[Data] | None = None,
        *,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Data:
        """The plaintext. Raises InvalidTag."""
        strings = _strings(associated_data)
        if out is None and stream is None and (type(data) is bytes or type(data) in PLAIN):
            return self._key.decrypt(None, data, strings)
        return run(self, DECRYPT, None, data, strings, out=out, stream=stream)

    def encrypt_into(
        self, data: Data, associated_data: Sequence[Data] | None, buf: Data, *, stream: Stream | None = None
    ) -> int:
        """As encrypt(), into memory of exactly the answer's length, which is returned."""
        return run_into(self, ENCRYPT, None, data, _strings(associated_data), buf=buf, stream=stream)

    def decrypt_into(
        self, data: Data, associated_data: Sequence[Data] | None, buf: Data, *, stream: Stream | None = None
    ) -> int:
        """As decrypt(), into memory of exactly the answer's length, which is returned."""
        return run_into(self, DECRYPT, None, data, _strings(associated_data), buf=buf, stream=stream)

    @overload
    def encrypt_batch(
        self,
        data: ArrayT,
        associated_data: Array | Sequence[Sequence[Data]],
        **options: "Unpack[BatchOptions]",
    ) -> Batch[ArrayT, ArrayT]: ...
    @overload
    def encrypt_batch(
        self,
        data: Sequence[ArrayT],
        associated_data: Array | Sequence[Sequence[Data]],
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[ArrayT], Any]: ...
    @overload
    def encrypt_batch(
        self,
        data: Sequence[Buffer],
        associated_data: Array | Sequence[Sequence[Data]],
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[bytes], list[bytes]]: ...
    @overload
    def encrypt_batch(
        self,
        data: Many,
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        out: Any = None,
        tags: Any = None,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[Any, Any]: ...
    def encrypt_batch(
        self,
        data: Many,
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        lengths: Sequence[int] | Array | None = None,
        out: Any = None,
        tags: Any = None,
        stream: Stream | None = None,
    ) -> Batch[Any, Any]:
        """Encrypts many messages in one call; the other arguments are those of AESGCM.encrypt_batch().

        associated_data: a list with a list of strings for each message, or an array whose rows, in its last
        dimension, are the strings, those of a message one after the other. There is at least one for each
        message, and for all messages the same number.
        """
        return run_batch(self, ENCRYPT, Messages(None, data, associated_data, lengths, out, tags, stream))

    @overload
    def decrypt_batch(
        self,
        data: ArrayT,
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        tags: TagsT,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[ArrayT, TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        data: Sequence[ArrayT],
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        tags: TagsT,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[ArrayT], TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        data: Sequence[Buffer],
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        tags: TagsT,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[list[bytes], TagsT]: ...
    @overload
    def decrypt_batch(
        self,
        data: Many,
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        tags: TagsT,
        out: Any,
        **options: "Unpack[BatchOptions]",
    ) -> Batch[Any, TagsT]: ...
    def decrypt_batch(
        self,
        data: Many,
        associated_data: Array | Sequence[Sequence[Data]],
        *,
        tags: Any,
        lengths: Sequence[int] | Array | None = None,
        out: Any = None,
        stream: Stream | None = None,
    ) -> Batch[Any, Any]:
        """Decrypts many messages in one call, with their tags apart, as encrypt_batch() returned them.

        Call check() on the answer before you use it, as after AESGCM.decrypt_batch().
        """
        return run_batch(self, DECRYPT, Messages(None, data, associated_data, lengths, out, tags, stream))


def _strings(associated_data: Sequence[Data] | None) -> list[Data]:
    if associated_data is None:
        return []
    if not isinstance(associated_data, (list, tuple)):
        raise TypeError(
            f"associated_data must be a list or tuple of strings, not {type(associated_data).__name__}"
        )
    return list(associated_data)
