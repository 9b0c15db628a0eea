"""What a terminal can show, as $TERM says."""

from pathlib import Path

import pytest

from tests.cli.terminal import seen_on_a_terminal


@pytest.mark.parametrize(("kind", "bar"), [("xterm", True), ("dumb", False), ("", False)])
def test_a_bar_where_lines_can_be_cleared(kind: str, bar: bool, key: Path, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no space
    seen = seen_on_a_terminal("encrypt", "-k", key, large, "-o", "-", TERM=kind)
    assert ("\x1b[K" in seen) == bar
