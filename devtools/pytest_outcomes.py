"""A plug-in of pytest that writes down at once what became of each test: pytest -p devtools.pytest_outcomes.

A report that is written at the end says nothing if the time is over before. The lines are JSON, in the file
that the environment variable PYTEST_OUTCOMES names.
"""

import json
import os
from typing import Any


def note(**line: object) -> None:
    with open(os.environ["PYTEST_OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def pytest_collection_finish(session: Any) -> None:
    note(collected=len(session.items))


def pytest_collectreport(report: Any) -> None:
    """Of files that are skipped as a whole, or cannot be read."""
    if not report.passed:
        note(test=report.nodeid, outcome=report.outcome, seconds=0, reason=reason_of(report))


def pytest_runtest_logstart(nodeid: str) -> None:
    note(begins=nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    """For each of the parts that a test has: its set-up, itself, and what is done afterwards."""
    note(test=report.nodeid, outcome=report.outcome, seconds=report.duration, reason=reason_of(report))


def pytest_runtest_logfinish(nodeid: str) -> None:
    note(ends=nodeid)


def reason_of(report: Any) -> str:
    """Of what was skipped: pytest has its file, line and reason."""
    found = report.longrepr
    return str(found[-1]).removeprefix("Skipped: ") if report.skipped and isinstance(found, tuple) else ""
