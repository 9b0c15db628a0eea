"""Kernels keep what they compute in registers: memory of a thread's own would outlive it."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from devtools.repository import BUILD, ROOT

KERNELS = ROOT / "src" / "kernels"


@pytest.fixture(name="commands")
def compile_commands() -> dict[str, str]:
    """Of each kernel's file, as the ordinary build has it."""
    recorded = BUILD / "dev" / "compile_commands.json"
    if not recorded.is_file():
        pytest.skip("nothing has been built in build/dev")
    return {
        name: entry["command"]
        for entry in json.loads(recorded.read_text())
        if Path(entry["file"]).suffix == ".cu"
        for name in kernels_of(Path(entry["file"]))
    }


def kernels_of(compiled: Path) -> list[str]:
    """The kernels' files that the compiler reads as one; a name as below src/kernels."""
    files = [compiled]
    if compiled.parent.name == "Unity":
        files = [Path(file) for file in re.findall(r'#include "(.*)"', compiled.read_text())]
    return [file.relative_to(KERNELS).as_posix() for file in files if KERNELS in file.parents]


def test_spills_are_errors(commands: dict[str, str]) -> None:
    sources = {path.relative_to(KERNELS).as_posix() for path in KERNELS.rglob("*.cu")}
    assert sources
    assert set(commands) == sources
    unchecked = [
        name for name, command in commands.items() if "--warn-on-spills,--warning-as-error" not in command
    ]
    assert unchecked == []


def test_no_kernel_has_a_stack(commands: dict[str, str]) -> None:
    """An array that is indexed by a variable lies in memory, too, and is no spill."""
    library = BUILD / "dev" / "src" / "kernels" / "libwarpaes_kernels.a"
    compiler = re.search(r"\S*/nvcc\b", next(iter(commands.values())))
    tool = compiler and Path(compiler[0]).with_name("cuobjdump")
    if not library.is_file() or not tool or not tool.is_file():
        pytest.skip("no kernels have been built, or there is no cuobjdump beside their compiler")
    dumped = subprocess.run([tool, "-res-usage", library], capture_output=True, text=True, check=True).stdout
    stacks = re.findall(r"Function (\S+):\s+REG:\d+ STACK:(\d+)", dumped)
    assert len(stacks) > 100
    assert [name for name, size in stacks if size != "0"] == []


def test_one_file_knows_how_kernels_are_launched() -> None:
    """A kernel is a struct; CUDA's own way to declare and launch one is in launch.cuh alone."""
    launching = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.suffix in {".cpp", ".hpp", ".cu", ".cuh"}
        and re.search(r"^__global__|<<<|cudaLaunchKernel\(", path.read_text(), re.MULTILINE)
    }
    assert launching == {"src/kernels/launch.cuh"}
