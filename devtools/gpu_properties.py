"""The suite `properties` of ./dev gpu: the test programs of the build that make sense on a GPU."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from devtools.gpu_run import Run
from devtools.process import Stopwatch, exit_code, say
from devtools.repository import STAGED_TESTS

FILTER = "--gtest_filter=-*emulated_gpu*"  # on the emulated GPU, CI runs the same tests
# No program of Google Test, but an example: its exit code says all, and 77 that it was skipped.
EXAMPLES, SKIPPED = ("fused_decrypt_test",), 77


def properties(run: Run, seconds: float) -> bool:
    """Has every program said that nothing failed? What became of its tests is a line of the evidence."""
    lines = [outcome_of(program, seconds) for program in sorted(STAGED_TESTS.glob("*_test"))]
    run.write("properties", map(json.dumps, lines))  # a part of them would prove nothing
    return bool(lines) and not any(line["failed"] for line in lines)


def outcome_of(program: Path, seconds: float) -> dict[str, Any]:
    """What became of a program's tests. One that does not come to its end has failed with all of them."""
    with tempfile.TemporaryDirectory() as folder:
        report, output, clock = Path(folder) / "report.json", Path(folder) / "output", Stopwatch()
        where = {"GTEST_OUTPUT": f"json:{report}"}
        code = exit_code([program, FILTER], extra_environment=where, timeout=seconds, output=output)
        tests = tests_in(json.loads(report.read_text())) if report.is_file() else []
        text = output.read_text(errors="replace")
    say(text)
    if program.name in EXAMPLES:
        tests, code = [as_test(program.name, code)], 0
    results = Counter(result_of(test) for test in tests)
    failures = [f"{test['classname']}.{test['name']}" for test in tests if test.get("failures")]
    if code != 0 and not failures:
        failures = [f"exit code {code}"]
    if not tests:
        failures.append("no test was run")
    if failures:
        say(f"{program.name} failed: {', '.join(failures)}")
    return {
        "type": "properties",
        "program": program.name,
        "passed": results["passed"],
        "failed": len(failures),
        "skipped": results["skipped"],
        "failures": failures,
        "skips": Counter(reasons_in(text)),
        "seconds": round(clock.seconds, 1),
    }


def as_test(example: str, code: int) -> dict[str, Any]:
    failures = [] if code in (0, SKIPPED) else [f"exit code {code}"]
    result = "SKIPPED" if code == SKIPPED else "COMPLETED"
    return {"classname": "Examples", "name": example, "result": result, "failures": failures}


def tests_in(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All tests of a report of Google Test that were to be run."""
    suites = report["testsuites"]
    return [test for suite in suites for test in suite["testsuite"] if test["status"] == "RUN"]


def result_of(test: dict[str, Any]) -> str:
    if test.get("failures"):
        return "failed"
    return "skipped" if test["result"] == "SKIPPED" else "passed"


def reasons_in(text: str) -> list[str]:
    """Why tests were skipped: what they printed last. Reports have no reasons before Google Test 1.13."""
    lines = text.splitlines()
    ends = [at for at, line in enumerate(lines) if line.startswith("[  SKIPPED ] ") and line.endswith(" ms)")]
    return [next(line for line in reversed(lines[:end]) if line.strip()).strip() for end in ends]
