"""./dev build: configures and builds a preset, and installs it into stage/."""

import json
import os
import shutil
from pathlib import Path

from devtools import sources
from devtools.process import Command, Stop, heading, run, say, text_of
from devtools.repository import BUILD, ROOT, STAGE, STAGED_DATA, VENV, tool
from devtools.setup import set_up

EVERYDAY_ARCHITECTURE = "90"  # of the evidence; releases have all (CMakePresets.json)


def architectures_here() -> list[str]:
    """Of this machine's GPUs, as nvcc writes them; none without nvidia-smi."""
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


def configure(preset: str, *options: str, system_cuda: bool) -> Path:
    """The build folder."""
    set_up(system_cuda)
    folder = BUILD / (f"{preset}-system-cuda" if system_cuda else preset)
    choices = [f"-DWARPAES_SYSTEM_CUDA={'ON' if system_cuda else 'OFF'}", *options]
    if preset != "release":
        choices += everyday_options()
    command: Command = [tool("cmake"), "--preset", preset, "-B", folder, "--log-level=WARNING", *choices]
    run(command, extra_environment={"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"})
    return folder


def build(preset: str, *options: str, target: str = "all", system_cuda: bool) -> Path:
    """The build folder."""
    heading(f"build: {preset}")
    folder = configure(preset, *options, system_cuda=system_cuda)
    run([tool("cmake"), "--build", folder, "--target", target, "--parallel", str(os.cpu_count() or 1)])
    return folder


def build_and_stage(preset: str, *, system_cuda: bool) -> Path:
    product, lab = sources.fingerprint(ROOT), sources.fingerprint(ROOT, sources.LAB)
    folder = build(preset, system_cuda=system_cuda)
    shutil.rmtree(STAGE, ignore_errors=True)
    install: Command = [tool("cmake"), "--install", folder, "--prefix", STAGE, "--strip"]
    text_of(install)
    if sources.fingerprint(ROOT, sources.LAB) == lab:
        describe(product, lab, preset)
    else:
        say("warning: sources changed during the build: stage/ will not do for ./dev gpu")
    say(f"installed: {STAGE.relative_to(ROOT)}/bin/warpaes")
    return folder


def describe(product: str, lab: str, preset: str) -> None:
    """Leaves in stage/ what was built, for machines that have no sources to ask."""
    STAGED_DATA.mkdir(parents=True, exist_ok=True)
    (STAGED_DATA / "sources.sha256").write_text(product + "\n")
    (STAGED_DATA / "lab.sha256").write_text(lab + "\n")
    (STAGED_DATA / "build.json").write_text(json.dumps({"commit": commit(), "preset": preset}) + "\n")


def commit() -> str:
    """As git has it, with "-modified" after it if tracked files differ; "unknown" outside git."""
    try:
        head = text_of(["git", "rev-parse", "--short=12", "HEAD"]).strip()
        modified = text_of(["git", "status", "--porcelain", "--untracked-files=no"]).strip()
    except Stop:
        return "unknown"
    return f"{head}-modified" if modified else head
