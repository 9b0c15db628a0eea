"""Measures the package beside the C library and beside `cryptography`. Prints Markdown.

    PYTHONPATH=stage/lib/python .venv/bin/python bindings/python/benchmarks/aes_gcm.py

AES-256-GCM on one thread, into memory that is given and into new memory. Each figure is the best of several
rounds, as other programs only ever make it slower. In a round the two packages take turns.
"""

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import aead

import warpaes

ROUNDS = 15
KEY, NONCE = bytes(32), bytes(12)
SIZES = [64, 256, 1024, 4096, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20]
HERE = Path(__file__).resolve().parent


def seconds(*calls: Callable[[], object]) -> list[float]:
    """Of one call of each, the best of the rounds."""
    count = 1
    while min(timed(call, count) for call in calls) * count < 0.005:
        count *= 4
    rounds = [[timed(call, count) for call in calls] for _ in range(ROUNDS)]
    return [min(of_call) for of_call in zip(*rounds, strict=True)]


def timed(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def of_c() -> list[float]:
    """The same calls, from a program in C that takes the library of this process."""
    library = next(path for path in loaded() if "libwarpaes.so" in path.name)
    include = HERE.parents[2] / "include"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "c_call"
        options = ["-O2", f"-I{include}", f"-Wl,-rpath,{library.parent}", "-o", program]
        subprocess.run(["cc", *options, HERE / "c_call.c", library], check=True)
        sizes = [str(length) for length in SIZES]
        done = subprocess.run([program, *sizes], capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def loaded() -> list[Path]:
    lines = Path("/proc/self/maps").read_text().splitlines()
    return [Path(line.split()[-1]) for line in lines if "/" in line]


def into_memory_that_is_given(ours: warpaes.AESGCM, theirs: aead.AESGCM) -> None:
    print(
        "| bytes | C, µs | warpaes, µs | over C, µs | cryptography, µs | warpaes, GB/s | cryptography, GB/s |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for length, c in zip(SIZES, of_c(), strict=True):
        text, output = bytes(length), bytearray(length + 16)
        we, they = seconds(
            lambda: ours.encrypt_into(NONCE, text, None, output),  # noqa: B023
            lambda: theirs.encrypt_into(NONCE, text, None, output),  # noqa: B023
        )
        times = f"{1e6 * c:.2f} | {1e6 * we:.2f} | {1e6 * (we - c):.2f} | {1e6 * they:.2f}"
        print(f"| {length} | {times} | {length / we / 1e9:.2f} | {length / they / 1e9:.2f} |")


def into_new_memory(ours: warpaes.AESGCM, theirs: aead.AESGCM) -> None:
    print("| bytes | encrypt, µs | cryptography, µs | ratio | decrypt, µs | cryptography, µs | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for length in (*SIZES, 1 << 30):
        text = bytes(length)
        sealed = theirs.encrypt(NONCE, text, None)
        columns = [str(length)]
        for name, argument in (("encrypt", text), ("decrypt", sealed)):
            we, they = seconds(
                lambda: getattr(ours, name)(NONCE, argument, None),  # noqa: B023
                lambda: getattr(theirs, name)(NONCE, argument, None),  # noqa: B023
            )
            columns += [f"{1e6 * we:.2f}", f"{1e6 * they:.2f}", f"{they / we:.2f}"]
        print(f"| {' | '.join(columns)} |")


def main() -> None:
    ours = warpaes.AESGCM(KEY, context=warpaes.Context(engine="openssl", threads=1))
    theirs = aead.AESGCM(KEY)
    into_memory_that_is_given(ours, theirs)
    print()
    into_new_memory(ours, theirs)


if __name__ == "__main__":
    main()
