"""PNG as the standard library can read and write it: 8 bits a channel, not interlaced."""

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Guess = Callable[[int, int, int], int]  # of a byte, from those to its left, above it, and in the corner
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    channels: int
    pixels: bytes


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width: int, height: int, colour_type: int = 2, depth: int = 8) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0))


def png(
    width: int, height: int, rows: bytes, colour_type: int = 2, *before: bytes, end: bytes | None = None
) -> bytes:
    """`rows` has a filter byte, here 0, before each row."""
    data = chunk(b"IDAT", zlib.compress(rows))
    last = chunk(b"IEND", b"") if end is None else end
    return SIGNATURE + header(width, height, colour_type) + b"".join(before) + data + last


def rows_of(pixels: bytes, row_bytes: int) -> bytes:
    starts = range(0, len(pixels), row_bytes)
    return b"".join(b"\0" + pixels[at : at + row_bytes] for at in starts)


def read(path: Path) -> Picture:
    file = path.read_bytes()
    assert file.startswith(SIGNATURE)
    at, data, shape = len(SIGNATURE), b"", (0, 0, 0, 0)
    while at < len(file):
        length, name = struct.unpack_from(">I4s", file, at)
        body = file[at + 8 : at + 8 + length]
        assert chunk(name, body) == file[at : at + 12 + length]
        if name == b"IHDR":
            shape = struct.unpack_from(">IIBB", body)
        if name == b"IDAT":
            data += body
        at += 12 + length
    width, height, depth, colour_type = shape
    assert depth == 8
    channels = CHANNELS[colour_type]
    return Picture(width, height, channels, unfiltered(zlib.decompress(data), width * channels, channels))


def unfiltered(data: bytes, row_bytes: int, channels: int) -> bytes:
    """PNG, section 9: each byte is told as its difference from those to the left, above, or of both."""
    above, pixels = bytes(row_bytes), bytearray()
    for at in range(0, len(data), row_bytes + 1):
        kind, row = data[at], data[at + 1 : at + 1 + row_bytes]
        if kind == UP:
            above = bytes([(told + upper) & 255 for told, upper in zip(row, above, strict=True)])
        elif kind != NONE:
            above = beside(GUESSES[kind], row, above, channels)
        else:
            above = row
        pixels += above
    return bytes(pixels)


def beside(guess: Guess, row: bytes, above: bytes, channels: int) -> bytes:
    """A row whose bytes are told with those to the left of them."""
    full, corners = bytearray(channels), bytes(channels) + above
    for left_at, (told, upper) in enumerate(zip(row, above, strict=True)):
        full.append((told + guess(full[left_at], upper, corners[left_at])) & 255)
    return bytes(full[channels:])


def paeth(left: int, above: int, corner: int) -> int:
    to_left, to_above, to_corner = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
    if to_left <= to_above and to_left <= to_corner:
        return left
    return above if to_above <= to_corner else corner


NONE, UP = 0, 2
GUESSES: dict[int, Guess] = {
    1: lambda left, _above, _corner: left,
    3: lambda left, above, _corner: (left + above) // 2,
    4: paeth,
}
