"""The frames of LMCache's aesgcm serde: ours are theirs, and theirs are ours."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import warpaes
from warpaes import _lmcache_frames
from warpaes._lmcache_frames import Serde

MASTER = b"any number of secret bytes"
TENANT = SimpleNamespace(cache_salt="tenant é")

# Made by `cryptography` alone, of b"keys and values" under MASTER, TENANT and a key of 128 bits.
FRAME = bytes.fromhex(
    "01000102030405060708090a0be64ed5df26b08c40fc084cb6c911c4960f8a9e9c642d7e22b897cb6d60c823"
)


def holder(data: Any) -> Any:
    """As much of LMCache's MemoryObj as a serde uses."""
    return SimpleNamespace(byte_array=memoryview(data).cast("B"))


def key_by_cryptography(bits: int, salt: str) -> bytes:
    info = b"lmcache-l2-aesgcm-v1" + salt.encode()
    return HKDF(algorithm=SHA256(), length=bits // 8, salt=None, info=info).derive(MASTER)


def frame_by_cryptography(bits: int, salt: str, nonce: bytes, plain: bytes) -> bytes:
    return b"\1" + nonce + AESGCM(key_by_cryptography(bits, salt)).encrypt(nonce, plain, None)


def opened(frame: bytes, length: int, bits: int = 128, tenant: Any = TENANT) -> bytes:
    into = bytearray(b"x" * length)
    try:
        Serde(MASTER, bits).deserialize(holder(frame), holder(into), tenant)
    except warpaes.InvalidTag:
        assert bytes(into) == bytes(length)
        raise
    return bytes(into)


def test_a_frame_that_was_made_before() -> None:
    assert frame_by_cryptography(128, TENANT.cache_salt, bytes(range(12)), b"keys and values") == FRAME
    assert opened(FRAME, 15) == b"keys and values"


@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 4099, 3 << 20])
def test_both_ways(bits: int, length: int) -> None:
    plain, padding = os.urandom(length), 100
    theirs = frame_by_cryptography(bits, TENANT.cache_salt, os.urandom(12), plain)
    assert opened(theirs + bytes(padding), length, bits) == plain
    frame = bytearray(length + 29 + padding)
    assert Serde(MASTER, bits).serialize(holder(plain), holder(frame), TENANT) == length + 29
    assert frame[0] == 1
    assert frame[length + 29 :] == bytes(padding)
    key = key_by_cryptography(bits, TENANT.cache_salt)
    assert AESGCM(key).decrypt(bytes(frame[1:13]), bytes(frame[13 : length + 29]), None) == plain


def test_nothing_has_any_shape() -> None:
    nothing = SimpleNamespace(byte_array=numpy.zeros((0, 5), dtype="uint8"))
    frame = bytearray(29)
    assert Serde(MASTER).serialize(nothing, holder(frame), TENANT) == 29
    Serde(MASTER).deserialize(holder(frame), nothing, TENANT)
    assert opened(bytes(frame), 0) == b""


def test_no_nonce_twice() -> None:
    serde, seen = Serde(MASTER), set()
    for _ in range(100):
        frame = bytearray(30)
        serde.serialize(holder(b"x"), holder(frame), TENANT)
        seen.add(bytes(frame[1:13]))
    assert len(seen) == 100


def test_damage_is_refused() -> None:
    for place in range(len(FRAME)):
        damaged = bytearray(FRAME)
        damaged[place] ^= 1
        with pytest.raises((ValueError, warpaes.InvalidTag)):
            opened(bytes(damaged), 15)
    for length in (0, 12, len(FRAME) - 1):
        with pytest.raises(ValueError, match="no frame"):
            opened(FRAME[:length], 15)
    for wrong in ({"tenant": SimpleNamespace(cache_salt="other")}, {"bits": 256}):
        with pytest.raises(warpaes.InvalidTag, match="not genuine"):
            opened(FRAME, 15, **wrong)
    with pytest.raises(warpaes.InvalidTag):
        opened(FRAME, 14)  # another length


def test_many_threads() -> None:
    serde, plain = Serde(MASTER), os.urandom(100_000)

    def both(number: int) -> bytes:
        tenant, frame, back = (
            SimpleNamespace(cache_salt=str(number % 3)),
            bytearray(100_029),
            bytearray(100_000),
        )
        serde.serialize(holder(plain), holder(frame), tenant)
        serde.deserialize(holder(frame), holder(back), tenant)
        return bytes(back)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(both, range(40))) == {plain}


