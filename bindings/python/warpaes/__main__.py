"""python -m warpaes: what can do the work here, whether it is right, and how fast it is from Python."""

import argparse
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial

import warpaes

_SIZES = (64, 1 << 10, 16 << 10, 1 << 20, 64 << 20)


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0, 1 if an engine computes wrongly or is missing, 2 for no such command."""
    parser = argparse.ArgumentParser(prog="python -m warpaes", description=warpaes.__doc__)
    parser.add_argument("--version", action="version", version=f"warpaes {warpaes.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    checks = commands.add_parser("selftest", help="check every engine that can run here with known answers")
    checks.add_argument("--device", type=int, default=0, help="number of the CUDA device (0)")
    bench = commands.add_parser("bench", help="measure AES-GCM on bytes, and in a batch")
    bench.add_argument("--engine", default="auto", help="an engine of selftest's list (auto)")
    bench.add_argument("--threads", type=int, default=0, help="CPU threads, 0 for all (0)")
    bench.add_argument("--seconds", type=_seconds, default=0.3, help="how long each figure is measured (0.3)")
    given = parser.parse_args(arguments)
    try:
        if given.command == "selftest":
            return _selftest(given.device)
        return _bench(warpaes.Context(engine=given.engine, threads=given.threads), given.seconds)
    except (warpaes.Error, ValueError) as error:
        print(f"warpaes: error: {error}", file=sys.stderr)
        return 1


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of 0 or more, not {text}")
    return seconds


def _selftest(device: int) -> int:
    rows = warpaes.engines(device)
    for row in rows:
        state = "ok" if row.available else "WRONG" if row.failed_self_test else "not here"
        print(f"{state:8}  {row.name}/{row.kernel:28} {row.timing:14} {row.reason}".rstrip())
    good = sum(row.available for row in rows)
    wrong = sum(row.failed_self_test for row in rows)
    print(f"{good} engines compute rightly, {wrong} wrongly, {len(rows) - good - wrong} cannot run here")
    return 0 if good and not wrong else 1


def _bench(context: warpaes.Context, seconds: float) -> int:
    aead, nonce = warpaes.AESGCM(bytes(range(32)), context=context), bytes(12)
    print(f"AES-256-GCM in host memory, {context}", flush=True)
    print(f"{'what':34} {'engine':28} {'a call':>12} {'GB/s':>8}")
    for size in _SIZES:
        sealing = partial(aead.encrypt_into, nonce, bytes(size), b"", bytearray(size + 16))
        _row(f"encrypt_into, {size} bytes", context.engine_for(size), size, seconds, sealing)
    count, size = 1024, 16 << 10
    rows = [bytes(size)] * count
    nonces = [number.to_bytes(12, "big") for number in range(count)]
    engine, batch = context.engine_for(count * size), partial(aead.encrypt_batch, nonces, rows)
    _row(f"encrypt_batch, {count} of {size} bytes", engine, count * size, seconds, batch)
    return 0


def _row(name: str, engine: str, size: int, seconds: float, call: Callable[[], object]) -> None:
    """The median of the calls that fit into the time, after one that is not counted."""
    call()
    took: list[float] = []
    end = time.perf_counter() + seconds
    while len(took) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        took.append(time.perf_counter() - start)
    middle = sorted(took)[len(took) // 2]
    print(f"{name:34} {engine:28} {1e6 * middle:9.1f} us {size / middle / 1e9:8.3f}", flush=True)


def _main_that_tells_of_a_full_disk() -> int:
    """Whoever keeps the results in a file must not believe that they are all there."""
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        print(f"warpaes: error: the results cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # where the interpreter puts the rest
        return 1
    return code


if __name__ == "__main__":
    # As other programs end: at once when the user or a closed pipe (`| head`) says so, without a traceback.
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    sys.exit(_main_that_tells_of_a_full_disk())
