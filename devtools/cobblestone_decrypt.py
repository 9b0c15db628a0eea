"""Decrypts a container with the implementation in the Python package `cryptography`, as a witness.

Usage: python cobblestone_decrypt.py KEYFILE CONTAINER. Prints the SHA-256 of the plaintext. Runs in
.venv, where that package is.
"""

import hashlib
import sys
from pathlib import Path

from cryptography.cobblestone import Cobblestone256Decryptor

PIECE_BYTES = 4 << 20


def plaintext_sha256(key: bytes, container: Path) -> str:
    digest = hashlib.sha256()
    decryptor = Cobblestone256Decryptor(key, b"")
    with container.open("rb") as stream:
        while piece := stream.read(PIECE_BYTES):
            digest.update(decryptor.update(piece))
    digest.update(decryptor.finalize())
    return digest.hexdigest()


if __name__ == "__main__":
    print(plaintext_sha256(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])))
