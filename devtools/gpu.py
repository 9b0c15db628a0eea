"""./dev gpu: what a machine with a GPU has to run. Needs stage/ and Python, no compiler, no .venv."""

import json
import os
import secrets
import tempfile
from pathlib import Path

from devtools import files
from devtools.gpu_choice import choice
from devtools.gpu_compare import compare
from devtools.gpu_devices import devices
from devtools.gpu_lab import lab
from devtools.gpu_properties import properties
from devtools.gpu_python import python_package
from devtools.gpu_run import (
    FORCED,
    Run,
    Skipped,
    Suite,
    machine_line,
    selftests,
    succeeds,
    whole_lines,
    why_no_gpu,
)
from devtools.gpu_sanitizers import PLANTED_FAULTS, sanitizer
from devtools.gpu_tools import bank_conflicts, data_path, leakage
from devtools.process import Command, Stop, Stopwatch, exit_code, heading, say
from devtools.repository import CONFORMANCE, STAGED_DATA, WARPAES


def gpu(output: Path, names: list[str]) -> int:
    known = {suite.name: suite for suite in SUITES}
    unknown = set(names) - set(known)
    if unknown:
        raise Stop(f"no such suite: {', '.join(sorted(unknown))}")
    for needed in (STAGED_DATA / "sources.sha256", CONFORMANCE, PLANTED_FAULTS):
        if not needed.is_file():
            raise Stop(
                f"stage/ does not hold all that a GPU machine runs: {needed.name} is missing",
                hint="./dev build",
            )
    output.mkdir(parents=True, exist_ok=True)
    run = Run(machine_line(), output.resolve())
    if not run.machine.get("gpu"):
        raise Stop(f"no GPU here: {why_no_gpu()}", hint="CONTRIBUTING.md, Evidence from a GPU")
    say(json.dumps(run.machine))
    failed, skipped = [], 0
    for name in names:
        suite = known[name]
        heading(name)
        clock = Stopwatch()
        try:
            passed = suite.passes(run, suite.seconds)
        except Skipped as reason:
            say(f"{name}: skipped: {reason}")
            skipped += 1
            continue
        except Stop as stop:  # the suites behind it run all the same
            say(str(stop))
            passed = False
        say(f"{name}: {'passed' if passed else 'FAILED'} in {clock.seconds:.0f} s")
        if not passed:
            failed.append(name)
    passes = len(names) - len(failed) - skipped
    say(f"\ngpu: {passes} of {len(names)} suites passed, {skipped} skipped")
    if failed:
        say(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def selftest(run: Run, seconds: float) -> bool:
    del run
    results = [succeeds(each, seconds) for each in selftests()]
    return bool(results) and all(results)


# Each is encrypted and decrypted by every engine that has the mode: 2.3 runs, or less than 2 of a batch.
RANDOM_CASES = 46_000


def conforms(run: Run, seconds: float) -> bool:
    """The vectors and random cases on the GPU, and the results as a file that begins with the machine."""
    program: Command = [CONFORMANCE, *FORCED, "--require", "--jobs", str(os.cpu_count() or 1)]
    seed = str(secrets.randbits(64))
    drawn = ("--random", str(RANDOM_CASES), "--seed", seed)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("conformance.jsonl", "random.jsonl")]
        results = [
            succeeds([*program, *choice, "--json", file], seconds)
            for file, choice in zip(files, ((), drawn), strict=True)
        ]
        if not all(file.is_file() for file in files):
            say("no results were written")
            return False
        vectors, random = (file.read_text().splitlines() for file in files)
        seed_line = json.dumps({"type": "seed", "cases": RANDOM_CASES, "seed": seed})
        run.write("conformance", [*vectors, seed_line, *random])
    return all(results)


def round_trip(run: Run, seconds: float) -> bool:
    """A file through the CLI: encrypted by each engine, decrypted by the other, and compared."""
    del run
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key, plain = folder / "key", folder / "plain"
        plain.write_bytes(os.urandom(64 << 20) + b"a tail")
        if not succeeds([WARPAES, "keygen", "-o", key], seconds):
            return False
        for sealer, opener in (("cuda", "openssl"), ("openssl", "cuda"), ("cuda", "cuda")):
            sealed, opened = folder / f"{sealer}-{opener}.wa", folder / f"{sealer}-{opener}"
            encrypt: Command = [
                WARPAES,
                "encrypt",
                "--engine",
                sealer,
                "--key-file",
                key,
                "-o",
                sealed,
                plain,
            ]
            decrypt: Command = [
                WARPAES,
                "decrypt",
                "--engine",
                opener,
                "--key-file",
                key,
                "-o",
                opened,
                sealed,
            ]
            if not (succeeds(encrypt, seconds) and succeeds(decrypt, seconds)):
                return False
            if opened.read_bytes() != plain.read_bytes():
                say(f"encrypted by {sealer}, decrypted by {opener}: not the same")
                return False
    return True


