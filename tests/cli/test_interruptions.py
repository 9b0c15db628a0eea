"""Interrupted or killed at work, the program leaves the whole right output, or nothing new."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import PROGRAM, command_line, environment, succeed

ENDINGS = [
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGVTALRM,
    signal.SIGPROF,
    signal.SIGXCPU,
]


def heed_signals() -> None:
    """The tests may run under nohup or in the background of a shell, where children ignore some."""
    for number in ENDINGS:
        signal.signal(number, signal.SIG_DFL)


def started(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Running, in the midst of reading standard input."""
    command = command_line(*arguments)
    running = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        stdout=subprocess.DEVNULL,
        preexec_fn=heed_signals,  # noqa: PLW1509
    )
    assert running.stdin
    # More than a pipe holds: when this returns, the program has read from it.
    running.stdin.write(bytes(4 << 20))
    running.stdin.flush()
    return running


def test_a_file_that_appears_meanwhile_is_kept(key: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    with started("encrypt", "-k", key, "-", "-o", target) as running:
        target.write_text("precious")
        assert running.stdin
        running.stdin.close()
        assert running.wait(60) == 1
    assert target.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == sorted([key, target])


@pytest.mark.parametrize("number", ENDINGS)
def test_interrupted(number: signal.Signals, key: Path, tmp_path: Path) -> None:
    with started("encrypt", "-k", key, "-", "-o", tmp_path / "out") as running:
        running.send_signal(number)
        assert running.wait(60) == 130
        assert running.stderr
        assert b"interrupted" in running.stderr.read()
    assert list(tmp_path.iterdir()) == [key]


def test_a_signal_that_comes_twice_at_once(key: Path, tmp_path: Path) -> None:
    """timeout(1) sends it to the process and to its group: what is unfinished goes all the same."""
    for _ in range(20):
        with started("encrypt", "-k", key, "-", "-o", tmp_path / "out") as running:
            running.send_signal(signal.SIGTERM)
            running.send_signal(signal.SIGTERM)
            assert running.wait(60) == 130
            assert running.stderr
            assert b"interrupted" in running.stderr.read()
    assert list(tmp_path.iterdir()) == [key]


def test_interrupted_while_pipes_have_no_writer(key: Path, tmp_path: Path) -> None:
    """One signal wakes all threads."""
    pipes = [tmp_path / name for name in ("one", "two", "three")]
    for pipe in pipes:
        os.mkfifo(pipe)
    command = command_line("encrypt", "--threads", "3", "-k", key, *pipes)
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) as running:
        while len(list(Path(f"/proc/{running.pid}/task").iterdir())) < 3:
            time.sleep(0.01)
        time.sleep(0.2)
        running.terminate()
        try:
            assert running.wait(20) == 130
        finally:
            running.kill()


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_interrupted_while_nobody_reads_the_output(verb: str, key: Path, tmp_path: Path) -> None:
    """Whichever thread waits for the reader, and whichever gets the signal."""
    plain = tmp_path / "plain"
    plain.write_bytes(bytes(20 << 20))
    succeed("encrypt", "-q", "-k", key, plain)
    source = plain if verb == "encrypt" else plain.with_name("plain.wa")
    command = command_line(verb, "-q", "--threads", "4", "-k", key, source, "-o", "-")
    for _ in range(6):
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            env=environment(),
            preexec_fn=heed_signals,  # noqa: PLW1509
        ) as running:
            time.sleep(0.3)  # until the pipe is full
            running.terminate()
            try:
                assert running.wait(20) == 130
            finally:
                running.kill()


def test_a_derivation_ends_at_once(tmp_path: Path) -> None:
    """Nothing is unfinished while it computes, which may take minutes."""
    phrase = tmp_path / "phrase"
    phrase.write_text("sesame")
    phrase.chmod(0o600)
    command = command_line("kdf", "pbkdf2", "--iterations", "2000000000", "--salt", "00" * 16)
    command += ["--passphrase-file", str(phrase), "-o", str(tmp_path / "out")]
    assert_told(command, signal.SIGTERM)
    assert list(tmp_path.iterdir()) == [phrase]


