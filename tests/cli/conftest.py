import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, pattern, succeed
from tests.cli.unprivileged import Unprivileged, make_unprivileged


@pytest.fixture(scope="session", autouse=True)
def _program_is_built() -> None:
    assert PROGRAM.is_file(), f"{PROGRAM} is missing: ./dev build"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(pattern(32))
    path.chmod(0o600)
    return path


def word_in(folder: Path) -> Path:
    path = folder / "word"
    path.write_text("correct horse\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def word(tmp_path: Path) -> Path:
    """A passphrase's file."""
    return word_in(tmp_path)


def plain_in(folder: Path) -> Path:
    path = folder / "plain"
    path.write_bytes(pattern(3 * 16384 + 100))
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Three full chunks and some bytes."""
    return plain_in(tmp_path)


@pytest.fixture
def sealed(key: Path, plain: Path) -> Path:
    succeed("encrypt", "-q", "-k", key, plain)
    return plain.with_name("plain.wa")


@pytest.fixture(scope="session", name="locked_once")
def _locked_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The key takes a second to make, so all tests have the same file."""
    folder = tmp_path_factory.mktemp("locked")
    plain = plain_in(folder)
    succeed("encrypt", "-q", "--passphrase-file", word_in(folder), plain)
    return plain.with_name("plain.wa").read_bytes()


@pytest.fixture
def locked(plain: Path, locked_once: bytes) -> Path:
    """`plain` with the passphrase of `word`."""
    path = plain.with_name("plain.wa")
    path.write_bytes(locked_once)
    return path


@pytest.fixture
def unprivileged() -> Iterator[Unprivileged]:
    # tmp_path lies in a folder that only its owner can enter.
    with tempfile.TemporaryDirectory() as folder:
        yield make_unprivileged(Path(folder))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
