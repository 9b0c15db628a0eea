"""What other GPUs than the measured one can be expected to do: the table of docs/design/architectures.md.

python -m devtools.architectures prints it. Nothing in it is measured but the shares, which are the H200's.
"""

from typing import NamedTuple

CHUNK = 16  # bytes of a block
ROUNDS = {128: 10, 256: 14}
ACCESS = 8  # look-ups that a block's load and store are worth
# What 64 Ki messages of 16 KiB in GCM-128 reach of an H200's bound (docs/benchmarks.md).
SHARE_OF_LOOKUPS = 0.89
SHARE_OF_MEMORY = 0.9  # of what the data sheet says, which copies reach


class Card(NamedTuple):
    """Of its data sheet: multiprocessors, the boost clock, and memory."""

    capability: int
    name: str
    multiprocessors: int
    ghz: float
    memory: float  # GB/s
    # Bytes of shared memory a clock and multiprocessor: by NVIDIA's white paper of GA102 (2020), 64 in Turing
    # and 128 in GA10x; the other architectures have 128 as well.
    path: int = 128


NOT_IN_PACKAGES = (87, 110)  # Jetson's, with ARM processors, for which no package is made

CARDS = (
    Card(75, "T4", 40, 1.59, 320, 64),
    Card(80, "A100 80 GB", 108, 1.41, 2039),
    Card(86, "A10", 72, 1.695, 600),
    Card(87, "Jetson AGX Orin", 16, 1.3, 204.8),
    Card(89, "L40S", 142, 2.52, 864),
    Card(90, "H200", 132, 1.98, 4800),
    Card(100, "B200", 148, 1.965, 7700),
    Card(110, "Jetson AGX Thor", 20, 1.575, 273),
    Card(120, "RTX PRO 6000", 188, 2.6, 1792),
)


def lookups_a_block(key_bits: int) -> float:
    """In CTR and GCM: 16 in each round but the first two, and 5/4 for those."""
    return 16 * (ROUNDS[key_bits] - 2) + 5 / 4


def lookups(card: Card) -> float:
    """A second, of four bytes."""
    return card.path / 4 * card.multiprocessors * card.ghz * 1e9


def bound(card: Card, key_bits: int) -> float:
    """GB/s by look-ups."""
    return lookups(card) * CHUNK / (lookups_a_block(key_bits) + ACCESS) / 1e9


def wall(card: Card) -> float:
    """GB/s by memory: each byte is read and written."""
    return SHARE_OF_MEMORY * card.memory / 2


def expected(card: Card, key_bits: int) -> float:
    return min(SHARE_OF_LOOKUPS * bound(card, key_bits), wall(card))


def row(card: Card) -> str:
    limit = "memory" if expected(card, 128) == wall(card) else "look-ups"
    numbers = (
        f"{card.path // 4}",
        f"{lookups(card) / 1e12:.2f}",
        f"{bound(card, 128):.0f} / {bound(card, 256):.0f}",
        f"{wall(card):.0f}",
        f"{expected(card, 128):.0f} / {expected(card, 256):.0f}",
    )
    machine = f"{card.name}: {card.multiprocessors} at {card.ghz:g} GHz, {card.memory:g} GB/s"
    return f"| {card.capability} | {machine} | {' | '.join(numbers)} | {limit} |"


if __name__ == "__main__":
    for card in CARDS:
        print(row(card))
