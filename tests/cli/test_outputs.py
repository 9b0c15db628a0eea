"""At the output's name there is the whole right file or nothing new, whatever goes wrong."""

import os
import pty
import resource
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.unprivileged import Unprivileged


def test_names_and_permissions(key: Path, plain: Path) -> None:
    plain.chmod(0o640)
    content = plain.read_bytes()
    succeed("encrypt", "-k", key, plain)
    sealed = plain.with_name("plain.wa")
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o640
    plain.unlink()
    succeed("decrypt", "-k", key, sealed)
    assert plain.read_bytes() == content
    assert stat.S_IMODE(plain.stat().st_mode) == 0o640


def test_input_stays_and_no_name_without_suffix(key: Path, plain: Path) -> None:
    succeed("encrypt", "-k", key, plain, "-o", plain.with_name("other"))
    assert plain.exists()
    result = run("decrypt", "-k", key, plain.with_name("other"))
    assert result.code == 2
    assert "does not end in .wa" in result.err


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_output_exists(verb: str, key: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    source = plain if verb == "encrypt" else sealed
    existing = tmp_path / "existing"
    existing.write_text("precious")
    result = run(verb, "-k", key, source, "-o", existing)
    assert result.code == 1
    assert f"{existing} exists already" in result.err
    assert "--force" in result.err
    assert existing.read_text() == "precious"
    succeed(verb, "--force", "-k", key, source, "-o", existing)
    assert existing.read_bytes() != b"precious"


def test_a_failure_with_force_keeps_the_old_file(key: Path, sealed: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("precious")
    sealed.write_bytes(sealed.read_bytes()[:-1])
    before = sorted(tmp_path.iterdir())
    assert run("decrypt", "--force", "-k", key, sealed, "-o", old).code == 13
    assert old.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("link", ["itself", "hard link", "symbolic link"])
def test_output_is_input(link: str, key: Path, plain: Path, tmp_path: Path) -> None:
    content = plain.read_bytes()
    output = plain if link == "itself" else tmp_path / "link"
    if link == "hard link":
        output.hardlink_to(plain)
    elif link == "symbolic link":
        output.symlink_to(plain)
    for force in ([], ["--force"]):
        result = run("encrypt", *force, "-k", key, plain, "-o", output)
        assert result.code == 1
        assert "both input and output" in result.err
        assert plain.read_bytes() == content
    with plain.open("ab") as stream:
        assert run("encrypt", "-k", key, plain, "-o", "-", stdout=stream).code == 2
    assert plain.read_bytes() == content


def test_folder_as_input_or_output(key: Path, plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    result = run("encrypt", "-k", key, folder)
    assert result.code == 1
    assert f"{folder} is a folder" in result.err
    assert "tar -c" in result.err
    assert run("encrypt", "-k", key, plain, "-o", folder).code == 1
    assert run("encrypt", "--force", "-k", key, plain, "-o", folder).code == 1


def test_device_as_output(key: Path, plain: Path) -> None:
    for force in ([], ["--force"]):
        result = run("encrypt", *force, "-k", key, plain, "-o", "/dev/null")
        assert result.code == 1
        assert "hint: -o - > /dev/null" in result.err
    assert Path("/dev/null").is_char_device()


def test_an_input_that_has_no_name_of_a_file(key: Path, plain: Path) -> None:
    for name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        result = run("encrypt", "-k", key, name, stdin=plain.read_bytes())
        assert result.code == 2
        assert f"{name} is no file, so the output has no name" in result.err
        assert not Path(name + ".wa").exists()
    sealed = succeed("encrypt", "-k", key, "/dev/stdin", "-o", "-", stdin=b"text").out
    assert succeed("decrypt", "-k", key, "-", stdin=sealed).out == b"text"


def test_a_link_to_what_is_no_file(key: Path, plain: Path, tmp_path: Path) -> None:
    """Root could replace /dev/stdout so."""
    link = tmp_path / "stdout"
    for target in ("/dev/null", "/proc/self/fd/1"):
        link.symlink_to(target)
        with (tmp_path / "out").open("wb") as out:
            result = run("encrypt", "--force", "-k", key, plain, "-o", link, stdout=out)
        assert result.code == 1
        assert f"{link} is not a file" in result.err
        assert link.is_symlink()
        link.unlink()


def test_missing_input_or_folder(key: Path, plain: Path, tmp_path: Path) -> None:
    for verb, name in (("encrypt", "no"), ("decrypt", "no.wa"), ("verify", "no.wa"), ("inspect", "no.wa")):
        options = () if verb == "inspect" else ("-k", key)
        result = run(verb, *options, tmp_path / name)
        assert result.code == 10, verb
        assert f"{tmp_path / name}: No such file" in result.err
    assert run("encrypt", "-k", key, plain, "-o", tmp_path / "no" / "where").code == 10


def test_folder_that_cannot_be_written_to(unprivileged: Unprivileged) -> None:
    folder = unprivileged.folder / "closed"
    folder.mkdir()
    plain = folder / "plain"
    plain.write_bytes(b"hello")
    folder.chmod(0o555)
    key = unprivileged.folder / "key"
    assert unprivileged.run("keygen", "-o", key).code == 0
    result = unprivileged.run("encrypt", "-k", key, plain)
    assert result.code == 1
    assert f"creating a file in {folder}: Permission denied" in result.err
    folder.chmod(0o755)
    assert list(folder.iterdir()) == [plain]
    # In a folder of their own, the same user succeeds: what /proc allows is enough without root.
    assert unprivileged.run("encrypt", "-k", key, plain, "-o", unprivileged.folder / "out").code == 0


@pytest.mark.parametrize("source", ["file", "pipe"])
def test_full_disk(source: str, key: Path, small_disk: Path, tmp_path: Path) -> None:
    plain = tmp_path / "large"
    plain.write_bytes(pattern(3 << 20))
    if source == "file":
        result = run("encrypt", "-k", key, plain, "-o", small_disk / "out")
    else:
        result = run("encrypt", "-k", key, "-", "-o", small_disk / "out", stdin=plain.read_bytes())
    assert result.code == 1
    assert "No space left on device" in result.err
    assert "hint: free some space" in result.err
    assert list(small_disk.iterdir()) == []


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_file_size_limit(verb: str, key: Path, tmp_path: Path) -> None:
    plain, sealed = tmp_path / "large", tmp_path / "large.wa"
    plain.write_bytes(pattern(3 << 20))
    if verb == "decrypt":
        succeed("encrypt", "-k", key, plain)
        plain.unlink()
    before = sorted(tmp_path.iterdir())
    result = run(verb, "-k", key, plain if verb == "encrypt" else sealed, preexec_fn=limit_file_size)
    assert result.code == 1
    assert "File too large" in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_full_standard_output(key: Path, plain: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = run("encrypt", "-k", key, plain, "-o", "-", stdout=full)
    assert result.code == 1
    assert "writing standard output: No space left on device" in result.err


def test_reader_goes_away(key: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = run("encrypt", "-k", key, "-", stdin=pattern(1 << 20), stdout=writing)
    os.close(writing)
    assert result.code == 1
    assert "Broken pipe" in result.err


def test_ciphertext_to_a_terminal(key: Path, plain: Path, sealed: Path) -> None:
    controller, terminal = pty.openpty()
    result = run("encrypt", "-k", key, plain, "-o", "-", stdout=terminal)
    assert result.code == 1
    assert "ciphertext is not written to a terminal" in result.err
    assert run("encrypt", "-k", key, "-", stdin=b"hello", stdout=terminal).code == 1
    # What was asked for on purpose is done; and plaintext may be looked at.
    assert run("encrypt", "--force", "-k", key, "-", stdin=b"hello", stdout=terminal).code == 0
    assert len(os.read(controller, 1000)) >= 56
    plain.write_text("hello")
    succeed("encrypt", "--force", "-k", key, plain, "-o", sealed)
    assert run("decrypt", "-k", key, sealed, "-o", "-", stdout=terminal).code == 0
    os.close(terminal)
    os.close(controller)


def test_a_wrong_key_needs_no_space(small_disk: Path, tmp_path: Path) -> None:
    keys = [tmp_path / name for name in ("one", "other")]
    for path in keys:
        succeed("keygen", "-q", "-o", path)
    plain = tmp_path / "large"
    plain.write_bytes(bytes(3 << 20))
    succeed("encrypt", "-k", keys[0], plain)
    out = small_disk / "out"
    assert run("decrypt", "-k", keys[1], f"{plain}.wa", "-o", out).code == 12
    result = run("decrypt", "-k", keys[0], f"{plain}.wa", "-o", out)
    assert result.code == 1
    assert "setting aside 3145728 bytes" in result.err
    assert list(small_disk.iterdir()) == []


RAW = ("raw", "--mode", "ctr", "--iv", "00" * 16)


@pytest.mark.parametrize("verb", [("encrypt",), RAW], ids=lambda verb: verb[0])
def test_input_becomes_shorter(verb: tuple[str, ...], key: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(bytes(64 << 20))
    command = command_line(*verb, "-k", key, plain, "-o", "-")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(1)  # more does not fit into a pipe: it waits, far from the end
        os.truncate(plain, 1 << 20)
        running.stdout.read()
        assert "became shorter while it was read" in running.stderr.read().decode()
        assert running.wait(60) == 1


@pytest.mark.parametrize("verb", [("encrypt",), RAW], ids=lambda verb: verb[0])
def test_output_is_the_key(verb: tuple[str, ...], key: Path, plain: Path) -> None:
    content = key.read_bytes()
    link = key.with_name("link")
    link.symlink_to(key)
    for name in (key, link):
        result = run(*verb, "--force", "-k", key, plain, "-o", name)
        assert result.code == 1
        assert f"{name} holds the key" in result.err
    assert key.read_bytes() == content


@pytest.mark.parametrize("verb", [("encrypt",), RAW], ids=lambda verb: verb[0])
@pytest.mark.parametrize("option", ["-o", "-k"])
def test_an_empty_name_is_no_name(verb: tuple[str, ...], option: str, key: Path, plain: Path) -> None:
    result = run(*verb, "-k", key, option, "", plain)
    assert result.code == 2
    assert "empty" in result.err
    assert not plain.with_name("plain.wa").exists()


def test_files_that_do_not_know_their_length(key: Path, tmp_path: Path) -> None:
    for source in (Path("/proc/cpuinfo"), Path("/sys/kernel/mm/transparent_hugepage/enabled")):
        if not source.exists():
            continue
        out = tmp_path / f"{source.name}.wa"
        succeed("encrypt", "-k", key, source, "-o", out)
        plain = succeed("decrypt", "-k", key, out, "-o", "-").out
        assert plain[:20] == source.read_bytes()[:20]
        assert plain


def test_output_is_the_passphrase(plain: Path) -> None:
    word = plain.with_name("word")
    word.write_text("a long way to the sea\n")
    word.chmod(0o600)
    result = run("encrypt", "--force", "--passphrase-file", word, plain, "-o", word)
    assert result.code == 1
    assert f"{word} holds the passphrase, and would be replaced" in result.err
    assert word.read_text() == "a long way to the sea\n"


@pytest.mark.parametrize("option", ["--nonce-file", "--aad-file"])
def test_output_is_what_decryption_needs(option: str, key: Path, plain: Path) -> None:
    needed = plain.with_name("needed")
    needed.write_bytes(bytes(12))
    result = run("raw", "--mode", "gcm", "-f", "-k", key, option, needed, plain, "-o", needed)
    assert result.code == 1
    assert f"{needed} holds the " in result.err
    assert needed.read_bytes() == bytes(12)


def test_the_tag_would_replace_the_input(key: Path, plain: Path, tmp_path: Path) -> None:
    nonce = ["--nonce", "00" * 12]
    result = run("raw", "-m", "gcm", "-k", key, *nonce, "--tag-file", plain, plain, "-o", tmp_path / "out")
    assert result.code == 1
    assert "hint: --tag-file names another file" in result.err


def test_standard_output_is_no_tag_file(key: Path, plain: Path, tmp_path: Path) -> None:
    for tag in ("-", ""):
        result = run("raw", "--mode", "gcm", "-k", key, plain, "-o", "out", "--tag-file", tag, cwd=tmp_path)
        assert result.code == 2
    assert not (tmp_path / "-").exists()
    assert not (tmp_path / "out").exists()


def test_where_a_tag_cannot_go(key: Path, plain: Path) -> None:
    content = {path: path.read_bytes() for path in (key, plain)}
    out = plain.with_name("out")
    for tag, says in [
        (plain, "is both input and output"),
        (key, "holds the key, and would be replaced"),
        (out, "cannot hold both the tag and the ciphertext"),
        (out.parent / "." / out.name, "cannot hold both the tag and the ciphertext"),
    ]:
        result = run("raw", "--mode", "gcm", "-k", key, "--force", plain, "-o", out, "--tag-file", tag)
        assert result.code in (1, 2)
        assert says in result.err
    assert not out.exists()
    assert {path: path.read_bytes() for path in (key, plain)} == content


def test_tag_and_ciphertext_are_one_file_by_way_of_a_link(key: Path, plain: Path, tmp_path: Path) -> None:
    """The ciphertext would take the place of its tag."""
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    gcm = ("raw", "--mode", "gcm", "-f", "-k", key, plain)
    result = run(*gcm, "-o", folder / "out", "--tag-file", link / "out")
    assert result.code == 2
    assert "cannot hold both the tag and the ciphertext" in result.err
    assert not list(folder.iterdir())


def test_tag_and_ciphertext_are_one_file_beside_a_link(key: Path, plain: Path, tmp_path: Path) -> None:
    (tmp_path / "real" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "below")
    names = ("--tag-file", "link/../out", "-o", "real/out")
    result = run("raw", "-m", "gcm", "-k", key, plain, *names, cwd=tmp_path)
    assert result.code == 2
    assert "cannot hold both" in result.err


@pytest.mark.parametrize(
    "option", [("--aad-file",), ("--iv-file",), ("-d", "--nonce", "00" * 12, "--tag-file")]
)
def test_output_is_what_came_from_standard_input(
    option: tuple[str, ...], key: Path, plain: Path, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_bytes(pattern(16))
    with given.open("rb") as stream:
        command = command_line("raw", "-m", "gcm", "-k", key, plain, *option, "-", "-o", given, "--force")
        done = subprocess.run(command, stdin=stream, stderr=subprocess.PIPE, env=environment(), check=False)
    assert done.returncode == 1
    assert b"and would be replaced" in done.stderr
    assert given.read_bytes() == pattern(16)


def test_output_is_the_tag(key: Path, plain: Path) -> None:
    tag, out = plain.with_name("tag"), plain.with_name("out")
    succeed("raw", "--mode", "gcm", "-k", key, plain, "-o", out, "--tag-file", tag)
    result = run("raw", "-d", "--mode", "gcm", "-k", key, "--force", out, "-o", tag, "--tag-file", tag)
    assert result.code == 1
    assert f"{tag} holds the tag, and would be replaced" in result.err
    assert len(tag.read_bytes()) == 16


NONCE_FILE, TAG_FILE = ("--nonce-file", "needed"), ("--nonce", "00" * 12, "--tag-file", "needed")


@pytest.mark.parametrize("mode", ["r+b", "ab"])
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("encrypt", "-q", "-k", "needed", "-o", "-"), "holds the key, which would be overwritten"),
        (("raw", "-m", "ctr", "-k", "needed", "--iv", "00" * 16), "holds the key"),
        (("raw", "-m", "gcm", "-k", "key", *NONCE_FILE), "holds the IV or nonce"),
        (("raw", "-m", "gcm", "-k", "key", "-d", *TAG_FILE), "holds the tag"),
        (("raw", "-m", "gcm", "-k", "key", *TAG_FILE, "-f"), "cannot hold both the tag and the ciphertext"),
    ],
)
def test_standard_output_is_a_file_that_is_needed(
    command: tuple[str, ...], says: str, mode: str, key: Path, plain: Path
) -> None:
    needed = key.parent / "needed"
    needed.write_bytes(pattern(32 if says.startswith("holds the key") else 16))
    needed.chmod(0o600)
    content = needed.read_bytes()
    with needed.open(mode) as stream:
        result = run(*command, plain, cwd=key.parent, stdout=stream)
    assert result.code in (1, 2)
    assert says in result.err
    assert needed.read_bytes() == content
