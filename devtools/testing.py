"""./dev test: every suite, in the ordinary build and under sanitizers, and one sum at the end."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from devtools import conformance
from devtools.build import build, build_and_stage
from devtools.counts import Counts, from_ctest, from_junit
from devtools.process import Command, Stop, Stopwatch, exit_code, heading, say
from devtools.repository import ROOT, STAGE, WARPAES, tool


def test(*, system_cuda: bool) -> int:
    clock = Stopwatch()
    ordinary = build_and_stage("dev", system_cuda=system_cuda)
    sanitized = build("asan", system_cuda=system_cuda)
    suites: dict[str, Callable[[], Counts]] = {
        "gtest": lambda: run_ctest(ordinary),
        "gtest under ASan and UBSan": lambda: run_ctest(sanitized),
        "pytest": lambda: run_pytest(ordinary),
    }
    results = {}
    for name, suite in suites.items():
        heading(name)
        results[name] = suite()
    heading("conformance")
    conformance_holds = conformance.report(ordinary / "conformance.jsonl")
    heading(f"summary, after {clock.seconds:.0f} s")
    for name, counts in results.items():
        say(f"{name}: {counts}{'' if counts.good else '  <-- not good'}")
    say(str(sum(results.values(), Counts())))
    return 0 if conformance_holds and all(counts.good for counts in results.values()) else 1


def run_ctest(folder: Path) -> Counts:
    reports = folder / "test-results"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    junit = reports / "ctest.xml"
    command: Command = [tool("ctest"), "--test-dir", folder, "--output-on-failure", "--output-junit", junit]
    # Errors of the sanitizers have their own exit code, so that no test takes one for its own.
    sanitizers = {
        "ASAN_OPTIONS": "exitcode=99:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    code = exit_code(
        [*command, "--no-tests=error", "--parallel", str(os.cpu_count() or 1)],
        extra_environment={**sanitizers, "WARPAES_CONFORMANCE_OUTPUT": str(folder / "conformance.jsonl")},
    )
    if not junit.is_file():
        raise Stop(f"ctest wrote no results (exit code {code})")
    counts = from_ctest(junit, reports)
    if code != 0 and not counts.failed:
        raise Stop(f"ctest: exit code {code}, though no test failed")
    return counts


def run_pytest(folder: Path) -> Counts:
    junit = folder / "test-results" / "pytest.xml"
    code = exit_code(
        [tool("python"), "-m", "pytest", "--quiet", f"--junitxml={junit}", ROOT / "tests"],
        extra_environment={"WARPAES": str(WARPAES), "WARPAES_STAGE": str(STAGE)},
    )
    if not junit.is_file():
        raise Stop(f"pytest wrote no results (exit code {code})")
    counts = from_junit(junit)
    if code != 0 and not counts.failed:
        raise Stop(f"pytest: exit code {code}, though no test failed")
    return counts
