"""./dev test: every suite once, and one sum at the end.

GoogleTest's programs run under sanitizers; the ordinary build has the product, which pytest tries, and the
checks that take too long under sanitizers.
"""

import json
import os
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from devtools.build import TESTED_PARTS, build, build_and_stage
from devtools.counts import Counts, from_ctest, from_junit
from devtools.process import Argument, Command, Stop, Stopwatch, exit_code, heading, say, text_of
from devtools.repository import BUILD, CONFORMANCE, ROOT, STAGED_PYTHON, WARPAES, tool
from devtools.setup import PEERS, PRODUCT, TEST, TORCH, environment_with, list_of, set_up
from devtools.steps import say_steps, step

STAGED = {"WARPAES": str(WARPAES), "PYTHONPATH": str(STAGED_PYTHON)}  # what pytest tries
RESULTS = "test-results"  # a folder of each build
WITHOUT_SANITIZERS = "^without_sanitizers$"  # the label of tests that are run in the ordinary build as well

# pytest runs one test after the other, so there are two of it, each with about half of the tests. What runs
# beside them leaves them the processors that they ask for, or one would go on alone, on one processor, when
# all others have ended.
TESTS_OF_TOOL = ROOT / "tests" / "cli"
BEHIND_PYTEST = ("nice", "-n", "5")

