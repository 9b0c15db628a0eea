"""Debian packages have the distribution's OpenSSL, and the tarball the one that was chosen."""

import shutil
from pathlib import Path

import pytest

from devtools import packages


@pytest.mark.parametrize(
    ("openssl", "dpkg", "made"),
    [
        ("pinned", True, [("dev", "DEB", "system"), ("dev-pinned", "TXZ", "pinned")]),
        ("pinned", False, [("dev-pinned", "TXZ", "pinned")]),
        ("system", True, [("dev", "DEB;TXZ", "system")]),
        ("system", False, [("dev", "TXZ", "system")]),
    ],
)
def test_which_build_is_packed_how(
    openssl: str,
    dpkg: bool,
    made: list[tuple[str, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    packed: list[tuple[str, str, str]] = []

    def pack(folder: Path, into: Path, kinds: str, *, openssl: str, maintainer: str) -> None:
        assert maintainer == "Me <me@here.org>"
        packed.append((folder.name, kinds, openssl))
        into.mkdir(exist_ok=True)

    def build(preset: str, *, targets: object, system_cuda: bool, openssl: str) -> Path:
        return Path(preset if openssl == "system" else f"{preset}-{openssl}")

    monkeypatch.setattr(packages, "PACKAGES", tmp_path / "packages")
    monkeypatch.setattr(packages, "pack", pack)
    monkeypatch.setattr(packages, "build", build)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/" + name if dpkg else None)
    named = "Me <me@here.org>"
    assert packages.package(preset="dev", system_cuda=False, openssl=openssl, maintainer=named) == 0
    assert packed == made
