"""`warpaes raw -d` of messages with a tag: in parts, and nothing leaves before the tag is right."""

import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Result, command_line, environment, pattern, run, succeed
from tests.cli.raw_modes import AEAD, Aead, key_of
from tests.cli.test_interruptions import hiding_proc

PIECE = 1 << 20  # of two threads
IN_MEMORY = 32 << 20  # of what is read before a file is made for it: kKeptInMemory of cli/spool.hpp
PARTED = [mode for mode in AEAD if mode.name in ("gcm", "eax", "ocb3")]


def options_of(mode: str) -> list[str]:
    return ["--quiet", "--mode", mode, "--key-hex", key_of(16).hex(), "--threads", "2"]


def opened_in_all_ways(sealed: Path, out: Path, *options: str) -> list[bytes]:
    """From and to a file, a pipe, both and neither."""
    content = sealed.read_bytes()
    succeed("raw", "-d", *options, "--force", sealed, "-o", out)
    from_file = out.read_bytes()
    succeed("raw", "-d", *options, "--force", "-", "-o", out, stdin=content)
    return [
        from_file,
        out.read_bytes(),
        succeed("raw", "-d", *options, sealed).out,
        succeed("raw", "-d", *options, stdin=content).out,
    ]


@pytest.mark.parametrize("mode", PARTED, ids=lambda mode: mode.name)
def test_lengths_around_pieces(mode: Aead, tmp_path: Path) -> None:
    """The tag may lie in a piece of its own, or in two."""
    sealed, out, tag = tmp_path / "sealed", tmp_path / "out", tmp_path / "tag"
    options = options_of(mode.name)
    data = pattern(3 * PIECE + 5)
    nonce = bytes(range(mode.nonce_bytes))
    for length in (PIECE - 17, PIECE - 16, PIECE - 1, PIECE, PIECE + 1, len(data)):
        message = mode.seal(key_of(16), nonce, data[:length], b"")
        sealed.write_bytes(nonce + message)
        assert opened_in_all_ways(sealed, out, *options) == 4 * [data[:length]]
        sealed.write_bytes(message[:-16])
        tag.write_bytes(message[-16:])
        apart = [*options, "--nonce", nonce.hex(), "--tag-file", str(tag)]
        assert opened_in_all_ways(sealed, out, *apart) == 4 * [data[:length]]


