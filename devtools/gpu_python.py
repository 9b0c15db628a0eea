"""The suite `python` of ./dev gpu: the Python package, with this machine's own Python and packages."""

import ast
import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

from devtools.counts import Counts, from_junit
from devtools.gpu_run import Run, Skipped
from devtools.process import Command, Stop, Stopwatch, exit_code, say, text_of
from devtools.repository import STAGED_PYTHON, STAGED_TESTS, WARPAES

STAGED = STAGED_TESTS / "python"  # tests and benchmarks (bindings/python/CMakeLists.txt)
# Those for a GPU, and those whose make-believe device becomes a real one.
TESTS = (
    "on_gpu",
    "test_device_arrays.py",
    "test_arrays.py",
    "test_batches.py",
    "test_torch.py",
    "test_torch_operators.py",
    "test_dcp.py",
)


def settings() -> dict[str, str]:
    return {
        "PYTHONPATH": os.pathsep.join(map(str, (STAGED_PYTHON, STAGED))),
        "WARPAES": str(WARPAES),
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # JAX leaves memory for the others
    }


def python_package(run: Run, seconds: float) -> bool:
    """The tests may take half of the time, and the figures what is left."""
    require_package()
    clock = Stopwatch()
    counts, line = tested(seconds / 2)
    lines = [line]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "figures.jsonl"
        command: Command = [sys.executable, STAGED / "benchmarks" / "gpu", "--warpaes", WARPAES]
        left = max(1, seconds - clock.seconds)
        code = exit_code(command, extra_environment=settings(), timeout=left, output=output)
        lines += [json.loads(line) for line in output.read_text().splitlines() if line.endswith("}")]
    if code != 0:
        say(f"exit code {code}: the figures are not complete")
    run.write("python", map(json.dumps, lines))
    for line in lines:
        say(json.dumps(line))
    return counts.good and code == 0


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


def tested(seconds: float) -> tuple[Counts, dict[str, object]]:
    """What pytest says of the tests, and that as a line of the results."""
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        command: Command = [
            *(sys.executable, "-m", "pytest", "--quiet", "--tb=short", "-rs", "-p", "no:cacheprovider"),
            *("--import-mode=importlib", "-c", os.devnull, f"--rootdir={STAGED}", f"--junitxml={junit}"),
            *(STAGED / "tests" / "python" / name for name in TESTS),
        ]
        code = exit_code(command, extra_environment=settings(), timeout=seconds)
        counts = from_junit(junit) if junit.is_file() else Counts()
        skips = skip_reasons(junit) if junit.is_file() else []
    if code != 0 and not counts.failed:
        say(f"pytest: exit code {code}, though no test failed")
        counts += Counts(failed=1)
    return counts, {"type": "tests", **asdict(counts), "skips": skips}


def skip_reasons(junit: Path) -> list[str]:
    """Each once, with how often it was given."""
    found = [reason_of(one) for one in ElementTree.parse(junit).iter("skipped")]
    return [f"{found.count(reason)}: {reason}" for reason in sorted(set(found))]


def reason_of(skipped: ElementTree.Element) -> str:
    """Of a whole file, the text has it, behind the file and the line."""
    reason = skipped.get("message", "")
    if reason == "collection skipped":
        reason = str(ast.literal_eval(skipped.text or "('',)")[-1])
    return reason.removeprefix("Skipped: ")
