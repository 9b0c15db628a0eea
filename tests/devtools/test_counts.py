"""The sum at the end of ./dev test: no crash, no empty suite and no skip may look like a pass."""

import json
from pathlib import Path
from typing import Any

import pytest

from devtools import testing
from devtools.counts import Counts, from_ctest, from_googletest, from_junit


def googletest_report(path: Path, *cases: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"testsuites": [{"testsuite": list(cases)}]}))
    return path


PASSED = {"result": "COMPLETED"}
FAILED = {"result": "COMPLETED", "failures": [{"failure": "1 != 2"}]}
SKIPPED = {"result": "SKIPPED"}


def test_googletest(tmp_path: Path) -> None:
    report = googletest_report(tmp_path / "a.json", PASSED, PASSED, FAILED, SKIPPED)
    assert from_googletest(report) == Counts(passed=2, failed=1, skipped=1)


def test_junit(tmp_path: Path) -> None:
    report = tmp_path / "pytest.xml"
    report.write_text(
        "<testsuites><testsuite><testcase/><testcase><failure/></testcase><testcase><error/></testcase>"
        "<testcase><skipped/></testcase></testsuite></testsuites>"
    )
    assert from_junit(report) == Counts(passed=1, failed=2, skipped=1)


def ctest_report(folder: Path, status: str) -> Path:
    report = folder / "ctest.xml"
    report.write_text(f'<testsuite><testcase name="program" status="{status}"/></testsuite>')
    return report


def test_ctest_takes_the_counts_of_the_program(tmp_path: Path) -> None:
    googletest_report(tmp_path / "program.json", PASSED, PASSED, SKIPPED)
    assert from_ctest(ctest_report(tmp_path, "run"), tmp_path) == Counts(passed=2, skipped=1)


def test_ctest_counts_a_program_without_a_report_as_one_test(tmp_path: Path) -> None:
    assert from_ctest(ctest_report(tmp_path, "run"), tmp_path) == Counts(passed=1)


def test_ctest_counts_a_crash_as_a_failure(tmp_path: Path) -> None:
    assert from_ctest(ctest_report(tmp_path, "fail"), tmp_path) == Counts(failed=1)


def test_ctest_counts_a_report_without_a_test_as_a_failure(tmp_path: Path) -> None:
    """As when no test has the name that a filter asks for."""
    googletest_report(tmp_path / "program.json")
    assert from_ctest(ctest_report(tmp_path, "run"), tmp_path) == Counts(failed=1)
    (tmp_path / "program.json").write_text('{"tests": 0, "testsuites": []}')
    assert from_ctest(ctest_report(tmp_path, "run"), tmp_path) == Counts(failed=1)


def test_ctest_counts_a_failure_after_all_tests_passed(tmp_path: Path) -> None:
    """As when the leak checker speaks at exit."""
    googletest_report(tmp_path / "program.json", PASSED)
    assert from_ctest(ctest_report(tmp_path, "fail"), tmp_path) == Counts(passed=1, failed=1)


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ({"a": Counts(passed=1), "b": Counts(passed=2, skipped=1)}, 0),
        ({"a": Counts(passed=1), "b": Counts(passed=5, failed=1)}, 1),
        ({"a": Counts(passed=1), "b": Counts()}, 1),
        ({"a": Counts(passed=1), "b": Counts(skipped=3)}, 1),
        ({}, 1),
    ],
)
def test_summary(results: dict[str, Counts], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert testing.summarize(results) == code
    total = sum(results.values(), Counts())
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped"
