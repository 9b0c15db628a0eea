"""Kernels are compiled with the option that makes a spilled register an error."""

import json
from pathlib import Path

import pytest

from devtools.repository import BUILD, ROOT

KERNELS = ROOT / "src" / "kernels"


@pytest.fixture(name="commands")
def compile_commands() -> dict[str, str]:
    """Of each kernel's file, as the ordinary build has it."""
    recorded = BUILD / "dev" / "compile_commands.json"
    if not recorded.is_file():
        pytest.skip("nothing has been built in build/dev")
    entries = json.loads(recorded.read_text())
    return {
        Path(entry["file"]).name: entry["command"]
        for entry in entries
        if KERNELS in Path(entry["file"]).parents
    }


def test_spills_are_errors(commands: dict[str, str]) -> None:
    sources = {path.name for path in KERNELS.glob("*.cu")}
    assert sources
    assert set(commands) == sources
    unchecked = [
        name for name, command in commands.items() if "--warn-on-spills,--warning-as-error" not in command
    ]
    assert unchecked == []