# Errors that a sanitizer finds have an exit code of their own, so that no test takes one for another.
SANITIZERS = {"ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "print_stacktrace=1"}

# The tests that call all of the Python package's C++, and take little time under sanitizers.
CALLING_THE_EXTENSION = (
    "aead",
    "arrays",
    "batch_places",
    "batches",
    "ciphers",
    "files",
    "long_files",
    "secrets",
)


# What the tests of the Python package with PyTorch need. The first has what they compare with.
LISTS_WITH_TORCH = (*(list_of(group, "requirements") for group in (PRODUCT, TEST, PEERS)), TORCH)


def test(*, system_cuda: bool, extension: bool, torch: bool) -> int:
    """extension: with the Python package's C++ under sanitizers as well.

    torch: with the Python package's tests once more, in an environment that has PyTorch.
    """
    clock = Stopwatch()
    set_up(system_cuda, PRODUCT, TEST)
    with ThreadPoolExecutor() as pool:
        # Only pytest needs these. pip is one process, which waits for the network as well.
        peers = pool.submit(set_up, system_cuda, PEERS, timed=False)
        apart = pool.submit(environment_with, BUILD / "torch", LISTS_WITH_TORCH) if torch else None
        ordinary = build_and_stage("dev", parts=TESTED_PARTS, system_cuda=system_cuda)
    peers.result()
    python_with_torch = apart.result() if apart else None
    kernels = ordinary / "src" / "kernels" / "libwarpaes_kernels.a"
    sanitized = build(
        "asan",
        f"-DWARPAES_BUILT_KERNELS={kernels}",
        targets=["tests", *(["warpaes_python"] if extension else [])],
        system_cuda=system_cuda,
    )
    nothing_is_left_out(ordinary, sanitized)
    for folder in (ordinary, sanitized):
        shutil.rmtree(folder / RESULTS, ignore_errors=True)
        (folder / RESULTS).mkdir()
    with step("all tests, side by side"):
        results = run_side_by_side(ordinary, sanitized)
    if extension:
        heading("Python's extension under ASan and UBSan")
        with step("Python's extension under ASan and UBSan"):
            results["Python's extension under ASan and UBSan"] = run_extension(sanitized)
    if python_with_torch:
        heading("Python with PyTorch")
        with step("Python with PyTorch"):
            results["Python with PyTorch"] = run_with_torch(python_with_torch, ordinary)
    say_steps()
    heading(f"summary, after {clock.seconds:.0f} s")
    return summarize(results)


def nothing_is_left_out(ordinary: Path, sanitized: Path) -> None:
    """Stop if a test of the ordinary build is neither run under sanitizers nor labelled to be run without."""
    elsewhere = {*tests_of(sanitized), *tests_of(ordinary, "--label-regex", WITHOUT_SANITIZERS)}
    left_out = sorted({*tests_of(ordinary)} - elsewhere)
    if left_out:
        raise Stop(
            f"these would not be run: {', '.join(left_out)}", hint="WITHOUT_SANITIZERS, see cmake/Tests.cmake"
        )


def tests_of(folder: Path, *choice: str) -> list[str]:
    command: Command = [tool("ctest"), "--test-dir", folder, "--show-only=json-v1", *choice]
    return [test["name"] for test in json.loads(text_of(command))["tests"]]


def run_side_by_side(ordinary: Path, sanitized: Path) -> dict[str, Counts]:
    """Runs everything at once: pytest waits for one program at a time and leaves processors free.

    GoogleTest's output is shown as it comes, the others' when all have ended.
    """
    results = {}
    with ThreadPoolExecutor() as pool:
        output = {suite: ordinary / RESULTS / f"{suite.__name__}.txt" for suite in MEANWHILE.values()}
        running = {name: pool.submit(suite, ordinary, output[suite]) for name, suite in MEANWHILE.items()}
        heading(f"gtest under ASan and UBSan; meanwhile {', '.join(MEANWHILE)}")
        results["gtest under ASan and UBSan"] = run_ctest(sanitized)
        heading("gtest: what is left out there")
        results["gtest: what is left out there"] = run_ctest(ordinary, "--label-regex", WITHOUT_SANITIZERS)
        for name, suite in MEANWHILE.items():
            wait([running[name]])
            heading(name)
            say(output[suite].read_text())
            results[name] = running[name].result()
    return results


def summarize(results: dict[str, Counts]) -> int:
    """Prints the sum. A suite in which nothing ran is as bad as one that failed."""
    for name, counts in results.items():
        say(f"{name}: {counts}{'' if counts.good else '  <-- not good'}")
    say(str(sum(results.values(), Counts())))
    return 0 if results and all(counts.good for counts in results.values()) else 1


def run_ctest(folder: Path, *choice: str) -> Counts:
    """All programs of the build folder, or those chosen by ctest's options."""
    reports = folder / RESULTS
    junit = reports / "ctest.xml"
    program: Command = [*BEHIND_PYTEST, tool("ctest"), "--test-dir", folder]
    command: Command = [*program, "--output-on-failure", "--output-junit", junit]
    jobs = str(os.cpu_count() or 1)
    code = exit_code(
        [*command, "--no-tests=error", "--parallel", jobs, *choice], extra_environment=SANITIZERS
    )
    if not junit.is_file():
        raise Stop(f"ctest wrote no results (exit code {code})")
    return checked("ctest", code, from_ctest(junit, reports))


def pytest_counts(
    python: Path,
    junit: Path,
    *arguments: Argument,
    environment: Mapping[str, str] = STAGED,
    output: Path | None = None,
) -> Counts:
    """Runs pytest with that interpreter. It says what it skips, and why."""
    command: Command = [python, "-m", "pytest", "--quiet", "-rs", f"--junitxml={junit}", *arguments]
    junit.unlink(missing_ok=True)
    code = exit_code(command, extra_environment=environment, output=output)
    if not junit.is_file():
        raise Stop(f"pytest wrote no {junit.name} (exit code {code})")
    return checked("pytest", code, from_junit(junit))


def run_pytest_of_tool(folder: Path, output: Path) -> Counts:
    return pytest_counts(tool("python"), folder / RESULTS / "pytest-tool.xml", TESTS_OF_TOOL, output=output)


def run_pytest_of_all_else(folder: Path, output: Path) -> Counts:
    all_else = ROOT / "tests", f"--ignore={TESTS_OF_TOOL}"
    return pytest_counts(tool("python"), folder / RESULTS / "pytest.xml", *all_else, output=output)


def run_with_torch(python: Path, folder: Path) -> Counts:
    """All tests of the Python package, with what stands beside PyTorch in the same process, as JAX."""
    return pytest_counts(python, folder / RESULTS / "torch.xml", ROOT / "tests" / "python")


def run_extension(folder: Path) -> Counts:
    """The Python package of the build under sanitizers, in an interpreter that was not made for them.

    The runtimes have to be loaded before everything else. Leaks are not looked for, as an interpreter never
    frees some of its memory. A request for more memory than there is gets none, as tests expect. PyCryptodome
    would be loaded in a way that ASan refuses.
    """
    compiler = os.environ.get("CXX", "c++")
    runtimes = [
        text_of([compiler, f"-print-file-name={name}"]).strip() for name in ("libasan.so", "libubsan.so")
    ]
    tests = [ROOT / "tests" / "python" / f"test_{name}.py" for name in CALLING_THE_EXTENSION]
    options = f"{SANITIZERS['ASAN_OPTIONS']}:detect_leaks=0:allocator_may_return_null=1"
    return pytest_counts(
        tool("python"),
        folder / RESULTS / "pytest.xml",
        "--capture=sys",
        *tests,
        environment={
            **SANITIZERS,
            "ASAN_OPTIONS": options,
            "LD_PRELOAD": " ".join(runtimes),
            "PYCRYPTODOME_DISABLE_DEEPBIND": "1",
            "PYTHONMALLOC": "malloc",
            "PYTHONPATH": str(folder / "bindings" / "python"),
            "WARPAES": str(WARPAES),
        },
    )


def run_conformance(folder: Path, output: Path) -> Counts:
    """Writes the matrix of its cases; in the sum it counts as one test."""
    report = folder / RESULTS / "conformance.jsonl"
    jobs = max(1, (os.cpu_count() or 1) - 1)
    command: Command = [*BEHIND_PYTEST, CONFORMANCE, "--jobs", str(jobs), "--json", report]
    code = exit_code(command, output=output)
    return Counts(passed=1) if code == 0 and report.is_file() else Counts(failed=1)


MEANWHILE = {
    "pytest: the tool": run_pytest_of_tool,
    "pytest: all else": run_pytest_of_all_else,
    "all vectors on all engines": run_conformance,
}


def checked(program: str, code: int, counts: Counts) -> Counts:
    if code != 0 and not counts.failed:
        raise Stop(f"{program}: exit code {code}, though no test failed")
    return counts
