"""python -m warpaes."""

import signal
import subprocess
import sys

import pytest

from warpaes import Engine, __main__, engines


def test_selftest(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["selftest"]) == 0
    said = capsys.readouterr().out
    assert "portable/" in said
    assert "0 wrongly" in said


def test_selftest_that_finds_something(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [row._replace(available=False, failed_self_test=row.name == "portable") for row in engines()]

    def planted(device: int) -> list[Engine]:
        del device
        return wrong

    monkeypatch.setattr("warpaes.engines", planted)
    assert __main__.main(["selftest"]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["bench", "--seconds", "0", "--engine", "openssl"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 8
    assert all(float(line.split()[-1]) >= 0 for line in said[2:])


def test_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["bench", "--engine", "none"]) == 1
    assert "no engine" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        __main__.main([])
    for seconds in ("inf", "nan", "-1", "long"):  # the first would never end
        with pytest.raises(SystemExit):
            __main__.main(["bench", "--engine", "none", "--seconds", seconds])
        assert f"must be a number of 0 or more, not {seconds}" in capsys.readouterr().err


@pytest.mark.parametrize("signal_number", [signal.SIGPIPE, signal.SIGINT])
def test_ends_as_programs_end(signal_number: int) -> None:
    """A pipe that nobody reads any more, and Ctrl-C: no traceback, and the shell sees which it was."""
    command = [sys.executable, "-m", "warpaes", "bench", "--seconds", "0.01", "--engine", "openssl"]
    if signal_number == signal.SIGINT:
        command[5] = "60"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert "AES-256-GCM" in running.stdout.readline()
        if signal_number == signal.SIGPIPE:
            running.stdout.close()
        else:
            running.send_signal(signal_number)
        assert running.wait(60) == -signal_number
        assert running.stderr.read() == ""


@pytest.mark.parametrize("command", [["selftest"], ["bench", "--seconds", "0", "--engine", "openssl"]])
def test_results_that_cannot_be_written_are_told(command: list[str]) -> None:
    """At the end, where the interpreter would say it with a traceback, and on the way."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "warpaes", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == "warpaes: error: the results cannot be written: No space left on device\n"
