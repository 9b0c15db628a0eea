"""./dev package: Debian packages of library, headers, tool and lab, and a tarball of all of it."""

import shutil
from pathlib import Path

from devtools import sbom
from devtools.build import build
from devtools.installation import INSTALLED_PARTS
from devtools.process import Command, heading, run, say
from devtools.repository import BUILD, ROOT, tool
from devtools.steps import say_steps, step

PACKAGES = BUILD / "packages"


def package(*, preset: str, system_cuda: bool) -> int:
    folder = build(preset, targets=INSTALLED_PARTS, system_cuda=system_cuda)
    heading("packages")
    shutil.rmtree(PACKAGES, ignore_errors=True)
    with step("packages"):
        pack(folder, PACKAGES)
    say_steps()
    say()
    for path in sorted(PACKAGES.iterdir()):
        say(f"{path.stat().st_size / 1e6:6.1f} MB  {path.relative_to(ROOT)}")
    return 0


def pack(build_folder: Path, into: Path) -> None:
    """Makes the packages of what has been built in the build folder."""
    kinds = "DEB;TXZ" if shutil.which("dpkg-shlibdeps") else "TXZ"
    if kinds == "TXZ":
        say("warning: no dpkg-shlibdeps here (Debian: dpkg-dev), so no Debian packages")
    (build_folder / "sbom.cdx.json").write_text(sbom.text())
    command: Command = [tool("cpack"), "--config", build_folder / "CPackConfig.cmake", "-G", kinds]
    run([*command, "-B", into])
    shutil.rmtree(into / "_CPack_Packages")
