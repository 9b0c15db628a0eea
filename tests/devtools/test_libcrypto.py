"""The pinned OpenSSL: only sources of the pinned SHA-256 are unpacked; what is built is whole and reused."""

import hashlib
import io
import re
import shutil
import tarfile
import tomllib
from pathlib import Path

import pytest

from devtools import libcrypto
from devtools.process import Command, Stop


@pytest.fixture(name="home")
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither anything built nor anything downloaded, and nothing that is compiled for minutes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    monkeypatch.setattr(libcrypto, "compile_in", lambda _: pytest.fail("compiled"))
    return tmp_path


@pytest.fixture(name="crate")
def small_crate(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one that is pinned, of three files, in cargo's folder; compiling it makes a file of text."""
    place = home / "cargo" / "registry" / "cache" / "index" / "openssl-src-400.0.9+4.0.9.crate"
    place.parent.mkdir(parents=True)
    with tarfile.open(place, "w:gz") as archive:
        for name in ("LICENSE.txt", "include/openssl/evp.h", "include/openssl/evp.h.in"):
            entry = tarfile.TarInfo(f"openssl-src-400.0.9+4.0.9/openssl/{name}")
            entry.size = len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    pinned = libcrypto.Pin("400.0.9+4.0.9", hashlib.sha256(place.read_bytes()).hexdigest())
    monkeypatch.setattr(libcrypto, "pin", lambda: pinned)
    monkeypatch.setattr(libcrypto, "compile_in", lambda tree: (tree / "libcrypto.a").write_text("compiled"))
    return place


def test_everything_that_cargo_may_download_has_a_hash() -> None:
    manifest = tomllib.loads((libcrypto.SOURCE / "Cargo.toml").read_text())
    locked = tomllib.loads((libcrypto.SOURCE / "Cargo.lock").read_text())["package"]
    others = [package for package in locked if package["name"] != manifest["package"]["name"]]
    assert len(others) == len(locked) - 1
    for package in others:
        assert re.fullmatch("[0-9a-f]{64}", package["checksum"])
        assert package["source"] == "registry+https://github.com/rust-lang/crates.io-index"
    pin = libcrypto.pin()
    assert manifest["dependencies"] == {libcrypto.CRATE: f"={pin.version.partition('+')[0]}"}
    assert re.fullmatch(r"4\.\d+\.\d+", pin.openssl)


def test_the_system_s_needs_nothing(home: Path) -> None:
    assert libcrypto.cmake_options("system") == []
    assert not libcrypto.cache().exists()


def test_is_made_once(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = dict(one.removeprefix("-D").split("=") for one in libcrypto.cmake_options("pinned"))
    assert options["OPENSSL_USE_STATIC_LIBS"] == "ON"
    assert Path(options["OPENSSL_CRYPTO_LIBRARY"]).read_text() == "compiled"
    headers = Path(options["OPENSSL_INCLUDE_DIR"]) / "openssl"
    assert [header.name for header in headers.iterdir()] == ["evp.h"]
    assert (headers.parent.parent / "LICENSE.txt").is_file()
    crate.unlink()
    monkeypatch.setattr(libcrypto, "compile_in", lambda _: pytest.fail("compiled again"))
    assert libcrypto.made() == headers.parent.parent


def test_is_made_anew_with_other_options(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = libcrypto.made()
    monkeypatch.setattr(libcrypto, "OPTIONS", (*libcrypto.OPTIONS, "no-asm"))
    assert libcrypto.made() != first


def test_what_has_another_hash_is_refused(crate: Path) -> None:
    crate.write_bytes(crate.read_bytes() + b"\0")
    with pytest.raises(Stop, match="is pinned") as stop:
        libcrypto.made()
    assert "remove it" in stop.value.hint
    assert not libcrypto.cache().exists()


def test_there_is_never_half_of_one(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(tree: Path) -> None:
        (tree / "libcrypto.a").write_text("half")
        raise Stop("no compiler")

    monkeypatch.setattr(libcrypto, "compile_in", fails)
    with pytest.raises(Stop, match="no compiler"):
        libcrypto.made()
    assert list(libcrypto.cache().iterdir()) == []


def test_says_what_to_do_without_cargo(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Stop, match="cargo") as stop:
        libcrypto.made()
    for way in ("rustup", str(libcrypto.cache()), "--openssl system"):
        assert way in stop.value.hint


def test_says_what_to_do_without_the_registry(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cargo that knows nothing yet and has no network."""
    if shutil.which("cargo") is None:
        pytest.skip("no cargo here")
    monkeypatch.setenv("CARGO_NET_OFFLINE", "true")
    with pytest.raises(Stop, match="cargo cannot fetch") as stop:
        libcrypto.made()
    assert str(libcrypto.cache()) in stop.value.hint


def test_the_file_may_be_brought_by_hand(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libcrypto.cache().mkdir(parents=True)
    crate.rename(libcrypto.cache() / crate.name)
    monkeypatch.setattr(libcrypto, "fetch", lambda _: pytest.fail("cargo was asked"))
    assert (libcrypto.made() / "lib" / "libcrypto.a").is_file()


def test_shows_what_a_compiler_says_at_last(tmp_path: Path) -> None:
    command: Command = ["sh", "-c", "seq 100; exit 3"]
    with pytest.raises(Stop, match="100") as stop:
        libcrypto.quietly(command, tmp_path, {})
    assert "\n81\n" in str(stop.value)
    assert "\n79\n" not in str(stop.value)
