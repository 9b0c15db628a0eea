"""OpenSSL's libcrypto of a pinned version as a static library: what wheels and the tarball have inside.

Distributions stay with an OpenSSL for years. 3.0, which is Debian 12's and Ubuntu 24.04's, has no GCM for the
wide AES instructions (VAES), and what runs on machines of all kinds had better not depend on theirs.

The sources come as the crate openssl-src of crates.io, whose version and SHA-256 are in
openssl_source/Cargo.lock: cargo downloads it and compares it, and so does this program before it unpacks it.
It is built once for each version, choice of options and compiler, into a folder of its own below ~/.cache,
which outlives the build folders. How its version is changed: CONTRIBUTING.md, "The OpenSSL that is inside".
"""

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

from devtools.process import Argument, Command, Stop, heading, say, text_of
from devtools.repository import ROOT
from devtools.steps import step

SYSTEM, PINNED = "system", "pinned"
CHOICES = (SYSTEM, PINNED)

SOURCE = ROOT / "devtools" / "openssl_source"
CRATE = "openssl-src"

# It reads no openssl.cnf and opens no provider. They are for the OpenSSL of the application, if it has one.
ALONE = ("no-shared", "no-module", "no-dso", "no-autoload-config")
# What no function of the project leads to. What is not there cannot have a defect, and each algorithm has
# entries in tables that the loader relocates when the tool starts.
NOT_BUILT = ("apps", "tests", "docs", "async", "comp", "http", "sock", "ui-console")
PROTOCOLS = ("cmp", "cms", "ct", "dtls", "ocsp", "psk", "quic", "rfc3779", "srp", "tls", "ts")
PUBLIC_KEYS = ("dh", "dsa", "ec", "gost", "lms", "ml-dsa", "ml-kem", "sm2", "slh-dsa")
CIPHERS = ("aria", "bf", "camellia", "cast", "chacha", "des", "idea", "legacy", "rc2", "rc4", "seed", "sm4")
HASHES = ("md4", "mdc2", "poly1305", "rmd160", "siphash", "sm3", "whirlpool")
RANDOM = ("hmac-drbg-kdf",)  # RAND_bytes() is CTR-DRBG
DERIVATIONS = ("kbkdf", "krb5kdf", "pvkkdf", "snmpkdf", "srtpkdf", "sshkdf", "sskdf", "x942kdf", "x963kdf")
ABSENT = (*NOT_BUILT, *PROTOCOLS, *PUBLIC_KEYS, *CIPHERS, *HASHES, *DERIVATIONS, *RANDOM)
OPTIONS = (*ALONE, *(f"no-{one}" for one in ABSENT))

