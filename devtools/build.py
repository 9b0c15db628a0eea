"""./dev build: configures and builds a preset, and installs it into stage/."""

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from devtools import libcrypto, sbom, sources
from devtools.libcrypto import SYSTEM
from devtools.ownership import require_writable
from devtools.process import Command, Stop, heading, run, say, text_of
from devtools.repository import BUILD, ROOT, STAGE, STAGED_DATA, VENV, tool
from devtools.setup import OPENSSL, PRODUCT, TEST, set_up
from devtools.steps import step

# What the product is for its users, what ./dev test needs besides, and what else ./dev gpu runs.
PRODUCT_PARTS = ("product",)
TESTED_PARTS = (*PRODUCT_PARTS, "lab", "python", "checks")
COMPONENTS = {"product": ("library", "development", "tool")}  # other parts are one of the same name
STAGED_PARTS = (*TESTED_PARTS, "gpu_tests")

EVERYDAY_ARCHITECTURE = "90"  # of the evidence; releases have all (CMakePresets.json)

# In the sources' path: nvcc hands some of these to a shell, and CMake reads others as patterns or lists.
NOT_IN_PATHS = "'\"`$,\\;:|*?[]<>"


def architectures_here() -> list[str]:
    """The architectures of this machine's GPUs, as nvcc writes them; none if there is no nvidia-smi."""
    try:
        capabilities = text_of(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
    except Stop:
        return []
    found = (line.strip().replace(".", "") for line in capabilities.splitlines())
    return sorted({architecture for architecture in found if architecture.isdigit()})


def everyday_options() -> list[str]:
    """An everyday build is also for the GPUs that are here."""
    architectures = sorted({EVERYDAY_ARCHITECTURE, *architectures_here()}, key=int)
    return [f"-DWARPAES_CUDA_ARCHITECTURES={';'.join(architectures)}"]


def compiler_cache() -> list[str]:
    """ccache works for those who have it. GCC's precompiled headers need two of its checks to be left out."""
    if shutil.which("ccache") is None:
        return []
    launcher = "env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
    return [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX", "CUDA")]


def build_folder(preset: str, *, system_cuda: bool, openssl: str) -> Path:
    suffixes = ("-system-cuda" * system_cuda, "-pinned-openssl" * (openssl == libcrypto.PINNED))
    return BUILD / "".join((preset, *suffixes))


def require_plain_path(root: Path) -> None:
    """Stop if compilers would not find the sources: before tools are downloaded, and with a better reason."""
    found = [character for character in NOT_IN_PATHS if character in str(root)]
    if found:
        raise Stop(
            f"nvcc or CMake would not find what is in {root}: the path has {' '.join(found)}",
            hint="move these sources to another folder; spaces and the letters of all languages do no harm",
        )


def was_moved(folder: Path) -> bool:
    """Was that build folder configured for sources that lay elsewhere? CMake refuses it then."""
    cache = folder / "CMakeCache.txt"
    text = cache.read_text() if cache.is_file() else ""
    homes = re.findall(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$", text, re.MULTILINE)
    return any(Path(home).resolve() != ROOT for home in homes)


def configure(
    preset: str,
    *options: str,
    system_cuda: bool,
    openssl: str = SYSTEM,
    product_only: bool = False,
    folder: Path | None = None,
) -> Path:
    """Configures the preset and returns its build folder, build/<preset> unless another one is given."""
    require_plain_path(ROOT)
    set_up(
        system_cuda,
        PRODUCT,
        *(() if product_only else (TEST,)),
        *(() if openssl == SYSTEM else (OPENSSL,)),
    )
    all_parts = "OFF" if product_only else "ON"
    folder = folder or build_folder(preset, system_cuda=system_cuda, openssl=openssl)
    require_writable(BUILD, folder, folder / "CMakeCache.txt")
    choices = [
        f"-DWARPAES_SYSTEM_CUDA={'ON' if system_cuda else 'OFF'}",
        f"-DWARPAES_LAB={all_parts}",
        f"-DBUILD_TESTING={all_parts}",
        f"-DWARPAES_PYTHON={all_parts}",
        *compiler_cache(),
        *libcrypto.cmake_options(openssl),
        *options,
    ]
    if preset != "release":
        choices += everyday_options()
    anew = ["--fresh"] if was_moved(folder) else []
    command: Command = [
        tool("cmake"),
        "--preset",
        preset,
        "-B",
        folder,
        *anew,
        "--log-level=WARNING",
        *choices,
    ]
    run(command, extra_environment={"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"})
    return folder


def build(
    preset: str, *options: str, targets: Sequence[str], system_cuda: bool, openssl: str = SYSTEM
) -> Path:
    """Builds the preset and returns its build folder. Kernels are always those of the system's OpenSSL's."""
    product_only = set(targets) <= set(PRODUCT_PARTS)
    if openssl != SYSTEM:
        ordinary = configure(preset, system_cuda=system_cuda, product_only=product_only)
        make_targets(ordinary, preset, ["warpaes_kernels"])
        options = (*options, f"-DWARPAES_BUILT_KERNELS={kernels(ordinary)}")
    heading(f"build: {preset}, {', '.join(targets)}, with the {openssl} OpenSSL")
    folder = configure(preset, *options, system_cuda=system_cuda, openssl=openssl, product_only=product_only)
    make_targets(folder, preset, targets)
    return folder


def kernels(folder: Path) -> Path:
    return folder / "src" / "kernels" / "libwarpaes_kernels.a"


def make_targets(folder: Path, preset: str, targets: Sequence[str]) -> None:
    jobs = str(os.cpu_count() or 1)
    with step(f"build {preset}: {', '.join(targets)}"):
        run([tool("cmake"), "--build", folder, "--target", *targets, "--parallel", jobs])


def build_and_stage(
    preset: str,
    *options: str,
    parts: Sequence[str] = STAGED_PARTS,
    system_cuda: bool,
    openssl: str = SYSTEM,
) -> Path:
    """Each part is a build target, and has an installation component of the same name."""
    require_writable(STAGE)
    product, lab = sources.fingerprint(ROOT), sources.fingerprint(ROOT, sources.LAB)
    folder = build(preset, *options, targets=parts, system_cuda=system_cuda, openssl=openssl)
    shutil.rmtree(STAGE, ignore_errors=True)
    install(folder, parts, STAGE, openssl=openssl)
    if sources.fingerprint(ROOT, sources.LAB) == lab:
        describe(product, lab, preset)
    else:
        say("warning: sources changed during the build: its programs will not say what they were built from")
    say(f"installed: {STAGE.relative_to(ROOT)}/bin/warpaes")
    return folder


def install(folder: Path, parts: Sequence[str], prefix: Path, *, openssl: str = SYSTEM) -> None:
    write_bill(folder, openssl=openssl)
    for part in parts:
        for component in COMPONENTS.get(part, (part,)):
            install_component(component, folder, prefix)


def install_component(component: str, folder: Path, prefix: Path) -> None:
    # Without DESTDIR, below which CMake would put it: that is for what ./dev install copies from the prefix.
    cmake: Command = ["env", "-u", "DESTDIR", tool("cmake")]
    text_of([*cmake, "--install", folder, "--prefix", prefix, "--strip", "--component", component])


def write_bill(folder: Path, *, openssl: str, wheel: bool = False) -> None:
    """Writes the bill of materials of what is built in the folder, from where it is installed."""
    text = sbom.text(openssl, toolkit=toolkit_of(folder), wheel=wheel)
    (folder / "sbom.cdx.json").write_text(text)


def toolkit_of(folder: Path) -> str:
    """The version of the CUDA toolkit that this folder's CMake has found; empty if it is the pinned one."""
    # A folder for each version of CMake that has configured the build.
    of_versions = folder.glob("CMakeFiles/*/CMakeCUDACompiler.cmake")
    newest = max(of_versions, key=lambda path: path.stat().st_mtime).read_text()
    told: dict[str, str] = dict(re.findall(r'^set\((\w+) "(.*)"\)$', newest, re.MULTILINE))
    pinned = "/site-packages/nvidia/" in told["CMAKE_CUDA_COMPILER"]
    return "" if pinned else told["CMAKE_CUDA_COMPILER_VERSION"]


def describe(product: str, lab: str, preset: str) -> None:
    """Writes into stage/ what was built, for machines that have no sources."""
    STAGED_DATA.mkdir(parents=True, exist_ok=True)
    (STAGED_DATA / "sources.sha256").write_text(product + "\n")
    (STAGED_DATA / "lab.sha256").write_text(lab + "\n")
    (STAGED_DATA / "build.json").write_text(json.dumps({"commit": commit(), "preset": preset}) + "\n")


def commit() -> str:
    """The commit, with "-modified" behind it if tracked files differ from it; "unknown" outside git."""
    try:
        head = text_of(["git", "rev-parse", "--short=12", "HEAD"]).strip()
        modified = text_of(["git", "status", "--porcelain", "--untracked-files=no"]).strip()
    except Stop:
        return "unknown"
    return f"{head}-modified" if modified else head