# What is measured: each is one call of warpaes bench.
BENCHES = (
    "--limits --bytes 4GiB --samples 5",
    "--limits --mode ctr,gcm",
    "--limits --engine cuda/bitsliced --mode ecb,ctr,gcm,xts,cbc-decrypt,cfb-decrypt",
    # bit planes in batches; chained modes want more messages than others
    "--limits --engine cuda/bitsliced --mode gcm,ctr-batch,cbc-encrypt --key-bits 128 "
    "--bytes 16KiB --messages 65536 --samples 3",
    "--engine cuda/bitsliced --mode cbc-encrypt --key-bits 128 --bytes 1KiB --messages 1048576 --samples 3",
    # a container's chunks: one call for 1 GiB of them
    "--limits --mode gcm --bytes 16KiB --messages 65536",
    "--limits --mode gcm --bytes 1KiB --messages 1048576",
    "--limits --mode gcm --bytes 1KiB --messages 1048576 --key-each",
    "--limits --mode gcm --bytes 1MiB --messages 4096",
    # tags alone: of one message, of few, and of many; at an odd address
    "--limits --mode gmac --key-bits 128,256 --bytes 1MiB,16MiB,1GiB --samples 5",
    "--limits --mode gmac --key-bits 128 --bytes 1GiB --misalign 1 --samples 5",
    "--limits --mode gmac --key-bits 128 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode gmac --key-bits 128 --bytes 1MiB --messages 100 --samples 5",
    # the CPU, which checks it, takes long for GCM-SIV
    "--limits --mode gcm-siv --bytes 256MiB --samples 5",
    "--limits --mode ocb3 --bytes 1GiB --samples 5",
    "--limits --mode gcm-siv,ccm,eax,ocb3,siv --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode cbc-encrypt,cfb-encrypt,ofb,cmac --bytes 16KiB --messages 65536",
    "--limits --mode ecb-batch,ctr-batch,cbc-decrypt-batch,cfb-decrypt-batch --bytes 16KiB --messages 65536",
    "--mode ctr-batch,cbc-encrypt,cmac --bytes 1KiB --messages 1048576 --key-each",
    "--limits --mode siv --key-bits 128 --bytes 1KiB --messages 1048576 --key-each",
    "--limits --mode gcm-siv,ccm,eax,ocb3 --key-bits 128 --bytes 1KiB --messages 1048576 --key-each",
    "--limits --mode gcm-siv,ccm,eax,ocb3 --key-bits 128 --bytes 16KiB --messages 65536 --key-each",
    "--limits --mode ocb3 --key-bits 128 --bytes 1KiB --messages 1048576 --samples 5",
    "--limits --mode xts-batch --key-bits 128,256 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode xts-batch --key-bits 128 --bytes 1KiB --messages 1048576 --samples 5",
    "--limits --mode kw-batch --bytes 32 --messages 1048576 --samples 5",
    "--limits --mode cbc-decrypt-batch --key-bits 128,256 --bytes 16KiB --messages 65536 --key-each",
    # few long messages, which are cut into runs
    "--mode ecb-batch,ctr-batch,cbc-decrypt-batch,xts-batch --key-bits 128 --bytes 1MiB --messages 100",
    "--mode ctr-batch,cbc-decrypt-batch --key-bits 128 --bytes 1MiB --messages 100 --key-each",
    # one message of middle size, and messages as large as pages of a cache
    "--mode gcm --key-bits 128 --bytes 1MiB,4MiB,16MiB,64MiB",
    "--mode gcm --key-bits 128 --bytes 160KB --messages 1616 --samples 5",
    "--mode gcm --key-bits 128 --bytes 160KB --messages 10000 --samples 5",
    # data at odd addresses, and in frames of nonce, ciphertext and tag
    "--limits --mode ctr,gcm --key-bits 128,256 --bytes 64MiB,1GiB --misalign 1 --samples 5",
    "--limits --mode ecb,xts,cbc-decrypt,cfb-decrypt --key-bits 128 --bytes 1GiB --misalign 1 --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 16KiB --messages 65536 --misalign 1 --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 16KiB --messages 65536 --misalign 4 --samples 5",
    "--limits --mode gcm --key-bits 128,256 --bytes 16KiB --messages 65536 --misalign 13 --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 1KiB --messages 1048576 --misalign 1 --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 160KB --messages 1616 --misalign 1 --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 64KiB --messages 16384 --framed --samples 5",
    # padding, stealing, short segments
    "--limits --mode ecb-pkcs7-batch --key-bits 128 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode cbc-pkcs7-batch --key-bits 128,256 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode cbc-cs1-batch,cbc-cs2-batch --key-bits 128 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode cbc-cs3-batch --key-bits 128,256 --bytes 16KiB --messages 65536 --samples 5",
    "--limits --mode cfb8-batch --key-bits 128,256 --bytes 1KiB --messages 65536 --samples 5",
    "--limits --mode cfb1-batch --key-bits 128,256 --bytes 128 --messages 65536 --samples 5",
    # lists of tensors, of one length and of all lengths; one message of their sum is in the first lines
    "--limits --mode gcm --key-bits 128,256 --bytes 1MiB --messages 1024 --tensors --samples 5",
    "--limits --mode gcm --key-bits 128,256 --bytes 64MiB --messages 16 --tensors --samples 5",
    "--limits --mode gcm --key-bits 128,256 --bytes 64MiB --messages 32 --tensors --ragged --samples 5",
    "--limits --mode gcm --key-bits 128 --bytes 160KB --messages 1616 --tensors --samples 5",
    # lengths from 0 to twice 16 KiB
    "--limits --mode gcm,cbc-encrypt --key-bits 128 --bytes 32KiB --messages 32768 --ragged --samples 5",
    "--mode gcm,ctr --bytes 1KiB,64KiB,256KiB --where device,graph",
    # host memory: GPU alone, CPU alone, and what the library chooses; in the CPU's caches, and beyond them
    "--limits --mode ctr,gcm --key-bits 256 --direction encrypt --where pinned --bytes 8GiB --samples 5",
    "--limits --mode ctr,gcm --key-bits 256 --engine cuda,shared --where pinned,pageable",
    "--mode ctr,gcm --key-bits 256 --engine openssl --where pageable --bytes 1GiB",
    "--mode ctr,gcm --key-bits 256 --engine cuda,shared --where pinned --bytes 8MiB,32MiB,128MiB",
    "--mode ctr,gcm --key-bits 256 --engine openssl,shared --where pageable --bytes 8MiB,32MiB,128MiB",
    # beyond 32 bits of bytes
    "--limits --mode ecb,ctr,gcm --key-bits 256 --bytes 5GiB --samples 3",
    "--engine openssl --mode ctr,gcm --key-bits 128 --where pageable --threads 1",
)


