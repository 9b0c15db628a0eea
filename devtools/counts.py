"""How many tests passed, failed and were skipped, read from what the test programs report."""

import json
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    @property
    def good(self) -> bool:
        """Has nothing failed, and has anything run at all? To run no tests is no success."""
        return self.failed == 0 and self.passed > 0


def from_googletest(report: Path) -> Counts:
    """Counts the report that GoogleTest writes with --gtest_output=json."""
    counts = Counts()
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                counts += Counts(failed=1)
            elif case["result"] == "COMPLETED":
                counts += Counts(passed=1)
            else:
                counts += Counts(skipped=1)
    return counts


def from_junit(report: Path) -> Counts:
    """Counts the report that pytest writes with --junitxml."""
    counts = Counts()
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts += Counts(failed=1)
        elif case.find("skipped") is not None:
            counts += Counts(skipped=1)
        else:
            counts += Counts(passed=1)
    return counts


def from_ctest(junit: Path, googletest_reports: Path) -> Counts:
    """ctest --output-junit: one line a program, in whose place its own report counts if it has one.

    A program that failed without saying which test (it crashed, ran too long, leaked) is one failure, and so
    is one whose report has no test: a filter that chooses nothing is no success.
    """
    counts = Counts()
    for program in ElementTree.parse(junit).iter("testcase"):
        own_report = googletest_reports / f"{program.attrib['name']}.json"
        inside = from_googletest(own_report) if own_report.is_file() else Counts()
        well = program.attrib["status"] == "run"
        if well and not own_report.is_file():
            counts += Counts(passed=1)
        elif inside.failed or (well and inside != Counts()):
            counts += inside
        else:
            counts += inside + Counts(failed=1)
    return counts
