"""warpaes lab key-byte: what it finds in the model's times, and what it does not."""

import pytest

from tests.cli.program import run, succeed


@pytest.mark.parametrize("copies", ["1", "2", "4", "8"])
def test_a_byte_is_found_with_few_copies_of_the_table(copies: str) -> None:
    result = succeed("lab", "key-byte", "--emulate", "--byte", "5", "--copies", copies, "--json")
    assert "nothing was measured" in result.err
    line, summary = result.lines
    assert summary == {"type": "summary", "command": "lab key-byte"}
    assert line["recovered"] is True
    assert line["guess"] == line["right"]
    assert line["z"] > 5 > line["next_z"]


def test_none_is_found_where_each_lane_has_its_bank() -> None:
    result = succeed("lab", "key-byte", "--emulate", "--copies", "32", "--warps", "1000")
    assert "160 passes each" in result.out.decode()
    assert "nothing was found" in result.out.decode()


def test_none_is_found_where_hardly_any_warp_differs() -> None:
    line = succeed("lab", "key-byte", "--emulate", "--copies", "16", "--json").lines[0]
    assert line["recovered"] is False
    assert line["z"] < 5


@pytest.mark.parametrize("arguments", [["--copies", "3"], ["--byte", "16"], ["--warps", "1"]])
def test_misuse(arguments: list[str]) -> None:
    assert run("lab", "key-byte", *arguments).code == 2
