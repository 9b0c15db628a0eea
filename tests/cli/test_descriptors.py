"""A descriptor gives one thing: a key or the data, but not both."""

import resource
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.cli.program import Result, command_line, environment, run, succeed

KEY = bytes(range(65, 97))
GCM = ["raw", "--mode", "gcm"]


@pytest.mark.parametrize(
    ("arguments", "one", "other"),
    [
        (["encrypt", "--key-fd", "0", "-"], "the data", "the key"),
        (["verify", "--key-fd", "0", "-"], "the data", "the key"),
        (["inspect", "--key-fd", "0", "-"], "the data", "the key"),
        (["encrypt", "--passphrase-fd", "0", "-"], "the data", "the passphrase"),
        (["encrypt", "-k", "/dev/stdin", "-"], "the data", "the key"),
        ([*GCM, "--key-fd", "0"], "the data", "the key"),
        ([*GCM, "-k", "KEY", "--nonce-file", "-"], "the data", "the bytes of --iv-file or --nonce-file"),
        (
            [*GCM, "--key-fd", "0", "--nonce-file", "-", "KEY"],
            "the bytes of --iv-file or --nonce-file",
            "the key",
        ),
        ([*GCM, "-k", "KEY", "--nonce", "00" * 12, "--aad-file", "-"], "the data", "the bytes of --aad-file"),
        ([*GCM, "-d", "-k", "KEY", "--tag-file", "-"], "the data", "the tag"),
        (["mac", "--mode", "cmac", "--key-fd", "0", "-"], "the data", "the key"),
        (
            ["mac", "--mode", "gmac", "-k", "KEY", "--nonce-file", "-", "-"],
            "the data",
            "the bytes of --nonce-file",
        ),
        (
            ["kdf", "hkdf", "--secret-fd", "0", "--salt-file", "-", "-o", "-"],
            "the secret",
            "the bytes of --salt-file",
        ),
        (
            ["rekey", "--passphrase-fd", "0", "--new-passphrase-fd", "0", "KEY"],
            "the passphrase",
            "the new passphrase",
        ),
    ],
)
def test_one_descriptor_for_two(
    arguments: list[str], one: str, other: str, key: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    names = [str(key) if argument == "KEY" else argument for argument in arguments]
    result = run(*names, stdin=KEY)
    assert result.code == 2, result.err
    assert "standard input" in result.err
    assert f"cannot give both {one} and {other}" in result.err
    assert "from a file, or from another descriptor" in result.err
    assert not result.out
    assert sorted(tmp_path.iterdir()) == before


def in_a_shell(script: str) -> Result:
    """With redirections of a shell's, and $0 for the program."""
    done = subprocess.run(
        ["sh", "-c", script, *command_line()], check=False, timeout=20, capture_output=True, env=environment()
    )
    return Result(done.returncode, done.stdout, done.stderr.decode())


@pytest.mark.parametrize(
    "script", ['"$0" encrypt --key-fd 3 - < KEY 3<&0', 'cat KEY | "$0" encrypt --key-fd 3 - 3<&0']
)
def test_a_duplicate_is_the_same_file(script: str, key: Path) -> None:
    """Who reads from one moves the other's place."""
    result = in_a_shell(script.replace("KEY", str(key)))
    assert result.code == 2
    assert "standard input and file descriptor 3 are the same open file, which cannot give both" in result.err
    assert not result.out


def test_a_pipe_that_was_opened_twice_gives_one_thing(key: Path) -> None:
    """What the key leaves of it is nothing, and would be encrypted as that."""
    result = in_a_shell(f'cat {key} | "$0" encrypt -k /dev/stdin /dev/fd/0 -o -')
    assert result.code == 2, result.err
    assert "/dev/stdin and /dev/fd/0 are the same open file, which cannot give both the key" in result.err
    assert not result.out


def test_a_file_that_was_opened_twice_is_read_twice(key: Path) -> None:
    result = in_a_shell(f'"$0" encrypt --key-fd 3 - < {key} 3< {key}')
    assert result.code == 0, result.err
    assert succeed("decrypt", "-k", key, "-", stdin=result.out).out == key.read_bytes()


def test_standard_input_twice(key: Path) -> None:
    result = run("encrypt", "-k", key, "-", "-", stdin=b"hello")
    assert result.code == 2
    assert "standard input can give the data only once" in result.err


@pytest.mark.parametrize("option", ["--key-fd", "--passphrase-fd"])
def test_a_descriptor_that_is_not_open(option: str, key: Path) -> None:
    """Not a pipe of this process's that has the number then, and that nobody writes to."""
    result = in_a_shell(f'"$0" encrypt {option} 3 {key} -o - 3<&-')
    assert result.code == 2
    assert f"{option}: file descriptor 3 is not open" in result.err
    result = in_a_shell(f'"$0" encrypt {option} 3 {key} -o - 3>&1')  # a pipe's other end
    assert result.code == 2
    assert f"{option}: file descriptor 3 is not open for reading" in result.err


def test_a_descriptor_is_no_name_for_an_output(key: Path, plain: Path, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        name = f"/dev/fd/{out.fileno()}"
        result = run("encrypt", "--force", "-k", key, plain, "-o", name, pass_fds=(out.fileno(),))
    assert result.code == 1
    assert f"{name} is not a file" in result.err


@pytest.mark.parametrize("descriptors", range(4, 12))
def test_too_few_of_them_are_called_that(descriptors: int, key: Path, tmp_path: Path) -> None:
    """With 6 the new folder's name could not be brought to disk, for "Bad file descriptor"."""
    (tmp_path / "data").write_bytes(b"plaintext")
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (descriptors, descriptors))
    folder = tmp_path / "new" / "folder"
    result = run("encrypt", "-k", key, "--output-folder", folder, tmp_path / "data", preexec_fn=limit)
    assert "Bad file descriptor" not in result.err
    if result.code != 0:
        assert "Too many open files" in result.err or "shared libraries" in result.err
        assert not (folder / "data.wa").exists()
    else:
        assert (folder / "data.wa").exists()


@pytest.mark.parametrize("option", ["--key-file", "--passphrase-file"])
def test_no_secret_is_read_from_a_hyphen(option: str, plain: Path, tmp_path: Path) -> None:
    """It is a name as any other, and who means standard input is told how that is named here."""
    given = ("encrypt", option, "-", plain, "-o", "out")
    result = run(*given, stdin=b"00" * 32, cwd=tmp_path)
    assert result.code == 10
    assert f"there is no {option[2:].replace('-', ' ')} of the name -\n" in result.err
    assert "hint: here, standard input is /dev/stdin\n" in result.err
    succeed("encrypt", option, "/dev/stdin", plain, "-o", "out", stdin=b"00" * 32, cwd=tmp_path)
    (tmp_path / "-").write_bytes(b"00" * 32)
    (tmp_path / "-").chmod(0o600)
    succeed("verify", option, "-", "out", cwd=tmp_path)


def test_the_limit_of_descriptors_is_named(key: Path, plain: Path) -> None:
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (6, 6))
    result = run("encrypt", "-k", key, plain, preexec_fn=limit)
    assert result.code == 1
    assert "Too many open files\nwarpaes: hint: the limit of open files (ulimit -n) is too low" in result.err
