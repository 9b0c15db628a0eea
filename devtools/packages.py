"""./dev package: Debian packages of library, headers, tool and lab, and a tarball of all of it.

The packages depend on the distribution's libcrypto and get its security updates; the tarball is for every
machine and has one of a pinned version inside.
"""

import shutil
from pathlib import Path

from devtools.build import build, write_bill
from devtools.installation import INSTALLED_PARTS
from devtools.libcrypto import PINNED, SYSTEM
from devtools.ownership import for_all_users
from devtools.process import Command, heading, run, say
from devtools.repository import BUILD, tool
from devtools.sizes import say_sizes
from devtools.steps import say_steps, step

PACKAGES = BUILD / "packages"


DEBIAN, TARBALL = "DEB", "TXZ"


def package(*, preset: str, system_cuda: bool, openssl: str = PINNED, maintainer: str = "") -> int:
    builds = {SYSTEM: DEBIAN, openssl: TARBALL} if openssl != SYSTEM else {SYSTEM: f"{DEBIAN};{TARBALL}"}
    if shutil.which("dpkg-shlibdeps") is None:
        say("warning: no dpkg-shlibdeps here (Debian: dpkg-dev), so no Debian packages")
        builds = {openssl: TARBALL}
    folders = {
        one: build(preset, targets=INSTALLED_PARTS, system_cuda=system_cuda, openssl=one) for one in builds
    }
    heading("packages")
    shutil.rmtree(PACKAGES, ignore_errors=True)
    with step("packages"):
        for one, kinds in builds.items():
            pack(folders[one], PACKAGES, kinds, openssl=one, maintainer=maintainer)
    say_steps()
    say()
    say_sizes(PACKAGES.iterdir())
    if not maintainer and list(PACKAGES.glob("*.deb")):
        say("the Debian packages name nobody to whom users can write: --maintainer 'NAME <MAIL ADDRESS>'")
    return 0


def pack(build_folder: Path, into: Path, kinds: str, *, openssl: str, maintainer: str = "") -> None:
    """Makes packages of these kinds of what has been built in the build folder with that OpenSSL.

    maintainer: whom Debian's packages name; without one, an address that cannot exist.
    """
    write_bill(build_folder, openssl=openssl)
    command: Command = [tool("cpack"), "--config", build_folder / "CPackConfig.cmake", "-G", kinds]
    named = ["-D", f"CPACK_DEBIAN_PACKAGE_MAINTAINER={maintainer}"] if maintainer else []
    with for_all_users():
        run([*command, *named, "-B", into])
    shutil.rmtree(into / "_CPack_Packages")
