"""Keys do not leave the objects that hold them."""

import copy
import gc
import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import warpaes
from tests.python.containers import PROGRAM
from warpaes import _keys
from warpaes._lmcache_frames import Serde
from warpaes._secrets import FileSecret, kept_secret, key_of_file, passphrase_of_file

KEY = b"Thirty-two bytes nobody may see!"
HOLDERS: list[Callable[[], Any]] = [
    lambda: warpaes.AESGCM(KEY),
    lambda: warpaes.AESSIV(KEY),
    lambda: warpaes.AES(KEY),
    lambda: warpaes.Cipher(warpaes.AES(KEY), warpaes.modes.ECB()),
    lambda: warpaes.Cipher(warpaes.AES(KEY), warpaes.modes.CTR(bytes(16))).encryptor(),
    lambda: warpaes.CMAC(warpaes.AES(KEY)),
    lambda: FileSecret(KEY, None),
    lambda: FileSecret(None, KEY),
]
each_holder = pytest.mark.parametrize("make", HOLDERS, ids=lambda make: type(make()).__name__)


@each_holder
def test_a_key_is_not_printed(make: Callable[[], Any]) -> None:
    holder = make()
    for text in (repr(holder), str(holder), f"{holder}", f"{holder!r}"):
        assert "Thirty" not in text
        assert KEY.hex() not in text


@each_holder
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_key_is_not_pickled(make: Callable[[], Any], protocol: int) -> None:
    with pytest.raises(TypeError, match="holds a key and cannot be pickled"):
        pickle.dumps(make(), protocol)


@each_holder
def test_a_key_is_in_no_state(make: Callable[[], Any]) -> None:
    """That which every object has for those who pickle it."""
    with pytest.raises(TypeError, match="holds a key and cannot be pickled"):
        make().__getstate__()


@each_holder
def test_a_key_is_not_copied(make: Callable[[], Any]) -> None:
    for way in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            way(make())


def test_the_native_objects_are_not_pickled_either() -> None:
    for inside in (warpaes.AESGCM(KEY)._key, warpaes.Context()._native):
        with pytest.raises(TypeError):
            pickle.dumps(inside)


def test_an_aead_keeps_no_key_in_python_memory() -> None:
    """The C library has wiped memory for it; whoever gave it may wipe what they have."""
    key = bytearray(KEY)
    cipher = warpaes.AESGCM(key)
    assert gc.get_referrers(key) == []  # but this frame, which is not counted
    assert not hasattr(cipher, "__dict__")
    assert not any(isinstance(one, (bytes, bytearray)) for one in gc.get_referents(cipher, cipher._key))


def test_open_files_are_not_pickled(tmp_path: Path) -> None:
    file = warpaes.open(tmp_path / "file", "wb", key=KEY)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(file)
    file.close()
    with warpaes.open(tmp_path / "file", key=KEY) as again:
        for one in (again, again.raw):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(one)
            assert "Thirty" not in repr(one)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602, 0o610])
def test_a_file_that_others_may_use_is_no_place_for_a_key(tmp_path: Path, mode: int) -> None:
    """The rule of the tool. A pipe has no owner's rights that would mean anything."""
    secret = tmp_path / "secret"
    secret.write_bytes(KEY)
    secret.chmod(mode)
    for option in ("key_file", "passphrase_file"):
        given: dict[str, Any] = {option: secret}
        with pytest.raises(PermissionError, match=rf"mode {mode:04o}.: chmod 600"):
            kept_secret(**given)
        kept_secret(**given, insecure_key_file=True)
        secret.chmod(0o600)
        kept_secret(**given)
        secret.chmod(mode)


@pytest.mark.parametrize(
    "text",
    [
        b"00112233445566778899aabbccddeeff",  # a short key's digits: as many bytes as a long key has
        b"00112233445566778899AABBCCDDEEFF\r\n",
        b"00112233445566778899aabbccddeeff" * 2,
        b"00112233445566778899aabbccddeeff" * 2 + b"\n",
        b"00112233445566778899aabbccddee\xff\n",
        b"0123456789abcde\n",
        b"0123456789abcdef",
        b"00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff\n",
        b"00112233445566778899aabbccddeeff\n\n",
        b"0011\n",
        b"",
    ],
)
def test_a_key_file_is_read_as_the_program_reads_it(tmp_path: Path, text: bytes) -> None:
    key, plain, sealed = tmp_path / "key", tmp_path / "plain", tmp_path / "plain.wa"
    key.write_bytes(text)
    key.chmod(0o600)
    plain.write_bytes(b"text")
    done = subprocess.run([PROGRAM, "encrypt", "-q", "-k", key, plain], capture_output=True, check=False)
    if done.returncode != 0:
        with pytest.raises(ValueError, match="is no key file"):
            kept_secret(key_file=key)
        return
    with warpaes.open(sealed, key=key_of_file(key)) as file:
        assert file.read() == b"text"


