"""`warpaes calibrate` where its answer has no place."""

import time

from tests.cli.program import environment, run


def test_no_place_for_the_answer_is_told_before_it_is_measured() -> None:
    begin = time.monotonic()
    result = run("calibrate", env=environment(HOME="", XDG_CACHE_HOME="relative"))
    assert result.code == 1
    assert result.out == b""
    assert "error: neither $XDG_CACHE_HOME nor $HOME names a folder" in result.err
    assert "hint: $XDG_CACHE_HOME" in result.err
    assert time.monotonic() - begin < 1
