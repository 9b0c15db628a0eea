"""warpaes.open() of a file object: what is written to it and read from it, and that it stays the caller's."""

import io
import mmap
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import warpaes
from devtools.repository import WARPAES

KEY = bytes(range(32))
CHUNK = 16384
PROGRAM = Path(os.environ.get("WARPAES", WARPAES))
TEXT = bytes(range(251)) * 1000  # sixteen chunks, of which the last is not whole


def sealed(text: bytes = TEXT) -> bytes:
    into = io.BytesIO()
    with warpaes.open(into, "wb", key=KEY) as file:
        file.write(text)
    return into.getvalue()


class Least:
    """A file with nothing but what is asked of one; of the bytes it takes and gives few at a time."""

    def __init__(self, data: bytes = b"", *, answers: bool = True) -> None:
        self._file, self._answers = io.BytesIO(data), answers

    def read(self, size: int, /) -> bytes:
        return self._file.read(min(size, 999))

    def seek(self, offset: int, whence: int = 0, /) -> None:
        self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def write(self, data: bytes, /) -> int | None:
        taken = self._file.write(data[:999] if self._answers else data)
        return taken if self._answers else None

    def value(self) -> bytes:
        return self._file.getvalue()


def mapped(data: bytes) -> mmap.mmap:
    made = mmap.mmap(-1, len(data))
    made.write(data)
    made.seek(0)
    return made


def temporary(data: bytes) -> Any:
    made = tempfile.TemporaryFile()  # noqa: SIM115
    made.write(data)
    made.seek(0)
    return made


def spooled(data: bytes) -> Any:
    made = tempfile.SpooledTemporaryFile()  # noqa: SIM115
    made.write(data)
    made.seek(0)
    return made


def member(data: bytes) -> Any:
    archive = zipfile.ZipFile(io.BytesIO(), "w")
    archive.writestr("name", data)
    return archive.open("name")


@pytest.mark.parametrize("kind", [io.BytesIO, Least, mapped, temporary, spooled, member])
def test_reads_what_has_the_methods(kind: Callable[[bytes], Any]) -> None:
    given = kind(sealed())
    with warpaes.open(given, key=KEY) as file:
        assert file.size == len(TEXT)
        assert file.read_ranges([(CHUNK - 1, CHUNK + 1), (0, 3)]) == [TEXT[CHUNK - 1 : CHUNK + 1], TEXT[:3]]
        assert file.seek(-5, os.SEEK_END) == len(TEXT) - 5
        assert file.read() == TEXT[-5:]
        file.seek(0)
        assert file.read() == TEXT
    given.seek(0)  # it is open
    assert len(given.read(20)) == 20


def test_many_threads_read_one_file_object() -> None:
    text = os.urandom(3) * (8 << 20)
    with warpaes.open(io.BytesIO(sealed(text)), key=KEY) as file:
        assert file.read_ranges([(1, len(text))]) == [text[1:]]


@pytest.mark.parametrize("answers", [True, False])
def test_writes_to_what_has_the_method(answers: bool) -> None:
    given = Least(answers=answers)
    with warpaes.open(given, "wb", key=KEY) as file:
        assert file.write(TEXT) == len(TEXT)
        assert file.name == ""
    assert warpaes.open(io.BytesIO(given.value()), key=KEY).read() == TEXT


