"""The suite `python` of ./dev gpu: the Python package, with this machine's own Python and packages."""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from devtools.counts import Counts
from devtools.gpu_run import Run, Skipped
from devtools.process import Command, Stop, Stopwatch, exit_code, say, text_of
from devtools.repository import STAGED_PYTHON, STAGED_TESTS, WARPAES

STAGED = STAGED_TESTS / "python"  # tests and benchmarks (bindings/python/CMakeLists.txt)
# Those for a GPU, and those whose make-believe device becomes a real one.
TESTS = (
    "on_gpu",
    "test_device_arrays.py",
    "test_device_packages.py",
    "test_device_streams.py",
    "test_short_ways.py",
    "test_verdicts.py",
    "test_arrays.py",
    "test_batch_places.py",
    "test_batches.py",
    "test_torch.py",
    "test_torch_operators.py",
    "test_dcp.py",
    "test_dcp_folders.py",
)


def settings() -> dict[str, str]:
    """What tests and benchmarks run with. A PYTHONPATH that was set stays: packages may come by it."""
    given = os.environ.get("PYTHONPATH")
    folders = [str(STAGED_PYTHON), str(STAGED), *([given] if given else [])]
    return {
        "PYTHONPATH": os.pathsep.join(folders),
        "WARPAES": str(WARPAES),
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # JAX leaves memory for the others
    }


def python_package(run: Run, seconds: float) -> bool:
    """The figures may take a half of the time, and the tests what is left.

    The file is there as soon as the figures are, and again when the tests have ended or their time is over:
    whoever stops this on the way loses what was not done, and no more.
    """
    require_package()
    clock = Stopwatch()
    figures, complete = measured(seconds / 2)
    run.write("python", map(json.dumps, figures))
    ended, line = tested(seconds - clock.seconds)
    run.write("python", map(json.dumps, [line, *figures]))
    say(json.dumps(line))
    return ended and complete


def measured(seconds: float) -> tuple[list[dict[str, Any]], bool]:
    """The lines of the benchmark, and whether there are all."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "figures.jsonl"
        command: Command = [sys.executable, STAGED / "benchmarks" / "gpu", "--warpaes", WARPAES]
        code = exit_code(command, extra_environment=settings(), timeout=seconds, output=output)
        lines = [line for line in output.read_text().splitlines() if line.endswith("}")]
    for line in lines:
        say(line)
    if code != 0:
        say(f"exit code {code}: the figures are not complete")
    return [json.loads(line) for line in lines], code == 0


def require_package() -> None:
    """Raises Skipped if this Python has no extension in stage/."""
    if not STAGED.is_dir():
        raise Skipped("stage/ has no tests for Python: ./dev build")
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    try:
        imports = f"import sys; sys.path.insert(0, {str(STAGED_PYTHON)!r}); import warpaes"
        text_of([sys.executable, "-c", imports])
    except Stop as stop:
        say(str(stop))
        raise Skipped(f"stage/ has no package for this Python: ./dev build --python {python}") from stop


def tested(seconds: float) -> tuple[bool, dict[str, object]]:
    """Have all tests been run, and none failed? And what became of them, as a line of the results."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = Path(folder) / "outcomes.jsonl"
        command: Command = [
            *(sys.executable, "-m", "pytest", "--verbose", "--tb=short", "-rs", "-p", "no:cacheprovider"),
            *("-p", "devtools.pytest_outcomes", "--import-mode=importlib", "-c", os.devnull),
            f"--rootdir={STAGED}",
            *(STAGED / "tests" / "python" / name for name in TESTS),
        ]
        environment = {**settings(), "PYTEST_OUTCOMES": str(outcomes)}
        code = exit_code(command, extra_environment=environment, timeout=max(1, seconds))
        said = outcomes.read_text().splitlines() if outcomes.is_file() else []
    found = summary_of(map(json.loads, said))
    counts = Counts(found["passed"], found["failed"], found["skipped"])
    if code != 0 and counts.good:
        say(f"pytest: exit code {code}, though no test failed: {found['not_run']} were not run")
    return code == 0 and counts.good, {"type": "tests", **found, "exit_code": code}


def summary_of(lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """How many tests passed, failed, were skipped and were not run, and which took long.

    lines: as devtools.pytest_outcomes writes them.
    """
    collected, run, running, parts = 0, 0, "", list[str]()
    done, seconds, skips, failures = Counter[str](), Counter[str](), list[str](), list[str]()
    for line in lines:
        if "collected" in line:
            collected = line["collected"]
        elif "begins" in line:
            running, parts = line["begins"], []
        elif "ends" in line:
            done[worst_of(parts)] += 1
            run, running = run + 1, ""
        else:
            seconds[line["test"]] += line["seconds"]
            if line["outcome"] == "skipped":
                skips.append(line["reason"])
            elif line["outcome"] == "failed":
                failures.append(line["test"])
            if running:
                parts.append(line["outcome"])
            else:  # a whole file
                done[line["outcome"]] += 1
    return {
        "passed": done["passed"],
        "failed": done["failed"],
        "skipped": done["skipped"],
        "not_run": collected - run,
        "running": running,
        "failures": failures,
        "seconds": round(sum(seconds.values()), 1),
        "slowest": {test: round(taken, 1) for test, taken in seconds.most_common(10)},
        "skips": [f"{skips.count(reason)}: {reason}" for reason in sorted(set(skips))],
    }


def worst_of(parts: list[str]) -> str:
    return next((outcome for outcome in ("failed", "skipped") if outcome in parts), "passed")
