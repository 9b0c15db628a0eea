"""When a file of warpaes.open() gets its name: whole, on the disk, with its rights, or not at all."""

import contextlib
import errno
import gc
import itertools
import os
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import warpaes
from tests.python.containers import KEY, pattern, written
from warpaes import _writing, files


def fail(path: Path) -> None:
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(bytes(5 << 20))
        raise KeyError("planted")


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        fail(tmp_path / "file")
    dropped = [warpaes.open(tmp_path / "file", "wb", key=KEY)]
    dropped[0].write(b"text")
    assert not (tmp_path / "file").exists()
    with pytest.warns(ResourceWarning, match="was dropped without close.*lost"):
        dropped.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_has_to_be_free(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with warpaes.open(path, "xb", key=KEY) as file:
        assert file.mode == "xb"
        file.write(b"first")
    with pytest.raises(FileExistsError) as caught:
        warpaes.open(path, "xb", key=KEY)
    assert caught.value.filename == str(path)
    late = warpaes.open(tmp_path / "other", "xb", key=KEY)
    written(tmp_path / "other", b"came meanwhile")
    with pytest.raises(FileExistsError):
        late.close()
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        warpaes.open(tmp_path / "link", "xb", key=KEY)
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "other"]
    for name, text in (("file", b"first"), ("other", b"came meanwhile")):
        with warpaes.open(tmp_path / name, key=KEY) as found:
            assert found.read() == text


def test_a_warning_that_is_an_error_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[sys.UnraisableHookArgs] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dropped = warpaes.open(tmp_path / "file", "wb", key=KEY)
        dropped.write(b"text")
        del dropped
        gc.collect()
    assert [args.exc_type for args in told] == [ResourceWarning]
    told.clear()  # it holds the object
    assert list(tmp_path.iterdir()) == []


def test_only_what_is_lost_is_told(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written(tmp_path / "file", b"text")
        with pytest.raises(KeyError):
            fail(tmp_path / "file")
        with pytest.raises(FileNotFoundError):
            warpaes.open(tmp_path / "none" / "file", "wb", key=KEY)
        gc.collect()


def test_what_cannot_be_removed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder that takes new files only (chattr +a): a part of the data would lie there unknown."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    file.write(b"text")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        patched.setattr(os, "unlink", refuse)
        told = pytest.warns(RuntimeWarning, match="is left, and could not be removed")
        with told as warned, pytest.raises(PermissionError):
            file.close()
    (left,) = tmp_path.iterdir()
    assert repr(str(left)) in str(warned[0].message)


def test_another_file_is_replaced_by_a_whole_one_only(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"before")
    with pytest.raises(KeyError):
        fail(path)
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"before"
    written(path, b"after")
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"after"


@pytest.mark.parametrize("call", ["fchmod", "fsync", "replace"])
def test_what_cannot_get_its_name_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Neither of what is encrypted, nor of what a store's file is decrypted to."""
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")  # which an installed package names to fsspec
    path, plain = written(tmp_path / "file", b"before"), tmp_path / "plain"
    plain.write_bytes(b"before")
    fs, sealed = fsspec.url_to_fs(f"warpaes::memory://{tmp_path}/sealed", warpaes={"key": KEY})
    fs.pipe_file(sealed, b"text")

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "planted")

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(PermissionError, match="planted"), warpaes.open(path, "wb", key=KEY) as file:
        file.write(b"text")
    if call != "fsync":  # of such a file, which is as good as the one in the store
        with pytest.raises(PermissionError, match="planted"):
            fs.get_file(sealed, plain)
    assert sorted(tmp_path.iterdir()) == [path, plain]
    assert plain.read_bytes() == b"before"


def test_a_name_that_is_a_folder_s(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        warpaes.open(f"{tmp_path}/name/", "wb", key=KEY)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        warpaes.open(tmp_path, "wb", key=KEY)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"):
        warpaes.open(pipe, "wb", key=KEY)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_is_replaced_hands_on_its_permissions(tmp_path: Path) -> None:
    path, link = written(tmp_path / "file", b"old"), tmp_path / "link"
    path.chmod(0o640)
    link.symlink_to("file")
    written(link, b"new")
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"new"


@pytest.mark.parametrize("name", ["n" * 255, "ä" * 127, "n" * 240, "x"])
def test_the_longest_names(tmp_path: Path, name: str) -> None:
    """The temporary name is longer than the file's own, unless it is cut."""
    with warpaes.open(written(tmp_path / name, b"text"), key=KEY) as file:
        assert file.read() == b"text"


@pytest.mark.parametrize(
    "name", ["none/file", "none/../file", "none/.", "a file/new", "a file/.", "folder/."]
)
def test_names_that_python_refuses(tmp_path: Path, name: str) -> None:
    (tmp_path / "a file").write_bytes(b"text")
    (tmp_path / "folder").mkdir()
    path = f"{tmp_path}/{name}"
    with pytest.raises(OSError) as expected:  # noqa: PT011
        open(path, "wb")  # noqa: SIM115
    with pytest.raises(type(expected.value)) as raised:
        warpaes.open(path, "wb", key=KEY)
    if name != "folder/.":
        assert raised.value.filename == path  # and not a name that nobody knows
    assert sorted(os.listdir(tmp_path)) == ["a file", "folder"]


def test_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        warpaes.open("", "wb", key=KEY)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("may_give_away", [True, False])
def test_a_file_that_is_replaced_hands_on_its_group_and_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_give_away: bool
) -> None:
    """Or else nobody may do more with it than before: its group is another one then."""
    path = tmp_path / "file"
    for mode, without in ((0o640, 0o600), (0o664, 0o644), (0o604, 0o600), (0o666, 0o666)):
        path.write_bytes(b"before")
        os.chown(path, 4321, 1234)
        path.chmod(mode)
        if not may_give_away:
            monkeypatch.setattr(os, "fchown", refused_by_the_system)
        written(path, b"text")
        found = path.stat()
        assert (found.st_uid, found.st_gid) == (
            (4321, 1234) if may_give_away else (os.geteuid(), os.getegid())
        )
        assert found.st_mode & 0o777 == (mode if may_give_away else without)
        monkeypatch.undo()
        path.unlink()


