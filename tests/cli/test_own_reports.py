"""Standard output that is sent to a file which the run reads: a report there would damage it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, pattern, run

IV = ("--iv", "00" * 16)
KEYED = ("-k", "key")

# The command, and which of the files that it names standard output is appended to.
CASES = [
    (("verify", *KEYED, "plain.wa", "--json"), "plain.wa"),
    (("verify", *KEYED, "plain.wa", "--json"), "key"),
    (("verify", *KEYED, "other.wa", "plain.wa", "--json"), "plain.wa"),
    (("encrypt", *KEYED, "plain", "-o", "out", "--json"), "plain"),
    (("encrypt", *KEYED, "plain", "-o", "-"), "plain"),
    (("encrypt", *KEYED, "plain", "-o", "-", "--json"), "plain"),
    (("encrypt", *KEYED, "plain", "-o", "-"), "key"),
    (("decrypt", *KEYED, "plain.wa", "-o", "out", "--json"), "plain.wa"),
    (("rekey", *KEYED, "--new-key-file", "new", "plain.wa", "--json"), "plain.wa"),
    (("rekey", *KEYED, "--new-key-file", "new", "plain.wa", "--json"), "new"),
    (("inspect", "plain.wa"), "plain.wa"),
    (("inspect", "plain.wa", "--json"), "plain.wa"),
    (("inspect", *KEYED, "plain.wa"), "key"),
    (("raw", "-m", "ctr", *IV, *KEYED, "plain", "-o", "out", "--json"), "plain"),
    (("raw", "-m", "ctr", *IV, *KEYED, "plain"), "plain"),
    (("raw", "-m", "ctr", *IV, *KEYED, "plain", "--json"), "plain"),
    (("raw", "-m", "gcm", *KEYED, "--aad-file", "other.wa", "plain", "-o", "out", "--json"), "other.wa"),
    (("mac", "-m", "cmac", *KEYED, "plain"), "plain"),
    (("mac", "-m", "cmac", *KEYED, "plain", "--json"), "key"),
    (("mac", "-m", "gmac", *KEYED, "--nonce-file", "nonce", "plain"), "nonce"),
    (("mac", "-m", "cmac", *KEYED, "--verify-file", "nonce", "plain", "--json"), "nonce"),
    (("kdf", "hkdf", "--secret-file", "key", "-o", "-"), "key"),
    (("kdf", "hkdf", "--secret-file", "key", "--salt-file", "nonce", "-o", "out", "--json"), "nonce"),
    (("kdf", "hkdf", "--secret-file", "key", "--info-hex-file", "nonce", "-o", "-"), "nonce"),
    (("kdf", "pbkdf2", "--passphrase-file", "key", "--salt-file", "nonce", "-o", "-"), "nonce"),
    (("kdf", "pbkdf2", "--passphrase-file", "key", "--salt-file", "nonce", "-o", "-"), "key"),
    (("lab", "penguin", "plain", "--json"), "plain"),
]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def files(key: Path, sealed: Path, tmp_path: Path) -> Path:
    (tmp_path / "new").write_bytes(pattern(48)[16:])
    (tmp_path / "new").chmod(0o600)
    (tmp_path / "nonce").write_bytes(bytes(16))
    (tmp_path / "other.wa").write_bytes(sealed.read_bytes())
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "below").write_bytes(b"hello")
    assert key.parent == tmp_path
    return tmp_path


@pytest.mark.parametrize(("command", "name"), CASES, ids=str)
def test_nothing_is_appended_to_what_is_read(command: tuple[str, ...], name: str, files: Path) -> None:
    before = contents(files)
    with (files / name).open("ab") as stream:
        result = run(*command, cwd=files, stdout=stream)
    assert result.code == 2
    assert "is both input and output" in result.err or "standard output is the file that holds" in result.err
    assert "hint: send standard output to another file" in result.err
    assert contents(files) == before


def by_shell(folder: Path, redirection: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *command_line(*arguments)]
    return subprocess.run(
        command, check=False, cwd=folder, timeout=60, env=environment(), capture_output=True, text=True
    )


@pytest.mark.parametrize("verb", ["verify", "inspect"])
@pytest.mark.parametrize("name", ["hard", "symbolic", "-"])
def test_another_name_of_the_file(verb: str, name: str, files: Path) -> None:
    (files / "hard").hardlink_to(files / "plain.wa")
    (files / "symbolic").symlink_to("plain.wa")
    before = contents(files)
    done = by_shell(files, "< plain.wa >> plain.wa", verb, *KEYED, name, "--json")
    assert done.returncode == 2
    assert "is both input and output" in done.stderr
    assert contents(files) == before


@pytest.mark.parametrize(
    "arguments", ["plain.wa", "-", "-k plain.wa other.wa", "--key-file=plain.wa other.wa"]
)
def test_a_mistyped_command_appends_no_error(arguments: str, files: Path) -> None:
    before = contents(files)
    done = by_shell(files, "< plain.wa >> plain.wa", "verify", *arguments.split(), "--json", "--mistyped")
    assert done.returncode == 2
    assert "error: warpaes verify has no option '--mistyped'" in done.stderr
    assert contents(files) == before
    done = by_shell(files, ">> report", "verify", *arguments.split(), "--json", "--mistyped")
    assert json.loads((files / "report").read_text())["code"] == 2


def test_a_report_in_the_folder_is_left_out(files: Path) -> None:
    done = by_shell(files, ">> folder/report", "encrypt", *KEYED, "-r", "folder", "--rm", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "warpaes: warning: folder/report is left out: standard output goes to it\n"
    assert {path.name for path in (files / "folder").iterdir()} == {"below.wa", "report"}
    lines = [json.loads(line) for line in (files / "folder" / "report").read_text().splitlines()]
    assert [line["type"] for line in lines] == ["file", "summary"]
    done = by_shell(files, ">> other.wa", "verify", *KEYED, "-r", ".", "--json")
    assert done.returncode == 0, done.stderr


def test_what_is_not_written_to_may_be_read(files: Path) -> None:
    """A script that sends all its messages to a log may encrypt the log."""
    before = contents(files)
    assert by_shell(files, ">> plain", "encrypt", *KEYED, "-o", "out", "plain").returncode == 0
    assert by_shell(files, ">> plain.wa", "verify", *KEYED, "plain.wa").returncode == 0
    assert {**contents(files), **before} == {**before, "out": (files / "out").read_bytes()}
    done = by_shell(files, ">> report", "verify", *KEYED, "plain.wa", "--json")
    assert done.returncode == 0
    assert json.loads((files / "report").read_text().splitlines()[-1])["type"] == "summary"
    for _ in range(2):  # the same device, which is no file
        assert by_shell(files, "< /dev/null > /dev/null", "mac", "-m", "cmac", *KEYED, "-").returncode == 0