def test_the_program_reads_it(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    with (tmp_path / "file").open("wb", buffering=0) as given, warpaes.open(given, "wb", key=KEY) as file:
        file.write(TEXT)
        assert file.name == given.name
    command: list[Any] = [PROGRAM, "decrypt", "-k", key, tmp_path / "file", "-o", "-"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == TEXT


def test_a_pipe_is_written_to() -> None:
    read_end, write_end = os.pipe()
    with (
        open(read_end, "rb") as there,
        open(write_end, "wb") as here,
        warpaes.open(here, "wb", passphrase="secret") as file,
    ):
        file.write(b"short")
        file.close()
        here.close()
        with warpaes.open(io.BytesIO(there.read()), passphrase="secret") as again:
            assert again.read() == b"short"


def test_begins_where_the_file_is() -> None:
    given = io.BytesIO(b"before")
    given.seek(0, os.SEEK_END)
    with warpaes.open(given, "wb", key=KEY) as file:
        file.write(TEXT)
    given.write(b"after")
    assert given.getvalue().startswith(b"before")
    assert given.getvalue().endswith(b"after")
    inside = io.BytesIO(given.getvalue().removesuffix(b"after"))
    inside.seek(len("before"))
    assert warpaes.open(inside, key=KEY).read() == TEXT
    with pytest.raises(warpaes.WrongKey):
        warpaes.open(io.BytesIO(inside.getvalue()), key=KEY)


@pytest.mark.parametrize("length", [0, 1, 5 << 20])
def test_what_an_exception_leaves_is_no_whole_file(length: int) -> None:
    given = io.BytesIO()

    def fails() -> None:
        with warpaes.open(given, "wb", key=KEY) as file:
            file.write(bytes(length))
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert not given.closed
    with pytest.raises((warpaes.Truncated, warpaes.Damaged)):
        warpaes.open(io.BytesIO(given.getvalue()), key=KEY).read()


def test_a_file_that_is_dropped_is_told() -> None:
    given = io.BytesIO()
    with pytest.warns(ResourceWarning, match="dropped without close"):
        warpaes.open(given, "wb", key=KEY).write(b"text")
    with pytest.raises((warpaes.Truncated, warpaes.Damaged)):
        warpaes.open(io.BytesIO(given.getvalue()), key=KEY).read()


def test_every_cut_is_noticed() -> None:
    whole = sealed(bytes(2 * CHUNK))
    for length in [*range(0, len(whole), 997), 56 + 16400, 56 + 2 * 16400, len(whole) - 1]:
        with pytest.raises((warpaes.Truncated, warpaes.Damaged)):
            warpaes.open(io.BytesIO(whole[:length]), key=KEY).read()


def test_a_file_that_became_shorter() -> None:
    given = io.BytesIO(sealed())
    with warpaes.open(given, key=KEY) as file:
        given.truncate(CHUNK)
        with pytest.raises(warpaes.Truncated, match="became shorter"):
            file.read()


def text_file() -> Any:
    return io.TextIOWrapper(io.BytesIO())


def pipe() -> Any:
    read_end, write_end = os.pipe()
    os.close(write_end)
    return open(read_end, "rb")


def closed() -> Any:
    made = io.BytesIO()
    made.close()
    return made


class Hollow(io.RawIOBase):
    """One that is not blocking, or says what no file says."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def write(self, _: Any) -> Any:
        return self._answer

    def read(self, _: int = -1) -> Any:
        return self._answer

    def seek(self, offset: int, _: int = 0) -> int:
        return offset

    def tell(self) -> int:
        return 100


class Endless(Hollow):
    def tell(self) -> int:
        self._at = getattr(self, "_at", -1000) + 1000
        return self._at


@pytest.mark.parametrize(
    ("error", "says", "call"),
    [
        (TypeError, "a b in its mode", lambda: warpaes.open(text_file(), key=KEY)),
        (TypeError, "a b in its mode", lambda: warpaes.open(text_file(), "wb", key=KEY)),
        (warpaes.Truncated, "0 are here", lambda: warpaes.open(pipe(), key=KEY)),
        (ValueError, "closed", lambda: warpaes.open(closed(), key=KEY)),
        (ValueError, "closed", lambda: warpaes.open(closed(), "wb", key=KEY)),
        (BlockingIOError, "took no bytes", lambda: warpaes.open(Hollow(None), "wb", key=KEY)),
        (BlockingIOError, "no bytes yet", lambda: warpaes.open(Endless(None), key=KEY)),
        (OSError, "took 0 of 56 bytes", lambda: warpaes.open(Hollow(0), "wb", key=KEY)),
        (OSError, "took 57 of 56 bytes", lambda: warpaes.open(Hollow(57), "wb", key=KEY)),
        (OSError, "answered with 500 bytes", lambda: warpaes.open(Endless(bytes(500)), key=KEY)),
        (ValueError, "is for names", lambda: warpaes.open(io.BytesIO(), "xb", key=KEY)),
        (TypeError, "os.PathLike", lambda: warpaes.open(Least, key=KEY)),  # type: ignore[call-overload]
        (TypeError, "os.PathLike", lambda: warpaes.open(object(), key=KEY)),  # type: ignore[call-overload]
    ],
)
def test_says_what_is_wrong(error: type[Exception], says: str, call: Callable[[], object]) -> None:
    with pytest.raises(error, match=says):
        call()


def test_reading_does_not_begin_inside_itself() -> None:
    """As a signal handler would do it that reads the same file."""

    class Reentrant(Least):
        inner: Any = None

        def read(self, size: int, /) -> bytes:
            if self.inner is not None:
                self.inner.read_ranges([(0, 1)])
            return super().read(size)

    given = Reentrant(sealed())
    with warpaes.open(given, key=KEY) as file:
        given.inner = file
        with pytest.raises(RuntimeError, match="reentrant"):
            file.read_ranges([(0, 1)])
        given.inner = None
        assert file.read() == TEXT


def test_a_path_with_the_methods_of_a_file_is_a_path(tmp_path: Path) -> None:
    class Named(Least):
        def __fspath__(self) -> str:
            return str(tmp_path / "file")

    with warpaes.open(Named(), "wb", key=KEY) as file:
        file.write(b"text")
    assert warpaes.open(Named(), key=KEY).read() == b"text"
    assert (tmp_path / "file").exists()


def test_a_fork_writes_nothing_twice(tmp_path: Path) -> None:
    """What Python's own files hold back would be written by both processes."""
    with (tmp_path / "file").open("wb") as given, warpaes.open(given, "wb", key=KEY) as file:
        for _ in range(3):
            child = os.fork()
            if child == 0:
                given.flush()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            file.write(TEXT)
    assert warpaes.open(tmp_path / "file", key=KEY).read() == 3 * TEXT