def test_only_so_many_keys_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has any number of tenants in its life. Those that were used last stay."""
    monkeypatch.setattr(_lmcache_frames, "_MOST_TENANTS", 3)
    serde, frame = Serde(MASTER), bytearray(29 + 5)
    tenants = [SimpleNamespace(cache_salt=salt) for salt in "abcadefa"]
    for tenant in tenants:
        serde.serialize(holder(b"bytes"), holder(frame), tenant)
        assert opened(bytes(frame), 5, tenant=tenant) == b"bytes"
        assert len(serde._ciphers) <= 3
    assert list(serde._ciphers) == ["e", "f", "a"]


@pytest.mark.parametrize("place", range(30))
def test_a_frame_around_its_plaintext(place: int) -> None:
    """What would be written over before it is read is refused; anything else comes back."""
    plain, memory = b"8 values", bytearray(60)
    memory[place : place + len(plain)] = plain
    frame = memoryview(memory)[: len(plain) + 29]
    source = memoryview(memory)[place : place + len(plain)]
    may_be_written_over = place == 13 or place >= len(frame) or place + len(plain) <= 13
    if may_be_written_over:
        Serde(MASTER).serialize(holder(source), holder(frame), TENANT)
        assert opened(bytes(frame), len(plain)) == plain
    else:
        with pytest.raises(ValueError, match="overlap"):
            Serde(MASTER).serialize(holder(source), holder(frame), TENANT)
        assert bytes(source) == plain


def test_misuse() -> None:
    with pytest.raises(ValueError, match="128 or 256"):
        Serde(MASTER, 192)
    with pytest.raises(ValueError, match="empty"):
        Serde(b"")
    for wrong in (32, "secret", None):  # bytes(32) would be a key of zeros
        with pytest.raises(TypeError, match="master_key must be bytes-like"):
            Serde(wrong)
    with pytest.raises(ValueError, match="does not fit"):
        Serde(MASTER).serialize(holder(b"abc"), holder(bytearray(31)), TENANT)


def test_keys_stay_inside() -> None:
    serde = Serde(MASTER)
    with pytest.raises(TypeError, match="cannot be pickled"):
        serde.__reduce_ex__(2)
    assert "secret" not in repr(serde)


# In a process of its own, because LMCache keeps what is registered.
WITH_LMCACHE = """
import json, sys, time
import torch
from lmcache.v1.distributed.serde import SerdeConfig, create_serde_processor
from lmcache.v1.distributed.api import MemoryLayoutDesc
from types import SimpleNamespace

class Holder:
    def __init__(self, data):
        self.byte_array = memoryview(data)
    def get_size(self):
        return len(self.byte_array)

settings = {"master_key_path": sys.argv[1], "aes_bits": 256, "max_workers": 2}
serdes = {name: create_serde_processor(SerdeConfig(name, settings)) for name in ("aesgcm", "warpaes_aesgcm")}
tenant = SimpleNamespace(cache_salt="tenant")
plain = bytes(range(256)) * 400
layout = MemoryLayoutDesc([torch.Size([100, 256]), torch.Size([100, 128])], [torch.float16, torch.float32])

def wait(query, task):
    for _ in range(1000):
        done = query(task)
        if done is not None:
            return done
        time.sleep(0.01)

def made(serde):
    frame = bytearray(serde.estimate_serialized_size(layout))
    task = serde.submit_serialize([Holder(plain)], [Holder(frame)], [tenant])
    assert wait(serde.query_serialize_result, task)
    return frame

def read(serde, frame):
    into = bytearray(len(plain))
    task = serde.submit_deserialize([Holder(frame)], [Holder(into)], [tenant])
    return wait(serde.query_deserialize_result, task), bytes(into) == plain

found = {}
for maker, one in serdes.items():
    for reader, other in serdes.items():
        found[f"{maker} > {reader}"] = read(other, made(one))
damaged = made(serdes["warpaes_aesgcm"])
damaged[50] ^= 1
found["damaged"] = read(serdes["warpaes_aesgcm"], damaged)[0]
for one in serdes.values():
    one.close()
print(json.dumps(found))
"""


def test_lmcache_itself(tmp_path: Path) -> None:
    """Its own serde and ours read each other's frames, in its own processor."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    there = [sys.executable, "-c", "import lmcache.v1.distributed.serde.aesgcm"]
    if subprocess.run(there, env=environment, capture_output=True, check=False).returncode:
        pytest.skip("LMCache is not installed, with all that its serdes need")
    (tmp_path / "master").write_bytes(MASTER)
    (tmp_path / "as_a_server.py").write_text(WITH_LMCACHE)
    command = [sys.executable, "-m", "warpaes.lmcache", "as_a_server", str(tmp_path / "master")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.pop("damaged") is False
    assert set(map(tuple, found.values())) == {(True, True)}
    assert len(found) == 4
