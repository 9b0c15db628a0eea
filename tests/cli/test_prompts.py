"""The question for a passphrase at a terminal: what is typed there, who interrupts it, and who stops it."""

import contextlib
import os
import pty
import select
import signal
import subprocess
import termios
import time
import tty
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, run, succeed

CTRL_Z = b"\x1a"


def read_terminal(controller: int) -> bytes:
    try:
        return os.read(controller, 1000)
    except OSError:  # the other side is closed
        return b""


def at_a_terminal(answers: list[bytes], *arguments: str | Path) -> tuple[int, bytes]:
    """Exit code and what the terminal showed, of a program that asks there."""
    child, controller = pty.fork()
    if child == 0:
        os.execve(command_line()[0], command_line(*arguments), environment())
    seen = b""
    for answer in answers:
        while not seen.endswith(b": ") and (piece := read_terminal(controller)):
            seen += piece
        if not seen.endswith(b": "):
            break  # it has ended
        os.write(controller, answer + b"\n")
        seen += b"|"
    while piece := read_terminal(controller):
        seen += piece
    _, status = os.waitpid(child, 0)
    os.close(controller)
    return os.waitstatus_to_exitcode(status), seen


def asking_program(*arguments: str | Path) -> tuple[int, int]:
    """A program that asks at a terminal of its own, and that terminal."""
    child, controller = pty.fork()
    if child == 0:
        os.execve(command_line()[0], command_line(*arguments), environment())
    read_prompt(controller)
    return child, controller


def read_prompt(controller: int) -> bytes:
    seen = b""
    while not seen.endswith(b": "):
        assert select.select([controller], [], [], 20)[0], f"no prompt behind {seen!r}"
        seen += os.read(controller, 1000)
    return seen


def shows_what_is_typed(controller: int) -> bool:
    return bool(termios.tcgetattr(controller)[3] & termios.ECHO)


