"""`warpaes raw` from pipes and to pipes, in modes that need all of a message twice: what waits in a file."""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV, AESSIV

from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import key_of
from tests.cli.test_failing_gpu import LIBRARY

MIB = 1 << 20
IN_MEMORY = 32 * MIB  # kKeptInMemory of cli/spool.hpp
BLOCK = 512 << 10  # of the file in which the rest is
KEY, NONCE, AAD = key_of(32), bytes(range(1, 12)), pattern(70_000)
LONG = IN_MEMORY + 3 * BLOCK + 5


def nonce_of(mode: str) -> bytes:
    return NONCE if mode == "ccm" else NONCE + b"\x0c"


SEAL: dict[str, Callable[[bytes, bytes], bytes]] = {
    "ccm": lambda data, aad: AESCCM(KEY).encrypt(nonce_of("ccm"), data, aad),
    "gcm-siv": lambda data, aad: AESGCMSIV(KEY).encrypt(nonce_of("gcm-siv"), data, aad),
    "siv": lambda data, aad: AESSIV(KEY).encrypt(data, [*([aad] if aad else []), nonce_of("siv")]),
    "gcm": lambda data, aad: AESGCM(KEY).encrypt(nonce_of("gcm"), data, aad),
}
TWICE = ("ccm", "gcm-siv", "siv")


def options_of(mode: str) -> list[str]:
    return ["--quiet", "--mode", mode, "--key-hex", KEY.hex(), "--nonce", nonce_of(mode).hex()]


@pytest.mark.parametrize("mode", TWICE)
@pytest.mark.parametrize("length", [IN_MEMORY - 1, IN_MEMORY, LONG, IN_MEMORY + 2 * BLOCK])
def test_lengths_around_what_is_kept_in_memory(mode: str, length: int, tmp_path: Path) -> None:
    """As the library that everybody has, from pipes to pipes and to files."""
    data = pattern(length)
    sealed = SEAL[mode](data, b"")
    for way, given, expected in (([], data, sealed), (["-d"], sealed, data)):
        assert succeed("raw", *way, *options_of(mode), stdin=given).out == expected
        succeed("raw", *way, *options_of(mode), "--force", "-o", tmp_path / "out", stdin=given)
        assert (tmp_path / "out").read_bytes() == expected


@pytest.mark.parametrize("mode", TWICE)
def test_additional_data_and_files_to_pipes(mode: str, tmp_path: Path) -> None:
    data = pattern(LONG)
    for aad in (AAD[:5], AAD):
        (tmp_path / "aad").write_bytes(aad)
        options = [*options_of(mode), "--aad-file", str(tmp_path / "aad")]
        sealed = SEAL[mode](data, aad)
        for way, given, expected in (([], data, sealed), (["-d"], sealed, data)):
            (tmp_path / "in").write_bytes(given)
            assert succeed("raw", *way, *options, tmp_path / "in").out == expected


def test_tags_apart_and_short_ones(tmp_path: Path) -> None:
    data, tag = pattern(LONG), tmp_path / "tag"
    for mode, tag_bytes in (("ccm", 16), ("ccm", 8), ("gcm-siv", 16)):
        options = [*options_of(mode), "--tag-bytes", str(tag_bytes), "--tag-file", str(tag)]
        sealed = AESCCM(KEY, tag_bytes).encrypt(NONCE, data, None) if mode == "ccm" else SEAL[mode](data, b"")
        assert succeed("raw", *options, "--force", "-o", tmp_path / "out", stdin=data).out == b""
        assert (tmp_path / "out").read_bytes() + tag.read_bytes() == sealed
        assert succeed("raw", "-d", *options, stdin=sealed[:-tag_bytes]).out == data


@pytest.mark.skipif(not list(LIBRARY.glob("libwarpaes.so.*")), reason="no library with a posed GPU was built")
@pytest.mark.parametrize(("mode", "length"), [("ccm", 10_003), ("siv", 10_003), ("gcm-siv", LONG)])
def test_a_forced_engine_of_a_gpu(mode: str, length: int) -> None:
    """It has CMAC of whole messages only, and the posed one takes a second for a MiB of it."""
    data, posed = pattern(length), environment(LD_LIBRARY_PATH=str(LIBRARY))
    options = [*options_of(mode), "--engine", "cuda"]
    sealed = succeed("raw", *options, stdin=data, env=posed).out
    assert sealed == SEAL[mode](data, b"")
    assert succeed("raw", "-d", *options, stdin=sealed, env=posed).out == data


