"""./dev lint and ./dev format."""

from collections.abc import Callable
from pathlib import Path

from devtools import docs, evidence, examples
from devtools.layers import layers_are_kept
from devtools.process import exit_code, heading, say
from devtools.repository import ROOT, tool
from devtools.setup import DOCS, LINT, PRODUCT, TEST, set_up
from devtools.steps import say_steps, step
from devtools.tidy import clang_tidy

CPP_FOLDERS = ("benchmarks", "bindings", "cli", "examples", "include", "lab", "src", "tests")
CPP_SUFFIXES = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}
PYTHON = ("bindings", "dev", "devtools", "tests")


def lint(*, read_all: bool) -> int:
    set_up(False, PRODUCT, TEST, LINT, DOCS)
    checks: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("clang-format", lambda: succeeds("clang-format", "--dry-run", "-Werror", *cpp_files())),
        ("ruff format", lambda: succeeds("ruff", "format", "--check", *PYTHON)),
        ("ruff check", lambda: succeeds("ruff", "check", *PYTHON)),
        ("mypy", lambda: succeeds("mypy")),
        ("layers", layers_are_kept),
        ("API reference", docs.reference_is_whole),
        ("figures of the pages", evidence.figures_are_of_the_run),
        ("code of the pages", examples.pages_are_cut),
        ("the lab's page", evidence.page_is_of_the_run),
        ("clang-tidy", lambda: clang_tidy(read_all=read_all)),
    )
    failed = []
    for name, check in checks:
        heading(name)
        with step(name):
            if not check():
                failed.append(name)
    say_steps()
    say()
    say(f"lint: {len(checks) - len(failed)} of {len(checks)} checks passed")
    for name in failed:
        say(f"failed: {name}")
    return 1 if failed else 0


def format_sources() -> int:
    set_up(False, PRODUCT, TEST, LINT)
    done = [
        succeeds("clang-format", "-i", *cpp_files()),
        succeeds("ruff", "check", "--fix", "--select=I", *PYTHON),
        succeeds("ruff", "format", *PYTHON),
    ]
    examples.write_pages()
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
