"""The authenticated modes of `warpaes raw`: nonce, ciphertext and tag, as `cryptography` has them."""

from pathlib import Path

import pytest

from tests.cli.program import pattern, run, succeed
from tests.cli.raw_modes import AEAD, Aead, key_of

LENGTHS = (0, 1, 15, 16, 17, 1000, 65536, 100_003)
AAD = pattern(77)

each_mode = pytest.mark.parametrize("mode", AEAD, ids=lambda mode: mode.name)


def write_key(folder: Path, key: bytes) -> Path:
    path = folder / f"key{len(key)}"
    path.write_bytes(key)
    path.chmod(0o600)
    return path


def nonce_of(mode: Aead) -> bytes:
    return bytes(range(60, 60 + mode.nonce_bytes))


@each_mode
def test_with_a_nonce_of_the_callers(mode: Aead, tmp_path: Path) -> None:
    nonce = nonce_of(mode)
    for size in mode.keys:
        key = write_key(tmp_path, key_of(size))
        for length in LENGTHS:
            data = pattern(length)
            for aad in (b"", AAD):
                options = ["--mode", mode.name, "--nonce", nonce.hex(), "-k", str(key)]
                options += ["--aad", aad.hex()] if aad else []
                expected = mode.seal(key_of(size), nonce, data, aad)
                result = succeed("raw", *options, stdin=data)
                assert result.out == expected
                assert "warning" not in result.err
                assert succeed("raw", "-d", *options, stdin=expected).out == data


@each_mode
def test_with_a_nonce_made_here(mode: Aead, tmp_path: Path) -> None:
    key = write_key(tmp_path, key_of(16))
    seen = set()
    for length in LENGTHS:
        data = pattern(length)
        sealed = succeed("raw", "--mode", mode.name, "-k", key, stdin=data).out
        nonce, rest = sealed[: mode.nonce_bytes], sealed[mode.nonce_bytes :]
        assert rest == mode.seal(key_of(16), nonce, data, b"")
        assert succeed("raw", "-d", "--mode", mode.name, "-k", key, stdin=sealed).out == data
        seen.add(nonce)
    assert len(seen) == len(LENGTHS)


@each_mode
def test_large(mode: Aead, tmp_path: Path) -> None:
    key, plain, sealed, opened = (tmp_path / name for name in ("k", "plain", "sealed", "opened"))
    key.write_bytes(key_of(32))
    key.chmod(0o600)
    data = pattern(100_000_003)
    plain.write_bytes(data)
    nonce = pattern(11) if mode.name == "ccm" else b""
    options = ["--mode", mode.name, "-k", str(key), *(["--nonce", nonce.hex()] if nonce else [])]
    succeed("raw", *options, plain, "-o", sealed)
    content = sealed.read_bytes()
    if not nonce:
        nonce, content = content[: mode.nonce_bytes], content[mode.nonce_bytes :]
    assert content == mode.seal(key_of(32), nonce, data, b"")
    succeed("raw", "-d", *options, sealed, "-o", opened)
    assert opened.read_bytes() == data
    assert succeed("raw", "-d", *options, stdin=sealed.read_bytes()).out == data


def test_ccm_has_room_for_long_messages_under_short_nonces_only(key: Path) -> None:
    result = run("raw", "--mode", "ccm", "-k", key, stdin=bytes(1 << 24))
    assert result.code == 1
    assert "--nonce of 11 bytes or fewer" in result.err
    assert result.out == b""


