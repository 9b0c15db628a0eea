"""Threads: of asyncio, and such as meet in a message in parts, which is for one at a time."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import warpaes

CIPHER = warpaes.Cipher(warpaes.AES(bytes(32)), warpaes.modes.CBC(bytes(16)))


@pytest.mark.parametrize(
    "make", [CIPHER.encryptor, lambda: warpaes.CMAC(warpaes.AES(bytes(32)))], ids=["CBC", "CMAC"]
)
def test_an_end_that_comes_too_early_ends_nothing(make: Callable[[], Any]) -> None:
    """It is refused while another thread is in update(), and that one's message can go on and end."""
    data, context, expected = bytes(128 << 20), make(), make()
    with ThreadPoolExecutor(1) as pool:
        update = pool.submit(context.update, data)
        with contextlib.suppress(RuntimeError):  # once the other thread has begun
            while not update.done():
                context.update(b"")
        with pytest.raises(RuntimeError, match="in another thread"):
            context.finalize()
    assert update.result() == expected.update(data)
    assert context.update(bytes(16)) == expected.update(bytes(16))
    assert context.finalize() == expected.finalize()
    with pytest.raises(warpaes.AlreadyFinalized):
        context.finalize()


SLOW = warpaes.Context(engine="portable", threads=1)
IN_PARTS: dict[str, warpaes.Cipher[Any]] = {
    "CTR": warpaes.Cipher(warpaes.AES(bytes(32)), warpaes.modes.CTR(bytes(16)), context=SLOW),
    "XTS": warpaes.Cipher(warpaes.AES(bytes(range(64))), warpaes.modes.XTS(bytes(16)), context=SLOW),
}


def call(context: Any, name: str) -> object:
    match name:
        case "update":
            return context.update(bytes(16))
        case "an empty update":
            return context.update(b"")
        case "update_into":
            return context.update_into(bytes(16), bytearray(31))
        case "reset_nonce":
            return context.reset_nonce(bytes(range(16)))
        case "seek":
            return context.seek(0)
    return context.finalize()


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        *(("CTR", name) for name in ("update", "update_into", "reset_nonce", "seek", "finalize")),
        *(("XTS", name) for name in ("update", "an empty update", "update_into", "finalize")),
    ],
)
def test_each_call_that_meets_an_update_is_refused(mode: str, name: str) -> None:
    """Two units of XTS would be encrypted under one tweak, and two messages be in one context."""
    data, context, begun = bytes(15_000_000), IN_PARTS[mode].encryptor(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(begun.set)
        update = pool.submit(context.update, data)
        begun.wait()
        time.sleep(0.05)  # it takes several times as long
        with pytest.raises(RuntimeError, match="in another thread"):
            call(context, name)
    expected = IN_PARTS[mode].encryptor()
    assert update.result() == expected.update(data)
    assert context.finalize() == expected.finalize()


def test_a_loop_of_asyncio_goes_on_meanwhile() -> None:
    """A call that kept the GIL would let it have a turn before and behind each message, and none within."""
    aead, nonce = warpaes.AESGCM(bytes(32), context=SLOW), bytes(12)
    messages = [bytes([number]) * 4_000_000 for number in range(2)]

    async def turns_during(work: asyncio.Future[Any]) -> int:
        turns = 0
        while not work.done():
            await asyncio.sleep(0.001)
            turns += 1
        return turns

    async def both_ways() -> tuple[list[bytes], int]:
        sealed = [asyncio.to_thread(aead.encrypt, nonce, message) for message in messages]
        work = asyncio.gather(*sealed)
        turns = await turns_during(work)
        opened = [asyncio.to_thread(aead.decrypt, nonce, text) for text in work.result()]
        return list(await asyncio.gather(*opened)), turns

    opened, turns = asyncio.run(both_ways())
    assert opened == messages
    assert turns >= 8


def test_a_task_that_is_cancelled_leaves_the_key_as_it_was() -> None:
    """The message is worked on to its end in its thread."""
    aead, nonce, data = warpaes.AESGCM(bytes(32), context=SLOW), bytes(12), bytes(4_000_000)
    out = bytearray(len(data) + 16)

    async def cancelled() -> None:
        task = asyncio.create_task(asyncio.to_thread(aead.encrypt_into, nonce, data, None, out))
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())  # which waits for its threads
    assert out == aead.encrypt(nonce, data)
