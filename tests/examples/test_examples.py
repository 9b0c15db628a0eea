"""The programs in examples/, built as a project of its own against the installed library, and run."""

import os
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from devtools.repository import ROOT, STAGE, tool

OUTPUTS = {
    "host_gcm": "opened: Meet me at noon.\n",
    "sealed_message": "opened: Meet me at noon.\ndamaged: WARPAES_ERROR_AUTHENTICATION\n",
    "key_wrap": "unwrapped: the same key\n",
    "batch": "genuine: not all (9999 of 10000)\n",
    "device_gcm": "decrypted: WARPAES_OK\n",
    "fused_decrypt": "genuine: the dot product, damaged: refused\n",
    "device_container": "loaded: 104857607 bytes\n",
}
NO_GPU = 77


def succeed(*command: str | Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode == NO_GPU:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def cuda_toolkit() -> list[str]:
    """The pinned one, if there is no other: it has no libcudart.so link, which CMake looks for."""
    for root in ROOT.glob(".venv/lib/python3*/site-packages/nvidia/cu13"):
        shared = next(root.glob("lib/libcudart.so.*"))
        nvcc = root.resolve() / "bin" / "nvcc"
        return [
            f"-DCUDAToolkit_ROOT={root}", f"-DCUDA_CUDART={shared}", f"-DCMAKE_CUDA_COMPILER={nvcc}",
            f"-DCMAKE_CUDA_FLAGS=-L{root / 'lib'}", "-DCMAKE_CUDA_ARCHITECTURES=90",
        ]  # fmt: skip
    return []


def build(source: Path, folder: Path, *options: str) -> Path:
    prefix = Path(os.environ["WARPAES"]).parent.parent if "WARPAES" in os.environ else STAGE
    succeed(
        tool("cmake"), "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}",
        f"-DCMAKE_PREFIX_PATH={prefix}", *options,
    )  # fmt: skip
    succeed(tool("cmake"), "--build", folder)
    return folder


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    flags = "-Wall -Wextra -Wshadow -Werror"
    return build(
        ROOT / "examples", tmp_path_factory.mktemp("examples"), f"-DCMAKE_C_FLAGS={flags}",
        f"-DCMAKE_CXX_FLAGS={flags}", *cuda_toolkit(),
    )  # fmt: skip


@pytest.mark.parametrize("name", OUTPUTS)
def test_example(name: str, examples: Path) -> None:
    assert succeed(examples / name) == OUTPUTS[name]


@pytest.mark.parametrize("length", [0, 100, (1 << 20) - 1, 1 << 20, (5 << 20) + 7])
def test_a_streamed_file_is_a_sealed_message(length: int, examples: Path, tmp_path: Path) -> None:
    key, text = os.urandom(32), os.urandom(length)
    key_file, plain, sealed = tmp_path / "key", tmp_path / "plain", tmp_path / "sealed"
    key_file.write_bytes(key)
    plain.write_bytes(text)
    succeed(examples / "stream_file", key_file, plain, sealed)
    found = sealed.read_bytes()
    again = subprocess.run(
        [examples / "stream_file", key_file, plain, plain], capture_output=True, check=False
    )
    assert again.returncode == 1
    assert b"exists already" in again.stderr
    assert plain.read_bytes() == text
    assert AESGCM(key).decrypt(found[:12], found[12:], None) == text


def test_a_bad_key_leaves_no_file(examples: Path, tmp_path: Path) -> None:
    key_file, sealed = tmp_path / "key", tmp_path / "sealed"
    key_file.write_bytes(bytes(31))
    refused = subprocess.run(
        [examples / "stream_file", key_file, key_file, sealed], capture_output=True, check=False
    )
    assert refused.returncode == 1
    assert b"not 31" in refused.stderr
    assert not sealed.exists()


def test_all_of_them_are_tested_and_short() -> None:
    most_lines = {".c": 40, ".cpp": 40, ".cu": 120}  # with a kernel of its own
    sources = [path for path in (ROOT / "examples").iterdir() if path.suffix in most_lines]
    assert {path.stem for path in sources} == {*OUTPUTS, "stream_file", "container_range"}
    marks = ("// cut for ", "// end of the cut")  # where pages take their code from
    for path in sources:
        lines = [line for line in path.read_text().splitlines() if not line.strip().startswith(marks)]
        assert len(lines) <= most_lines[path.suffix], path.name


def test_a_project_in_c_alone_finds_the_library(tmp_path: Path) -> None:
    """The C++ wrapper asks for C++20, which must not disturb those that have no C++ compiler."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(plain LANGUAGES C)\n"
        "find_package(warpaes REQUIRED)\n"
        f'add_executable(plain "{ROOT / "examples" / "host_gcm.c"}")\n'
        "target_link_libraries(plain PRIVATE warpaes::warpaes)\n"
    )
    folder = build(tmp_path, tmp_path / "build")
    assert succeed(folder / "plain") == OUTPUTS["host_gcm"]


def test_range_of_an_encrypted_file(examples: Path, tmp_path: Path) -> None:
    """What `warpaes encrypt` writes is what `cryptography` reads; the example reads a part of it."""
    plaintext = os.urandom(100_000)
    (tmp_path / "file").write_bytes(plaintext)
    warpaes = os.environ.get("WARPAES", str(STAGE / "bin" / "warpaes"))
    succeed(warpaes, "keygen", "--raw", "--quiet", "-o", tmp_path / "key")
    succeed(warpaes, "encrypt", "--key-file", tmp_path / "key", "--quiet", tmp_path / "file")
    command = [str(examples / "container_range"), str(tmp_path / "key"), str(tmp_path / "file.wa")]
    for offset, length in [(0, 10), (16_000, 50_000), (99_990, 100), (100_000, 5)]:
        done = subprocess.run([*command, str(offset), str(length)], capture_output=True, check=True)
        assert done.stdout == plaintext[offset : offset + length]
    with Path("/dev/full").open("wb") as full:
        lost = subprocess.run([*command, "0", "10"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (lost.returncode, lost.stderr) == (1, b"container_range: cannot write\n")
    (tmp_path / "key").write_bytes(os.urandom(32))
    refused = subprocess.run([*command, "0", "10"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "wrong key" in refused.stderr