@each_mode
@pytest.mark.parametrize("tag_bytes", [12, 16])
def test_a_tag_in_a_file_of_its_own(mode: Aead, tag_bytes: int, tmp_path: Path) -> None:
    if mode.name == "gcm-siv" and tag_bytes != 16:
        result = run("raw", "--mode", mode.name, "--tag-bytes", "12", stdin=b"")
        assert result.code == 2
        assert "tag of 16" in result.err
        return
    key, tag, data = write_key(tmp_path, key_of(16)), tmp_path / "tag", pattern(1000)
    options = ["--mode", mode.name, "--nonce", nonce_of(mode).hex(), "-k", str(key)]
    options += ["--tag-file", str(tag), "--tag-bytes", str(tag_bytes)]
    sealed = succeed("raw", *options, stdin=data).out
    assert len(sealed) == len(data)
    assert tag.stat().st_size == tag_bytes
    if mode.name in ("gcm", "eax"):  # their short tags are the beginning of the long ones
        expected = mode.seal(key_of(16), nonce_of(mode), data, b"")
        assert sealed + tag.read_bytes() == expected[: len(data) + tag_bytes]
    assert succeed("raw", "-d", *options, stdin=sealed).out == data
    assert run("raw", *options, stdin=data).code == 1  # the tag's file is not replaced
    tag.write_bytes(bytes(tag_bytes))
    assert run("raw", "-d", *options, stdin=sealed).code == 13
    tag.write_bytes(bytes(tag_bytes - 1))
    assert "is no tag of" in run("raw", "-d", *options, stdin=sealed).err


def damaged(sealed: bytes, at: int) -> bytes:
    return sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]


@each_mode
def test_nothing_leaves_before_its_tag_is_right(mode: Aead, tmp_path: Path) -> None:
    key, out = write_key(tmp_path, key_of(16)), tmp_path / "out"
    aad = ["--aad", AAD.hex()]
    options = ["--mode", mode.name, "-k", str(key)]
    sealed = succeed("raw", *options, *aad, stdin=pattern(100_003)).out
    wrong_key = write_key(tmp_path, key_of(32))
    cases = [(damaged(sealed, at), [*options, *aad]) for at in (0, 20, 50_000, len(sealed) - 1)]
    cases += [(sealed[:-1], [*options, *aad]), (sealed + b"x", [*options, *aad])]
    cases += [(sealed, options), (sealed, [*options, "--aad", AAD.hex() + "00"])]
    cases += [(sealed, ["--mode", mode.name, "-k", str(wrong_key), *aad])]
    cases += [(sealed, [*options, *aad, "--tag-bytes", "12"])] if mode.name != "gcm-siv" else []
    for content, how in cases:
        result = run("raw", "-d", *how, stdin=content)
        assert result.code == 13
        assert result.out == b""
        assert "authentication failed" in result.err
        assert "hint" in result.err
        assert run("raw", "-d", *how, "-o", out, stdin=content).code == 13
        assert not out.exists()
    for length in (0, 1, mode.nonce_bytes + 15):
        result = run("raw", "-d", *options, stdin=sealed[:length])
        assert result.code == 14
        assert result.out == b""


def test_other_lengths_of_nonces(tmp_path: Path) -> None:
    key = write_key(tmp_path, key_of(16))
    for mode in AEAD:
        for length in {
            "gcm": (8, 12, 64),
            "gcm-siv": (12,),
            "ccm": (7, 13),
            "eax": (1, 50),
            "ocb3": (12, 15),
        }[mode.name]:
            nonce = pattern(length)
            options = ["--mode", mode.name, "--nonce", nonce.hex(), "-k", str(key)]
            assert succeed("raw", *options, stdin=b"hello").out == mode.seal(key_of(16), nonce, b"hello", b"")


@pytest.mark.parametrize("engine", ["openssl", "portable"])
@each_mode
def test_engines(mode: Aead, engine: str, tmp_path: Path) -> None:
    key, nonce = write_key(tmp_path, key_of(16)), nonce_of(mode)
    options = ["--mode", mode.name, "--nonce", nonce.hex(), "-k", str(key), "--engine", engine]
    assert succeed("raw", *options, stdin=AAD).out == mode.seal(key_of(16), nonce, AAD, b"")


def test_json(key: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    line = succeed("raw", "--mode", "gcm", "--json", "-k", key, "-o", out, stdin=b"hello").lines[0]
    assert line["plaintext_bytes"] == 5
    out.write_bytes(bytes(40))
    result = run("raw", "-d", "--mode", "gcm", "--json", "-k", key, out, "-o", tmp_path / "opened")
    assert result.code == result.last["code"] == 13
    assert result.last["error"] == "damaged"
