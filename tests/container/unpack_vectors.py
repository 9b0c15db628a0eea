"""Unpacks the chunked-encryption vectors of the package cryptography_vectors for the C++ test.

Usage: python3 unpack_vectors.py VECTORS.JSON OUTPUT.JSON. Ciphertexts are base64, some of them deflated;
in the output all are plain hexadecimal, so that the test needs neither decoder.
"""

import base64
import json
import sys
import zlib
from pathlib import Path
from typing import Any


def unpacked(vector: dict[str, Any]) -> dict[str, Any]:
    ciphertext = base64.b64decode(vector["ciphertext"] or "")
    if vector.get("compressed"):
        ciphertext = zlib.decompress(ciphertext)
    return {**vector, "ciphertext": ciphertext.hex()}


def main(source: Path, target: Path) -> None:
    vectors = json.loads(source.read_text())["vectors"]
    target.write_text(json.dumps({"vectors": [unpacked(vector) for vector in vectors]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