@pytest.mark.parametrize(
    "text",
    [
        b"a phrase",
        b"a phrase\n",
        b"a phrase\r\n",
        b"a phrase\n\n",
        b"a phrase\r\r\n",
        b"a\nb",
        b"\n",
        b"x" * 5000,
        b"x" * 65537,
    ],
)
def test_a_passphrase_file_is_read_as_the_program_reads_it(tmp_path: Path, text: bytes) -> None:
    phrase, plain, sealed = tmp_path / "phrase", tmp_path / "plain", tmp_path / "plain.wa"
    phrase.write_bytes(text)
    phrase.chmod(0o600)
    plain.write_bytes(b"text")
    command = [str(PROGRAM), "encrypt", "-q", "--passphrase-file", str(phrase), str(plain)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        with pytest.raises(ValueError, match=r"one line|empty|more than 65536 bytes"):
            kept_secret(passphrase_file=phrase)
        return
    with warpaes.open(sealed, passphrase=passphrase_of_file(phrase)) as file:
        assert file.read() == b"text"


def test_the_key_of_a_filesystem_is_wiped_when_that_goes() -> None:
    """At once, and not when Python next looks for cycles."""
    filesystem = pytest.importorskip("warpaes.filesystem")
    fs = filesystem.WarpaesFileSystem(target_protocol="memory", key=bytes(range(32)))
    fs.pipe_file("/secrets/name", b"text")
    assert fs.cat_file("/secrets/name") == b"text"
    with fs.transaction, fs.open("/secrets/name", "wb") as file:
        file.write(b"more")
    key = fs._secret._key
    gc.disable()
    try:
        del file, fs
        assert key == bytes(32)
    finally:
        gc.enable()


def test_what_is_in_python_memory_is_wiped() -> None:
    from_passphrase = FileSecret(None, KEY)
    from_passphrase._derived[b"salt"] = bytearray(KEY)
    holders: list[Any] = [warpaes.AES(KEY), FileSecret(KEY), from_passphrase, Serde(KEY)]
    inside = [secret for holder in holders for secret in holder._secrets()]
    assert len(inside) == 5
    assert all(map(any, inside))
    del from_passphrase
    holders.clear()
    gc.collect()
    assert not any(map(any, inside))


@pytest.mark.parametrize("make", [lambda: warpaes.AES(KEY), lambda: FileSecret(KEY)], ids=["AES", "file"])
def test_a_wipe_at_the_interpreter_s_end(make: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes what modules have away by then, in no order."""
    held = make()
    secret = next(held._secrets())
    for name in [name for name, value in vars(_keys).items() if isinstance(value, ModuleType)]:
        monkeypatch.setattr(_keys, name, None)
    assert bytes(secret) == KEY
    del held
    assert bytes(secret) == bytes(len(KEY))


class Cycle:
    """Something in a cycle with `held`, of which Python may finalize either first."""

    def __init__(self, held: Any, use: Callable[[Any], Any], outcomes: list[Any]) -> None:
        self.held, self.use, self.outcomes, self.itself = held, use, outcomes, self

    def __del__(self) -> None:
        try:
            self.outcomes.append(self.use(self.held))
        except RuntimeError as error:
            self.outcomes.append(error)


WAYS: list[tuple[Callable[[], Any], Callable[[Any], Any]]] = [
    (lambda: FileSecret(KEY), lambda secret: secret.create()),
    (lambda: FileSecret(KEY), lambda secret: secret.container_key(bytes(56))),
    (lambda: FileSecret(KEY), lambda secret: secret.open(bytes(56))),
    (lambda: FileSecret(None, KEY), lambda secret: secret.create()),
    (lambda: FileSecret(None, KEY), lambda secret: secret.open(bytes(104))),
    (lambda: warpaes.AES(KEY), lambda key: warpaes.Cipher(key, warpaes.modes.ECB())),
    (lambda: warpaes.AES(KEY), warpaes.CMAC),
    (lambda: warpaes.AES(KEY), lambda key: key.key_size),
    (lambda: Serde(KEY), lambda serde: serde._cipher("")),
]


@pytest.mark.parametrize(("make", "use"), WAYS)
def test_a_secret_that_was_wiped_is_not_used(make: Callable[[], Any], use: Callable[[Any], Any]) -> None:
    """All finalizers of a cycle run before any of it goes, so one of them may find a key that was wiped."""
    outcomes: list[Any] = []
    held = make()
    Cycle(held, use, outcomes)
    del held
    gc.collect()
    assert len(outcomes) == 1
    assert isinstance(outcomes[0], RuntimeError)
    assert "has been wiped" in str(outcomes[0])


def test_a_log_that_writes_itself_when_it_goes_is_never_under_a_key_of_zeros() -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("warpaes.filesystem")
    fs, _ = fsspec.url_to_fs("warpaes::memory://x", warpaes={"key": KEY})
    store, outcomes = fs.fs, list[Any]()
    Cycle(fs, lambda fs: fs.pipe("/log-of-a-cycle", b"lines"), outcomes)
    del fs
    gc.collect()
    assert len(outcomes) == 1
    if isinstance(outcomes[0], RuntimeError):
        assert not store.exists("/log-of-a-cycle")
    else:
        FileSecret(KEY).open(store.cat_file("/log-of-a-cycle")[:56])


def test_other_attributes_are_missing_as_they_always_are() -> None:
    with pytest.raises(AttributeError, match="'AES' object has no attribute 'key'"):
        _ = warpaes.AES(KEY).key  # type: ignore[attr-defined]


def test_a_passphrase_is_not_in_an_exception() -> None:
    with pytest.raises(ValueError, match="UTF-8") as raised:
        FileSecret(None, "correct horse \udcff")
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)
    assert "horse" not in repr(raised.value)


def test_a_number_is_no_name_of_a_secret_file() -> None:
    """io.open() would take it for a descriptor, and close it."""
    reading, writing = os.pipe()
    os.write(writing, KEY)
    os.close(writing)
    for option in ("key_file", "passphrase_file"):
        with pytest.raises(TypeError, match="not int"):
            kept_secret(**{option: reading})  # type: ignore[arg-type]
    assert os.read(reading, 99) == KEY
    os.close(reading)
