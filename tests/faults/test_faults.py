"""A sample of tests/faults/campaign.py: some calls and some allocations, others in each run."""

import random
import shutil
import signal
from pathlib import Path

import pytest

from tests.faults.campaign import (
    Campaign,
    Fault,
    Outcome,
    faults_of,
    kills_at_moments,
    kills_at_system_calls,
    try_all,
)
from tests.faults.cases import Case
from tests.faults.system_calls import counted

SAMPLE = 1501  # one allocation in so many
CALLS_SAMPLE = 2  # and one call of the file system


@pytest.fixture(name="campaign", scope="module")
def campaign_in_a_folder(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return Campaign(tmp_path_factory.mktemp("faults"))


def test_whatever_fails_nothing_is_lost_or_left_behind(campaign: Campaign) -> None:
    first = random.randint(1, SAMPLE)
    for case in campaign.cases:
        counts = campaign.counts(case)
        assert counts.calls > 10
        faults = [*faults_of(counts, SAMPLE, first, CALLS_SAMPLE * case.calls_sample), *kills_at_moments(3)]
        findings = try_all(campaign, case, counts.seconds, faults)
        assert not findings.wrong, findings.wrong
        assert findings.killed["kill"], "no kill was one"


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_killed_at_system_calls(campaign: Campaign) -> None:
    """Some of those of one command: they are more than the injector's, and made by any function."""
    case = random.choice(campaign.cases)
    made = campaign.system_calls(case)
    assert made["openat"] > 3
    kills = random.sample(kills_at_system_calls(made), 40)
    findings = try_all(campaign, case, campaign.counts(case).seconds, kills)
    assert not findings.wrong, findings.wrong
    assert findings.killed["system call"] > 20  # which thread makes a call is not the same in each run


def test_system_calls_are_counted_by_thread() -> None:
    log = [
        "7 execve(...) = 0",
        "7 read(3, ) = 1",
        "8 read(3, <unfinished ...>",
        "7 read(3, ) = 0",
        "8 <... read resumed>) = 1",
    ]
    assert counted("\n".join(log)) == {"read": 2}


def test_an_input_goes_only_when_its_own_output_is_there() -> None:
    case = Case("seal", (), before={"a": b"", "b.wa": b""}, removes=True)
    assert case.may_go("a", {"a.wa": b""})
    assert case.may_go("b.wa", {"b": b""})
    assert not case.may_go("a", {"b": b""})
    assert not Case("seal", (), before={"a": b""}).may_go("a", {"a.wa": b""})


def test_memory_refused_before_main(campaign: Campaign) -> None:
    """Kernels are not registered then. Objects of the CUDA runtime itself and of the C++ library crash."""
    keygen = campaign.cases[-1]
    outcomes = [
        campaign.run(keygen, Fault("memory", at)) for at in range(1, campaign.counts(keygen).before_main + 1)
    ]
    assert len(outcomes) > 20
    assert (
        sum(outcome.code < 0 for outcome in outcomes) <= 3
    )  # the runtime's are one in each of program and library
    assert all(outcome.code in (0, 1) for outcome in outcomes if outcome.code >= 0)


@pytest.mark.parametrize(
    ("left", "outcome", "wrong"),
    [
        ({"in": b"1", "out": b"2"}, Outcome(0, ""), ""),
        ({"in": b"1"}, Outcome(1, "error: no memory"), ""),
        ({"in": b"1"}, Outcome(1, "\n"), "exit code 1, and no message"),
        ({"in": b"1", "out": b"2"}, Outcome(1, ""), "exit code 1, and no message"),
        ({"in": b"1"}, Outcome(0, ""), "success, and missing"),
        ({"in": b"1", "out": b""}, Outcome(1, "error"), "neither old nor whole"),
        ({"out": b"2"}, Outcome(0, ""), "lost: in"),
        ({"in": b"1", "out.7-0": b"2"}, Outcome(1, "error"), "left behind"),
        ({"in": b"1"}, Outcome(-11, ""), "crashed"),
    ],
)
def test_what_is_wrong_is_seen(
    campaign: Campaign, tmp_path: Path, left: dict[str, bytes], outcome: Outcome, wrong: str
) -> None:
    case = Case("copy", (), before={"in": b"1"}, outputs={"out": b"2"})
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    campaign.judge(case, tmp_path, outcome, killed=False)
    assert outcome.wrong.startswith(wrong)
    assert bool(outcome.wrong) == bool(wrong)


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [
        (Outcome(0, "", output=b"whole"), ""),
        (Outcome(0, "", output=b"who"), "exit code 0, and standard output is not whole"),
        (Outcome(1, "error", output=b""), ""),
        (Outcome(1, "error", output=b"who"), "not said"),
        (Outcome(1, "error; the 3 bytes on standard output are only the beginning", output=b"who"), ""),
        (
            Outcome(1, "error; the 3 bytes on standard output are only the beginning", output=b"wrong"),
            "neither",
        ),
        (Outcome(-signal.SIGKILL, "", output=b"who"), ""),
        (Outcome(-signal.SIGKILL, "", output=b"wrong"), "neither"),
    ],
)
def test_what_is_wrong_with_an_output_is_seen(
    campaign: Campaign, tmp_path: Path, outcome: Outcome, wrong: str
) -> None:
    case = Case("copy", (), before={}, stdout=b"whole")
    campaign.judge(case, tmp_path, outcome, killed=outcome.code < 0)
    assert outcome.wrong.startswith(wrong)
    assert bool(outcome.wrong) == bool(wrong)


def test_a_killed_command_says_nothing(campaign: Campaign, tmp_path: Path) -> None:
    outcome = Outcome(-signal.SIGKILL, "")
    campaign.judge(Case("copy", (), before={}, outputs={"out": b"2"}), tmp_path, outcome, killed=True)
    assert not outcome.wrong
