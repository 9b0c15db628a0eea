"""The fingerprint of the sources that decide what happens on a GPU.

Evidence from a GPU machine carries it; ./dev evidence --check compares. It depends on the paths and
contents of files alone: not on git, time stamps or the order in which files are found.
"""

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePath, PurePosixPath

from devtools.process import Stop

# How everything is compiled: options, the architectures, and the compiler.
SETTINGS = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "cmake/CompilerSettings.cmake",
    "cmake/CudaCompiler.cmake",
    "cmake/KernelRegistration.cmake",
    "devtools/requirements-cuda.txt",
)
PRODUCT = (
    "include/**/*",
    "src/**/*",
    "benchmarks/**/*",
    "cli/bench*",
    "tests/conformance/**/*",
    *SETTINGS,
)
LAB = (*PRODUCT, "lab/**/*")  # whose studies measure production's engines too
# The benchmark checks its output itself.
BENCH = tuple(pattern for pattern in PRODUCT if not pattern.startswith("tests/"))

# What a kernel's time and its accesses to memory can depend on: its machine code, its launch by the engine,
# and who times it. The self-test, the leak test and the studies call the engine itself, so the layers above
# it, with what they refuse, are not among them.
KERNELS = (
    "src/primitives/**/*",
    "src/kernels/**/*",
    "src/device/**/*",
    "src/engines/cuda/**/*",
    "src/engines/batch*",
    "src/engines/engine.*",
    "src/engines/known_*",
    "src/engines/self_test*",
    "benchmarks/gpu_timer*",
    "benchmarks/measurement*",
    "benchmarks/samples*",
    *SETTINGS,
)
SUFFIXES = {".c", ".cmake", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".json", ".txt"}
# Test programs that are built beside the one that writes the evidence of conformance, and have no part in it.
TEST_PROGRAMS = ("tests/conformance/*batch*_test.cpp", "tests/conformance/*_fixture.?pp")


def files(root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        for path in root.glob(pattern):
            if is_source(path) and path.is_file():
                yield path


def is_source(path: PurePath) -> bool:
    return path.suffix in SUFFIXES and not any(path.match(pattern) for pattern in TEST_PROGRAMS)


def changed_since(commit: str, root: Path, patterns: tuple[str, ...]) -> list[str] | None:
    """The files that are others than in that commit, new ones among them; None if git does not know it.

    Stop if git refuses the repository, as it does one of another owner: nothing is known then.
    """
    listed = by_git(root, "ls-files", "--others", "--exclude-standard")
    if listed.returncode != 0 and (root / ".git").exists():
        raise Stop(f"git does not say what has changed: {listed.stderr.strip()}")
    compared = by_git(root, "diff", "--name-only", "--relative", commit, "--", ".")
    if listed.returncode != 0 or compared.returncode != 0:
        return None
    changed, new = (list(filter(None, done.stdout.split("\0"))) for done in (compared, listed))
    return sorted(name for name in {*changed, *new} if is_matched(name, patterns))


def by_git(root: Path, verb: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(root), verb, "-z", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_matched(name: str, patterns: tuple[str, ...]) -> bool:
    """As glob() does it, also of a file that is no more: `**/*` is any path below the folder."""
    path = PurePosixPath(name)
    return is_source(path) and any(
        path.is_relative_to(pattern.removesuffix("/**/*"))
        if pattern.endswith("/**/*")
        else path.match(pattern) and len(path.parts) == len(PurePosixPath(pattern).parts)
        for pattern in patterns
    )


def fingerprint(root: Path, patterns: tuple[str, ...] = PRODUCT) -> str:
    """SHA-256 over the sorted lines `<SHA-256 of the content>  <path>`, as sha256sum prints them."""
    lines = sorted(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in set(files(root, patterns))
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
