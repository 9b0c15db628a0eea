"""Programs of others, compiled against what is staged: by CMake, as C, as C++ of any standard."""

import subprocess
from pathlib import Path

import pytest

from devtools.repository import ROOT, STAGE, tool

C_PROGRAM = """
#include <stdio.h>
#include <warpaes/warpaes.h>
int main(void) { return puts(warpaes_version()) < 0; }
"""
CPLUSPLUS_PROGRAM = """
#include <warpaes/warpaes.hpp>
int main() { return *warpaes_version() == 0; }
"""
LISTS = """
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES {language})
find_package(warpaes REQUIRED)
add_executable(consumer {source})
target_link_libraries(consumer PRIVATE warpaes::warpaes)
"""

pytestmark = pytest.mark.skipif(not (STAGE / "lib").is_dir(), reason="nothing has been staged")


def succeed(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("language", "source", "text"), [("C", "main.c", C_PROGRAM), ("CXX", "main.cpp", CPLUSPLUS_PROGRAM)]
)
def test_cmake_needs_the_package_alone(tmp_path: Path, language: str, source: str, text: str) -> None:
    """C++20 comes with the target, and a project without C++ need not have it."""
    (tmp_path / source).write_text(text)
    (tmp_path / "CMakeLists.txt").write_text(LISTS.format(language=language, source=source))
    choices = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}", f"-DCMAKE_PREFIX_PATH={STAGE}"]
    succeed(tool("cmake"), "-S", tmp_path, "-B", tmp_path / "build", *choices)
    succeed(tool("cmake"), "--build", tmp_path / "build")
    succeed(tmp_path / "build" / "consumer")


def test_there_are_no_components(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(C_PROGRAM)
    text = LISTS.format(language="C", source="main.c").replace("REQUIRED", "REQUIRED COMPONENTS gpu")
    (tmp_path / "CMakeLists.txt").write_text(text)
    choices = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}", f"-DCMAKE_PREFIX_PATH={STAGE}"]
    command = [str(tool("cmake")), "-S", str(tmp_path), "-B", str(tmp_path / "build"), *choices]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "it has no components, and one is asked for: gpu" in " ".join(done.stderr.split())
    (tmp_path / "CMakeLists.txt").write_text(text.replace("COMPONENTS", "OPTIONAL_COMPONENTS"))
    succeed(*command)


def test_a_part_of_another_build_is_told_what_to_do_instead(tmp_path: Path) -> None:
    """As with add_subdirectory, so with FetchContent, which calls it."""
    outer = "cmake_minimum_required(VERSION 3.25)\nproject(outer LANGUAGES NONE)\n"
    (tmp_path / "CMakeLists.txt").write_text(outer + f'add_subdirectory("{ROOT}" warpaes)\n')
    choices = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"]
    command = [str(tool("cmake")), "-S", str(tmp_path), "-B", str(tmp_path / "build"), *choices]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "use find_package(warpaes)" in " ".join(done.stderr.split())


HEADERS = sorted(path.name for path in (ROOT / "include" / "warpaes").iterdir() if path.suffix != ".h")


@pytest.mark.parametrize("header", HEADERS)
def test_an_older_standard_is_one_clear_error(header: str, tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(f"#include <warpaes/{header}>\nint main() {{}}\n")
    command: list[str | Path] = ["c++", "-std=c++17", "-fsyntax-only", f"-I{STAGE}/include", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    assert len(errors) == 1
    assert "needs C++20" in errors[0]
