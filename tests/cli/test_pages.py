"""What pages list is what the program has."""

import re

from tests.cli.help_texts import TOOL, commands_of
from tests.cli.program import ROOT, succeed
from tests.cli.test_mistyped_options import VERBS


def test_the_page_on_architecture_has_every_engine() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| `(\w+)/(\w+)` \| (device|host) memory \|", page, re.MULTILINE)
    lines = succeed("engines", "--json").lines
    assert rows == [
        (line["name"], line["kernel"], line["memory"]) for line in lines if line["type"] == "engine"
    ]


def verbs() -> set[str]:
    return {path[0] for path in commands_of(TOOL) if path != TOOL}


def test_the_page_on_the_command_line_tells_of_every_command() -> None:
    page = (ROOT / "docs" / "command_line.md").read_text()
    assert {verb for verb in verbs() if not re.search(rf"\bwarpaes {verb}\b", page)} == set()


def test_every_command_is_tried_with_mistyped_options() -> None:
    """Which its recipe in CONTRIBUTING.md asks for; these two have nothing to report as JSON."""
    assert {verb for verb, *_ in VERBS} >= verbs() - {"completion", "help"}
