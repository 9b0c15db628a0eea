"""Packages, unpacked into an empty root: the tool runs, the lab is a package of its own, programs compile."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from devtools import packages
from devtools.repository import BUILD, ROOT
from devtools.version import interface_version, version
from tests.packaging.test_consumers import C_PROGRAM, succeed

BUILT = BUILD / "dev"
MAINTAINER = "Ada Example <ada@packages.example>"

pytestmark = [
    pytest.mark.skipif(not (BUILT / "cli" / "warpaes-lab").is_file(), reason="nothing built in build/dev"),
    pytest.mark.skipif(shutil.which("dpkg-shlibdeps") is None, reason="no dpkg-dev here"),
]


@pytest.fixture(name="made", scope="module")
def made_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    before = os.umask(0o077)  # with which some work as root
    try:
        packages.pack(BUILT, folder, "DEB;TXZ", openssl="system", maintainer=MAINTAINER)
    finally:
        os.umask(before)
    return folder


def unpacked(made: Path, root: Path, *names: str) -> Path:
    for name in names:
        (package,) = made.glob(f"{name}_*.deb")
        succeed("dpkg-deb", "--extract", package, root)
    return root / "usr"


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_the_tool_runs_with_the_library_alone(made: Path, tmp_path: Path) -> None:
    usr = unpacked(made, tmp_path, "libwarpaes", "warpaes")
    tool = usr / "bin" / "warpaes"
    (tmp_path / "plain").write_text("plain")
    key, sealed, opened = (str(tmp_path / name) for name in ("key", "sealed", "opened"))
    assert run(tool, "keygen", "-o", key).returncode == 0
    assert run(tool, "encrypt", "-k", key, "-o", sealed, str(tmp_path / "plain")).returncode == 0
    assert run(tool, "decrypt", "-k", key, "-o", opened, sealed).returncode == 0
    assert Path(opened).read_text() == "plain"
    assert (usr / "share" / "doc" / "warpaes" / "NOTICE").is_file()


def test_without_the_lab_s_package_the_tool_says_what_is_missing(made: Path, tmp_path: Path) -> None:
    usr = unpacked(made, tmp_path, "libwarpaes", "warpaes")
    missing = run(usr / "bin" / "warpaes", "lab", "list")
    assert missing.returncode == 10
    assert "the lab is not installed" in missing.stderr
    assert "hint: it is a package of its own, warpaes-lab" in missing.stderr
    unpacked(made, tmp_path, "warpaes-lab")
    listed = run(usr / "bin" / "warpaes", "lab", "list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "serial_standard" in listed.stdout


def test_a_c_program_compiles_by_pkg_config(made: Path, tmp_path: Path) -> None:
    usr = unpacked(made, tmp_path, "libwarpaes", "libwarpaes-dev")
    (tmp_path / "main.c").write_text(C_PROGRAM)
    environment = {**os.environ, "PKG_CONFIG_PATH": str(usr / "lib" / "pkgconfig")}
    asked = ["pkg-config", "--cflags", "--libs", "warpaes"]
    flags = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout.split()
    succeed("cc", "-std=c99", "-o", tmp_path / "main", tmp_path / "main.c", *flags)
    there = {"LD_LIBRARY_PATH": str(usr / "lib")}
    done = subprocess.run([tmp_path / "main"], env=there, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == version()


def test_each_package_has_its_part_and_needs_the_library(made: Path) -> None:
    files = {}
    for package in made.glob("*.deb"):
        name = package.name.partition("_")[0]
        files[name] = succeed("dpkg-deb", "--contents", package)
        depends = succeed("dpkg-deb", "--field", package, "Depends")
        assert f"libwarpaes (= {version()})" in depends or name == "libwarpaes"
        assert "libc6" in depends or name == "libwarpaes-dev"
    assert set(files) == {"libwarpaes", "libwarpaes-dev", "warpaes", "warpaes-lab"}
    assert "libexec" not in "".join(files.values())
    assert "./usr/bin/warpaes\n" in files["warpaes"]
    for path in ("man/man1/warpaes.1", "man/man1/warpaes-encrypt.1", "bash-completion/completions/warpaes"):
        assert f"./usr/share/{path}\n" in files["warpaes"]
    assert "./usr/bin/warpaes-lab\n" in files["warpaes-lab"]
    of_lab = (
        "man/man1/warpaes-lab.1",
        "man/man1/warpaes-lab-show.1",
        "bash-completion/completions/warpaes-lab",
    )
    for path in (*of_lab, "zsh/site-functions/_warpaes_lab", "fish/vendor_completions.d/warpaes-lab.fish"):
        assert f"./usr/share/{path}\n" in files["warpaes-lab"]
    assert "warpaes-lab" not in files["warpaes"]
    assert "./usr/include/warpaes/warpaes.h\n" in files["libwarpaes-dev"]


def test_lists_of_packages_tell_them_from_each_other(made: Path) -> None:
    told = [succeed("dpkg-deb", "--field", package, "Description") for package in made.glob("*.deb")]
    assert len({text.partition("\n")[0] for text in told}) == len(told) == 4
    assert all(re.fullmatch(r"AES on NVIDIA GPUs and CPUs, .{3,20}\n .+\.\n", text) for text in told)


def test_debian_s_packages_name_whom_to_write_to(made: Path) -> None:
    said = {succeed("dpkg-deb", "--field", package, "Maintainer").strip() for package in made.glob("*.deb")}
    assert said == {MAINTAINER}


def test_all_users_can_read_what_is_in_packages(made: Path) -> None:
    lists = [succeed("dpkg-deb", "--contents", package) for package in made.glob("*.deb")]
    lists += [succeed("tar", "--list", "--verbose", "--file", tarball) for tarball in made.glob("*.tar.xz")]
    modes = {line.split()[0] for text in lists for line in text.splitlines()}
    assert modes == {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--", "lrwxrwxrwx"}


def test_each_of_debian_s_packages_has_its_licences(made: Path, tmp_path: Path) -> None:
    names = {package.name.partition("_")[0] for package in made.glob("*.deb")}
    usr = unpacked(made, tmp_path, *names)
    for name in names:
        text = (usr / "share" / "doc" / name / "copyright").read_text()
        assert (ROOT / "NOTICE").read_text() in text
        assert "/usr/share/common-licenses/Apache-2.0" in text


def test_packages_of_others_take_later_versions_of_the_same_interface(made: Path, tmp_path: Path) -> None:
    """What dpkg-shlibdeps makes of a program that is linked with the library."""
    usr = unpacked(made, tmp_path, "libwarpaes", "libwarpaes-dev")
    (tmp_path / "main.c").write_text(C_PROGRAM)
    succeed(
        *("cc", f"-I{usr}/include", "-o", tmp_path / "main", tmp_path / "main.c"),
        *(f"-L{usr}/lib", "-lwarpaes"),
    )
    interface = interface_version()
    assert f"[libwarpaes.so.{interface}]" in succeed("readelf", "--dynamic", tmp_path / "main")
    (package,) = made.glob("libwarpaes_*.deb")
    succeed("dpkg-deb", "--control", package, tmp_path / "DEBIAN")
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian" / "control").write_text("Source: other\n\nPackage: other\nArchitecture: any\n")
    asked = ["dpkg-shlibdeps", "-O", f"-l{usr}/lib", f"-L{tmp_path}/DEBIAN/shlibs", str(tmp_path / "main")]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    older, _, last = interface.rpartition(".")
    following = f"{older}.{int(last) + 1}".removeprefix(".")
    assert f"libwarpaes (>= {version()}), libwarpaes (<< {following}~)" in done.stdout, done.stderr


def test_the_tarball_runs_where_it_is_unpacked(made: Path, tmp_path: Path) -> None:
    (tarball,) = made.glob("*.tar.xz")
    assert tarball.name == f"warpaes-{version()}-Linux-{os.uname().machine}.tar.xz"
    succeed("tar", "--extract", "--file", tarball, "--directory", tmp_path)
    (folder,) = tmp_path.iterdir()
    assert run(folder / "bin" / "warpaes", "lab", "show", "serial_standard").returncode == 0
