"""Threads, forks, and memory that does not grow."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import warpaes
from warpaes import _machine
from warpaes._fork_locks import ForkLock
from warpaes._objects import plaintext_of, sealed
from warpaes._secrets import FileSecret
from warpaes._streams import RawReader
from warpaes._uploads import Upload

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


def test_a_fork_of_a_process_that_is_just_beginning() -> None:
    """While another thread makes the context that all share, and while one makes a tenant's key."""
    program = """if True:
        import os, threading, time
        import warpaes
        from warpaes import _machine, _lmcache_frames

        begun = threading.Event()
        def slow(*given, make=_machine.Context, **options):
            begun.set()
            time.sleep(0.5)
            return make(*given, **options)

        serde = _lmcache_frames.Serde(bytes(16))
        _machine.Context = slow
        thread = threading.Thread(target=lambda: serde._cipher("tenant"))
        thread.start()
        begun.wait()
        child = os.fork()
        if child == 0:
            warpaes.AESGCM(bytes(32)).encrypt(bytes(12), b"", None)
            serde._cipher("tenant")
            os._exit(7)
        thread.join()
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 7


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


def exit_code_of_child(work: Callable[[], bool]) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("way", ["dropped", "block", "block that fails", "written", "closed"])
@pytest.mark.parametrize("where", ["path", "store"])
def test_a_fork_leaves_a_file_to_the_process_that_writes_it(tmp_path: Path, way: str, where: str) -> None:
    """A copy of the object took the file away when it was dropped, and could use its nonces again."""
    path, secret = tmp_path / "file", FileSecret(bytes(32))
    held: list[Any] = []
    if where == "path":
        held.append(warpaes.open(path, "wb", key=bytes(32)))
    else:
        store = pytest.importorskip("fsspec").filesystem("file")
        held.append(Upload(store, str(path), secret, b"", mode="wb", autocommit=True, opened_by=store))
    held[0].write(bytes(6 << 20))

    def refused(call: Callable[[], object]) -> bool:
        try:
            call()
        except RuntimeError as error:
            return "another process" in str(error)
        return False

    def block(error: bool) -> None:
        with held[0]:
            if error:
                raise KeyError

    def child() -> bool:
        if way == "dropped":
            held.clear()
            gc.collect()
            return True
        if way == "block that fails":
            with contextlib.suppress(KeyError):
                block(True)
            return True
        calls = {
            "block": lambda: block(False),
            "written": lambda: held[0].write(b"x"),
            "closed": held[0].close,
        }
        return refused(calls[way])

    assert exit_code_of_child(child) == 0
    held[0].write(b"end")
    held[0].close()
    with warpaes.open(path, key=bytes(32)) as file:
        assert file.read() == bytes(6 << 20) + b"end"


WORKS_TO_THE_END = """
import sys, threading, time
import warpaes
from warpaes import _machine
from warpaes._fork_locks import ForkLock
from warpaes._objects import WholeFile, sealed
from warpaes._secrets import FileSecret
from warpaes._streams import RawReader
cipher, secret = warpaes.AESGCM(bytes(32)), FileSecret(bytes(32))
text, rows, nonces = bytes(20 << 20), [bytes(4096)] * 1000, [n.to_bytes(12, "big") for n in range(1000)]
stored = sealed(text, secret, b"")
def message(): cipher.encrypt(bytes(12), text)
def batch(): cipher.encrypt_batch(nonces, rows)
def context(): warpaes.Context()
def read_by_threads_that_call_python(): RawReader(WholeFile(stored), secret).read()
class Slow(WholeFile):
    def read_into(self, offset, into):
        time.sleep(0.05)
        super().read_into(offset, into)
def read_by_threads_that_wait_in_python(): RawReader(Slow(stored), secret).read()
work, started = globals()[sys.argv[1]], threading.Event()
def for_ever():
    while True:
        started.set()
        work()
for _ in range(2):
    threading.Thread(target=for_ever, daemon=True).start()