def refused_by_the_system(*_: object) -> None:
    raise PermissionError("planted")


@pytest.mark.parametrize("problem", [None, errno.EINVAL, errno.EIO])
def test_the_folder_comes_to_disk_after_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: int | None
) -> None:
    """A power cut may otherwise take the name, of a file whose predecessor is removed already."""
    path, seen, fsync = tmp_path / "file", list[tuple[str, bool]](), os.fsync

    def looked_at(descriptor: int) -> None:
        seen.append((os.readlink(f"/proc/self/fd/{descriptor}"), path.exists()))
        if problem is not None and path.exists():
            raise OSError(problem, "planted")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", looked_at)
    with (
        contextlib.nullcontext()
        if problem != errno.EIO
        else pytest.raises(OSError, match="planted: the file is there")
    ):
        written(path, b"text")
    (temporary, first), last = seen
    assert temporary.endswith(".part")
    assert not first
    assert last == (str(tmp_path), True)
    with warpaes.open(path, key=KEY) as file:
        assert file.read() == b"text"


def test_the_umask_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the process: what other threads make meanwhile would get other permissions."""
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")
            path = written(tmp_path / "file", b"text")
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)


def test_what_is_interrupted_while_it_is_opened_leaves_nothing(tmp_path: Path) -> None:
    gc.collect()  # files that other tests have dropped in cycles, whose end would be interrupted in its place
    before, descriptors = sys.gettrace(), os.listdir("/proc/self/fd")
    for number in itertools.count(1):
        lines = 0

        def trace(frame: FrameType, event: str, _: object, last: int = number) -> Any:
            nonlocal lines
            # An exception of another one's handler would stay behind in Python 3.11.
            if frame.f_code.co_filename == files.__file__ and frame.f_code.co_name != "_to_be_replaced":
                lines += event == "line"
                if lines == last:
                    sys.settrace(None)
                    raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            file = warpaes.open(tmp_path / "file", "wb", key=KEY)
            break
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        assert os.listdir(tmp_path) == []
    file.discard()
    assert number > 20
    assert os.listdir("/proc/self/fd") == descriptors


def test_an_interrupted_write_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C may come at any line. Whoever goes on writing must not get a file that lacks something, or two
    chunks under one nonce.
    """
    gc.collect()  # files that other tests have dropped in cycles, whose end would be interrupted in its place
    path, first, second = tmp_path / "file", pattern(5 << 20), pattern(100)
    stream_code = {_writing.__file__, files.__file__}

    def interrupted_at(number: int) -> set[bytes | None]:
        """What can be read afterwards: None for nothing; an empty set if the write has no such line."""
        lines = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:
            nonlocal lines
            if frame.f_code.co_filename not in stream_code:
                return None
            lines += event == "line"
            if lines == number:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        file = warpaes.open(path, "wb", key=KEY)
        before, interrupted = sys.gettrace(), False
        sys.settrace(trace)
        try:
            file.write(first)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            sys.settrace(before)
        if not interrupted:
            file.discard()
            return set()
        if file.closed:
            assert os.listdir(tmp_path) == []
            return {None}
        file.write(second)
        file.close()
        with warpaes.open(path, key=KEY) as again:
            text = again.read()
        path.unlink()
        return {text}

    found: set[bytes | None] = set()
    for number in itertools.count(1):
        one = interrupted_at(number)
        if not one:
            break
        found |= one
    assert number > 20
    assert found <= {None, second, first + second}  # not begun, or done already
    assert None in found


@pytest.mark.parametrize("name", [".", "folder", "pipe", "x" * 256, "loop", "link"])
def test_an_exception_has_the_name_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As those of Python's own open() have: without the folders above, and not where a link leads."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("link").symlink_to("folder")
    with pytest.raises(OSError) as caught:  # noqa: PT011
        warpaes.open(name, "wb", key=KEY)
    assert caught.value.filename == name