# Half a minute without gaps each: by then a GPU is as warm, and its clock as low, as they stay.
SUSTAINED = (
    "--mode gcm --key-bits 128,256 --direction encrypt --bytes 4GiB --samples 3 --seconds 30",
    "--mode ctr --key-bits 128 --direction encrypt --bytes 4GiB --samples 3 --seconds 30",
)


def bench(run: Run, seconds: float) -> bool:
    return measured(run.file("bench"), BENCHES, seconds)


def sustained(run: Run, seconds: float) -> bool:
    return measured(run.file("sustained"), SUSTAINED, seconds)


def measured(results: Path, calls: tuple[str, ...], seconds: float) -> bool:
    """One file for all: the machine, its limits and the results, with one summary."""
    results.unlink(missing_ok=True)
    lines: list[str] = []
    known: set[tuple[str, str]] = set()
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "bench.jsonl"
        for arguments in calls:
            clock = Stopwatch()
            command: Command = [WARPAES, "bench", "--json", *with_limits_of(results, arguments.split())]
            code = exit_code(command, timeout=seconds, output=output)
            say(f"{clock.seconds:.1f} s: warpaes bench {arguments}")
            if code != 0:
                say(f"exit code {code}: warpaes bench {arguments}")
                passed = False
            found = whole_lines(output)
            if len(found) < len(output.read_text(errors="replace").splitlines()):
                say(f"a line that is cut short: warpaes bench {arguments}")
                passed = False
            for line in found:
                entry = json.loads(line)
                once = (entry["type"], entry.get("name", ""))  # the machine, and each limit
                if entry["type"] == "summary" or once in known:
                    continue
                if entry["type"] in ("machine", "limit"):
                    known.add(once)
                lines.append(line)
            results.write_text("\n".join(lines) + "\n")  # what there is, should the machine be taken away
    say(f"written: {results}")
    say(results.read_text())
    return passed


def with_limits_of(results: Path, arguments: list[str]) -> list[str]:
    """Limits that are there already are not measured again: that takes two seconds each time."""
    known = results.is_file() and '"limit"' in results.read_text()
    taken = ["--limits-from", str(results)]
    return [part for each in arguments for part in (taken if known and each == "--limits" else [each])]


SUITES = (
    Suite("selftest", 120, selftest),
    Suite("properties", 240, properties),
    Suite("conformance", 400, conforms),
    Suite("memcheck", 400, sanitizer("memcheck")),
    Suite("racecheck", 480, sanitizer("racecheck")),
    Suite("initcheck", 240, sanitizer("initcheck")),
    Suite("synccheck", 240, sanitizer("synccheck")),
    Suite("bank-conflicts", 240, bank_conflicts),
    Suite("data-path", 240, data_path),
    Suite("leakage", 330, leakage),
    Suite("cli", 60, round_trip),
    Suite("bench", 300, bench),
    Suite("compare", 120, compare),
    Suite("choice", 60, choice),
    Suite("sustained", 150, sustained),
    Suite("files", 300, files.suite),
    Suite("devices", 120, devices),
    Suite("lab", 390, lab),
    Suite("python", 360, python_package),
)
