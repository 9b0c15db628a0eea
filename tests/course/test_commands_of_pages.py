"""The commands of README.md and docs/command_line.md work as they are printed."""

import os
import pty
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, ROOT, command_line, damage_end, environment, pattern, run, succeed
from tests.course.test_course import run_script

README = (ROOT / "README.md").read_text()
PAGE = (ROOT / "docs" / "command_line.md").read_text()
PASSPHRASE = b"correct horse battery staple\n"


def commands_below(text: str, heading: str) -> list[str]:
    """The lines of the first indented block below a heading."""
    _, found, section = text.partition(f"\n## {heading}\n")
    assert found, heading
    block = re.search(r"(?:^    .*\n)+", section, re.MULTILINE)
    assert block, heading
    return [line.strip() for line in block.group().splitlines()]


def is_asked_for_a_passphrase(command: str) -> bool:
    return " -p " in command or "asks for the passphrase" in command


def run_at_a_terminal(command: str, folder: Path) -> int:
    """Types the passphrase as often as it is asked for. @return the exit code"""
    child, controller = pty.fork()
    if child == 0:
        os.chdir(folder)
        path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
        os.execve("/bin/bash", ["bash", "-c", command], environment(PATH=path))
    try:
        while shown := os.read(controller, 1000):
            if shown.rstrip(b" ").endswith(b":"):
                time.sleep(0.3)  # until the terminal shows nothing that is typed
                os.write(controller, PASSPHRASE)
    except OSError:  # Linux says EIO when the last writer has closed the terminal
        pass
    _, status = os.waitpid(child, 0)
    os.close(controller)
    return os.waitstatus_to_exitcode(status)


def work(command: str, folder: Path) -> None:
    if is_asked_for_a_passphrase(command):
        assert run_at_a_terminal(command, folder) == 0, command
        return
    done = run_script(command, folder)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def make_photos(folder: Path) -> None:
    (folder / "photos" / "winter").mkdir(parents=True)
    for name in ("a.jpg", "winter/b.jpg"):
        (folder / "photos" / name).write_bytes(pattern(30_000))


def test_readme_encrypts_files(tmp_path: Path) -> None:
    make_photos(tmp_path)
    subprocess.run(["tar", "-c", "-f", "photos.tar", "photos"], cwd=tmp_path, check=True)
    lines = commands_below(README, "Encrypt files")
    assert any(is_asked_for_a_passphrase(line) for line in lines)
    for line in lines:
        work(line, tmp_path)
    assert (tmp_path / "again.tar").read_bytes() == (tmp_path / "photos.tar").read_bytes()
    succeed("verify", "-k", tmp_path / "key", tmp_path / "photos.tar.wa")
    word = tmp_path / "word"
    word.write_bytes(PASSPHRASE)
    word.chmod(0o600)
    assert run("verify", "-r", "--json", "--passphrase-file", word, tmp_path / "photos").last["files"] == 2


# What stands for what a reader has.
PLACEHOLDERS = {"DIGITS": "00" * 16, "FILE": "file", "OUT": "out", "IN": "in", "DISK": "disk"}


def filled(command: str) -> str:
    before, *comment = command.split(" #", 1)
    for name, text in PLACEHOLDERS.items():
        before = re.sub(rf"\b{name}\b", text, before)
    return before + (f" #{comment[0]}" if comment else "")


def test_files_and_folders(tmp_path: Path) -> None:
    make_photos(tmp_path)
    key = tmp_path / "key"
    succeed("keygen", "-q", "-o", key)
    for name in ("disk", "damaged"):
        (tmp_path / name).write_bytes(pattern(1_100_000))
        succeed("encrypt", "-q", "--rm", "-k", key, tmp_path / name)
    if not shutil.which("xxd"):
        pytest.skip("xxd is not installed")
    for line in commands_below(PAGE, "Files and folders"):
        work(line, tmp_path)
    assert (tmp_path / "back" / "photos" / "winter" / "b.jpg").read_bytes() == pattern(30_000)
    assert (tmp_path / "rest").read_bytes() == pattern(1_100_000)
    damage_end(tmp_path / "damaged.wa")
    assert run_script("warpaes decrypt -f -k key --salvage damaged.wa -o rest", tmp_path).returncode == 13


def test_raw(tmp_path: Path) -> None:
    key = tmp_path / "key"
    succeed("keygen", "-q", "-o", key)
    for name in ("file", "disk", "plain"):
        (tmp_path / name).write_bytes(pattern(512 * 3))
    iv = PLACEHOLDERS["DIGITS"]
    succeed("raw", "--mode", "cbc", "--iv", iv, "-k", key, tmp_path / "plain", "-o", tmp_path / "in")
    lines = commands_below(PAGE, "Modes as they are: `warpaes raw`")
    for line in lines:
        (tmp_path / "out").unlink(missing_ok=True)
        if "xts" in line:  # two keys
            key.unlink()
            succeed("keygen", "-q", "--bits", "512", "-o", key)
        work(filled(line), tmp_path)
        assert (tmp_path / "out").exists(), line
    assert "xts" in lines[-1]


def test_macs(tmp_path: Path) -> None:
    succeed("keygen", "-q", "-o", tmp_path / "key")
    (tmp_path / "file").write_bytes(pattern(1000))
    making, checking = map(filled, commands_below(PAGE, "MACs: `warpaes mac`"))
    made = run_script(making, tmp_path)
    assert made.returncode == 0, made.stderr
    assert run_script(checking, tmp_path).returncode == 13
    digits = made.stdout.split()[0]
    assert len(digits) == 32
    assert run_script(checking.replace(PLACEHOLDERS["DIGITS"], digits), tmp_path).returncode == 0


def test_keys_from_passphrases(tmp_path: Path) -> None:
    (tmp_path / "master").write_bytes(pattern(32))
    (tmp_path / "master").chmod(0o600)
    for line in commands_below(PAGE, "Keys from passphrases: `warpaes kdf`"):
        (tmp_path / "key").unlink(missing_ok=True)
        command = line.replace("argon2id", "scrypt") if has_no_argon2id(tmp_path) else line
        work(command, tmp_path)
    assert (tmp_path / "key").exists()


def has_no_argon2id(folder: Path) -> bool:
    """libargon2 need not be there."""
    word = folder / "word"
    word.write_bytes(PASSPHRASE)
    word.chmod(0o600)
    command = command_line("kdf", "argon2id", "--salt", "00" * 16, "--passphrase-file", word, "-o", "-")
    return subprocess.run(command, check=False, capture_output=True).returncode == 4
