"""Includes of src/ in the tool or the benchmarks are found, whatever their form, and needless exceptions."""

from pathlib import Path

import pytest

from devtools import layers


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project that keeps to its layers."""
    for name, text in {
        "src/failure.hpp": "",
        "src/device/device.hpp": '#include "failure.hpp"\n',
        "include/warpaes/context.h": "",
        "benchmarks/place.cpp": '#include "place.hpp"\n#include "warpaes/context.h"\n',
        "benchmarks/place.hpp": "",
        "cli/main.cpp": '#include <string>\n\n#include "benchmarks/place.hpp"\n',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_project_keeps_to_its_layers() -> None:
    assert layers.violations() == []


def test_what_keeps_to_them_is_not_complained_of(root: Path) -> None:
    assert layers.violations(root, {}) == []


@pytest.mark.parametrize(
    "name", ['"device/device.hpp"', "<device/device.hpp>", '"../src/device/device.hpp"', '"src/failure.hpp"']
)
@pytest.mark.parametrize("file", ["cli/main.cpp", "benchmarks/place.hpp"])
def test_an_internal_header_is_found(root: Path, file: str, name: str) -> None:
    (root / file).write_text(f"#include {name}\n")
    assert layers.violations(root, {}) == [f"{file} includes {name[1:-1]}, which is of src/"]


def test_a_neighbour_comes_before_an_internal_header(root: Path) -> None:
    (root / "cli" / "failure.hpp").write_text("")
    (root / "cli" / "main.cpp").write_text('#include "failure.hpp"\n')
    assert layers.violations(root, {}) == []


def test_exceptions_are_of_one_file_and_needed(root: Path) -> None:
    exceptions = {"cli/main.cpp": {"failure.hpp"}}
    assert layers.violations(root, exceptions) == [
        "cli/main.cpp no longer includes failure.hpp: devtools/layers.py allows it"
    ]
    (root / "cli" / "main.cpp").write_text('#include "failure.hpp"\n')
    assert layers.violations(root, exceptions) == []
    (root / "benchmarks" / "place.cpp").write_text('#include "failure.hpp"\n')
    assert layers.violations(root, exceptions) == [
        "benchmarks/place.cpp includes failure.hpp, which is of src/"
    ]