@pytest.fixture(scope="module")
def long_message(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sealed with GCM; more than is kept in memory."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "plain").write_bytes(pattern(IN_MEMORY + 3 * PIECE))
    succeed("raw", *options_of("gcm"), folder / "plain", "-o", folder / "sealed")
    return folder / "sealed"


def open_long(message: Path, *arguments: str | Path, spools: Path) -> Result:
    return run("raw", "-d", *options_of("gcm"), message, *arguments, env=environment(TMPDIR=str(spools)))


def test_a_long_message(long_message: Path, tmp_path: Path) -> None:
    plain = long_message.with_name("plain").read_bytes()
    assert open_long(long_message, spools=tmp_path).out == plain
    assert list(tmp_path.iterdir()) == []
    # A file needs no room elsewhere.
    done = open_long(long_message, "-o", tmp_path / "out", spools=tmp_path / "missing")
    assert done.code == 0, done.err
    assert (tmp_path / "out").read_bytes() == plain


@pytest.mark.parametrize("at", [0, 12, IN_MEMORY // 2, -17, -1])
def test_nothing_of_a_long_message_leaves_if_its_tag_is_wrong(
    at: int, long_message: Path, tmp_path: Path
) -> None:
    content = bytearray(long_message.read_bytes())
    content[at] ^= 1
    damaged = tmp_path / "damaged"
    damaged.write_bytes(content)
    for arguments in ([], ["-o", str(tmp_path / "out")]):
        result = open_long(damaged, *arguments, spools=tmp_path)
        assert result.code == 13
        assert result.out == b""
        assert "authentication failed" in result.err
        assert list(tmp_path.iterdir()) == [damaged]


def test_no_room_for_what_is_read_twice(long_message: Path, small_disk: Path, tmp_path: Path) -> None:
    for spools, why in ((tmp_path / "missing", "No such file"), (small_disk, "No space left")):
        result = open_long(long_message, spools=spools)
        assert result.code == 1
        assert result.out == b""
        assert why in result.err
        assert "TMPDIR" in result.err
    assert list(small_disk.iterdir()) == []


def test_where_files_cannot_be_nameless(long_message: Path, tmp_path: Path) -> None:
    """A named file could be left by kill -9: so the tag is checked before it holds anything."""
    hidden, variables = hiding_proc()
    content = bytearray(long_message.read_bytes())
    content[-1] ^= 1
    damaged, out = tmp_path / "damaged", tmp_path / "out"
    damaged.write_bytes(content)
    trace = ["strace", "-f", "-qq", "-e", "trace=pwrite64,write", "-o", str(tmp_path / "calls")]
    command = [*hidden, *trace, *command_line("raw", "-d", *options_of("gcm"), damaged, "-o", out)]
    if subprocess.run(["strace", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("strace does not run here")
    done = subprocess.run(command, check=False, capture_output=True, env=variables)
    assert done.returncode == 13, done.stderr
    written = (tmp_path / "calls").read_text()
    assert "pwrite64" not in written
    command[-3] = str(long_message)
    done = subprocess.run(command, check=False, capture_output=True, env=variables)
    assert done.returncode == 0, done.stderr
    assert "pwrite64" in (tmp_path / "calls").read_text()
    assert out.read_bytes() == long_message.with_name("plain").read_bytes()


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))


@pytest.mark.parametrize("to_file", [True, False])
def test_memory_is_bounded(to_file: bool, tmp_path: Path) -> None:
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    with plain.open("wb") as stream:
        stream.truncate(400 << 20)  # sparse
    succeed("raw", *options_of("gcm"), plain, "-o", sealed)
    arguments = ["-o", str(tmp_path / "out")] if to_file else []
    with Path("/dev/null").open("wb") as nowhere:
        succeed("raw", "-d", *options_of("gcm"), sealed, *arguments, stdout=nowhere, preexec_fn=limit_memory)


WHOLE = {
    "ccm": ["--key-hex", key_of(16).hex(), "--nonce", "05" * 11],  # shorter nonces leave room for length
    "gcm-siv": ["--key-hex", key_of(16).hex()],
    "siv": ["--key-hex", key_of(32).hex(), "--aad", "abcd"],
}


@pytest.mark.parametrize("mode", WHOLE)
def test_memory_is_bounded_where_all_of_a_message_has_to_be_seen(mode: str, tmp_path: Path) -> None:
    """From file to file: the message is sealed and opened in the pages of the output."""
    plain, sealed, out = tmp_path / "plain", tmp_path / "sealed", tmp_path / "out"
    options = ["-q", "--mode", mode, *WHOLE[mode], "--threads", "2"]
    content = bytes(range(256)) * (1 << 10) * 600

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (120 << 20, 120 << 20))

    plain.write_bytes(content)
    wrapping = ["-q", "--mode", "kw", "--key-hex", key_of(16).hex()]
    assert run("raw", *wrapping, plain, preexec_fn=limit).code == 1  # the limit is one
    succeed("raw", *options, plain, "-o", sealed, preexec_fn=limit)
    succeed("raw", "-d", *options, sealed, "-o", out, preexec_fn=limit)
    assert out.read_bytes() == content
    out.unlink()
    damaged = bytearray(sealed.read_bytes())
    damaged[100 << 20] ^= 1
    sealed.write_bytes(damaged)
    result = run("raw", "-d", *options, sealed, "-o", out, preexec_fn=limit)
    assert result.code == 13, result.err
    assert [path for path in tmp_path.iterdir() if path not in (plain, sealed)] == []


def test_a_message_that_the_disk_has_no_room_for(small_disk: Path, tmp_path: Path) -> None:
    """It is refused before a page of the output is written to that is not there."""
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(pattern(IN_MEMORY + PIECE))
    succeed("raw", *options_of("gcm-siv"), plain, "-o", sealed)
    for arguments in (["-d", sealed], [plain]):
        result = run("raw", *options_of("gcm-siv"), *arguments, "-o", small_disk / "out")
        assert result.code == 1
        assert "setting aside" in result.err
        assert "No space left on device" in result.err
        assert list(small_disk.iterdir()) == []
