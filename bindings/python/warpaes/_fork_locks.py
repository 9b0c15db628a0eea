"""Locks that the child of a fork can use."""

import os
import threading
from types import TracebackType
from weakref import WeakSet


class ForkLock:
    """A lock that is free in the child of a fork, where a thread that had it does not exist.

    A signal handler, or a __del__, that interrupts the thread that has it gets it, too, and need not wait for
    ever.
    """

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self.renew()
        _all.add(self)

    def renew(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()


_all: "WeakSet[ForkLock]" = WeakSet()


def _renew_all() -> None:
    for lock in _all:
        lock.renew()


os.register_at_fork(after_in_child=_renew_all)
