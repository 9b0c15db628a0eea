"""The Python package's extension for another Python than that of .venv, such as a GPU machine's own."""

import os
from collections.abc import Sequence
from pathlib import Path

from devtools.build import compiler_cache, install_component
from devtools.process import Command, heading, run, text_of
from devtools.repository import BUILD, ROOT, STAGE, VENV, tool
from devtools.steps import step


def stage_extensions(pythons: Sequence[str]) -> None:
    """Beside that of .venv in stage/, with whose library they are linked. From 3.12 on, one serves all later
    versions."""
    for python in pythons:
        heading(f"extension for {python}")
        with step(f"extension: {python}"):
            stage_extension(python)


def stage_extension(python: str) -> None:
    program = text_of([python, "-c", "import sys; print(sys.executable)"]).strip()  # no script of pyenv's
    folder = BUILD / f"extension-{Path(program).name}"
    ask = "import nanobind; print(nanobind.include_dir())"  # of .venv, as the other Python may not have it
    nanobind = Path(text_of([tool("python"), "-c", ask]).strip()).parent.parent
    settings = {"PYTHONPATH": str(nanobind), "PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"}
    configure: Command = [
        *(tool("cmake"), "-S", ROOT / "bindings" / "python", "-B", folder, "-G", "Ninja"),
        *("--log-level=WARNING", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"),
        *(f"-DPython_EXECUTABLE={program}", f"-DCMAKE_PREFIX_PATH={STAGE}"),
        *(one for one in compiler_cache() if "CXX" in one),
    ]
    run(configure, extra_environment=settings)
    run(
        [tool("cmake"), "--build", folder, "--parallel", str(os.cpu_count() or 1)], extra_environment=settings
    )
    install_component("python", folder, STAGE)
