"""The commands that a campaign disturbs: what lies in a folder before each, and what it may leave there."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESSIV

from tests.cli.program import CHUNK, HEADER, SEALED_CHUNK, command_line, environment, pattern, succeed

HEXADECIMAL_KEY = 65  # bytes of a key's file
PLAINTEXT = pattern(3 * CHUNK + 100)
KEY, NEW_KEY = pattern(32), pattern(33)[1:]
NONCE_BYTES = 12
# More than kKeptInMemory of cli/spool.hpp and a block of its file.
SPOOLED = pattern((32 << 20) + (512 << 10) + 5)
MANY_CALLS = 60  # what comes by a pipe takes a thousand and is slow


@dataclass(frozen=True)
class Case:
    """A command, and what lies in its folder before and after it. Outputs are named with their plaintexts."""

    name: str
    arguments: tuple[str, ...]
    before: Mapping[str, bytes]
    outputs: Mapping[str, bytes] = field(default_factory=dict)
    removes: bool = False  # the inputs, once the outputs are there
    stdin: bytes = b""
    stdout: bytes | None = None  # what it writes there; None: whatever it likes
    code: int = 0  # the exit code if nothing is disturbed
    calls_sample: int = 1  # a test tries one in so many of the calls that it would try of others

    def may_be(self, name: str, content: bytes, folder: Path) -> bool:
        """Is this what the file may hold?"""
        if content == self.before.get(name):
            return True
        if self.name == "keygen":
            return len(content) == HEXADECIMAL_KEY
        return name in self.outputs and plaintext_of(folder, name, content) == self.outputs[name]

    def may_go(self, name: str, there: Mapping[str, bytes]) -> bool:
        """May this file be missing afterwards? An input that is to be removed, if its own output is there."""
        output = name.removesuffix(".wa") if name.endswith(".wa") else f"{name}.wa"
        return self.removes and output in there


def plaintext_of(folder: Path, name: str, content: bytes) -> bytes | None:
    """Of a container, by the program without faults; of a message of GCM or CCM, by another program; other
    files are plaintext. None if it does not open."""
    if name.endswith((".gcm", ".ccm")):
        try:
            if name.endswith(".ccm"):
                return AESCCM(KEY).decrypt(bytes(11), content, None)
            return AESGCM(KEY).decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], None)
        except (InvalidTag, ValueError):
            return None
    if not name.endswith(".wa"):
        return content
    opened = subprocess.run(
        command_line("decrypt", "-q", "-k", folder / "key", "-"),
        input=content,
        capture_output=True,
        check=False,
        env=environment(),
    )
    return opened.stdout if opened.returncode == 0 else None


def sealed_under(key: bytes, plaintext: bytes, folder: Path) -> bytes:
    path = folder / "key"
    path.write_bytes(key)
    path.chmod(0o600)
    return succeed("encrypt", "-q", "-k", path, "-", stdin=plaintext).out


def with_prefix(prefix: str, files: Mapping[str, bytes], suffix: str = "") -> dict[str, bytes]:
    return {f"{prefix}{name}{suffix}": content for name, content in files.items()}


def cases(folder: Path) -> list[Case]:
    """The commands that write files. `folder` is for what has to be made before."""
    keys, plain, old = {"key": KEY}, {"plain": PLAINTEXT}, b"old"
    sealed = {"plain.wa": sealed_under(KEY, PLAINTEXT, folder)}
    several = {"f/a": PLAINTEXT, "f/b": b"", "f/c": PLAINTEXT[:CHUNK]}
    return [
        *container_cases(keys, plain, sealed, old),
        *folder_cases(
            keys, several, {f"{name}.wa": sealed_under(KEY, of, folder) for name, of in several.items()}
        ),
        Case(
            "rekey in place",
            ("rekey", "-q", "-k", "new", "--new-key-file", "key", "plain.wa"),
            {**keys, "new": NEW_KEY, "plain.wa": sealed_under(NEW_KEY, PLAINTEXT, folder)},
            {"plain.wa": PLAINTEXT},
        ),
        Case(
            "salvage",
            ("decrypt", "-q", "--salvage", "-k", "key", "plain.wa"),
            {**keys, "plain.wa": damaged(sealed["plain.wa"])},
            {"plain": PLAINTEXT[:CHUNK] + bytes(CHUNK) + PLAINTEXT[2 * CHUNK :]},
            code=13,
        ),
        Case(
            "encrypt gcm",
            ("raw", "-q", "--mode", "gcm", "-k", "key", "plain", "-o", "plain.gcm"),
            {**keys, **plain},
            {"plain.gcm": PLAINTEXT},
        ),
        Case(
            "decrypt gcm",
            ("raw", "-q", "-d", "--mode", "gcm", "-k", "key", "raw", "-o", "plain"),
            {**keys, "raw": bytes(12) + AESGCM(KEY).encrypt(bytes(12), PLAINTEXT, None)},
            plain,
        ),
        *spooled_cases(keys),
        Case("keygen", ("keygen", "-q", "-o", "made"), {}, {"made": b""}),
    ]


def spooled_cases(keys: Mapping[str, bytes]) -> list[Case]:
    """What comes by a pipe and is needed twice waits in a temporary file, in the folder that is looked at."""
    ccm, nonce = ("raw", "-q", "--mode", "ccm", "-k", "key"), bytes(11)
    forged = bytearray(AESCCM(KEY).encrypt(nonce, SPOOLED, None))
    forged[len(forged) // 2] ^= 1
    return [
        Case(
            "encrypt siv by pipes",
            ("raw", "-q", "--mode", "siv", "-k", "key"),
            keys,
            stdin=SPOOLED,
            calls_sample=MANY_CALLS,
            stdout=AESSIV(KEY).encrypt(SPOOLED, []),
        ),
        Case(
            "decrypt gcm by pipes",
            ("raw", "-q", "-d", "--mode", "gcm", "-k", "key"),
            keys,
            stdin=bytes(12) + AESGCM(KEY).encrypt(bytes(12), SPOOLED, None),
            calls_sample=MANY_CALLS,
            stdout=SPOOLED,
        ),
        Case(
            "decrypt forged ccm by pipes",
            (*ccm, "-d", "--nonce", nonce.hex()),
            keys,
            stdin=bytes(forged),
            calls_sample=MANY_CALLS,
            stdout=b"",
            code=13,
        ),
        Case(
            "encrypt ccm from a pipe",
            (*ccm, "--nonce", nonce.hex(), "-o", "long.ccm"),
            keys,
            {"long.ccm": SPOOLED},
            stdin=SPOOLED,
            calls_sample=MANY_CALLS,
        ),
    ]


def damaged(sealed: bytes) -> bytes:
    """With a wrong bit in its second chunk."""
    at = HEADER + SEALED_CHUNK
    return sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]


def container_cases(
    keys: Mapping[str, bytes], plain: Mapping[str, bytes], sealed: Mapping[str, bytes], old: bytes
) -> list[Case]:
    encrypt, decrypt = ("encrypt", "-q", "-k", "key"), ("decrypt", "-q", "-k", "key")
    made = {"plain.wa": PLAINTEXT}
    return [
        Case("encrypt", (*encrypt, "plain"), {**keys, **plain}, made),
        Case(
            "encrypt over an old file",
            (*encrypt, "--force", "plain"),
            {**keys, **plain, "plain.wa": old},
            made,
        ),
        Case("encrypt and remove", (*encrypt, "--rm", "plain"), {**keys, **plain}, made, removes=True),
        Case("encrypt standard input", (*encrypt, "-", "-o", "plain.wa"), keys, made, stdin=PLAINTEXT),
        Case("decrypt", (*decrypt, "plain.wa"), {**keys, **sealed}, plain),
        Case(
            "decrypt over an old file",
            (*decrypt, "--force", "plain.wa"),
            {**keys, **sealed, "plain": old},
            plain,
        ),
        Case("decrypt and remove", (*decrypt, "--rm", "plain.wa"), {**keys, **sealed}, plain, removes=True),
        Case("decrypt standard input", (*decrypt, "-", "-o", "plain"), keys, plain, stdin=sealed["plain.wa"]),
    ]


def folder_cases(
    keys: Mapping[str, bytes], several: Mapping[str, bytes], sealed: Mapping[str, bytes]
) -> list[Case]:
    to_folder = ("-q", "-r", "-k", "key", "--output-folder", "out", "f")
    return [
        Case(
            "encrypt a folder",
            ("encrypt", "-q", "-r", "-k", "key", "f"),
            {**keys, **several},
            with_prefix("", several, ".wa"),
        ),
        Case(
            "encrypt a folder to another",
            ("encrypt", *to_folder),
            {**keys, **several},
            with_prefix("out/", several, ".wa"),
        ),
        Case(
            "decrypt a folder to another",
            ("decrypt", *to_folder),
            {**keys, **sealed},
            with_prefix("out/", several),
        ),
        Case(
            "decrypt a folder and remove",
            ("decrypt", "-q", "-r", "--rm", "-k", "key", "f"),
            {**keys, **sealed},
            several,
            removes=True,
        ),
    ]
