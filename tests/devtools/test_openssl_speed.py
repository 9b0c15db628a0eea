"""The comparison with openssl speed, on made-up outputs."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from devtools import openssl_speed
from devtools.process import Stop


def outputs(peer: float, ours: float, *, verified: bool = True) -> object:
    def text_of(command: Sequence[object]) -> str:
        if command[0] == "openssl":
            return f"+H:65536\n+F:25:AES-128-GCM:{peer * 1e9}\n"
        result = {"type": "result", "verified": verified, "gb_per_s": ours}
        return f'{{"type":"machine"}}\n{json.dumps(result)}\n'

    return text_of


@pytest.mark.parametrize(("ours", "expected"), [(9.1, 0), (10.5, 0), (8.9, 1)])
def test_a_tenth_slower_is_too_slow(monkeypatch: pytest.MonkeyPatch, ours: float, expected: int) -> None:
    monkeypatch.setattr(openssl_speed, "text_of", outputs(10, ours))
    assert openssl_speed.compare(Path("warpaes")) == expected


def test_an_unverified_result_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssl_speed, "text_of", outputs(10, 20, verified=False))
    with pytest.raises(Stop):
        openssl_speed.compare(Path("warpaes"))
