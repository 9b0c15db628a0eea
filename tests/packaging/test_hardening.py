"""What is shipped is hardened: read out of the ELF files in stage/, as the loader and attackers meet them."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from devtools.repository import ROOT, STAGE, STAGED_PYTHON
from devtools.version import interface_version

LIBRARY = STAGE / "lib" / "libwarpaes.so"
PROGRAMS = [STAGE / "bin" / "warpaes", STAGE / "bin" / "warpaes-lab"]
SHIPPED = [LIBRARY, *PROGRAMS]
# Of Python, one for each that ./dev build was given. Their own part calls nothing that is fortified.
MODULES = sorted(STAGED_PYTHON.glob("warpaes/_native.*.so"))
ENDBR64 = "f3 0f 1e fa"

pytestmark = pytest.mark.skipif(not LIBRARY.is_file(), reason="nothing has been staged")
each_shipped = pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.name))
each_loaded = pytest.mark.parametrize("path", [*SHIPPED, *MODULES], ids=lambda path: str(path.name))
each_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.name))


def readelf(path: Path, *options: str) -> str:
    done = subprocess.run(["readelf", "--wide", *options, path], capture_output=True, text=True, check=True)
    return done.stdout


def imports(path: Path) -> set[str]:
    return set(re.findall(r"UND (\w+)", readelf(path, "--dyn-syms")))


def test_a_python_module_is_staged() -> None:
    assert MODULES


@each_loaded
def test_is_bound_at_once_and_read_only_then(path: Path) -> None:
    assert "GNU_RELRO" in readelf(path, "--program-headers")
    dynamic = readelf(path, "--dynamic")
    assert "BIND_NOW" in dynamic
    assert re.search(r"FLAGS_1.*\bNOW\b", dynamic)


@each_loaded
def test_no_segment_is_written_and_executed(path: Path) -> None:
    headers = readelf(path, "--program-headers")
    flags = re.findall(r"^\s+(LOAD|GNU_STACK)\s+(?:0x[0-9a-f]+ +){5}([RWE ]{3})", headers, re.MULTILINE)
    assert {kind for kind, _ in flags} == {"LOAD", "GNU_STACK"}
    assert not any("W" in flag and "E" in flag for _, flag in flags)


@each_program
def test_programs_lie_anywhere_in_memory(path: Path) -> None:
    assert re.search(r"Type:\s+DYN", readelf(path, "--file-header"))
    assert re.search(r"FLAGS_1.*\bPIE\b", readelf(path, "--dynamic"))


@each_shipped
def test_stacks_are_guarded_and_calls_fortified(path: Path) -> None:
    names = imports(path)
    assert "__stack_chk_fail" in names
    assert [name for name in names if name.endswith("_chk")]


def test_the_library_s_functions_may_be_called_indirectly() -> None:
    """Control-flow enforcement: each begins with endbr64. CUDA's runtime is not made for it: no ELF note."""
    symbols = re.findall(
        r"([0-9a-f]{16}) +\d+ FUNC +GLOBAL DEFAULT +\d+ (warpaes_\w+)", readelf(LIBRARY, "--dyn-syms")
    )
    assert len(symbols) > 30
    for address, name in symbols:
        start = int(address, 16)
        range_of_it = [f"--start-address={start}", f"--stop-address={start + 4}"]
        command: list[str | Path] = ["objdump", "--disassemble", *range_of_it, LIBRARY]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert ENDBR64 in text, name


@each_loaded
def test_it_says_nothing_of_the_folder_in_which_it_was_built(path: Path) -> None:
    """Which is nobody's business, and would make two builds of the same sources differ."""
    sources = rb"%b/[\w/.-]+\.(?:c|cpp|cu|cuh|h|hpp)\b" % re.escape(str(ROOT)).encode()
    assert re.findall(sources, path.read_bytes()) == []


