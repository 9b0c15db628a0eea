"""The long answers of src/engines/known_answers.hpp and known_batches.hpp, derived with pyca/cryptography."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV, AESOCB3, AESSIV
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.keywrap import aes_key_wrap, aes_key_wrap_with_padding

ENGINES = Path(__file__).parents[2] / "src" / "engines"
SHORT, HEADER = (ENGINES / "known_answers.hpp").read_text().split("kLongs", 1)
BATCHES = (ENGINES / "known_batches.hpp").read_text()
LONG_BYTES = 70_001
BATCH_MESSAGES, BATCH_BYTES, BATCH_AAD_BYTES = 9, 4_099, 21
LONG_AAD_BYTES = 1_021
RAGGED_MESSAGES = 67
COUNTER = bytes.fromhex("fffffffffffffffffffffffffffffc00")


def pattern(length: int, seed: int) -> bytes:
    """Known to known_answers.hpp by the same name."""
    return bytes((i * 197 + (i >> 8) * 29 + seed) & 0xFF for i in range(length))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def encrypt(
    key: bytes, mode: modes.ECB | modes.CTR | modes.CBC | modes.XTS | CFB | CFB8 | OFB, data: bytes
) -> bytes:
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def decrypt(key: bytes, mode: modes.ECB | modes.CBC | CFB, data: bytes) -> bytes:
    decryptor = Cipher(algorithms.AES(key), mode).decryptor()
    return decryptor.update(data) + decryptor.finalize()


def answers(key_bytes: int) -> list[str]:
    key, data = pattern(key_bytes, 1), pattern(LONG_BYTES, 2)
    ecb = encrypt(key, modes.ECB(), data[: LONG_BYTES // 16 * 16])
    ctr = encrypt(key, modes.CTR(COUNTER), data)
    sealed = AESGCM(key).encrypt(pattern(12, 3), data, pattern(LONG_AAD_BYTES, 4))
    batch = [
        AESGCM(key).encrypt(pattern(12, 16 + m), pattern(BATCH_BYTES, 32 + m), pattern(BATCH_AAD_BYTES, 4))
        for m in range(BATCH_MESSAGES)
    ]
    gmac = AESGCM(key).encrypt(pattern(12, 3), b"", data)
    return [sha256(ecb), sha256(ctr), sha256(sealed), sha256(b"".join(batch)), sha256(gmac)]


def shifted_answers(key_bytes: int) -> list[str]:
    """Of data for which GPUs have kernels of their own if it is not aligned."""
    key = pattern(key_bytes, 1)
    sealed = AESGCM(key).encrypt(pattern(12, 3), pattern(LONG_BYTES, 2), pattern(1_037, 4))

    def batch(messages: int, length: int) -> str:
        return sha256(
            b"".join(
                AESGCM(key).encrypt(pattern(12, 16 + m), pattern(length, 32 + m), pattern(BATCH_AAD_BYTES, 4))
                for m in range(messages)
            )
        )

    ctr = encrypt(key, modes.CTR(COUNTER), pattern(560_003, 2))
    return [sha256(ctr), sha256(sealed), batch(3, 8_191), batch(401, 637)]


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def xts_unit(key: bytes, tweak_key: bytes, number: int, data: bytes) -> bytes:
    """IEEE 1619 section 5.3: pyca has no XTS with keys of 192 bits."""

    def number_as_block(number: int) -> bytes:
        return number.to_bytes(16, "little")

    tweak = int.from_bytes(encrypt(tweak_key, modes.ECB(), number_as_block(number)), "little")
    tweaks = []
    for _ in range(len(data) // 16 + 1):
        tweaks.append(number_as_block(tweak))
        tweak = tweak << 1 if tweak < 1 << 127 else (tweak << 1) ^ (1 << 128 | 0x87)
    whole = len(data) // 16 * 16
    mask = b"".join(tweaks)[:whole]
    sealed = xor(encrypt(key, modes.ECB(), xor(data[:whole], mask)), mask)
    tail = data[whole:]
    if tail:
        stolen = sealed[-16:]
        last = xor(tail + stolen[len(tail) :], tweaks[-1])
        sealed = sealed[:-16] + xor(encrypt(key, modes.ECB(), last), tweaks[-1]) + stolen[: len(tail)]
    return sealed


def parallel_answers(key_bytes: int) -> list[str]:
    key, tweak_key, data, iv = (
        pattern(key_bytes, 1),
        pattern(key_bytes, 6),
        pattern(LONG_BYTES, 2),
        pattern(16, 5),
    )

    def xts(unit: int, data: bytes) -> bytes:
        starts = range(0, len(data), unit)
        numbers = [(2**128 - 3 + i) % 2**128 for i in range(len(starts))]
        units = [
            xts_unit(key, tweak_key, number, data[at : at + unit])
            for number, at in zip(numbers, starts, strict=True)
        ]
        if key_bytes != 24:
            mode = modes.XTS(numbers[0].to_bytes(16, "little"))
            assert encrypt(key + tweak_key, mode, data[:unit]) == units[0]
        return b"".join(units)

    return [
        sha256(decrypt(key, modes.CBC(iv), data[:-1])),
        sha256(decrypt(key, CFB(iv), data)),
        sha256(xts(1040, data[:-1])),
        sha256(xts(1003, data)),
    ]


class Eax:
    """Bellare, Rogaway and Wagner, "The EAX Mode of Operation", figure 2: pyca has none."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def omac(self, number: int, data: bytes) -> bytes:
        authenticator = CMAC(algorithms.AES(self.key))
        authenticator.update(number.to_bytes(16, "big") + data)
        return authenticator.finalize()

    def encrypt(self, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        counter = self.omac(0, nonce)
        sealed = encrypt(self.key, modes.CTR(counter), data)
        return sealed + xor(xor(counter, self.omac(1, aad)), self.omac(2, sealed))


class Siv:
    """RFC 5297, with the nonce behind the additional data and the tag behind the ciphertext."""

    def __init__(self, mac_key: bytes, key: bytes) -> None:
        self.siv = AESSIV(mac_key + key)

    def encrypt(self, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        sealed = self.siv.encrypt(data, [aad, nonce])
        return sealed[16:] + sealed[:16]


def siv_with_strings(key_bytes: int) -> str:
    """Three strings of additional data for each message, and its nonce."""
    siv = AESSIV(pattern(key_bytes, 6) + pattern(key_bytes, 1))
    sealed = []
    for m in range(BATCH_MESSAGES):
        strings = [pattern(BATCH_AAD_BYTES, 64 + 3 * m + s) for s in range(3)]
        tag_first = siv.encrypt(pattern(BATCH_BYTES, 32 + m), [*strings, pattern(12, 16 + m)])
        sealed.append(tag_first[16:] + tag_first[:16])
    return sha256(b"".join(sealed))


def sealed_answers(key_bytes: int) -> list[str]:
    key = pattern(key_bytes, 1)

    def batch(mode: AESGCMSIV | AESCCM | Eax | AESOCB3 | Siv) -> str:
        aad = pattern(BATCH_AAD_BYTES, 4)
        sealed = [
            mode.encrypt(pattern(12, 16 + m), pattern(BATCH_BYTES, 32 + m), aad)
            for m in range(BATCH_MESSAGES)
        ]
        return sha256(b"".join(sealed))

    def long(mode: AESGCMSIV | AESOCB3) -> str:
        return sha256(mode.encrypt(pattern(12, 3), pattern(LONG_BYTES, 2), pattern(LONG_AAD_BYTES, 4)))

    ocb = AESOCB3(key)
    others = [long(ocb), batch(AESCCM(key)), batch(Eax(key)), batch(ocb)]
    others.append(batch(Siv(pattern(key_bytes, 6), key)))
    others.append(siv_with_strings(key_bytes))
    if key_bytes == 24:  # RFC 8452 has no such keys
        return others
    siv = AESGCMSIV(key)
    return [long(siv), batch(siv), *others]


def padded(data: bytes) -> bytes:
    padder = padding.PKCS7(128).padder()
    return padder.update(data) + padder.finalize()


def stolen(variant: int, key: bytes, iv: bytes, data: bytes) -> bytes:
    """The addendum to SP 800-38A, of which pyca has nothing: CBC-CS1 to CS3."""
    sealed = encrypt(key, modes.CBC(iv), data + bytes(-len(data) % 16))
    before, (last_but_one, last) = sealed[:-32], (sealed[-32:-16], sealed[-16:])
    if len(sealed) == 16:
        return sealed
    kept = last_but_one[: len(data) % 16 or 16]
    swapped = variant == 3 or (variant == 2 and len(kept) < 16)
    return before + (last + kept if swapped else kept + last)


def cfb1(key: bytes, iv: bytes, data: bytes) -> bytes:
    """SP 800-38A section 6.3 with s = 1, of which pyca has nothing."""
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    register, bits = int.from_bytes(iv, "big"), int.from_bytes(data, "big")
    sealed = 0
    for at in reversed(range(8 * len(data))):
        bit = cipher.update(register.to_bytes(16, "big"))[0] >> 7 ^ (bits >> at & 1)
        register = (register << 1 | bit) & (1 << 128) - 1
        sealed = sealed << 1 | bit
    return sealed.to_bytes(len(data), "big")


def ragged_answers(key_bytes: int) -> list[str]:
    key, tweak_key = pattern(key_bytes, 1), pattern(key_bytes, 6)

    def batch(first: int, step: int, crypt: Callable[[bytes, bytes], bytes]) -> str:
        messages = [pattern(first + step * m, 32 + m) for m in range(RAGGED_MESSAGES)]
        return sha256(b"".join(crypt(pattern(16, 16 + m), data) for m, data in enumerate(messages)))

    def tag(_: bytes, data: bytes) -> bytes:
        authenticator = CMAC(algorithms.AES(key))
        authenticator.update(data)
        return authenticator.finalize()

    def unit(number: bytes, data: bytes) -> bytes:
        return xts_unit(key, tweak_key, int.from_bytes(number, "little"), data)

    def by_stealing(variant: int) -> Callable[[bytes, bytes], bytes]:
        return lambda iv, data: stolen(variant, key, iv, data)

    return [
        batch(0, 16, lambda _, data: encrypt(key, modes.ECB(), data)),
        batch(0, 16, lambda iv, data: encrypt(key, modes.CBC(iv), data)),
        batch(0, 13, lambda iv, data: encrypt(key, CFB(iv), data)),
        batch(0, 13, lambda iv, data: encrypt(key, OFB(iv), data)),
        batch(0, 13, lambda iv, data: encrypt(key, modes.CTR(iv), data)),
        batch(0, 13, tag),
        batch(16, 8, lambda _, data: aes_key_wrap(key, data)),
        batch(1, 11, lambda _, data: aes_key_wrap_with_padding(key, data)),
        batch(16, 13, unit),
        batch(0, 7, lambda _, data: encrypt(key, modes.ECB(), padded(data))),
        batch(0, 7, lambda iv, data: encrypt(key, modes.CBC(iv), padded(data))),
        *(batch(16, 13, by_stealing(variant)) for variant in (1, 2, 3)),
        batch(0, 5, lambda iv, data: encrypt(key, CFB8(iv), data)),
        batch(0, 3, lambda iv, data: cfb1(key, iv, data)),
    ]


def brief_answers() -> list[str]:
    """Of messages that a CPU's engine is tested with before its first use."""
    key, data = pattern(32, 1), pattern(2_133, 2)
    whole, first = data[: len(data) // 16 * 16], int.from_bytes(bytes.fromhex("fd" + 15 * "ff"), "little")
    return [
        sha256(encrypt(key, modes.ECB(), whole)),
        sha256(encrypt(key, modes.CTR(bytes.fromhex(15 * "ff" + "c0")), data)),
        sha256(decrypt(key, modes.CBC(pattern(16, 5)), whole)),
        sha256(xts_unit(key, pattern(32, 6), first, data)),
    ]


LISTS = (answers, shifted_answers, parallel_answers, sealed_answers, ragged_answers)


@pytest.mark.parametrize("key_bytes", [16, 24, 32])
def test_header_holds_the_answers(key_bytes: int) -> None:
    for each in LISTS:
        for answer in each(key_bytes):
            assert f'"{answer}"' in HEADER + BATCHES


def test_header_holds_no_other() -> None:
    known = {answer for bits in (16, 24, 32) for each in LISTS for answer in each(bits)}
    assert len(known) == 15 + 12 + 12 + 22 + 48
    known.update(brief_answers())
    ragged, _ = BATCHES.split("RFC 3394 sections")
    assert set(re.findall(r'"([0-9a-f]{64})"', HEADER + ragged)) == known


def test_header_holds_the_tag_of_parts() -> None:
    """Of a message that is checked before anything else, and so is short."""
    sealed = AESGCM(pattern(32, 1)).encrypt(pattern(12, 3), pattern(2_133, 2), pattern(LONG_AAD_BYTES, 4))
    assert f'kPartsTag = "{sealed[-16:].hex()}"' in HEADER


def test_header_holds_the_brief_answers() -> None:
    """In their order, and each of CCM and OCB3 as it is."""
    _, brief = HEADER.split("kBrief{")
    assert re.findall(r'"([0-9a-f]{64})"', brief)[:4] == brief_answers()
    joined = re.sub(r'"\s+"', "", brief.split("kBriefSealed{{")[1])
    for key_bytes in (16, 24, 32):
        ccm, ocb3 = (
            mode(pattern(key_bytes, 1))
            .encrypt(pattern(12, 3), pattern(77, 2), pattern(BATCH_AAD_BYTES, 4))
            .hex()
            for mode in (AESCCM, AESOCB3)
        )
        assert re.search(rf'\{{{8 * key_bytes},\s+"{ccm}",\s+"{ocb3}"}}', joined)


def test_chains_are_the_standards() -> None:
    """SP 800-38A: pyca says the same of CBC, CFB and OFB, with the keys that CTR has."""
    counters, chains = (SHORT.split(f"{name}{{{{")[1].split("}};")[0] for name in ("kCounters", "kChains"))
    keys = re.findall(r'\{"(\w+)",', counters)
    rows = re.findall(r'\{"(\w+)",\s+"(\w+)",\s+"(\w+)"\}', re.sub(r'"\s+"', "", chains))
    plaintext = bytes.fromhex("".join(re.findall(r'"(\w{64})"', SHORT.split("kCounterPlaintext")[1])[:2]))
    iv = bytes.fromhex(re.findall(r'kChainsIv = "(\w+)"', SHORT)[0])
    assert len(keys) == len(rows) == 3
    for key, row in zip(keys, rows, strict=True):
        expected = [encrypt(bytes.fromhex(key), mode(iv), plaintext).hex() for mode in (modes.CBC, CFB, OFB)]
        assert list(row) == expected


def test_examples_are_the_standards() -> None:
    """Whoever typed them could have erred: pyca says the same."""
    wraps, units = BATCHES.split("kWraps")[1].split("kDataUnits{{")
    rows = re.findall(r'\{(true|false),\s+"(\w+)",\s+"(\w+)",\s+"(\w+)"\}', wraps)
    assert len(rows) == 8
    for padded, *row in rows:
        key, data, wrapped = map(bytes.fromhex, row)
        assert (aes_key_wrap_with_padding if padded == "true" else aes_key_wrap)(key, data) == wrapped
    unit_rows = re.findall(r'\{"(\w+)",\s+"(\w+)",\s+"(\w+)",\s+"(\w+)",\s+"(\w+)"\}', units)
    assert len(unit_rows) == 3
    for row in unit_rows:
        key, tweak_key, number, plaintext, ciphertext = map(bytes.fromhex, row)
        assert xts_unit(key, tweak_key, int.from_bytes(number, "little"), plaintext) == ciphertext
