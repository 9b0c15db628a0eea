"""What pages list is what the program has."""

import re

from tests.cli.program import ROOT, succeed


def test_the_page_on_architecture_has_every_engine() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| `(\w+)/(\w+)` \| (device|host) memory \|", page, re.MULTILINE)
    lines = succeed("engines", "--json").lines
    assert rows == [
        (line["name"], line["kernel"], line["memory"]) for line in lines if line["type"] == "engine"
    ]
