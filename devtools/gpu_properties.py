"""The suite `properties` of ./dev gpu: the test programs of the build that make sense on a GPU."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from devtools.gpu_run import Run
from devtools.process import Stopwatch, exit_code, say
from devtools.repository import STAGED_TESTS

FILTER = "--gtest_filter=-*emulated_gpu*"  # what programs emulate as well is CI's


def properties(run: Run, seconds: float) -> bool:
    """Has every program said that nothing failed? What became of its tests is a line of the evidence."""
    lines = list[dict[str, Any]]()
    for program in sorted(STAGED_TESTS.glob("*_test")):
        lines.append(outcome_of(program, seconds))
        run.keep("properties", map(json.dumps, lines))  # should the machine be taken away
    run.write("properties", map(json.dumps, lines))
    return bool(lines) and not any(line["failed"] for line in lines)


def outcome_of(program: Path, seconds: float) -> dict[str, Any]:
    """What became of a program's tests. One that does not come to its end has failed with all of them."""
    with tempfile.TemporaryDirectory() as folder:
        report, clock = Path(folder) / "report.json", Stopwatch()
        where = {"GTEST_OUTPUT": f"json:{report}"}
        code = exit_code([program, FILTER], extra_environment=where, timeout=seconds)
        tests = tests_in(json.loads(report.read_text())) if report.is_file() else []
    results = [result_of(test) for test in tests]
    counts, reasons = Counter(name for name, _ in results), Counter(why for _, why in results if why)
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
        "passed": counts["passed"],
        "failed": len(failures),
        "skipped": counts["skipped"],
        "failures": failures,
        "skips": dict(reasons),
        "seconds": round(clock.seconds, 1),
    }


def tests_in(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All tests of a report of Google Test that were to be run."""
    suites = report["testsuites"]
    return [test for suite in suites for test in suite["testsuite"] if test["status"] == "RUN"]


def result_of(test: dict[str, Any]) -> tuple[str, str]:
    """@return failed, skipped or passed, and why it was skipped"""
    if test.get("failures"):
        return "failed", ""
    if test["result"] != "SKIPPED":
        return "passed", ""
    reasons = [each["message"].strip().splitlines()[-1] for each in test.get("skipped", ())]
    return "skipped", reasons[0] if reasons else "no reason was given"