@pytest.mark.skipif(not list(LIBRARY.glob("libwarpaes.so.*")), reason="no library with a posed GPU was built")
@pytest.mark.parametrize("way", [[], ["-d"]], ids=["encrypt", "decrypt"])
def test_what_a_forced_engine_of_a_gpu_gets_waits_in_a_file_too(way: list[str], tmp_path: Path) -> None:
    """CCM begins when all of it is there."""
    without = environment(LD_LIBRARY_PATH=str(LIBRARY), TMPDIR=str(tmp_path / "missing"))
    result = run("raw", *way, *options_of("ccm"), "--engine", "cuda", stdin=pattern(LONG), env=without)
    assert result.code == 1
    assert "hint: TMPDIR names another folder" in result.err


@pytest.mark.parametrize("size", [16, 32])
def test_a_nonce_that_is_made(size: int) -> None:
    key, data = key_of(size), pattern(LONG)
    options = ["--quiet", "--mode", "gcm-siv", "--key-hex", key.hex()]
    sealed = succeed("raw", *options, stdin=data).out
    assert sealed[12:] == AESGCMSIV(key).encrypt(sealed[:12], data, None)
    assert succeed("raw", "-d", *options, stdin=sealed).out == data


@pytest.mark.parametrize("mode", TWICE)
@pytest.mark.parametrize("change", ["first", "middle", "last", "cut"])
def test_nothing_leaves_if_the_tag_is_wrong(mode: str, change: str, tmp_path: Path) -> None:
    sealed = bytearray(SEAL[mode](pattern(LONG), b""))
    if change == "cut":
        del sealed[-BLOCK:]
    else:
        sealed[{"first": 0, "middle": len(sealed) // 2, "last": -1}[change]] ^= 1
    for arguments in ([], ["-o", str(tmp_path / "out")]):
        spools = environment(TMPDIR=str(tmp_path))
        result = run("raw", "-d", *options_of(mode), *arguments, stdin=bytes(sealed), env=spools)
        assert result.code == 13, result.err
        assert result.out == b""
        assert list(tmp_path.iterdir()) == []


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (120 * MIB, 120 * MIB))


@pytest.mark.parametrize("mode", [*TWICE, "gcm"])
def test_memory_is_bounded(mode: str, tmp_path: Path) -> None:
    """A pipe brings more than the program may have, and it goes on by another pipe, or to a file."""
    data = bytes(range(256)) * (160 * MIB // 256)
    sealed = succeed("raw", *options_of(mode), "--threads", "2", stdin=data, preexec_fn=limit_memory).out
    assert sealed == SEAL[mode](data, b"")
    opening = ["raw", "-d", *options_of(mode), "--threads", "2"]
    assert succeed(*opening, stdin=sealed, preexec_fn=limit_memory).out == data
    succeed(*opening, "-o", tmp_path / "out", stdin=sealed, preexec_fn=limit_memory)
    assert (tmp_path / "out").read_bytes() == data


def spool_of(running: subprocess.Popen[bytes], folder: Path, least: int) -> Path:
    """The program's open file in that folder, once it has so many bytes."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert running.poll() is None
        for descriptor in Path(f"/proc/{running.pid}/fd").iterdir():
            try:
                if str(folder) in os.readlink(descriptor) and descriptor.stat().st_size >= least:
                    return descriptor
            except FileNotFoundError:
                pass  # it was closed meanwhile
        time.sleep(0.01)
    raise AssertionError("there is no temporary file")


@contextmanager
def waiting_for_the_end(
    way: list[str], mode: str, given: bytes, folder: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that has got all of its input but its end."""
    running = subprocess.Popen(
        command_line("raw", *way, *options_of(mode)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=str(folder)),
    )
    with running:
        assert running.stdin
        feeding = threading.Thread(target=running.stdin.write, args=(given,))
        feeding.start()
        try:
            yield running
        finally:
            running.kill()
            feeding.join()


@pytest.mark.parametrize(("way", "mode"), [([], mode) for mode in TWICE] + [(["-d"], "siv"), (["-d"], "gcm")])
def test_what_waits_in_the_file_is_neither_plaintext_nor_ciphertext(
    way: list[str], mode: str, tmp_path: Path
) -> None:
    data = pattern(LONG)
    sealed = SEAL[mode](data, b"")
    given, expected = (sealed, data) if way else (data, sealed)
    kept = []
    for _ in range(2):
        with waiting_for_the_end(way, mode, given, tmp_path) as running:
            spool = spool_of(running, tmp_path, IN_MEMORY)
            assert list(tmp_path.iterdir()) == []
            kept.append(spool.read_bytes())
            out, said = running.communicate(timeout=60)
        assert (running.returncode, out) == (0, expected), said
    # Of eight of its blocks. Sets of all would take the test five times as long.
    first, second = ({content[at : at + 16] for at in range(0, 8 * BLOCK, 16)} for content in kept)
    assert len(first) == len(second) == 8 * BLOCK // 16
    assert first.isdisjoint(second)  # each file has a key of its own
    for text in (data, sealed):
        assert first.isdisjoint(text[at : at + 16] for at in range(0, 9 * BLOCK, 16))
        assert all(text[at : at + 16] not in kept[0] for at in range(0, IN_MEMORY, IN_MEMORY // 5))


@pytest.mark.parametrize("mode", [*TWICE, "gcm"])
def test_a_file_that_is_changed_meanwhile_is_noticed(mode: str, tmp_path: Path) -> None:
    """Before anything of it leaves."""
    sealed = SEAL[mode](pattern(LONG), b"")
    with waiting_for_the_end(["-d"], mode, sealed, tmp_path) as running:
        with spool_of(running, tmp_path, IN_MEMORY).open("r+b") as file:
            first = file.read(1)
            file.seek(0)
            file.write(bytes([first[0] ^ 1]))
        out, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert out == b""
    assert b"a temporary file does not hold any more what was written to it" in said


@pytest.mark.parametrize("mode", TWICE)
def test_a_signal_leaves_nothing(mode: str, tmp_path: Path) -> None:
    with waiting_for_the_end([], mode, pattern(LONG), tmp_path) as running:
        spool_of(running, tmp_path, IN_MEMORY)
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", TWICE)
@pytest.mark.parametrize("way", [[], ["-d"]], ids=["encrypt", "decrypt"])
def test_no_room_for_what_is_needed_twice(
    mode: str, way: list[str], small_disk: Path, tmp_path: Path
) -> None:
    data = pattern(LONG)
    given = SEAL[mode](data, b"") if way else data
    for spools, why in ((tmp_path / "missing", "No such file"), (small_disk, "No space left")):
        result = run("raw", *way, *options_of(mode), stdin=given, env=environment(TMPDIR=str(spools)))
        assert result.code == 1
        assert result.out == b""
        assert why in result.err
        assert "hint: TMPDIR names another folder" in result.err
    assert list(small_disk.iterdir()) == []


def test_where_no_file_can_be_made_without_a_name(tmp_path: Path) -> None:
    """It loses its name at once."""
    if subprocess.run(["strace", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("strace does not run here")
    spools, calls, data = tmp_path / "spools", tmp_path / "calls", pattern(LONG)
    spools.mkdir()
    fault = ["-P", str(spools), "-e", "inject=openat:error=EOPNOTSUPP"]
    trace = ["strace", "-f", "-qq", "-e", "trace=openat", *fault, "-o", str(calls)]
    done = subprocess.run(
        [*trace, *command_line("raw", *options_of("siv"))],
        check=False,
        capture_output=True,
        input=data,
        env=environment(TMPDIR=str(spools)),
    )
    assert (done.returncode, done.stdout) == (0, SEAL["siv"](data, b"")), done.stderr
    assert "INJECTED" in calls.read_text()
    assert list(spools.iterdir()) == []


@pytest.mark.parametrize("mode", TWICE)
def test_an_output_that_takes_no_more(mode: str) -> None:
    with Path("/dev/full").open("wb") as full:
        result = run("raw", *options_of(mode), stdin=pattern(LONG), stdout=full)
    assert result.code == 1
    assert "No space left on device" in result.err
    assert "TMPDIR" not in result.err
