"""Threads that meet in a message in parts, which is for one at a time."""

import contextlib
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
