"""warpaes lab penguin: pixels encrypted as other programs encrypt them; broken pictures refused."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.cli import pictures
from tests.cli.openssl_program import openssl
from tests.cli.pictures import SIGNATURE, chunk, header, png, rows_of
from tests.cli.program import Result, pattern, run, succeed

KEY = "2b7e151628aed2a6abf7158809cf4f3c"
COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
NONCE = "cafebabefacedbaddecaf888"
VERSIONS = ("plain", "ecb", "ctr", "gcm")


def encrypted(folder: Path, file: bytes, name: str = "image") -> dict[str, pictures.Picture]:
    (folder / name).write_bytes(file)
    succeed("lab", "penguin", "-q", folder / name, "-o", folder / "out")
    return {version: pictures.read(folder / "out" / f"{name}.{version}.png") for version in VERSIONS}


def by_openssl(mode: str, pixels: bytes, *iv: str) -> bytes:
    return openssl("enc", f"-aes-128-{mode}", "-K", KEY, *iv, stdin=pixels)[: len(pixels)]


def test_each_mode_is_the_one_of_other_programs(tmp_path: Path) -> None:
    pixels = pattern(3 * 21 * 17)  # not a multiple of 16
    made = encrypted(tmp_path, png(21, 17, rows_of(pixels, 3 * 21)))
    assert {(picture.width, picture.height, picture.channels) for picture in made.values()} == {(21, 17, 3)}
    assert made["plain"].pixels == pixels
    assert made["ecb"].pixels == by_openssl("ecb", pixels)
    assert made["ctr"].pixels == by_openssl("ctr", pixels, "-iv", COUNTER)
    sealed = AESGCM(bytes.fromhex(KEY)).encrypt(bytes.fromhex(NONCE), pixels, b"")
    assert made["gcm"].pixels == sealed[:-16]


def test_the_tag_is_told(tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(b"P5 4 4 255\n" + pattern(16))
    result = succeed("lab", "penguin", "--json", tmp_path / "image", "-o", tmp_path)
    sealed = AESGCM(bytes.fromhex(KEY)).encrypt(bytes.fromhex(NONCE), pattern(16), b"")
    assert [line.get("tag") for line in result.lines] == [None, None, None, sealed[-16:].hex(), None]
    assert result.last["command"] == "lab penguin"


def different_blocks(pixels: bytes) -> float:
    blocks = [pixels[at : at + 16] for at in range(0, len(pixels), 16)]
    return len(set(blocks)) / len(blocks)


def test_the_drawn_penguin_shows_in_ecb_only(tmp_path: Path) -> None:
    succeed("lab", "penguin", "-q", "-o", tmp_path)
    shares = {v: different_blocks(pictures.read(tmp_path / f"penguin.{v}.png").pixels) for v in VERSIONS}
    assert shares["plain"] == shares["ecb"] < 0.1
    assert shares["ctr"] == shares["gcm"] == 1


@pytest.mark.parametrize(
    ("file", "pixels"),
    [
        (b"P6 2 1 255\n" + bytes(range(6)), bytes(range(6))),
        (b"P6\n# a comment\n2 #another\n1\n255\n" + bytes(range(6)), bytes(range(6))),
        (b"P6 1 1 1\n\0\1\1", b"\0\xff\xff"),
        (b"P6 1 1 65535\n\0\0\x80\0\xff\xff", b"\0\x80\xff"),
        (b"P5 2 2 255\n\1\2\3\4", b"\1\2\3\4"),
        (b"P3 1 1 10 0 5 10", b"\0\x80\xff"),
        (b"P2 2 1 15\n0\n15\n", b"\0\xff"),
        (png(2, 1, b"\0\x10\x20", 0), b"\x10\x20"),
        (png(1, 1, b"\0\x10\x20\x30\xff", 6), b"\x10\x20\x30"),
        (png(1, 1, b"\0\x10\x20\x30\0", 6), b"\xff\xff\xff"),
        (png(2, 1, b"\0\0\1", 3, chunk(b"PLTE", b"\1\2\3\4\5\6")), b"\1\2\3\4\5\6"),
        (png(2, 1, b"\0" + bytes(6)) + b"what is behind the end", bytes(6)),
    ],
)
def test_formats(tmp_path: Path, file: bytes, pixels: bytes) -> None:
    assert encrypted(tmp_path, file)["plain"].pixels == pixels


WHOLE = png(40, 30, rows_of(pattern(3600), 120))

BROKEN = {
    "empty": (b"", "the file is empty"),
    "text": (b"What a fine picture", "no PNG, PPM or PGM"),
    "jpeg": (b"\xff\xd8\xff\xe0" + bytes(100), "no PNG, PPM or PGM"),
    "bitmap P4": (b"P4 8 8\n" + bytes(8), "no PNG, PPM or PGM"),
    "signature only": (SIGNATURE, "ends too early"),
    "no end": (png(1, 1, bytes(4), end=b""), "ends too early"),
    "chunk beyond the end": (SIGNATURE + b"\xff\xff\xff\xffIHDR" + bytes(99), "ends too early"),
    "no pixels": (SIGNATURE + header(1, 1) + chunk(b"IEND", b""), "broken PNG"),
    "too few rows": (png(1, 9, bytes(4)), "broken PNG"),
    "no zlib": (SIGNATURE + header(1, 1) + chunk(b"IDAT", b"no") + chunk(b"IEND", b""), "broken PNG"),
    "width 0": (png(0, 1, bytes(4)), "broken PNG"),
    "height 0": (png(1, 0, bytes(4)), "broken PNG"),
    "absurd": (png(100_000, 100_000, bytes(4)), "100000 x 100000 pixels"),
    "negative": (png(0xFFFFFFFF, 1, bytes(4)), "broken PNG"),
    "colour type 5": (png(1, 1, bytes(4), 5), "broken PNG"),
    "palette missing": (png(1, 1, bytes(2), 3), "broken PNG"),
    "ppm header only": (b"P6", "ends too early"),
    "ppm without height": (b"P6 3", "ends too early"),
    "ppm of letters": (b"P6 a b", "width is no number"),
    "ppm of a negative width": (b"P6 -3 3 255\n" + bytes(27), "width is no number"),
    "ppm without pixels": (b"P6 0 5 255\n", "without pixels"),
    "ppm too short": (b"P6 3 3 255\n" + bytes(26), "26 bytes of samples, 27 needed"),
    "ppm of two bytes too short": (b"P6 3 3 256\n" + bytes(27), "27 bytes of samples, 54 needed"),
    "ppm without space": (b"P6 1 1 255", "ends too early"),
    "ppm maxval 0": (b"P6 1 1 0\n" + bytes(3), "highest value is 0"),
    "ppm maxval": (b"P6 1 1 65536\n" + bytes(6), "highest value is 65536"),
    "ppm above maxval": (b"P6 1 1 9\n" + bytes([1, 2, 10]), "sample of 10 above 9"),
    "ppm absurd": (b"P6 99999999 99999999 255\n", "99999999 x 99999999 pixels"),
    "ppm overflowing": (b"P6 " + b"9" * 60 + b" 2 255\n", "pixels"),
    "ppm product overflowing": (b"P6 4294967296 4294967296 255\n", "pixels"),
    "plain ppm too short": (b"P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11", "ends too early"),
    "plain ppm of letters": (b"P3 1 1 255 1 two 3", "sample is no number"),
}


def refuse(folder: Path, file: bytes) -> Result:
    image = folder / "image"
    image.write_bytes(file)
    result = run("lab", "penguin", image, "-o", folder / "out")
    assert result.code == 1, result
    assert result.err.startswith(f"warpaes: error: {image}: ")
    assert "warpaes: hint: " in result.err
    assert not (folder / "out").exists()
    return result


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pictures(tmp_path: Path, name: str) -> None:
    file, complaint = BROKEN[name]
    assert complaint in refuse(tmp_path, file).err


def test_truncated_anywhere(tmp_path: Path) -> None:
    for size in [*range(0, 60, 7), *range(60, len(WHOLE), len(WHOLE) // 12), len(WHOLE) - 1]:
        refuse(tmp_path, WHOLE[:size])


def test_a_bit_flipped_in_what_matters(tmp_path: Path) -> None:
    """Of the signature, the header, the pixels, and their checksums."""
    for at in (1, 17, 24, 31, 45, 60, len(WHOLE) // 2, len(WHOLE) - 14):
        damaged = bytearray(WHOLE)
        damaged[at] ^= 4
        refuse(tmp_path, bytes(damaged))


@pytest.mark.parametrize("existing", VERSIONS)
def test_nothing_is_replaced_or_half_done(tmp_path: Path, existing: str) -> None:
    taken = tmp_path / f"penguin.{existing}.png"
    taken.write_bytes(b"mine")
    result = run("lab", "penguin", "-o", tmp_path)
    assert result.code == 1
    assert "exists already" in result.err
    assert "--force replaces it; -o names another folder" in result.err
    assert [path.name for path in tmp_path.iterdir()] == [taken.name]
    assert taken.read_bytes() == b"mine"
    succeed("lab", "penguin", "-q", "-f", "-o", tmp_path)
    assert len(list(tmp_path.iterdir())) == len(VERSIONS)


def test_missing_picture_and_impossible_folder(tmp_path: Path) -> None:
    assert run("lab", "penguin", tmp_path / "none").code == 10
    (tmp_path / "file").write_bytes(b"")
    result = run("lab", "penguin", "-o", tmp_path / "file" / "folder")
    assert result.code == 1
    assert "Not a directory" in result.err


def test_no_control_characters_of_the_folder_reach_the_terminal(tmp_path: Path) -> None:
    out = succeed("lab", "penguin", "-o", tmp_path / "o\x1b[31mred").out
    assert b"\x1b" not in out
    assert b"\\x1b[31mred" in out


def test_from_standard_input(tmp_path: Path) -> None:
    succeed("lab", "penguin", "-q", "-", "-o", tmp_path, stdin=b"P5 1 1 255\nx")
    assert pictures.read(tmp_path / "picture.plain.png").pixels == b"x"