started.wait()
time.sleep(0.2)
"""


@pytest.mark.parametrize(
    "work",
    [
        "message",
        "batch",
        "context",
        "read_by_threads_that_call_python",
        "read_by_threads_that_wait_in_python",
    ],
)
def test_daemon_threads_may_work_when_the_interpreter_ends(work: str) -> None:
    """They never get Python's lock again, and must neither abort the process nor use Python without it."""
    done = subprocess.run(
        [sys.executable, "-c", WORKS_TO_THE_END, work], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


IN_A_SUBINTERPRETER = """
import sys
import warpaes
try:  # since Python 3.13
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
kinds = ["legacy", "isolated"] if sys.version_info >= (3, 13) else [{"isolated": False}, {"isolated": True}]
for kind in kinds:
    made = interpreters.create(kind) if isinstance(kind, str) else interpreters.create(**kind)
    path = f"import sys; sys.path[:] = {sys.path!r}"
    interpreters.run_string(made, path + "\\ntry: import warpaes\\nexcept ImportError as error: print(error)")
cipher = warpaes.AESGCM(bytes(16))
assert cipher.decrypt(bytes(12), cipher.encrypt(bytes(12), b"as before")) == b"as before"
"""


def test_a_subinterpreter_is_refused_and_takes_nothing_away() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SUBINTERPRETER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    refusals = done.stdout.splitlines()
    assert len(refusals) == 2
    assert "one interpreter of a process" in refusals[0]


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
        cipher.encrypt_batch([NONCE, bytes(11) + b"1"], [bytes(1000), bytes(500)]).check()


def many_parts() -> None:
    cipher = warpaes.Cipher(warpaes.AES(bytes(16)), warpaes.modes.CTR(bytes(16)))
    for _ in range(10):
        encryptor = cipher.encryptor()
        encryptor.update(bytes(1000))
        encryptor.finalize()


class Failing:
    """A source of a container that has a beginning and no more."""

    file, start = -1, 0

    def __init__(self, beginning: bytes) -> None:
        self.beginning, self.length = beginning, 1 << 20

    def read_into(self, offset: int, into: memoryview) -> None:
        if offset:
            raise OSError(f"{len(into)} bytes at {offset} cannot be read")
        into[:] = self.beginning[: len(into)]

    def prepare(self, start: int, stop: int) -> None:
        pass

    def close(self) -> None:
        pass


SECRET = FileSecret(bytes(32))
SEALED = sealed(bytes(5000), SECRET, b"")


def many_files() -> None:
    for _ in range(10):
        assert plaintext_of(sealed(bytes(1000), SECRET, b""), SECRET, b"") == bytes(1000)


def many_wrong_files() -> None:
    damaged = SEALED[:-1] + bytes([SEALED[-1] ^ 1])
    with pytest.raises(warpaes.Damaged):
        plaintext_of(damaged, SECRET, b"")
    for _ in range(9):
        with pytest.raises(OSError, match="cannot be read"):
            RawReader(Failing(SEALED), SECRET).bytes_at(0, 1000)


@pytest.mark.parametrize(
    "work", [many_calls, many_errors, many_batches, many_parts, many_files, many_wrong_files]
)
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


def test_exceptions_keep_no_references() -> None:
    """Whatever a call was given is as free after it has failed as it was before."""
    aead = warpaes.AESGCM(bytes(16))
    cipher = warpaes.Cipher(warpaes.AES(bytes(16)), warpaes.modes.CTR(bytes(16)))
    nonce, text, aad, room = bytearray(12), bytearray(40), bytearray(5), bytearray(3)
    calls: list[Callable[[], object]] = [
        lambda: aead.decrypt(nonce, text, aad),
        lambda: aead.encrypt(bytearray(), text, aad),
        lambda: aead.encrypt(nonce, text, 7),
        lambda: aead.encrypt(nonce, text, aad, out=room),
        lambda: aead.encrypt_into(nonce, text, aad, room),
        lambda: aead.decrypt_into(nonce, text, aad, bytes(24)),
        lambda: aead.decrypt_batch([nonce], [text], tags=[room]),
        lambda: aead.decrypt_batch([nonce, nonce], [text, text], [aad], tags=[bytes(16)] * 2),
        lambda: aead.decrypt_batch([nonce], [text], tags=[bytes(16)]).check(),
        lambda: cipher.encryptor().update_into(text, room),
        lambda: plaintext_of(text, SECRET, aad),
    ]
    given = (aead, cipher, nonce, text, aad, room)
    for number, call in enumerate(calls):
        gc.collect()
        before = [sys.getrefcount(one) for one in given]
        for _ in range(5):
            with pytest.raises((TypeError, ValueError, warpaes.InvalidTag)):
                call()
        gc.collect()
        assert [sys.getrefcount(one) for one in given] == before, f"call {number}"
        for memory in (nonce, text, aad, room):  # and none is locked: it can change its length
            memory.append(0)
            memory.pop()


def test_a_handler_may_interrupt_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal handler, or a __del__, that needs the common context while that is being made."""
    nested: list[warpaes.Context] = []

    class Interrupted(warpaes.Context):
        def __init__(self) -> None:
            super().__init__(threads=1)
            if not nested:
                nested.append(self)
                nested.append(_machine.context_or_default(None))

    monkeypatch.setattr(_machine, "_default", None)
    monkeypatch.setattr(_machine, "Context", Interrupted)
    found: list[warpaes.Context] = []
    thread = threading.Thread(target=lambda: found.append(_machine.context_or_default(None)), daemon=True)
    thread.start()
    thread.join(10)
    assert found == [nested[1]]


def test_a_handler_may_interrupt_who_has_a_lock() -> None:
    lock, entered = ForkLock(), []

    def enter_twice() -> None:
        with lock, lock:
            entered.append(True)

    thread = threading.Thread(target=enter_twice, daemon=True)
    thread.start()
    thread.join(10)
    assert entered
