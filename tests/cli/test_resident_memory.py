"""How much memory is resident while a long file becomes another one: what `ps` and `time -v` show."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.peak_memory import measured, peak_memory
from tests.cli.program import command_line, environment
from tests.cli.raw_modes import IV, key_of

MIB = 1 << 20
LENGTH, MOST = 256 * MIB, 128 * MIB
NONCE = ["--nonce", "05" * 11]
RAW = {
    "ctr": ["--iv", IV.hex()],
    "xts": ["--data-unit-bytes", "4096", "--first-data-unit", "0"],
    "gcm": [],
    "eax": [],
    "ocb3": [],
    "ccm": NONCE,  # the nonce that it makes leaves no room for such a length
    "gcm-siv": [],
    "siv": [],
}


@pytest.fixture(name="plain", scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("resident") / "plain"
    path.write_bytes(bytes(range(256)) * (LENGTH // 256))
    return path


def peak_of(*arguments: str | Path) -> int:
    command = measured(command_line(*arguments, "--threads", "2", "--quiet"))
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) as running:
        return peak_memory(running)


@pytest.mark.parametrize("mode", RAW)
def test_raw_from_file_to_file(mode: str, plain: Path, tmp_path: Path) -> None:
    key, sealed, opened = tmp_path / "key", tmp_path / "sealed", tmp_path / "opened"
    key.write_bytes(key_of(64 if mode == "xts" else 32))
    key.chmod(0o600)
    options: list[str | Path] = ["-m", mode, "-k", key, *RAW[mode]]
    assert peak_of("raw", *options, plain, "-o", sealed) < MOST
    assert peak_of("raw", "-d", *options, sealed, "-o", opened) < MOST
    assert opened.read_bytes() == plain.read_bytes()


def test_containers(plain: Path, key: Path, tmp_path: Path) -> None:
    sealed, opened = tmp_path / "sealed.wa", tmp_path / "opened"
    assert peak_of("encrypt", "-k", key, plain, "-o", sealed) < MOST
    assert peak_of("verify", "-k", key, sealed) < MOST
    assert peak_of("decrypt", "-k", key, sealed, "-o", opened) < MOST
    assert opened.read_bytes() == plain.read_bytes()
