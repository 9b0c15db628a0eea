"""A sample of tests/faults/campaign.py: all calls, and some allocations, others in each run."""

import random
from pathlib import Path

import pytest

from tests.faults.campaign import Campaign, Case, Outcome, faults_of, try_all

SAMPLE = 701  # one allocation in so many


@pytest.fixture(name="campaign", scope="module")
def campaign_in_a_folder(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return Campaign(tmp_path_factory.mktemp("faults"))


def test_whatever_fails_nothing_is_lost_or_left_behind(campaign: Campaign) -> None:
    first = random.randint(1, SAMPLE)
    for case in campaign.cases:
        counts = campaign.counts(case)
        assert counts.calls > 10
        findings = try_all(campaign, case, faults_of(counts, SAMPLE, first), kills=5)
        assert not findings.wrong, findings.wrong


def test_memory_refused_before_main(campaign: Campaign) -> None:
    """Kernels are not registered then. Objects of the CUDA runtime itself and of the C++ library crash."""
    keygen = campaign.cases[-1]
    outcomes = [
        campaign.run(keygen, "memory", at) for at in range(1, campaign.counts(keygen).before_main + 1)
    ]
    assert len(outcomes) > 20
    assert (
        sum(outcome.code < 0 for outcome in outcomes) <= 3
    )  # the runtime's are one in each of program and library
    assert all(outcome.code in (0, 1) for outcome in outcomes if outcome.code >= 0)


@pytest.mark.parametrize(
    ("left", "code", "wrong"),
    [
        ({"in": b"1", "out": b"2"}, 0, ""),
        ({"in": b"1"}, 1, ""),
        ({"in": b"1"}, 0, "success, and missing"),
        ({"in": b"1", "out": b""}, 1, "neither old nor whole"),
        ({"out": b"2"}, 0, "lost: in"),
        ({"in": b"1", "out.7-0": b"2"}, 1, "left behind"),
        ({"in": b"1"}, -11, "crashed"),
    ],
)
def test_what_is_wrong_is_seen(
    campaign: Campaign, tmp_path: Path, left: dict[str, bytes], code: int, wrong: str
) -> None:
    case = Case("copy", (), before={"in": b"1"}, outputs={"out": b"2"})
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    outcome = Outcome(code, "")
    campaign.judge(case, tmp_path, outcome, killed=False)
    assert outcome.wrong.startswith(wrong)
    assert bool(outcome.wrong) == bool(wrong)
