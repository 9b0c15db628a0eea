"""What ./dev wheel has made: all of the package, its licences, nothing of this machine, and tags."""

import json
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.tags import parse_tag

from devtools.repository import BUILD, ROOT
from devtools.version import interface_version

WHEELS = sorted((BUILD / "wheels").glob("*.whl"))
ARCHIVES = sorted((BUILD / "wheels").glob("*.tar.gz"))
SOURCES = ROOT / "bindings" / "python" / "warpaes"
SONAME = f"libwarpaes.so.{interface_version()}"

pytestmark = pytest.mark.skipif(not WHEELS, reason="no wheels here: ./dev wheel")


# Without wheels the mark above skips what would take this one.
@pytest.fixture(params=WHEELS or [Path("none")], ids=lambda path: path.name)
def wheel(request: pytest.FixtureRequest) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(request.param) as opened:
        yield opened


def described(wheel: zipfile.ZipFile, name: str) -> Message:
    (found,) = (one for one in wheel.namelist() if one.endswith(f".dist-info/{name}"))
    return Parser().parsestr(wheel.read(found).decode())


def test_all_of_the_package(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if not name.endswith("/")}
    sources = {
        f"warpaes/{path.relative_to(SOURCES).as_posix()}"
        for path in SOURCES.rglob("*")
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
    }
    assert sources <= names
    assert sum(name.startswith("warpaes/_native.") and name.endswith(".so") for name in names) == 1
    assert f"warpaes/{SONAME}" in names
    assert {Path(name).name for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert not any("__pycache__" in name or name.endswith(".a") for name in names)
    assert sum(one.file_size for one in wheel.infolist()) < 200e6


def test_what_it_says_of_itself(wheel: zipfile.ZipFile) -> None:
    about = described(wheel, "METADATA")
    assert about["Name"] == "warpaes"
    assert about["License-Expression"] == "Apache-2.0"
    assert not [one for one in about.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert "nvidia" not in str(about.get_all("Requires-Dist", []))
    entries = described(wheel, "entry_points.txt").as_string()
    assert "warpaes = warpaes.filesystem:WarpaesFileSystem" in entries


def test_its_tag(wheel: zipfile.ZipFile) -> None:
    """One binary for 3.12 and all later versions, and one for each older one; for more machines than this."""
    (tag,) = described(wheel, "WHEEL").get_all("Tag", [])
    for one in parse_tag(tag):
        older = one.interpreter in ("cp310", "cp311")
        assert one.abi == (one.interpreter if older else "abi3")
        assert older or one.interpreter == "cp312"
        assert one.platform.startswith("manylinux_2_")


def test_no_cuda_library_is_needed(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """Nor any that the system may lack, and all that are inside are found beside those that need them."""
    wheel.extractall(tmp_path)
    for path in [*(tmp_path / "warpaes").glob("*.so*"), *tmp_path.glob("*.libs/*")]:
        dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
        inside = {one.name for one in (*tmp_path.glob("warpaes/*"), *tmp_path.glob("*.libs/*"))}
        system = ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2")
        old = ("libdl.so.2", "libpthread.so.0", "librt.so.1")  # stubs of the C library's
        assert set(needed) <= {*inside, *system, *old}
        paths = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "PATH)" in line]
        assert all(part.startswith("$ORIGIN") for one in paths for part in one.split(":"))


def test_what_is_inside_is_named(wheel: zipfile.ZipFile) -> None:
    """OpenSSL among it, of the library's version, unless auditwheel has put the machine's beside it."""
    (bill,) = (name for name in wheel.namelist() if name.endswith(".dist-info/sboms/warpaes.cdx.json"))
    parts = {part["name"]: part for part in json.loads(wheel.read(bill))["components"]}
    beside = [name for name in wheel.namelist() if ".libs/libcrypto" in name]
    assert ("OpenSSL" in parts) != bool(beside)
    if not beside:
        assert f"OpenSSL {parts['OpenSSL']['version']} ".encode() in wheel.read(f"warpaes/{SONAME}")
        assert not any(".libs/" in name for name in wheel.namelist())


def test_the_archive_has_every_source() -> None:
    """But what is of no use without the repository."""
    (archive,) = ARCHIVES
    with tarfile.open(archive) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no repository here")
    left_out = ("evidence/", "docs/lab/", ".git", ".ci/")
    missing = [name for name in listed.stdout.split() if name not in inside and not name.startswith(left_out)]
    assert missing == []