def needed(path: Path) -> list[str]:
    return re.findall(r"NEEDED.*\[(\S+)\]", readelf(path, "--dynamic"))


def test_the_tool_is_made_of_the_public_interface() -> None:
    """It needs nothing of the library but functions that are everybody's (docs/design/packaging.md)."""
    versions = re.findall(r"Name: (WARPAES_[\w.]+)", readelf(PROGRAMS[0], "--version-info"))
    assert versions == [f"WARPAES_{interface_version()}"]


def test_the_library_needs_no_driver() -> None:
    assert not any(name.startswith(("libcuda", "libfmt", "libargon2")) for name in needed(LIBRARY))


def openssl_inside() -> bool:
    """As the bill of materials says, of ./dev build --openssl pinned."""
    parts = json.loads((STAGE / "share" / "doc" / "warpaes" / "sbom.cdx.json").read_text())["components"]
    return any(part["name"] == "OpenSSL" and part["scope"] == "required" for part in parts)


@each_shipped
def test_libcrypto_is_inside_or_the_system_s(path: Path) -> None:
    assert openssl_inside() != any(name.startswith("libcrypto") for name in needed(path))


@each_shipped
def test_nothing_of_an_openssl_inside_is_exported(path: Path) -> None:
    """Else one OpenSSL would be called in place of the other where the process has two, as Python has."""
    defined = re.findall(r"(?:GLOBAL|WEAK) +DEFAULT +\d+ (\w+)", readelf(path, "--dyn-syms"))
    names = ("AES_", "ASN1_", "CRYPTO_", "ERR_", "EVP_", "OPENSSL_", "OSSL_", "RAND_", "aesni_", "ossl_")
    assert [name for name in defined if name.startswith(names)] == []


def test_the_library_stays_loaded() -> None:
    """Threads may be at work in it, and the C++ library inside would lose memory each time it is loaded."""
    flags = re.search(r"FLAGS_1\)\s+(.*)", readelf(LIBRARY, "--dynamic"))
    assert flags
    assert "NODELETE" in flags[1]


@pytest.mark.parametrize("path", [LIBRARY, PROGRAMS[0]], ids=lambda path: str(path.name))
def test_the_cplusplus_library_is_inside(path: Path) -> None:
    """The loader would look up 3000 symbols of a shared one each time that the tool starts."""
    assert not re.search(r"NEEDED.*\[lib(stdc\+\+|gcc_s)\.", readelf(path, "--dynamic"))


def test_the_library_exports_the_c_api_and_to_its_own_programs_kernels() -> None:
    symbols = re.findall(r"(?:FUNC|OBJECT) .* \d+ (\S+)@@(\S+)", readelf(LIBRARY, "--dyn-syms"))
    public = [name for name, version in symbols if "PRIVATE" not in version]
    private = [name for name, version in symbols if "PRIVATE" in version]
    assert len(public) > 30
    assert [name for name in public if not name.startswith("warpaes_")] == []
    assert private
    assert [name for name in private if "7warpaes4core7kernels" not in name] == []


def gpu_code(path: Path) -> int:
    """Bytes of it in the file."""
    found = re.search(r"\.nv_fatbin +PROGBITS +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", readelf(path, "--sections"))
    return int(found[1], 16) if found else 0


@pytest.mark.parametrize(("path", "least_ratio"), [(PROGRAMS[0], 100), (PROGRAMS[1], 3)])
def test_kernels_are_in_the_library_alone(path: Path, least_ratio: int) -> None:
    """The tool has one that measures what the hardware can do; the lab has its lessons."""
    assert gpu_code(path) * least_ratio < gpu_code(LIBRARY)
    assert "libwarpaes.so" in readelf(path, "--dynamic")


def test_licences_are_there() -> None:
    folder = STAGE / "share" / "doc" / "warpaes"
    assert {path.name for path in folder.iterdir()} == {"LICENSE", "NOTICE", "sbom.cdx.json"}
