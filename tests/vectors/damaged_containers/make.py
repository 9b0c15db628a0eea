"""Makes this corpus: containers with one fault each, and cases.json, which says what a reader has to find.

    python -m tests.vectors.damaged_containers.make

The containers are sealed here with fixed salts, from the specification (c2sp.org/chunked-encryption) and
nothing of WarpAES, so that every run makes the same bytes.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

FOLDER = Path(__file__).parent
CHUNK, SEALED_CHUNK, SALT, HEADER, TAG = 16384, 16400, 24, 56, 16
KEY = bytes(range(32))
LABEL = b"c2sp.org/chunked-encryption@v1+"


def plaintext(length: int) -> bytes:
    return hashlib.shake_128(b"damaged containers").digest(length)


@dataclass(frozen=True)
class Container:
    """The keys of a container, and its parts."""

    length: int
    number: int = 0  # salts differ by it
    key: bytes = KEY
    context: bytes = b""

    @property
    def salt(self) -> bytes:
        return hashlib.shake_128(b"salt %d" % self.number).digest(SALT)

    @property
    def derived(self) -> bytes:
        name = b"AEAD_AES_%d_GCM" % (8 * len(self.key))
        expand = HKDFExpand(
            SHA512(), len(self.key) + 12 + 32, LABEL + name + b"\0" + self.salt + self.context
        )
        return expand.derive(self.key)

    @property
    def header(self) -> bytes:
        return self.salt + self.derived[-32:]

    def sealed(self, number: int, data: bytes) -> bytes:
        derived, size = self.derived, len(self.key)
        base = int.from_bytes(derived[size : size + 12], "big")
        return AESGCM(derived[:size]).encrypt((base ^ number).to_bytes(12, "big"), data, None)

    @property
    def chunks(self) -> list[bytes]:
        data = plaintext(self.length)
        pieces = [data[at : at + CHUNK] for at in range(0, self.length + 1, CHUNK)]
        return [self.sealed(number, piece) for number, piece in enumerate(pieces)]

    @property
    def whole(self) -> bytes:
        return self.header + b"".join(self.chunks)


@dataclass(frozen=True)
class Case:
    name: str
    content: bytes
    outcome: str  # "opens", "wrong key", "truncated", "damaged"
    comment: str
    key: bytes = KEY
    context: bytes = b""
    plaintext: bytes = b""  # if it opens
    sound: tuple[int, ...] = ()  # chunks that open by themselves, in a container that is damaged or truncated
    fault: dict[str, int] = field(default_factory=dict)  # "chunk", the first that is wrong

    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "file": f"{self.name}.wa",
            "comment": self.comment,
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "key": self.key.hex(),
            "context": self.context.hex(),
            "outcome": self.outcome,
        }
        if self.outcome == "opens":
            row["plaintext_sha256"] = hashlib.sha256(self.plaintext).hexdigest()
        if self.outcome == "damaged":
            row |= self.fault
        if self.outcome in ("damaged", "truncated"):
            row["sound_chunks"] = list(self.sound)
        return row


def flipped(content: bytes, at: int, bit: int = 0) -> bytes:
    return content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def intact() -> list[Case]:
    """What the others were made from: a reader that refuses these proves nothing by refusing the rest."""
    made = [
        ("intact-empty", Container(0), "no plaintext: one chunk that is only a tag"),
        ("intact-short", Container(5), "five bytes"),
        ("intact-one-chunk", Container(CHUNK), "one full chunk and an empty last one"),
        ("intact-three-chunks", Container(2 * CHUNK + 5), "two full chunks and five bytes"),
        ("intact-128-bit", Container(5, key=KEY[:16]), "Cobblestone-128"),
        ("intact-context", Container(5, context=b"a name"), "a context string of six bytes"),
    ]
    return [
        Case(name, of.whole, "opens", comment, key=of.key, context=of.context, plaintext=plaintext(of.length))
        for name, of, comment in made
    ]


def headers() -> list[Case]:
    short = Container(5)
    changed = [
        ("salt-first-bit", flipped(short.whole, 0, 7), "the first bit of the salt is changed"),
        ("salt-last-bit", flipped(short.whole, 23), "the last bit of the salt is changed"),
        ("commitment-first-bit", flipped(short.whole, 24, 7), "the first bit of the commitment is changed"),
        ("commitment-last-bit", flipped(short.whole, 55), "the last bit of the commitment is changed"),
        ("header-all-zero", bytes(HEADER) + short.chunks[0], "a header of zeros"),
    ]
    cases = [Case(name, content, "wrong key", comment) for name, content, comment in changed]
    cases += [
        Case("key-wrong", short.whole, "wrong key", "another key", key=flipped(KEY, 31)),
        Case(
            "key-half",
            short.whole,
            "wrong key",
            "the first half of the key, as for Cobblestone-128",
            key=KEY[:16],
        ),
        Case(
            "context-missing",
            Container(5, context=b"a name").whole,
            "wrong key",
            "opened without its context",
        ),
        Case(
            "context-surplus",
            short.whole,
            "wrong key",
            "opened with a context that it has not",
            context=b"a name",
        ),
        Case(
            "header-of-another",
            Container(5, 1).header + short.chunks[0],
            "damaged",
            "the header of another container under the same key: it is the chunk that does not fit",
            fault={"chunk": 0},
        ),
        Case(
            "header-of-no-context",
            Container(5).header + Container(5, context=b"a name").chunks[0],
            "damaged",
            "the header of no context before a chunk of one",
            fault={"chunk": 0},
        ),
    ]
    return cases


def chunks() -> list[Case]:
    three, other = Container(2 * CHUNK + 5), Container(2 * CHUNK + 5, 1)
    header, (first, second, last) = three.header, three.chunks
    second_at, last_at = HEADER + SEALED_CHUNK, HEADER + 2 * SEALED_CHUNK
    return [
        Case(
            "chunk-ciphertext-bit",
            flipped(three.whole, second_at + 100),
            "damaged",
            "a bit of the second chunk",
            fault={"chunk": 1},
            sound=(0, 2),
        ),
        Case(
            "chunk-tag-bit",
            flipped(three.whole, second_at - 1),
            "damaged",
            "the last bit of the first chunk's tag",
            fault={"chunk": 0},
            sound=(1, 2),
        ),
        Case(
            "last-chunk-bit",
            flipped(three.whole, last_at),
            "damaged",
            "a bit of the last chunk",
            fault={"chunk": 2},
            sound=(0, 1),
        ),
        Case(
            "last-tag-bit",
            flipped(three.whole, len(three.whole) - 1),
            "damaged",
            "the last bit of the container",
            fault={"chunk": 2},
            sound=(0, 1),
        ),
        Case(
            "chunks-swapped",
            header + second + first + last,
            "damaged",
            "the first two chunks change places",
            fault={"chunk": 0},
            sound=(2,),
        ),
        Case(
            "chunk-repeated",
            header + first + first + second + last,
            "damaged",
            "the first chunk is there twice",
            fault={"chunk": 1},
            sound=(0,),
        ),
        Case(
            "chunk-missing",
            header + first + last,
            "damaged",
            "the second chunk is missing",
            fault={"chunk": 1},
            sound=(0,),
        ),
        Case(
            "chunk-of-another",
            header + first + other.chunks[1] + last,
            "damaged",
            "the second chunk of another container under the same key",
            fault={"chunk": 1},
            sound=(0, 2),
        ),
        Case(
            "last-chunk-of-another",
            header + first + second + other.chunks[2],
            "damaged",
            "the last chunk of another container under the same key",
            fault={"chunk": 2},
            sound=(0, 1),
        ),
        Case(
            "chunk-of-zeros",
            header + first + bytes(SEALED_CHUNK) + last,
            "damaged",
            "zeros where the second chunk was, as a disk gives them",
            fault={"chunk": 1},
            sound=(0, 2),
        ),
        Case(
            "shifted",
            header + b"\0" + first + second + last,
            "damaged",
            "a byte too many behind the header",
            fault={"chunk": 0},
        ),
    ]


def ends() -> list[Case]:
    empty, short, one, three = Container(0), Container(5), Container(CHUNK), Container(2 * CHUNK + 5)
    header, (first, second, last) = three.header, three.chunks
    cut = [(length, "truncated") for length in (0, 1, 23, 24, 55, 56, 57, 71)] + [
        (72, "damaged"),
        (76, "damaged"),
    ]
    cases = [
        Case(
            f"cut-to-{length}",
            short.whole[:length],
            outcome,
            f"the first {length} of 77 bytes",
            fault={"chunk": 0},
        )
        for length, outcome in cut
    ]
    return [
        *cases,
        Case("end-missing", header + first + second, "truncated", "the last chunk is missing", sound=(0, 1)),
        Case(
            "end-missing-empty-chunk",
            one.header + one.chunks[0],
            "truncated",
            "the empty last chunk is missing",
            sound=(0,),
        ),
        Case(
            "end-missing-in-tag",
            (header + first + second + last)[: HEADER + 2 * SEALED_CHUNK + 15],
            "truncated",
            "cut in the last chunk, of which fewer bytes are left than a tag has",
            sound=(0, 1),
        ),
        Case(
            "end-missing-in-chunk",
            (header + first + second)[:-1],
            "damaged",
            "cut one byte before a chunk's end",
            fault={"chunk": 1},
            sound=(0,),
        ),
        Case("byte-appended", short.whole + b"\0", "damaged", "a byte behind the end", fault={"chunk": 0}),
        Case(
            "tag-appended",
            short.whole + bytes(TAG),
            "damaged",
            "sixteen bytes behind the end",
            fault={"chunk": 0},
        ),
        Case(
            "byte-appended-to-empty",
            empty.whole + b"\0",
            "damaged",
            "a byte behind a container of no plaintext",
            fault={"chunk": 0},
        ),
        Case(
            "container-appended",
            short.whole + short.whole,
            "damaged",
            "the same container twice",
            fault={"chunk": 0},
        ),
        Case(
            "chunk-appended",
            one.whole + one.sealed(2, b"more"),
            "damaged",
            "a further chunk behind the last one",
            fault={"chunk": 1},
            sound=(0,),
        ),
    ]


def cases() -> list[Case]:
    return [*intact(), *headers(), *chunks(), *ends()]


if __name__ == "__main__":
    for made in cases():
        (FOLDER / f"{made.name}.wa").write_bytes(made.content)
    rows = [made.row() for made in cases()]
    (FOLDER / "cases.json").write_text(json.dumps({"cases": rows}, indent=1) + "\n")
