"""What other GPUs than the measured one can be expected to do: the table of docs/design/architectures.md.

`./dev evidence --figures` writes it. Nothing in it is measured but a share, which is that of the GPU of the
last benchmark.
"""

from typing import Any, NamedTuple

from devtools.process import Stop

Line = dict[str, Any]

CHUNK = 16  # bytes of a block
ROUNDS = {128: 10, 256: 14}
ACCESS = 8  # look-ups that a block's load and store are worth
# The line of the benchmark that says how much of the bound is reached where tables alone are used.
MEASURED = {
    "type": "result", "mode": "gcm", "where": "device", "kernel": "lane_private_tables", "key_bits": 128,
    "direction": "encrypt", "messages": 65536, "bytes": 16384, "key_each": False, "ragged": False,
    "framed": False, "misaligned_by": 0,
}  # fmt: skip
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


def copy_bound(card: Card) -> float:
    """GB/s by memory: each byte is read and written."""
    return SHARE_OF_MEMORY * card.memory / 2


def expected(card: Card, key_bits: int, share: float) -> float:
    """GB/s: a share of what look-ups allow, or what memory does."""
    return min(share * bound(card, key_bits), copy_bound(card))


def row(card: Card, share: float) -> str:
    fastest, slowest = (expected(card, key_bits, share) for key_bits in (128, 256))
    limit = "memory" if fastest == copy_bound(card) else "look-ups"
    numbers = (
        f"{card.path // 4}",
        f"{lookups(card) / 1e12:.2f}",
        f"{bound(card, 128):.0f} / {bound(card, 256):.0f}",
        f"{copy_bound(card):.0f}",
        f"{fastest:.0f} / {slowest:.0f}",
    )
    machine = f"{card.name}: {card.multiprocessors} at {card.ghz:g} GHz, {card.memory:g} GB/s"
    return f"| {card.capability} | {machine} | {' | '.join(numbers)} | {limit} |\n"


def table(source: str, lines: list[Line]) -> str:
    measured = next((line for line in lines if MEASURED.items() <= line.items()), None)
    if measured is None:
        raise Stop(f"{source} has no line of the messages that devtools/architectures.py looks for")
    share, limit, speed = measured["share"], measured["limit"], measured["gb_per_s"]
    return "".join(
        [
            f"The share is {share:.2f}: of the bound of {limit:.0f} GB/s, GCM-128 of 64 Ki messages of 16 ",
            f"KiB reaches {speed:.0f} on the\n{lines[0]['gpu']}, where tables alone are used ",
            f"([{source}](../../evidence/{source})).\n\n",
            "| capability | card | look-ups a clock | look-ups/s, 10^12 | bound, AES-128 / 256, GB/s "
            "| memory, GB/s | expected CTR and GCM, AES-128 / 256 | limit |\n",
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
            *(row(card, share) for card in CARDS),
        ]
    )
