"""The tool and the benchmarks stand on the public interface: they include nothing of src/.

What they link says the same of the program as a whole (tests/packaging/test_hardening.py). The exceptions are
here and nowhere else; one that is no longer needed is an error, too.
"""

import re
from pathlib import Path

from devtools.process import say
from devtools.repository import ROOT

ON_THE_PUBLIC_INTERFACE = ("benchmarks", "cli")
SUFFIXES = {".cpp", ".cu", ".cuh", ".hpp"}
INTERNAL = "src"

# docs/design/packaging.md says why.
EXCEPTIONS = {
    "benchmarks/device_timer.cpp": {"device/cuda_error.hpp"},
    "benchmarks/device_timer.hpp": {"device/device.hpp"},
    "benchmarks/limits.cu": {"kernels/registration.hpp", "primitives/gf128.hpp"},
    "cli/lab_main.cpp": {"failure.hpp"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?P<name>[^">]+)[">]', re.MULTILINE)


def are_kept() -> bool:
    complaints = violations()
    for complaint in complaints:
        say(complaint)
    return not complaints


def violations(root: Path = ROOT, exceptions: dict[str, set[str]] = EXCEPTIONS) -> list[str]:
    """A sentence for each header of src/ that is included without being allowed, or allowed without being."""
    included = {
        path.relative_to(root).as_posix(): internal_headers(root, path)
        for folder in ON_THE_PUBLIC_INTERFACE
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in SUFFIXES
    }
    allowed = {(file, header) for file, headers in exceptions.items() for header in headers}
    found = {(file, header) for file, headers in included.items() for header in headers}
    return [
        *(f"{file} includes {header}, which is of src/" for file, header in sorted(found - allowed)),
        *(
            f"{file} no longer includes {header}: devtools/layers.py allows it"
            for file, header in sorted(allowed - found)
        ),
    ]


def internal_headers(root: Path, path: Path) -> set[str]:
    """The includes of a file that mean a header of src/, which the compiler looks for last."""
    return {name for name in INCLUDE.findall(path.read_text()) if is_internal(root, path, name)}


def is_internal(root: Path, path: Path, name: str) -> bool:
    folders = (path.parent, root, root / "include", root / INTERNAL)
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    return found is not None and found.resolve().is_relative_to((root / INTERNAL).resolve())
