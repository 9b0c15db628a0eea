"""warpaes lab: list, show and run."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import PROGRAM, ROOT, run, succeed

GPU_LESSON = "t_tables_in_shared_memory"


@pytest.fixture(name="lessons", scope="module")
def listed_lessons() -> list[dict[str, Any]]:
    *lessons, summary = succeed("lab", "list", "--json").lines
    assert summary == {"type": "summary", "command": "lab list", "lessons": len(lessons)}
    return lessons


def test_list_names_every_lesson(lessons: list[dict[str, Any]]) -> None:
    text = succeed("lab", "list").out.decode()
    for lesson in lessons:
        assert f"\n{lesson['name']} " in text
        assert lesson["idea"] in text


def test_documentation_has_every_lesson_and_its_axes(lessons: list[dict[str, Any]]) -> None:
    rows = (ROOT / "docs" / "lab.md").read_text().splitlines()
    for lesson in lessons:
        row = next((row for row in rows if row.startswith(f"| `{lesson['name']}` |")), "")
        documented = {word.strip("`|") for word in row.split() if word.strip("`").startswith("--")}
        assert documented == {f"--{axis}" for axis in lesson["axes"]}, lesson["name"]
        assert f"| {lesson['machine']} |" in row


def test_show_prints_essay_and_code(lessons: list[dict[str, Any]]) -> None:
    for lesson in lessons:
        suffix = "cpp" if lesson["machine"] == "cpu" else "cu"
        source = (ROOT / "lab" / "kernels" / f"{lesson['name']}.{suffix}").read_text()
        assert succeed("lab", "show", lesson["name"], "--code").out.decode() == source
        essay = succeed("lab", "show", lesson["name"]).out.decode()
        assert source.splitlines()[0].removeprefix("// ") in essay
        assert lesson["source"] in essay
        assert all(f"--{axis} " in essay for axis in lesson["axes"])


def test_run_on_the_cpu_is_timed() -> None:
    line = succeed("lab", "run", "serial_t_table", "--bytes", "16KiB", "--mode", "ctr", "--json").lines[0]
    assert line["right"] is True
    assert (line["place"], line["mode"], line["bytes"]) == ("cpu", "ctr", 16384)
    assert line["seconds"]["median"] > 0


def test_emulation_is_said_and_not_timed() -> None:
    result = succeed("lab", "run", GPU_LESSON, "--emulate", "--threads", "64", "--decrypt", "--json")
    assert "emulated on the CPU, and not timed" in result.err
    line, summary = result.lines
    assert line["right"] is True
    assert (line["place"], line["threads"], line["direction"]) == ("emulated", 64, "decrypt")
    assert "seconds" not in line
    assert summary == {"type": "summary", "command": "lab run", "runs": 1}
    assert "GB/s" not in succeed("lab", "run", GPU_LESSON, "--emulate").out.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["serial_standart"], 10, "the nearest names: serial_standard"),
        (["serial_standard", "--threads", "64"], 2, "serial_standard does not let threads vary"),
        ([GPU_LESSON, "--emulate", "--threads", "33"], 2, "32, 64, 128, 256, 512, 1024"),
        ([GPU_LESSON, "--mode", "gcm"], 2, "it has ecb, ctr"),
        (["counter_caching", "--mode", "ecb"], 2, "it has ctr"),
        (["serial_standard", "--key-bits", "64"], 2, "128, 192, 256"),
        (["serial_standard", "--bytes", "lots"], 2, "is no size"),
        (["serial_standard", "--bytes", "17"], 2, "whole blocks of 16 bytes"),
        (["serial_standard", "--bytes", "17"], 2, "--bytes with a multiple of 16, or --mode ctr"),
        (["t_tables_timed", "--bytes", "17"], 2, "--bytes with a multiple of 16\n"),
        ([GPU_LESSON, "--emulate", "--bytes", "1GiB"], 2, "too many to emulate"),
        (["key_expansion_in_batch", "--emulate", "--bytes", "5"], 2, "whole keys of 16 bytes"),
        (["key_expansion_in_batch", "--emulate", "--bytes", "0"], 2, "--bytes with a multiple of 16"),
        (["key_expansion_in_batch", "--key-bits", "192", "--bytes", "9"], 2, "--bytes with a multiple of 24"),
        (["key_expansion_in_batch", "--key-bits", "0", "--bytes", "40"], 2, "128, 192, 256"),
    ],
)
def test_misuse(arguments: list[str], code: int, message: str) -> None:
    result = run("lab", "run", *arguments)
    assert result.code == code
    assert message in result.err
    assert result.out == b""


def test_keys_that_nobody_counted_are_whole() -> None:
    arguments = ("key_expansion_in_batch", "--emulate", "--key-bits", "192", "--json")
    line = succeed("lab", "run", *arguments).lines[0]
    assert line["right"] is True
    assert line["bytes"] % 24 == 0
    assert line["bytes"] > 16000


@pytest.mark.parametrize(
    "arguments",
    [
        ["penguin", ""],
        ["penguin", "-o", ""],
        ["report", "", "-o", "x"],
        ["report", "results", "-o", ""],
        ["study", "energy", "-o", ""],
    ],
)
def test_a_shell_variable_that_is_not_set_is_no_name(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    result = run("lab", *arguments, cwd=tmp_path)
    assert result.code == 2
    assert "its value is empty" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_no_time_at_all_is_refused_in_words() -> None:
    result = run("lab", "study", "energy", "--time-limit", "0")
    assert result.code == 2
    assert "--time-limit: it takes more than 0 seconds" in result.err


def test_unknown_lesson_is_not_shown() -> None:
    result = run("lab", "show", "replicated")
    assert result.code == 10
    assert "the nearest names: replicated_t_table" in result.err


def test_neither_the_library_nor_the_tool_holds_a_lesson() -> None:
    """warpaes-lab does, so that the names looked for are the right ones."""
    libraries = sorted(PROGRAM.parent.parent.glob("lib*/**/libwarpaes.so"))
    if not libraries:
        pytest.skip("no libwarpaes.so beside the program")
    name = b"t_tables_in_shared_memory"
    assert name in PROGRAM.with_name("warpaes-lab").read_bytes()
    assert name not in PROGRAM.read_bytes()
    assert name not in libraries[0].read_bytes()
