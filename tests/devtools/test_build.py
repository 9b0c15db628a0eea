"""Everyday builds are for the GPU of the evidence and for those that are here; stage/ says what it holds."""

import json
from pathlib import Path

import pytest

from devtools import build, libcrypto
from devtools.process import Command, Stop, text_of
from devtools.repository import ROOT, tool


def says(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def nvidia_smi(command: Command) -> str:
        assert command[0] == "nvidia-smi"
        return text

    monkeypatch.setattr(build, "text_of", nvidia_smi)


@pytest.mark.parametrize(
    ("text", "architectures"),
    [
        ("8.9\n", "89;90"),
        ("12.0\n9.0\n12.0\n", "90;120"),
        ("", "90"),
        ("[N/A]\n", "90"),
    ],
)
def test_gpus_that_are_here(monkeypatch: pytest.MonkeyPatch, text: str, architectures: str) -> None:
    says(monkeypatch, text)
    assert build.everyday_options() == [f"-DWARPAES_CUDA_ARCHITECTURES={architectures}"]


def test_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(command: Command) -> str:
        raise Stop(f"no such program: {command[0]}")

    monkeypatch.setattr(build, "text_of", missing)
    assert build.everyday_options() == ["-DWARPAES_CUDA_ARCHITECTURES=90"]


@pytest.mark.parametrize("parts", [("product",), build.TESTED_PARTS, build.STAGED_PARTS])
def test_what_was_built_is_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, parts: tuple[str, ...]
) -> None:
    """warpaes bench names the sources and the commit whichever parts were asked for."""
    monkeypatch.setattr(build, "STAGE", ROOT / "build" / tmp_path.name)
    monkeypatch.setattr(build, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(build, "build", lambda *_, **__: tmp_path)
    monkeypatch.setattr(build, "install", lambda *_, **__: None)
    build.build_and_stage("dev", parts=parts, system_cuda=False)
    assert len((tmp_path / "sources.sha256").read_text().strip()) == 64
    assert json.loads((tmp_path / "build.json").read_text())["commit"]


def test_a_pinned_openssl_has_a_folder_of_its_own_and_the_ordinary_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kernels take most of the time, and do not depend on OpenSSL."""
    steps: list[str] = []
    monkeypatch.setattr(build, "set_up", lambda *groups: steps.append(f"set up {groups}"))
    monkeypatch.setattr(libcrypto, "cmake_options", lambda openssl: [f"-DTHE_OPENSSL={openssl}"])
    monkeypatch.setattr(build, "run", lambda command, **_: steps.append(" ".join(map(str, command))))
    folder = build.build("dev", targets=["product"], system_cuda=False, openssl="pinned")
    ordinary = ROOT / "build" / "dev"
    assert folder == ROOT / "build" / "dev-pinned-openssl"
    assert len(steps) == 6
    assert "openssl" not in steps[0]
    assert f"-B {ordinary} " in steps[1]
    assert "-DTHE_OPENSSL=system" in steps[1]
    assert f"--build {ordinary} --target warpaes_kernels" in steps[2]
    assert "openssl" in steps[3]
    assert f"-B {folder} " in steps[4]
    assert "-DTHE_OPENSSL=pinned" in steps[4]
    kernels = ordinary / "src" / "kernels" / "libwarpaes_kernels.a"
    assert f"-DWARPAES_BUILT_KERNELS={kernels}" in steps[4]
    assert f"--build {folder} --target product" in steps[5]


def test_what_is_copied_from_a_folder_is_there_with_destdir_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CMake would put it below DESTDIR, and ./dev install, which copies from there, would find nothing."""
    folder, prefix = tmp_path / "built", tmp_path / "prefix"
    folder.mkdir()
    (folder / "tool").touch()
    (folder / "cmake_install.cmake").write_text(
        f'file(INSTALL DESTINATION "${{CMAKE_INSTALL_PREFIX}}/bin" TYPE FILE FILES "{folder}/tool")\n'
    )
    monkeypatch.setattr(build, "write_bill", lambda *_, **__: None)
    monkeypatch.setenv("DESTDIR", str(tmp_path / "packed"))
    build.install(folder, ["product"], prefix)
    assert (prefix / "bin" / "tool").is_file()


def test_a_build_folder_has_links_to_the_modules_that_there_are(tmp_path: Path) -> None:
    """One to a module that was removed would seem to be there to whoever lists the folder."""
    sources, links = tmp_path / "sources", tmp_path / "links"
    for name in ("kept.py", "removed.py", "parts/kept.py", "parts/removed.py"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(name)
    script = tmp_path / "script.cmake"

    def link(*names: str) -> set[str]:
        script.write_text(
            f'include("{ROOT}/bindings/python/Links.cmake")\n'
            f'link_package("{sources}" "{links}" {" ".join(names)})\n'
        )
        text_of([tool("cmake"), "-P", script])
        return {str(path.relative_to(links)) for path in links.rglob("*") if not path.is_dir()}

    assert link("kept.py", "removed.py", "parts/kept.py", "parts/removed.py") == {
        *("kept.py", "removed.py", "parts/kept.py", "parts/removed.py")
    }
    (links / "built.so").touch()
    for name in ("removed.py", "parts/removed.py"):
        (sources / name).unlink()
    assert link("kept.py", "parts/kept.py") == {"kept.py", "parts/kept.py", "built.so"}
    assert (links / "parts" / "kept.py").read_text() == "parts/kept.py"


@pytest.mark.parametrize("name", ["c++", "WarpAES (1)", "Größe und 大小"])
def test_files_are_joined_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    """The name was a part of a regular expression, in which + and parentheses mean something else."""
    project = tmp_path / name
    (project / "src" / "part" / "deeper").mkdir(parents=True)
    for source in ("part/one.cpp", "part/two.cpp", "part/deeper/three.cpp"):
        (project / "src" / source).touch()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(joined NONE)\n"
        f'include("{ROOT}/cmake/QuickBuild.cmake")\n'
        "set(files src/part/one.cpp src/part/two.cpp src/part/deeper/three.cpp)\n"
        'list(TRANSFORM files PREPEND "${CMAKE_SOURCE_DIR}/")\n'
        "add_custom_target(core SOURCES ${files})\nwarpaes_join_folders(core src/part)\n"
        "foreach(file IN LISTS files)\n"
        "  get_property(group SOURCE ${file} TARGET_DIRECTORY core PROPERTY UNITY_GROUP)\n"
        "  message(STATUS [${group}])\nendforeach()\n"
    )
    said = text_of([tool("cmake"), "-G", "Ninja", "-S", project, "-B", project / "build"])
    groups = [line for line in said.splitlines() if line.startswith("-- [")]
    assert groups == ["-- [src/part/one.cpp]", "-- [src/part/one.cpp]", "-- []"]


@pytest.mark.parametrize(
    ("root", "found", "linked"),
    [
        ("/home/me/cuda", "/home/me/cuda/lib;/usr/lib", "/home/me/cuda/lib;/usr/lib"),
        ("/home/My Files/cu da", "/home/My;/usr/lib", "/usr/lib;/home/My Files/cu da/lib"),
    ],
)
def test_libraries_of_cuda_are_found_behind_a_space(
    tmp_path: Path, root: str, found: str, linked: str
) -> None:
    """CMake finds /home/My, and the linker then finds neither cudart_static nor cudadevrt there."""
    script = tmp_path / "script.cmake"
    script.write_text(
        f'set(CMAKE_CUDA_COMPILER "{root}/bin/nvcc")\nset(CUDAToolkit_LIBRARY_DIR "{root}/lib")\n'
        f'set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "{found}")\n'
        f'include("{ROOT}/cmake/CudaLibraries.cmake")\n'
        'file(WRITE "${CMAKE_CURRENT_LIST_DIR}/told" "${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES}")\n'
    )
    text_of([tool("cmake"), "-P", script])
    assert (tmp_path / "told").read_text() == linked


@pytest.mark.parametrize("name", ["Anna's", "Smith, John", "a;b", "100$", "old[1]"])
def test_a_path_in_which_nothing_can_be_compiled_is_refused(tmp_path: Path, name: str) -> None:
    build.require_plain_path(tmp_path / "c++ (1) & größer")
    with pytest.raises(Stop, match="would not find"):
        build.require_plain_path(tmp_path / name / "warpaes")


def test_it_is_refused_before_anything_is_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ROOT", ROOT.parent / "Anna's")
    monkeypatch.setattr(build, "set_up", lambda *_: pytest.fail("set-up began"))
    with pytest.raises(Stop, match=r"path has '$"):
        build.configure("dev", system_cuda=False)


@pytest.mark.parametrize(
    ("home", "fresh"),
    [(ROOT, False), (ROOT / "devtools" / "..", False), ("/somewhere/else", True), (None, False)],
)
def test_a_build_folder_that_was_moved_is_configured_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path | None, *, fresh: bool
) -> None:
    """CMake ended with two errors that name no way out, after .venv had been made anew."""
    commands: list[Command] = []
    monkeypatch.setattr(build, "set_up", lambda *_: None)
    monkeypatch.setattr(build, "run", lambda command, **_: commands.append(command))
    if home:
        (tmp_path / "CMakeCache.txt").write_text(
            f"A:BOOL=ON\nCMAKE_HOME_DIRECTORY:INTERNAL={home}\nB:BOOL=ON\n"
        )
    build.configure("dev", system_cuda=False, folder=tmp_path)
    assert ("--fresh" in commands[0]) == fresh
