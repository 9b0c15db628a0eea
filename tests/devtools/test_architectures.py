"""The page about GPUs that nobody has measured has what its formulas give, and what the policy says."""

import re

from devtools import architectures
from devtools.repository import ROOT

PAGE = (ROOT / "docs" / "design" / "architectures.md").read_text()
POLICY = (ROOT / "src" / "kernels" / "policy.hpp").read_text()


def test_the_table_is_computed() -> None:
    for card in architectures.CARDS:
        assert architectures.row(card) in PAGE


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


def test_what_differs_is_the_policys() -> None:
    first = PAGE.split("## What can be expected")[0]
    rows = re.findall(r"^\| ([\d, ]+) \| (\d+) KiB \| (\d) \| (\d+), ", first, re.MULTILINE)
    same = {87: 80, 89: 86, 103: 100}
    assert len(rows) == 7
    for capabilities, shared, tables, threads in rows:
        for capability in map(int, capabilities.split(", ")):
            expected = (int(tables), int(shared), int(threads))
            assert policy_of(same.get(capability, capability)) == expected