def asking_job(*arguments: str | Path) -> tuple[int, int, int]:
    """As asking_program(), with a shell before it, which may continue it: shell, program and terminal."""
    shell, controller = pty.fork()
    if shell == 0:
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # which tcsetpgrp() would stop it by
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.execve(command_line()[0], command_line(*arguments), environment())
        _, status = os.waitpid(job, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    read_prompt(controller)
    return shell, os.tcgetpgrp(controller), controller


def is_stopped(process: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def stops(process: int) -> bool:
    for _ in range(1000):
        if is_stopped(process):
            return True
        time.sleep(0.01)
    return False


def answer_silently(child: int, controller: int, *, prompted: bool = False) -> None:
    """Types a new passphrase twice, which the terminal never shows."""
    seen = b"" if prompted else read_prompt(controller)
    assert not shows_what_is_typed(controller)
    os.write(controller, b"sesame\n")
    seen += read_prompt(controller)
    os.write(controller, b"sesame\n")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"sesame" not in seen
    os.close(controller)


def test_asked_for_at_the_terminal(plain: Path, tmp_path: Path) -> None:
    sealed, out = plain.with_name("plain.wa"), tmp_path / "out"
    assert at_a_terminal([b"one", b"other"], "encrypt", "-p", plain)[0] == 1
    assert not sealed.exists()
    code, seen = at_a_terminal([b"sesame", b"sesame"], "encrypt", "-p", plain)
    assert code == 0, seen
    assert b"sesame" not in seen
    # Nothing says that it needs one; it asks by itself, once.
    code, seen = at_a_terminal([b"sesame"], "decrypt", sealed, "-o", out)
    assert code == 0, seen
    assert out.read_bytes() == plain.read_bytes()


def test_which_passphrase_is_asked_for(plain: Path) -> None:
    sealed = plain.with_name("plain.wa")
    assert at_a_terminal([b"sesame", b"sesame"], "encrypt", "-p", plain)[0] == 0
    # The old one first, whether an option says that there is one or the file.
    for new, old, option in ((b"new", b"sesame", []), (b"newer", b"new", ["-p"])):
        code, seen = at_a_terminal([old, new, new], "rekey", *option, "--new-passphrase", sealed)
        assert code == 0, seen
        assert 0 <= seen.index(b"Old passphrase: ") < seen.index(b"New passphrase: ")
    assert at_a_terminal([b"newer"], "verify", sealed)[0] == 0


def test_no_answer_is_no_passphrase(plain: Path) -> None:
    end_of_input = b"\x04"
    code, seen = at_a_terminal([end_of_input], "encrypt", "-p", plain)
    assert code == 1
    assert b"no passphrase was given" in seen
    code, seen = at_a_terminal([b""], "encrypt", "-p", plain)
    assert code == 1
    assert b"the passphrase is empty" in seen
    assert not plain.with_name("plain.wa").exists()


def test_what_fills_the_line_of_the_terminal_is_no_passphrase(
    word: Path, plain: Path, tmp_path: Path
) -> None:
    """A terminal cuts what is longer, so that two would be the same, and no file could have the whole one."""
    sealed, out = plain.with_name("plain.wa"), tmp_path / "out"
    for length in (4095, 5000):
        code, seen = at_a_terminal([b"x" * length] * 2, "encrypt", "-p", plain)
        assert code == 1, seen
        assert b"--passphrase-file takes longer ones" in seen
        assert not sealed.exists()
    assert at_a_terminal([b"x" * 4094] * 2, "encrypt", "-p", plain)[0] == 0
    word.write_text("x" * 4094)
    succeed("decrypt", "--passphrase-file", word, sealed, "-o", out)


@pytest.mark.parametrize("typed", [b"ab\x03", b"ab\x1c"])  # Ctrl-C and Ctrl-\
@pytest.mark.parametrize("verb", ["encrypt", "verify", "inspect"])
def test_the_terminal_shows_what_is_typed_after_an_interruption(
    verb: str, typed: bytes, plain: Path, locked: Path
) -> None:
    letters, file = ("-fp", plain) if verb == "encrypt" else ("-p", locked)
    child, controller = asking_program(verb, letters, file)
    assert not shows_what_is_typed(controller)
    os.write(controller, typed)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert shows_what_is_typed(controller)
    os.close(controller)


def test_the_terminal_shows_what_is_typed_after_another_signal(plain: Path) -> None:
    child, controller = asking_program("encrypt", "-p", plain)
    os.kill(child, signal.SIGUSR1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert shows_what_is_typed(controller)
    os.close(controller)


def test_a_terminal_that_hands_over_single_keys(word: Path, plain: Path) -> None:
    """As a program leaves it that did not tidy up, or `stty raw`: the first key is not all that is typed."""
    word.write_text("sesame")
    child, controller = pty.fork()
    if child == 0:
        tty.setraw(0)
        os.execve(command_line()[0], command_line("encrypt", "-p", plain), environment())
    for _ in range(2):
        read_prompt(controller)
        for letter in b"sesame\r":
            os.write(controller, bytes([letter]))
            time.sleep(0.02)
    with contextlib.suppress(OSError):  # the other side is closed
        while os.read(controller, 1000):
            pass
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert not termios.tcgetattr(controller)[3] & termios.ICANON  # as it was
    os.close(controller)
    succeed("verify", "--passphrase-file", word, plain.with_name("plain.wa"))


def test_stopped_and_continued_while_it_asks(plain: Path) -> None:
    """The shell shows what is typed meanwhile, and the passphrase is not shown afterwards."""
    shell, program, controller = asking_job("encrypt", "-q", "-p", plain)
    os.write(controller, CTRL_Z)
    assert stops(program)
    assert shows_what_is_typed(controller)
    os.kill(program, signal.SIGCONT)
    answer_silently(shell, controller)


def test_stopped_where_nobody_could_continue_it(plain: Path) -> None:
    """The program has no shell: the system drops Ctrl-Z, and the passphrase is asked for again."""
    child, controller = asking_program("encrypt", "-q", "-p", plain)
    for _ in range(2):
        os.write(controller, b"ses" + CTRL_Z)
        assert read_prompt(controller) == b"Passphrase: "
        assert not is_stopped(child)
    answer_silently(child, controller, prompted=True)


def test_stopped_where_it_is_the_first_process(plain: Path) -> None:
    """As in a container: the system does not stop the first process of a PID namespace."""
    if subprocess.run(["unshare", "-pf", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("there are no new PID namespaces here")
    child, controller = pty.fork()
    if child == 0:
        os.execvpe("unshare", ["unshare", "-pf", *command_line("encrypt", "-q", "-p", plain)], environment())
    read_prompt(controller)
    os.write(controller, CTRL_Z)
    answer_silently(child, controller)


def test_an_empty_passphrase_is_asked_for_once(word: Path, plain: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}" for number in range(3)]
    for file in files:
        file.write_bytes(plain.read_bytes())
    succeed("encrypt", "--rm", "--passphrase-file", word, *files)
    sealed = [f"{file}.wa" for file in files]
    code, seen = at_a_terminal([b""], "verify", *sealed)
    assert (code, seen.count(b"Passphrase: ")) == (1, 1)
    assert seen.count(b"error: the passphrase is empty") == seen.count(b"error") == 1
    result = run("verify", "--json", *sealed, start_new_session=True)
    assert result.code == 2
    assert result.err.count("error: no passphrase, and no terminal") == result.err.count("error") == 1
    assert [line["type"] for line in result.lines] == ["error"]
    code, seen = at_a_terminal([b""], "rekey", "--new-passphrase", *sealed)
    assert (code, seen.count(b"assphrase: ")) == (1, 1)


@pytest.fixture
def folder_of_locked(locked: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: plain, plain.wa, and a folder with another file called plain."""
    monkeypatch.chdir(locked.parent)
    Path("folder").mkdir()
    Path("folder/plain").write_text("in the way")
    return locked.parent


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["encrypt", "-p", "missing"], 10, "missing: No such file"),
        (["encrypt", "-p", "."], 1, ". is a folder"),
        (["encrypt", "-p", "-r", "missing"], 10, "missing: No such file"),
        (["encrypt", "-p", "plain"], 1, "plain.wa exists already"),
        (["encrypt", "-p", "plain.wa"], 1, "is encrypted already"),
        (["encrypt", "-p", "plain", "-o", "missing/out"], 10, "creating a file in missing"),
        (["encrypt", "-fp", "plain", "-o", "plain"], 1, "both input and output"),
        (["encrypt", "-p", "plain", "-o", "-"], 1, "ciphertext is not written to a terminal"),
        (["decrypt", "plain.wa"], 1, "plain exists already"),
        (["decrypt", "-p", "plain.wa"], 1, "plain exists already"),
        (["decrypt", "-p", "missing.wa"], 10, "missing.wa: No such file"),
        (["decrypt", "plain.wa", "--output-folder", "folder"], 1, "folder/plain exists already"),
        (["verify", "-p", "missing.wa"], 10, "missing.wa: No such file"),
        (["inspect", "-p", "missing.wa"], 10, "missing.wa: No such file"),
        (["rekey", "--new-passphrase", "missing.wa"], 10, "missing.wa: No such file"),
        (["rekey", "--new-passphrase", "plain.wa", "-o", "plain"], 1, "plain exists already"),
    ],
)
def test_nothing_is_asked_for_what_cannot_be_done(
    arguments: list[str], code: int, says: str, folder_of_locked: Path
) -> None:
    before = set(folder_of_locked.rglob("*"))
    ended, seen = at_a_terminal([b"sesame", b"sesame", b"sesame"], *arguments)
    assert (ended, b"assphrase: " in seen) == (code, False), seen
    assert says.encode() in seen
    assert set(folder_of_locked.rglob("*")) == before


def test_a_pipe_is_opened_once(plain: Path, tmp_path: Path) -> None:
    """What its writer gives is not lost to a look at it before the question."""
    pipe, out = tmp_path / "pipe", tmp_path / "out"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", plain, pipe]) as writer:
        assert at_a_terminal([b"sesame", b"sesame"], "encrypt", "-p", pipe, "-o", out)[0] == 0
    assert writer.returncode == 0
    assert at_a_terminal([b"sesame"], "decrypt", out, "-o", tmp_path / "again")[0] == 0
    assert (tmp_path / "again").read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("key_stroke", [b"\x03", b"\x04", b"\x1c"], ids=["interrupt", "end", "quit"])
def test_the_message_has_a_line_of_its_own(key_stroke: bytes, plain: Path) -> None:
    child, controller = asking_program("encrypt", "-p", plain)
    os.write(controller, key_stroke)
    seen = b""
    while piece := read_terminal(controller):
        seen += piece
    assert seen.startswith(b"\r\nwarpaes: error: ")
    os.waitpid(child, 0)
    os.close(controller)
