"""The software bill of materials, in CycloneDX's JSON: what is in the binaries, and what built them.

Pinned packages are read from the requirement lists, with their hashes; the versions of Debian's or Ubuntu's
packages are those that are installed. The same sources on the same machine give the same text: it has no
date and no number of its own.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from devtools import libcrypto
from devtools.pins import HASH, pinned
from devtools.process import Stop, text_of
from devtools.setup import BACKEND, CUDA, PRODUCT, REQUIREMENTS, WHEEL, list_of
from devtools.version import version


class Inside(NamedTuple):
    """Code of other projects that is in the binaries."""

    name: str
    package: str  # of Debian and Ubuntu, or of PyPI
    license: str  # SPDX's identifier, or a name
    found_in: str


CUDA_RUNTIME = "nvidia-cuda-runtime"
GCC_RUNTIME = "GPL-3.0-or-later WITH GCC-exception-3.1"

STATICALLY_LINKED = (
    Inside("CUDA runtime", CUDA_RUNTIME, "NVIDIA CUDA EULA", "libwarpaes.so warpaes warpaes-lab"),
    Inside("fmt", "libfmt-dev", "MIT", "libwarpaes.so warpaes warpaes-lab"),
    Inside("libstdc++ and libgcc", "libstdc++6", GCC_RUNTIME, "libwarpaes.so warpaes"),
    Inside("CLI11", "libcli11-dev", "BSD-3-Clause", "warpaes warpaes-lab"),
    Inside("JSON for Modern C++", "nlohmann-json3-dev", "MIT", "warpaes warpaes-lab"),
    Inside("nanobind", "nanobind", "BSD-3-Clause", "the Python package"),
    Inside("libpng", "libpng-dev", "libpng-2.0", "warpaes-lab"),
    Inside("zlib", "zlib1g-dev", "Zlib", "warpaes-lab"),
)
SPDX = {"MIT", "BSD-3-Clause", "libpng-2.0", "Zlib"}

# Where the libcrypto of ./dev's --openssl pinned is; the system's is not inside anything.
PINNED_OPENSSL_IN = "libwarpaes.so warpaes warpaes-lab"


def text(openssl: str = libcrypto.SYSTEM, *, toolkit: str = "", wheel: bool = False) -> str:
    """The bill of what was built with that OpenSSL.

    toolkit: the version of the machine's CUDA toolkit, if that was used in place of the pinned one.
    wheel: whether it is of wheels, which more is made with.
    """
    return json.dumps(document(openssl, toolkit, wheel), indent=2) + "\n"


def document(openssl: str, toolkit: str, wheel: bool) -> dict[str, Any]:
    openssl_inside = [pinned_openssl()] if openssl == libcrypto.PINNED else []
    pins = all_pins(pinned_cuda=not toolkit, wheel=wheel)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "warpaes",
                "name": "warpaes",
                "version": version(),
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [*inside(pins, toolkit), *openssl_inside, *built_with(pins)],
    }


def inside(pins: list[str], toolkit: str) -> Iterator[dict[str, Any]]:
    by_name = {pin.partition("==")[0]: pin for pin in pins}
    for part in STATICALLY_LINKED:
        pin = by_name.get(part.package)
        if part.package == CUDA_RUNTIME and toolkit:
            described = of_toolkit(toolkit)
        else:
            described = of_pypi(pin) if pin else of_debian(part.package)
        yield {
            **described,
            "name": part.name,
            "scope": "required",
            "licenses": [{"license": {"id" if part.license in SPDX else "name": part.license}}],
            "properties": [{"name": "warpaes:linked-statically-into", "value": part.found_in}],
        }


def pinned_openssl() -> dict[str, Any]:
    """With the name by which lists of vulnerabilities know it, and where its sources are from."""
    pin = libcrypto.pin()
    source = f"https://crates.io/crates/{libcrypto.CRATE}/{pin.version.replace('+', '%2B')}"
    return {
        "type": "library",
        "bom-ref": f"pkg:generic/openssl@{pin.openssl}",
        "name": "OpenSSL",
        "version": pin.openssl,
        "purl": f"pkg:generic/openssl@{pin.openssl}",
        "cpe": f"cpe:2.3:a:openssl:openssl:{pin.openssl}:*:*:*:*:*:*:*",
        "scope": "required",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "externalReferences": [
            {
                "type": "distribution",
                "url": source,
                "hashes": [{"alg": "SHA-256", "content": pin.sha256}],
            }
        ],
        "properties": [{"name": "warpaes:linked-statically-into", "value": PINNED_OPENSSL_IN}],
    }


def built_with(pins: list[str]) -> Iterator[dict[str, Any]]:
    linked = {part.package for part in STATICALLY_LINKED}
    for pin in pins:
        if pin.partition("==")[0] not in linked:
            yield {**of_pypi(pin), "scope": "excluded"}


def all_pins(*, pinned_cuda: bool, wheel: bool) -> list[str]:
    """The pins of what builds the product. Test vectors and linters are not among them."""
    lists = [
        list_of(PRODUCT, "requirements"),
        *([list_of(CUDA, "requirements")] if pinned_cuda else []),
        *([list_of(WHEEL, "requirements"), BACKEND] if wheel else []),
    ]
    return list(dict.fromkeys(pin for one in lists for pin in pinned(one.read_text())))


def of_pypi(pin: str) -> dict[str, Any]:
    name, _, number = pin.partition("==")
    lists = "".join(path.read_text() for path in REQUIREMENTS)
    block = lists.partition(pin + " ")[2].split("\n\n")[0]
    hashes = re.match(rf"(?:\\\n    {HASH}[0-9a-f]+ ?)*", block)
    found = re.findall(HASH + r"([0-9a-f]{64})", hashes[0] if hashes else "")
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name.lower()}@{number}",
        "name": name,
        "version": number,
        "purl": f"pkg:pypi/{name.lower()}@{number}",
        "hashes": [{"alg": "SHA-256", "content": content} for content in found],
    }


def of_toolkit(number: str) -> dict[str, Any]:
    """The runtime of a toolkit that somebody has installed: there is no hash of what that was."""
    return {
        "type": "library",
        "bom-ref": f"pkg:generic/cuda-toolkit@{number}",
        "version": number,
        "purl": f"pkg:generic/cuda-toolkit@{number}",
    }


def of_debian(package: str) -> dict[str, Any]:
    try:
        number = text_of(["dpkg-query", "--show", "--showformat=${Version}", package]).strip()
    except Stop:  # not installed, or no dpkg here
        number = "unknown"
    return {
        "type": "library",
        "bom-ref": f"pkg:deb/{package}@{number}",
        "name": package,
        "version": number,
        "purl": f"pkg:deb/{package}@{number}",
    }