def assert_told(command: list[str], number: signal.Signals, seconds: float = 0.5, **options: Any) -> None:
    """A command that works, or waits, is ended by a signal at once, and says so in words, and by --json."""
    with subprocess.Popen(
        [*command, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=heed_signals,  # noqa: PLW1509
        **options,
    ) as running:
        time.sleep(seconds)
        assert running.poll() is None
        running.send_signal(number)
        try:
            out, said = running.communicate(timeout=20)
        finally:
            running.kill()
    assert running.returncode == 130
    assert said == b"warpaes: error: interrupted\n"
    last = json.loads(out.splitlines()[-1])
    assert (last["type"], last["code"], last["error"]) == ("error", 130, "interrupted")


WAITING = {
    "inspect": ("inspect", "PIPE"),
    "inspect with a key": ("inspect", "FILE", "-k", "PIPE"),
    "raw, additional data": ("raw", "-m", "gcm", "-k", "KEY", "--aad-file", "PIPE", "FILE", "-o", "OUT"),
    "raw, nonce": ("raw", "-m", "gcm", "-k", "KEY", "--nonce-file", "PIPE", "FILE", "-o", "OUT"),
    "mac, nonce": ("mac", "-m", "gmac", "-k", "KEY", "--nonce-file", "PIPE", "FILE"),
    "calibrate": ("calibrate",),
    "bench": ("bench", "--mode", "gcm"),
    "kdf": ("kdf", "argon2id", "--iterations=100000", "--salt=0011223344556677", "--passphrase-file", "WORD",
            "-o", "OUT"),
}  # fmt: skip


@pytest.mark.parametrize("name", WAITING)
def test_each_command_says_that_it_was_interrupted(
    name: str, key: Path, word: Path, plain: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    there = sorted(tmp_path.iterdir())
    paths = {"PIPE": pipe, "KEY": key, "WORD": word, "FILE": plain, "OUT": tmp_path / "out"}
    assert_told(command_line(*(paths.get(word, word) for word in WAITING[name])), signal.SIGTERM)
    assert sorted(tmp_path.iterdir()) == there


def test_a_signal_does_not_wait_for_the_reader_of_messages(tmp_path: Path) -> None:
    """Which has stopped while its pipe is full."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading, writing = os.pipe()
    os.write(writing, bytes(fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ)))
    command = [*command_line("inspect", pipe), "--json"]
    with subprocess.Popen(
        command,
        stdout=writing,
        stderr=writing,
        env=environment(),
        preexec_fn=heed_signals,  # noqa: PLW1509
    ) as running:
        time.sleep(0.3)
        running.terminate()
        try:
            assert running.wait(20) == 130
        finally:
            running.kill()
    os.close(reading)
    os.close(writing)


def test_a_pipe_with_a_name(key: Path, plain: Path, tmp_path: Path) -> None:
    pipe, sealed = tmp_path / "pipe", tmp_path / "pipe.wa"
    os.mkfifo(pipe)
    command = command_line("encrypt", "-q", "-k", key, pipe)
    with subprocess.Popen(command, env=environment()) as running:
        with pipe.open("wb") as stream:
            stream.write(plain.read_bytes()[:20_000])
            stream.flush()
            time.sleep(0.2)
            stream.write(plain.read_bytes()[20_000:])
        assert running.wait(60) == 0
    assert succeed("decrypt", "-k", key, sealed, "-o", "-").out == plain.read_bytes()


def test_killed(key: Path, tmp_path: Path) -> None:
    with started("encrypt", "-k", key, "-", "-o", tmp_path / "out") as running:
        running.kill()
        running.wait(60)
    assert list(tmp_path.iterdir()) == [key]


def hiding_proc() -> tuple[list[str], dict[str, str]]:
    """What to put before a command, and its environment: a file without a name gets none without /proc."""
    hidden = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*hidden, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("a mount namespace cannot be made here")
    # The loader finds a program's own folder, beside which the library lies, by /proc as well.
    return hidden, environment(LD_LIBRARY_PATH=str(PROGRAM.parent.parent / "lib"))


def test_where_files_cannot_be_nameless(key: Path, tmp_path: Path) -> None:
    """They have a temporary name from the start."""
    hidden, variables = hiding_proc()
    command = [*hidden, *command_line("encrypt", "-k", key, "-", "-o", tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=variables) as running:
        assert running.stdin
        running.stdin.write(bytes(4 << 20))
        running.stdin.flush()
        assert len(list(tmp_path.glob("out.*"))) == 1
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 130
    assert list(tmp_path.iterdir()) == [key]
    done = subprocess.run(command, check=False, input=b"hello", capture_output=True, env=variables)
    assert done.returncode == 0, done.stderr
    assert succeed("decrypt", "-k", key, tmp_path / "out", "-o", "-").out == b"hello"
    assert sorted(tmp_path.iterdir()) == sorted([key, tmp_path / "out"])


def test_a_program_at_work_shows_no_unfinished_file(key: Path, tmp_path: Path) -> None:
    with started("encrypt", "-k", key, "-", "-o", tmp_path / "out") as running:
        assert list(tmp_path.iterdir()) == [key]
        assert running.stdin
        running.stdin.close()
        assert running.wait(60) == 0
    assert (tmp_path / "out").exists()
    assert time.time() - (tmp_path / "out").stat().st_mtime < 60


def traced(calls: str, inject: str, *arguments: str | Path) -> int:
    """The exit code under strace, which lets system calls fail or kill the program."""
    strace = ["strace", "-qq", "-f", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={inject}"]
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    done = subprocess.run([*strace, *command_line(*arguments)], check=False, timeout=120, env=environment())
    return done.returncode


@pytest.mark.parametrize("call", ["linkat", "renameat2", "renameat"])
def test_killed_while_the_output_gets_its_name(call: str, key: Path, sealed: Path, tmp_path: Path) -> None:
    """At no other name, not even for a moment, is there a file that somebody else has to remove."""
    before = sorted(tmp_path.iterdir())
    traced(call, f"{call}:signal=KILL:when=1", "decrypt", "-q", "-k", key, sealed, "-o", tmp_path / "out")
    after = sorted(tmp_path.iterdir())
    assert after in (before, sorted([*before, tmp_path / "out"]))


def test_killed_while_the_output_replaces_another(
    key: Path, plain: Path, sealed: Path, tmp_path: Path
) -> None:
    """What replaces a file has a name for a moment: it is whole then, and the old one is there."""
    out = tmp_path / "out"
    out.write_bytes(b"old")
    before = sorted(tmp_path.iterdir())
    traced(
        "renameat", "renameat:signal=KILL:when=1", "decrypt", "-q", "--force", "-k", key, sealed, "-o", out
    )
    (left,) = set(tmp_path.iterdir()) - set(before)
    assert left.name.startswith("out.")
    assert left.read_bytes() == plain.read_bytes()
    assert out.read_bytes() == b"old"


def test_folder_that_cannot_be_synced(key: Path, sealed: Path, tmp_path: Path) -> None:
    def decrypt(error: str, output: str) -> int:
        inject = f"fsync:error={error}:when=2"
        return traced("fsync", inject, "decrypt", "-q", "-k", key, sealed, "-o", tmp_path / output)

    assert decrypt("EIO", "one") == 1
    assert decrypt("EINVAL", "two") == 0  # a file system that has no such thing


@pytest.mark.parametrize("verb", ["verify", "decrypt"])
def test_a_signal_does_not_wait_for_a_costly_passphrase(verb: str, word: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("hello")
    succeed("encrypt", "--rm", "--passphrase-file", word, tmp_path / "plain")
    sealed = tmp_path / "plain.wa"
    content = bytearray(sealed.read_bytes())
    content[24:28] = (16).to_bytes(4, "big")  # scrypt's lanes: some seconds
    sealed.write_bytes(content)
    assert_told(command_line(verb, "--passphrase-file", word, sealed), signal.SIGINT)