# As cmake/CompilerSettings.cmake has it for the project's own code. -O3 is OpenSSL's.
HARDENING = ("-fstack-protector-strong", "-fvisibility=hidden", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3")
CONTROL_FLOW_PROTECTION = "-fcf-protection=full"  # x86's


class Pin(NamedTuple):
    """One version of the crate."""

    version: str  # as 400.0.2+4.0.3: the crate's, and behind the plus sign OpenSSL's
    sha256: str

    @property
    def openssl(self) -> str:
        return self.version.partition("+")[2]

    @property
    def file(self) -> str:
        return f"{CRATE}-{self.version}.crate"


def pin() -> Pin:
    packages = tomllib.loads((SOURCE / "Cargo.lock").read_text())["package"]
    (found,) = (package for package in packages if package["name"] == CRATE)
    return Pin(found["version"], found["checksum"])


def cmake_options(openssl: str) -> list[str]:
    """What CMake is told so that it takes that libcrypto, which is built first if it has not been yet."""
    if openssl == SYSTEM:
        return []
    folder = made()
    return [
        "-DOPENSSL_USE_STATIC_LIBS=ON",
        f"-DOPENSSL_INCLUDE_DIR={folder / 'include'}",
        f"-DOPENSSL_CRYPTO_LIBRARY={folder / 'lib' / 'libcrypto.a'}",
    ]


def made() -> Path:
    """The folder with lib/libcrypto.a and include/openssl."""
    folder = cache() / f"openssl-{pin().openssl}-{fingerprint()[:16]}"
    if not folder.is_dir():
        heading(f"OpenSSL {pin().openssl}, static libcrypto: {folder}")
        with step(f"OpenSSL {pin().openssl}"):
            make(crate(), folder)
    return folder


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpaes"


def fingerprint() -> str:
    """Of all that decides what is built."""
    described = [pin().sha256, *OPTIONS, *flags(), text_of([compiler(), "--version"])]
    return hashlib.sha256("\n".join(described).encode()).hexdigest()


def compiler() -> str:
    return os.environ.get("CC", "cc")


def flags() -> list[str]:
    protected = os.uname().machine in ("x86_64", "i686")
    return [*HARDENING, *([CONTROL_FLOW_PROTECTION] if protected else [])]


def crate() -> Path:
    """The file of the crate, downloaded if it is not there, and compared with the pin in any case."""
    wanted = pin()
    found = downloaded(wanted)
    if found is None:
        fetch(wanted)
        found = downloaded(wanted)
    if found is None:
        raise Stop(f"cargo has fetched no {wanted.file}", hint=f"put it into {cache()}")
    is_ = hashlib.sha256(found.read_bytes()).hexdigest()
    if is_ != wanted.sha256:
        raise Stop(
            f"{found} has the SHA-256 {is_}, and {wanted.sha256} is pinned",
            hint="it is damaged or not what it says; remove it, and it is downloaded again",
        )
    return found


def downloaded(wanted: Pin) -> Path | None:
    cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    places = (cache() / wanted.file, *cargo.glob(f"registry/cache/*/{wanted.file}"))
    return next((place for place in places if place.is_file()), None)


def fetch(wanted: Pin) -> None:
    manifest = SOURCE / "Cargo.toml"
    by_hand = f"or put {wanted.file} of crates.io into {cache()}, or choose --openssl system"
    if shutil.which("cargo") is None:
        raise Stop(
            "the sources of the pinned OpenSSL come with cargo, which is not here",
            hint=f"apt-get install cargo, or https://rustup.rs; {by_hand}",
        )
    done = subprocess.run(
        ["cargo", "fetch", "--locked", "--manifest-path", manifest],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Stop(f"cargo cannot fetch {wanted.file}:\n{done.stderr.strip()}", hint=f"try again; {by_hand}")


def make(source: Path, folder: Path) -> None:
    """Builds beside the folder and moves it there when it is whole, so that there is never a half of one."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="openssl-", dir=folder.parent) as temporary:
        with tarfile.open(source) as opened:
            opened.extractall(temporary)  # what has the pinned hash has no names that lead elsewhere
        (unpacked,) = Path(temporary).iterdir()
        tree = unpacked / "openssl"
        compile_in(tree)
        ready = Path(temporary) / "ready"
        (ready / "lib").mkdir(parents=True)
        shutil.copy2(tree / "libcrypto.a", ready / "lib")
        headers = shutil.ignore_patterns("*.in")
        shutil.copytree(tree / "include" / "openssl", ready / "include" / "openssl", ignore=headers)
        shutil.copy2(tree / "LICENSE.txt", ready)
        try:
            ready.rename(folder)
        except OSError:
            if not folder.is_dir():  # else somebody else has made it meanwhile
                raise


def compile_in(tree: Path) -> None:
    """The paths that libcrypto is told name no place: it has no programs, and reads no settings."""
    nowhere = ["--prefix=/nonexistent", "--openssldir=/nonexistent", "--libdir=lib"]
    # Of the sources, for a libcrypto that is the same every time: it says when it was built.
    date = {"SOURCE_DATE_EPOCH": str(int((tree / "VERSION.dat").stat().st_mtime))}
    quietly(["perl", "Configure", *nowhere, *OPTIONS, *flags()], tree, {"CC": compiler(), **date})
    cached = [f"CC=ccache {compiler()}"] if shutil.which("ccache") else []
    quietly(["make", "build_generated"], tree, date)
    quietly(["make", f"-j{os.cpu_count() or 1}", *cached, "libcrypto.a"], tree, date)


def quietly(command: Command, folder: Path, more: dict[str, str]) -> None:
    """Runs it and shows the end of what it says if it fails, which is thousands of lines."""
    arguments: list[Argument] = list(command)
    say(f"  {' '.join(map(str, arguments[:2]))}")
    done = subprocess.run(
        [str(one) for one in arguments],
        cwd=folder,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Stop(f"OpenSSL: {' '.join(map(str, arguments))}\n" + "\n".join(done.stdout.splitlines()[-20:]))
