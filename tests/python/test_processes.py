"""Threads, forks, and memory that does not grow."""

import gc
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import warpaes

NONCE = bytes(12)


def resident_kib() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def test_threads_share_a_cipher() -> None:
    cipher = warpaes.AESGCM(bytes(16))
    texts = [bytes([number]) * (1000 * number) for number in range(64)]
    expected = [cipher.encrypt(number.to_bytes(12, "big"), text) for number, text in enumerate(texts)]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda n: cipher.encrypt(n.to_bytes(12, "big"), texts[n]), range(64))
        assert list(found) == expected


def test_python_goes_on_while_the_library_works() -> None:
    """Without the GIL: a second thread counts while a long message is encrypted by slow code."""
    cipher = warpaes.AESGCM(bytes(16), context=warpaes.Context(engine="portable/fips197", threads=1))
    counted, done = 0, threading.Event()

    def work() -> None:
        cipher.encrypt(NONCE, bytes(1_000_000))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 3


def test_a_fork_can_go_on() -> None:
    """Also with messages that all threads of the library share."""
    cipher = warpaes.AESGCM(bytes(16), context=warpaes.Context(engine="openssl"))
    text = bytes(8 << 20)
    expected = cipher.encrypt(NONCE, text)
    child = os.fork()
    if child == 0:
        os._exit(0 if cipher.encrypt(NONCE, text) == expected else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def many_calls() -> None:
    cipher = warpaes.AESGCM(bytes(16))
    for _ in range(10):
        cipher.decrypt(NONCE, cipher.encrypt(NONCE, bytes(1000), b"aad"), b"aad")


def many_errors() -> None:
    for _ in range(10):
        with pytest.raises(warpaes.InvalidTag):
            warpaes.AESGCM(bytes(16)).decrypt(NONCE, bytes(1000), None)


def many_batches() -> None:
    cipher = warpaes.AESGCM(bytes(16))
    for _ in range(10):
        cipher.encrypt_batch([NONCE, NONCE], [bytes(1000), bytes(500)]).check()


def many_parts() -> None:
    cipher = warpaes.Cipher(warpaes.AES(bytes(16)), warpaes.modes.CTR(bytes(16)))
    for _ in range(10):
        encryptor = cipher.encryptor()
        encryptor.update(bytes(1000))
        encryptor.finalize()


@pytest.mark.parametrize("work", [many_calls, many_errors, many_batches, many_parts])
def test_memory_stays_flat(work: Callable[[], None]) -> None:
    """10^4 calls of a kilobyte each: a leak of what they return would be 10 MB."""
    for _ in range(100):
        work()
    gc.collect()
    before = resident_kib()
    for _ in range(1000):
        work()
    gc.collect()
    assert resident_kib() - before < 3000
