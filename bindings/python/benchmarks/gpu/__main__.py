"""Measures the package on a GPU, and prints JSON lines: ./dev gpu runs it.

PYTHONPATH=stage/lib/python python3 bindings/python/benchmarks/gpu --warpaes stage/bin/warpaes

With --parts calls it takes some seconds.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator

import arrays
import calls
import host_bytes
import states
import waits
from timing import Line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--warpaes", required=True, help="the program, whose bench the arrays are compared with"
    )
    parser.add_argument("--gibibytes", type=int, default=8, help="of the state dictionary (8)")
    parts: dict[str, Callable[[], Iterator[Line]]] = {
        "calls": calls.lines,
        "bytes": host_bytes.lines,
        "arrays": lambda: arrays.lines(given.warpaes),
        "waits": waits.lines,
        "states": lambda: states.lines(given.gibibytes),
    }
    parser.add_argument("--parts", default=",".join(parts), help="some of %(default)s")
    given = parser.parse_args()
    for name in given.parts.split(","):
        for line in parts[name]():
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
