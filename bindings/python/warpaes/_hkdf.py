"""HKDF (RFC 5869), for formats that ask for it."""

import hmac


def extract(hash_name: str, salt: bytes, secret: bytes | bytearray) -> bytearray:
    """Section 2.2: a key out of what has enough entropy, but is not uniform."""
    return bytearray(hmac.digest(salt, secret, hash_name))


def expand(hash_name: str, key: bytes | bytearray, info: bytes, length: int) -> bytearray:
    """Section 2.3: as many bytes as are asked for."""
    made, block, number = bytearray(), b"", 0
    while len(made) < length:
        number += 1
        block = hmac.digest(key, block + info + bytes([number]), hash_name)
        made += block
    return made[:length]
