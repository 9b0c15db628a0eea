"""The fingerprint of the sources that decide what happens on a GPU.

Evidence from a GPU machine carries it; ./dev evidence --check compares. It depends on the paths and
contents of files alone: not on git, time stamps or the order in which files are found.
"""

import hashlib
import io
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePath, PurePosixPath

from devtools.code_text import code_of
from devtools.process import Stop, not_started

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
# Studies of the lab measure the library's own engines beside its lessons.
LAB = (*PRODUCT, "lab/**/*")
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
CPLUSPLUS = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}
SUFFIXES = {*CPLUSPLUS, ".cmake", ".json", ".txt"}
# Test programs that are built beside the one that writes the evidence of conformance, and have no part in it.
TEST_PROGRAMS = (
    "tests/conformance/*batch*_test.cpp",
    "tests/conformance/*faults_test.cpp",
    "tests/conformance/*_fixture.?pp",
)


def files(root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        for path in root.glob(pattern):
            if is_source(path) and path.is_file():
                yield path


def is_source(path: PurePath) -> bool:
    return path.suffix in SUFFIXES and not any(path.match(pattern) for pattern in TEST_PROGRAMS)


# The sizes of launches, in a row for each kind of GPU. A kernel is launched by the row of the GPU that its
# machine code is for, and that need not be the GPU's own: one of a later kind runs PTX. So it is known for
# those GPUs only whose machine code is in every build (EVERYDAY_ARCHITECTURE of devtools/build.py).
BUILT_ALWAYS = "9.0"
POLICY = "src/kernels/policy.hpp"
POLICY_ROW = re.compile(
    r"^(?:///[^\n]*\n)*inline constexpr LaunchPolicy (?P<name>k\w+)(?P<definition>[^\[\];]*);\n", re.MULTILINE
)


def changed_since(
    commit: str, root: Path, patterns: tuple[str, ...], capability: str = ""
) -> list[str] | None:
    """The files that are others than in that commit, new ones among them; None if git does not know it.

    Stop if git refuses the repository, as it does one of another owner: nothing is known then.

    A file whose comments alone have changed counts as the same.

    capability: of the GPU that ran it, as "9.0". What has changed only in rows for other GPUs counts as the
    same, if the GPU's own was surely used.
    """
    listed = by_git(root, "ls-files", "--others", "--exclude-standard")
    if listed.returncode != 0 and (root / ".git").exists():
        raise Stop(f"git does not say what has changed: {listed.stderr.strip()}")
    compared = by_git(root, "diff", "--name-only", "--relative", commit, "--", ".")
    if listed.returncode != 0 or compared.returncode != 0:
        return None
    changed, new = (list(filter(None, done.stdout.split("\0"))) for done in (compared, listed))
    decisive = [
        name for name in changed if is_matched(name, patterns) and is_other(name, commit, root, capability)
    ]
    return sorted({*decisive, *(name for name in new if is_matched(name, patterns))})


def is_other(name: str, commit: str, root: Path, capability: str) -> bool:
    """Has a file that differs from that commit's other code, as far as a run on this GPU can tell?"""
    path, before = root / name, git(root, "show", f"{commit}:./{name}")
    if path.suffix not in CPLUSPLUS or before.returncode != 0 or not path.is_file():
        return True
    texts = before.stdout, path.read_text()
    if name == POLICY:
        texts = policy_for(texts[0], capability), policy_for(texts[1], capability)
    return code_of(texts[0]) != code_of(texts[1])


def policy_for(text: str, capability: str) -> str:
    """The text without the rows that a run on this GPU cannot have used; all of it if that is not known."""
    rows = {row["name"]: row for row in POLICY_ROW.finditer(text)}
    own = f".capability = {capability.replace('.', '')},"
    kept = [name for name, row in rows.items() if own in row["definition"]]
    if (
        capability != BUILT_ALWAYS
        or len(kept) != 1
        or any(name in rows[kept[0]]["definition"] for name in rows)
    ):
        return text
    return POLICY_ROW.sub(lambda row: row[0] if row["name"] == kept[0] else "", text)


def by_git(root: Path, verb: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Names, each with a zero byte behind it."""
    return git(root, verb, "-z", *arguments)


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Stop(not_started(command, error), hint="install git") from error


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
    found = set(files(root, patterns))
    return fingerprint_of({path.relative_to(root).as_posix(): path.read_bytes() for path in found})


def fingerprint_of_commit(commit: str, root: Path, patterns: tuple[str, ...]) -> str | None:
    """The same of a commit's files; None if git does not know it."""
    archive = ["git", "-C", str(root), "archive", "--format=tar", commit]
    made = subprocess.run(archive, capture_output=True, check=False)
    if made.returncode != 0:
        return None
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as tar:
        contents = ((one.name, tar.extractfile(one)) for one in tar if is_matched(one.name, patterns))
        return fingerprint_of({name: content.read() for name, content in contents if content})


def fingerprint_of(contents: dict[str, bytes]) -> str:
    """Of files by their paths."""
    lines = sorted(f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in contents.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()
