"""./dev lint and ./dev format."""

import json
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from devtools import evidence
from devtools.build import configure
from devtools.process import Command, exit_code, heading, say
from devtools.repository import ROOT, tool
from devtools.setup import set_up

CPP_FOLDERS = ("benchmarks", "cli", "include", "lab", "src", "tests")
CPP_SUFFIXES = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}
PYTHON = ("dev", "devtools", "tests")


def lint() -> int:
    set_up(system_cuda=False)
    checks: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("clang-format", lambda: succeeds("clang-format", "--dry-run", "-Werror", *cpp_files())),
        ("ruff format", lambda: succeeds("ruff", "format", "--check", *PYTHON)),
        ("ruff check", lambda: succeeds("ruff", "check", *PYTHON)),
        ("mypy", lambda: succeeds("mypy")),
        ("README figures", readme_is_generated),
        ("the lab's page", evidence.page_is_of_the_run),
        ("clang-tidy", clang_tidy),
    )
    failed = []
    for name, check in checks:
        heading(name)
        if not check():
            failed.append(name)
    say()
    say(f"lint: {len(checks) - len(failed)} of {len(checks)} checks passed")
    for name in failed:
        say(f"failed: {name}")
    return 1 if failed else 0


def format_sources() -> int:
    set_up(system_cuda=False)
    done = [
        succeeds("clang-format", "-i", *cpp_files()),
        succeeds("ruff", "check", "--fix", "--select=I", *PYTHON),
        succeeds("ruff", "format", *PYTHON),
    ]
    return 0 if all(done) else 1


def succeeds(name: str, *arguments: str | Path) -> bool:
    return exit_code([tool(name), *arguments]) == 0


def cpp_files() -> list[Path]:
    return sorted(
        path
        for folder in CPP_FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in CPP_SUFFIXES and path.is_file()
    )


def readme_is_generated() -> bool:
    same = evidence.readme_with_figures() == evidence.README.read_text()
    if not same:
        say("README.md differs from evidence/: ./dev evidence --readme")
    return same


def clang_tidy() -> bool:
    """Of every C++ source that the build compiles and that is in the repository, several at a time."""
    folder = configure("dev", system_cuda=False)
    compiled = json.loads((folder / "compile_commands.json").read_text())
    sources = {Path(entry["file"]) for entry in compiled if entry["file"].endswith(".cpp")}
    files = sorted(path for path in sources if not path.is_relative_to(folder))  # which the build makes

    def tidy(path: Path) -> bool:
        command: Command = [tool("clang-tidy"), "--quiet", "-p", folder, path]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        say(f"{path.relative_to(ROOT)}: {'ok' if done.returncode == 0 else 'FAILED'}")
        if done.returncode != 0:
            say(done.stdout + done.stderr)
        return done.returncode == 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(tidy, files))
    return bool(results) and all(results)
