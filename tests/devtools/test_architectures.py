"""The page about GPUs that nobody has measured has what its formulas give, and what the policy says."""

import json
import re

from devtools import architectures
from devtools.repository import ROOT

PAGE = (ROOT / "docs" / "design" / "architectures.md").read_text()
POLICY = (ROOT / "src" / "kernels" / "policy.hpp").read_text()
TESTED = (ROOT / "tests" / "emulated_gpu" / "policy_test.cpp").read_text()
README = (ROOT / "README.md").read_text()


def test_a_card_is_as_fast_as_look_ups_or_its_memory_allow() -> None:
    """By hand: 16 look-ups a clock, 40 * 1.59e9 clocks/s, 16 bytes for 129.25 + 8; half of 90 % of 320."""
    t4, a10 = (card for card in architectures.CARDS if card.name in ("T4", "A10"))
    assert architectures.row(t4, 0.5) == (
        "| 75 | T4: 40 at 1.59 GHz, 320 GB/s | 16 | 1.02 | 119 / 81 | 144 | 59 / 40 | look-ups |\n"
    )
    assert architectures.row(a10, 1).endswith("| 270 | 270 / 270 | memory |\n")


def test_the_share_is_that_of_aligned_messages_under_one_key() -> None:
    line = {**architectures.MEASURED, "share": 0.8847, "limit": 974.0, "gb_per_s": 861.7}
    others = [{**line, "share": 0.5, **other} for other in ({"misaligned_by": 1}, {"key_each": True})]
    text = architectures.table("run.jsonl", [{"type": "machine", "gpu": "NVIDIA H200"}, *others, line])
    assert text.startswith("The share is 0.88: of the bound of 974 GB/s")
    assert architectures.row(architectures.CARDS[0], 0.8847) in text


def policy_of(capability: int) -> tuple[int, int, int]:
    """Tables, KiB of shared memory, and threads of the kernels with counters."""
    row = re.search(rf"\.capability = {capability},(.*?)\}}[);]", POLICY, re.DOTALL)
    assert row is not None
    found = re.search(
        r"\.tables = (\d).*?\.most_shared_bytes = (\d+) \* 1024.*?\.counter_threads = (\d+)",
        row[1],
        re.DOTALL,
    )
    assert found is not None
    return int(found[1]), int(found[2]), int(found[3])


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def rows_of_the_page() -> list[tuple[list[int], str, str, str]]:
    """Of its first table: capabilities, KiB of shared memory, tables, and threads."""
    found = re.findall(r"^\| ([\d, ]+) \| (\d+) KiB \| (\d) \| (\d+), ", PAGE, re.MULTILINE)
    return [(numbers(capabilities), *rest) for capabilities, *rest in found]


def packaged() -> list[int]:
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    (release,) = (preset for preset in presets if preset["name"] == "release")
    return numbers(release["cacheVariables"]["WARPAES_CUDA_ARCHITECTURES"])


def test_the_same_architectures_everywhere() -> None:
    """In packages or said to be in none, on the page, in the test of the policy, and in the README."""
    every = sorted([*packaged(), *architectures.NOT_IN_PACKAGES])
    assert every == sorted(set(every))
    assert every == sorted(each for capabilities, *_ in rows_of_the_page() for each in capabilities)
    listed = re.search(r"kCapabilities\[\] = \{([\d, ]+)\}", TESTED)
    assert listed
    assert numbers(listed[1]) == every


def test_packages_have_what_pages_say() -> None:
    of_the_page = re.search(r"machine code for ([\d, ]+ and \d+)", PAGE)
    assert of_the_page
    assert numbers(of_the_page[1]) == packaged()
    without = re.search(r"^(\d+ and \d+) are in no package", PAGE, re.MULTILINE)
    assert without
    assert tuple(numbers(without[1])) == architectures.NOT_IN_PACKAGES
    of_readme = re.search(r"capability (\S+) to (\S+), but for Jetson's (\S+) and (\S+)\)", README)
    assert of_readme
    found = [int(number.replace(".", "")) for number in of_readme.groups()]
    assert found == [packaged()[0], packaged()[-1], *architectures.NOT_IN_PACKAGES]


def test_each_architecture_has_a_card_or_the_row_of_one() -> None:
    cards = {card.capability for card in architectures.CARDS}
    for capabilities, *_ in rows_of_the_page():
        assert cards & set(capabilities), capabilities
    assert cards <= {*packaged(), *architectures.NOT_IN_PACKAGES}


def test_what_differs_is_the_policys() -> None:
    same = {87: 80, 89: 86, 103: 100}
    rows = rows_of_the_page()
    assert len(rows) == 7
    for capabilities, shared, tables, threads in rows:
        for capability in capabilities:
            expected = (int(tables), int(shared), int(threads))
            assert policy_of(same.get(capability, capability)) == expected
