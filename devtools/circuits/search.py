"""Compiles and runs the annealing programs that lie beside this file."""

import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def compiled(name: str, folder: Path) -> Path:
    program = folder / name
    compiler = os.environ.get("CXX", "c++")
    options = ["-std=c++20", "-O3", "-march=native", "-o", str(program)]
    subprocess.run([compiler, *options, str(HERE / f"{name}.cpp")], check=True)
    return program


def anneal(name: str, start: str, *, steps: int, seed: int, temperature: float) -> str:
    """The smallest circuit met, as text like the start's. The same arguments give the same circuit."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given", Path(folder) / "found"
        given.write_text(start)
        program = compiled(name, Path(folder))
        arguments = [str(given), str(found), str(steps), str(seed), str(temperature)]
        subprocess.run([str(program), *arguments], check=True)
        return found.read_text()
