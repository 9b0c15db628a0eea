"""What is left of files that are still being written when the program ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import warpaes
from tests.python.containers import KEY

BEGINNING = """
import io, logging, os, sys, threading, time
import warpaes
KEY = bytes(range(32))
"""

IN_A_MODULE = """
sys.kept = warpaes.open("file", "wb", key=KEY)
sys.kept.write(bytes(5 << 20))
"""

IN_A_LOG = """
log = logging.StreamHandler(io.TextIOWrapper(warpaes.open("file", "wb", key=KEY)))
logging.getLogger().addHandler(log)
logging.error("a line")
"""

IN_A_THREAD = """
begun = threading.Event()
def write():
    with warpaes.open("file", "wb", key=KEY) as file:
        while True:
            file.write(bytes(1 << 20))
            begun.set()
threading.Thread(target=write, daemon=True).start()
begun.wait()
"""

IN_A_BLOCK_THAT_IS_CLOSED = """
sys.kept = warpaes.open("file", "wb", key=KEY).__enter__()
sys.kept.close()
"""

OF_A_STORE = """
import fsspec, warpaes.filesystem
fs, path = fsspec.url_to_fs(f"warpaes::file://{os.getcwd()}/file", warpaes={"key": KEY})
sys.kept = fs.open(path, "wb")
sys.kept.write(bytes(5 << 20))
"""

# A store whose module works as s3fs does: by a thread of fsspec's, for which it waits.
STORE_WITH_A_THREAD = """
import fsspec.asyn
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile
async def answer():
    return True
class File(AbstractBufferedFile):
    def _upload_chunk(self, final=False):
        return fsspec.asyn.sync(fsspec.asyn.get_loop(), answer)
    _initiate_upload = commit = discard = _upload_chunk
class Store(MemoryFileSystem):
    protocol = "threaded"
    def _open(self, path, mode="rb", **options):
        return File(self, path, mode, **options)
fsspec.register_implementation("threaded", Store)
"""

# Only this program's own module has the file, and drops it when Python clears that.
OF_A_STORE_WITH_A_THREAD = """
import threaded_store
import fsspec, warpaes.filesystem
fs, path = fsspec.url_to_fs("warpaes::threaded://file", warpaes={"key": KEY})
kept = fs.open(path, "wb")
kept.write(bytes(20 << 20))
"""

# As a fork without exec() ends that the program's own code makes: by the interpreter's end.
IN_A_FORK = """
sys.kept = warpaes.open("file", "wb", key=KEY)
if os.fork() == 0:
    sys.exit()
os.wait()
sys.kept.write(b"text")
sys.kept.close()
"""

CLOSED_BY_A_LOG = """
class Encrypted(logging.FileHandler):
    def _open(self):
        return io.TextIOWrapper(warpaes.open(self.baseFilename, "wb", key=KEY))
logging.basicConfig(handlers=[Encrypted("file")], format="%(message)s")
logging.error("text")
"""


def run(folder: Path, program: str) -> str:
    """What it says on standard error."""
    made = subprocess.run(
        [sys.executable, "-X", "dev", "-c", BEGINNING + program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return made.stderr


@pytest.mark.parametrize(
    "program",
    [IN_A_MODULE, IN_A_LOG, IN_A_THREAD, IN_A_BLOCK_THAT_IS_CLOSED, OF_A_STORE],
    ids=["module", "log", "thread", "closed", "store"],
)
def test_what_is_open_at_the_end_leaves_nothing_and_is_told(tmp_path: Path, program: str) -> None:
    if program == OF_A_STORE:
        pytest.importorskip("fsspec")
        pytest.importorskip("warpaes.filesystem")
    said = run(tmp_path, program)
    assert "ResourceWarning: the encrypted file" in said
    assert "is open as the program ends: it is lost unless it is closed yet" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("program", "text"), [(CLOSED_BY_A_LOG, b"text\n"), (IN_A_FORK, b"text")], ids=["log", "fork"]
)
def test_what_is_closed_at_the_end_is_whole(tmp_path: Path, program: str, text: bytes) -> None:
    run(tmp_path, program)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert warpaes.open(tmp_path / "file", key=KEY).read() == text


def test_the_end_does_not_wait_for_a_store_whose_threads_have_ended(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")
    (tmp_path / "threaded_store.py").write_text(STORE_WITH_A_THREAD)
    said = run(tmp_path, OF_A_STORE_WITH_A_THREAD)
    assert "was dropped without close(), and what was written to it is lost" in said
    assert "Exception ignored" not in said
