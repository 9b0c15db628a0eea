"""Installs what a fresh Debian 12 or Ubuntu 24.04 lacks: apt packages, and .venv with pinned tools."""

import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from devtools.ownership import require_writable
from devtools.process import Argument, Stop, heading, run, say, text_of
from devtools.repository import ROOT, VENV, tool
from devtools.steps import step

LISTS = ROOT / "devtools"
PRODUCT, TEST, LINT, DOCS, WHEEL = "product", "test", "lint", "docs", "wheel"
OPENSSL = "openssl"  # what the pinned one is built with
CUDA = "cuda"  # left out by --system-cuda
PEERS = "peers"  # what the Python package works with, for ./dev test

# Which tools a verb needs is a choice of these groups; a group may have a list of either kind.
GROUPS = (PRODUCT, CUDA, TEST, PEERS, LINT, DOCS, WHEEL, OPENSSL)
# What compiles a wheel, in an environment of its own, of the Python that it is for (devtools/wheels.py).
BACKEND = LISTS / "requirements-backend.txt"
# PyTorch, for ./dev test --torch, in an environment of its own (environment_with).
TORCH = LISTS / "requirements-torch.txt"
# The pip that asks for the hashes of all these lists, in an environment of its own (devtools/pins.py).
PINS = LISTS / "requirements-pins.txt"
REQUIREMENTS = [
    *(path for group in GROUPS if (path := LISTS / f"requirements-{group}.txt").is_file()),
    BACKEND,
    TORCH,
    PINS,
]

INDEX = (
    "pip, which says above what it lacks, downloads from pypi.org. It is told by HTTPS_PROXY of a proxy, by"
    " PIP_INDEX_URL of a mirror, and by PIP_FIND_LINKS=FOLDER PIP_NO_INDEX=1 to take files from a folder"
)
OPTIONAL = "?"  # before a package that not every distribution has


def set_up(system_cuda: bool, *groups: str, timed: bool = True) -> None:
    """Installs what these groups list. Does nothing if an earlier call has done it all for the same lists.

    timed: as a step of its own, which may not run beside another one.
    """
    chosen = [group for group in GROUPS if group in groups or (group == CUDA and not system_cuda)]
    missing = [group for group in chosen if not is_set_up(group)]
    if not missing:
        return
    require_writable(VENV)
    if not works(VENV):
        missing = chosen  # the environment is made anew, with all groups
    with step(f"set up: {', '.join(missing)}") if timed else nullcontext():
        install_apt_packages_of(*missing)
        make_virtual_environment(
            [path for group in missing if (path := list_of(group, "requirements")).is_file()]
        )
    for group in missing:
        stamp(group).write_text(fingerprint(VENV, lists_of(group)))


def environment_with(folder: Path, requirements: Sequence[Path]) -> Path:
    """The interpreter of an environment with what these lists name, apart from .venv, of whose Python it is.

    It is made anew when a list changes, or the Python.
    """
    python, stamped = folder / "bin" / "python", folder / "set-up"
    state = text_of([tool("python"), "-VV"]) + fingerprint(folder, requirements)
    if not (holds(stamped, state) and works(folder)):
        require_writable(folder)
        heading(f"virtual environment: {folder.relative_to(ROOT)}")
        shutil.rmtree(folder, ignore_errors=True)
        run([tool("python"), "-m", "venv", folder])
        install_pinned(python, requirements)
        stamped.write_text(state)
    return python


def list_of(group: str, kind: str) -> Path:
    return LISTS / f"{kind}-{group}.txt"


def stamp(group: str) -> Path:
    return VENV / f"set-up-{group}"


def is_set_up(group: str) -> bool:
    return holds(stamp(group), fingerprint(VENV, lists_of(group)))


def lists_of(group: str) -> list[Path]:
    return [path for kind in ("apt", "requirements") if (path := list_of(group, kind)).is_file()]


def holds(stamped: Path, state: str) -> bool:
    return stamped.is_file() and stamped.read_text() == state


def fingerprint(folder: Path, lists: Sequence[Path]) -> str:
    """Changes with the lists and with the folder, as a virtual environment does not survive being moved."""
    digest = hashlib.sha256(str(folder.resolve()).encode())
    for path in lists:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def listed(group: str, kind: str) -> list[str]:
    path = list_of(group, kind)
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line]


def install_apt_packages_of(*groups: str) -> None:
    install_apt_packages([package for group in groups for package in listed(group, "apt")])


def install_apt_packages(packages: list[str]) -> None:
    if shutil.which("dpkg-query") is None:
        say("warning: no dpkg here, so nothing is installed. Needed, by their Debian names:")
        say("  " + " ".join(packages))
        return
    absent = [package for package in packages if not is_installed(package.lstrip(OPTIONAL))]
    missing = [package for package in absent if not package.startswith(OPTIONAL)]
    welcome = [package.lstrip(OPTIONAL) for package in absent if package.startswith(OPTIONAL)]
    if not absent:
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends"]
    if os.geteuid() != 0:
        if missing:
            raise Stop(
                f"these packages are missing: {' '.join(missing)}",
                hint=f"sudo apt-get update && sudo {' '.join([*command, *missing])}",
            )
        say(f"not installed, so some tests are skipped: {' '.join(welcome)}")
        return
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-qq"], extra_environment=quiet)
    missing += [package for package in welcome if is_available(package)]
    if missing:
        heading(f"apt: {' '.join(missing)}")
        run([*command, "-qq", *missing], extra_environment=quiet)


def is_installed(package: str) -> bool:
    try:
        status = text_of(["dpkg-query", "--show", "--showformat=${db:Status-Status}\n", package])
    except Stop:  # dpkg has never heard of it
        return False
    return "installed" in status.split()


def is_available(package: str) -> bool:
    try:
        return "Package:" in text_of(["apt-cache", "show", package])
    except Stop:  # apt has never heard of it
        return False


def make_virtual_environment(requirements: list[Path]) -> None:
    heading("virtual environment with the pinned compiler and tools: .venv")
    if not works(VENV):
        if VENV.is_symlink():
            VENV.unlink()  # what it leads to is not ours to clear
        run([base_interpreter(), "-m", "venv", "--clear", VENV])
    install_pinned(tool("python"), requirements)


def install_pinned(python: Path, requirements: Sequence[Path]) -> None:
    """Installs what these lists name into that Python's environment, with the hashes that they name."""
    arguments = [argument for path in requirements for argument in ("--requirement", path)]
    pip: list[Argument] = [python, "-m", "pip", "--disable-pip-version-check"]
    if requirements:
        pinned = ("--quiet", "--only-binary=:all:", "--no-deps", "--require-hashes")
        try:
            run([*pip, "install", *pinned, *arguments])
        except Stop as stop:
            raise Stop(str(stop), hint=INDEX) from stop
    run([*pip, "check"])


def works(environment: Path) -> bool:
    """Is that a virtual environment that was not moved, with a working pip?"""
    programs = environment / "bin"
    try:
        prefix = text_of([programs / "python", "-c", "import pip, sys; print(sys.prefix)"]).strip()
        script = (programs / "pip").read_text()
    except (Stop, OSError):
        return False
    folder = environment.resolve()
    return Path(prefix).resolve() == folder and str(folder) in script


def base_interpreter() -> Path:
    """The system's interpreter, for which apt has installed venv: `python3` may be pyenv's or conda's."""
    system = Path("/usr/bin/python3")
    try:
        text_of([system, "-c", "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"])
    except Stop:
        return Path(sys.executable)
    return system
