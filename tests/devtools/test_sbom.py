"""The bill of materials names all that is linked statically and all that is pinned, with its licences."""

import json
import re

from devtools import libcrypto, pins, sbom
from devtools.repository import ROOT

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


def test_is_the_same_every_time() -> None:
    for openssl in libcrypto.CHOICES:
        assert sbom.text(openssl) == sbom.text(openssl)
