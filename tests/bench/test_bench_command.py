"""warpaes bench as a program: what it prints, and its exit codes."""

import json
import os
import re
import subprocess
from typing import Any

import pytest

from devtools.repository import ROOT

QUICK = (
    "--engine",
    "openssl",
    "--samples",
    "1",
    "--mode",
    "gcm",
    "--key-bits",
    "256",
    "--direction",
    "decrypt",
)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = os.environ["WARPAES"]
    return subprocess.run([program, "bench", *arguments], capture_output=True, text=True, check=False)


def json_lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_batch_as_json() -> None:
    done = bench(*QUICK, "--bytes", "16KiB", "--messages", "5", "--json")
    assert done.returncode == 0, done.stderr
    machine, result, summary = json_lines(done)
    assert machine["type"] == "machine"
    assert summary == {"type": "summary", "results": 1, "wrong": 0}
    assert (result["messages"], result["bytes"], result["verified"]) == (5, 16384, True)
    assert result["verified_with"] != "openssl"


@pytest.mark.parametrize("kind", ["ragged", "key_each", "tensors"])
def test_other_batches(kind: str) -> None:
    flag = "--" + kind.replace("_", "-")
    done = bench(*QUICK, "--bytes", "1KiB", "--messages", "50", flag, "--json")
    assert done.returncode == 0, done.stderr
    result = json_lines(done)[1]
    assert result[kind] is True
    assert result["verified"] is True


@pytest.mark.parametrize("mode", ["ecb-pkcs7", "cbc-pkcs7", "cbc-cs1", "cbc-cs2", "cbc-cs3", "cfb8", "cfb1"])
def test_padding_stealing_and_short_segments(mode: str) -> None:
    quick = ("--engine", "openssl", "--samples", "1", "--mode", mode + "-batch", "--key-bits", "128")
    done = bench(*quick, "--bytes", "160", "--messages", "20", "--json")
    assert done.returncode == 0, done.stdout
    encrypted, decrypted = json_lines(done)[1:-1]
    assert (encrypted["direction"], encrypted["verified"]) == ("encrypt", True)
    assert (decrypted["direction"], decrypted["verified"]) == ("decrypt", True)


def test_data_at_an_odd_address() -> None:
    done = bench(*QUICK, "--bytes", "1000", "--messages", "5", "--misalign", "3", "--json")
    assert done.returncode == 0, done.stderr
    result = json_lines(done)[1]
    assert (result["misaligned_by"], result["framed"], result["verified"]) == (3, False, True)


def test_a_run_without_gaps() -> None:
    """Behind the samples, for as long as was asked for; without a GPU nothing tells its energy."""
    calls = ("--bytes", "64KiB", "--json")
    assert "sustained" not in json_lines(bench(*QUICK, *calls))[1]
    sustained = json_lines(bench(*QUICK, *calls, "--seconds", "0.5"))[1]["sustained"]
    assert 0.05 < sustained["seconds"] < 20  # by the speed of the samples, which others on the machine change
    assert sustained["gb_per_s"] > 0
    assert sustained["watts"] is sustained["joules_per_gb"] is sustained["clock_mhz"] is None
    assert "GB/s for" in bench(*QUICK, *calls[:2], "--seconds", "0.5").stdout


def test_what_was_built_is_named() -> None:
    """./dev build leaves the hash of the sources and the commit beside the program."""
    machine = json_lines(bench(*QUICK, "--bytes", "16", "--json"))[0]
    assert len(machine["sources_sha256"]) == 64
    assert machine["commit"]


def test_a_table() -> None:
    done = bench(*QUICK, "--bytes", "1MiB,100")
    assert done.returncode == 0, done.stderr
    assert "1 MiB" in done.stdout
    assert "100 B" in done.stdout
    assert "2 results, each output checked against another engine" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bytes", "0"),
        ("--bytes", "-1"),
        ("--bytes", "1.5MiB"),
        ("--mode", "rot13"),
        ("--mode", "ecb", "--bytes", "17"),
        ("--mode", "ctr", "--messages", "2"),
        ("--mode", "gcm", "--tensors"),
        ("--mode", "cbc-pkcs7-batch", "--bytes", "17"),
        ("--key-bits", "512"),
        ("--direction", "both"),
        ("--where", "tape"),
        ("--limits-from", "/no/such/report"),
        ("--limits", "--limits-from", "/dev/null"),
        ("--no-such-option",),
    ],
)
def test_usage_errors(arguments: tuple[str, ...]) -> None:
    done = bench("--engine", "openssl", *arguments)
    assert done.returncode == 2, done.stdout
    assert "warpaes: error:" in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("arguments", [("--engine", "none"), ("--engine", "openssl", "--where", "device")])
def test_engines_that_cannot(arguments: tuple[str, ...]) -> None:
    done = bench(*arguments, "--json")
    assert done.returncode == 4
    assert json_lines(done)[-1]["type"] == "error"


def test_every_field_is_on_the_page() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text().partition("\n## JSON\n")[2].partition("\n## ")[0]
    documented = set(re.findall(r'["`](\w+)["`]', page))
    for line in json_lines(bench(*QUICK, "--bytes", "1KiB", "--json")):
        assert set(line) - documented == set(), line["type"]
