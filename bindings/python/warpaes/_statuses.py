"""Statuses of single messages on a device, UNKNOWN before the call that uses them is started.

The library's kernels begin beside the end of the kernel before them, but not beside a fill of four bytes: one
before each call costs a message of 1 GiB two percent of its time. So one fill is for many calls.
"""

import sys
from typing import Any

from warpaes._kinds import UNKNOWN

ROOM = 128  # statuses of 4 bytes are 512 bytes, the least that PyTorch's allocator gives in one piece
STREAMS = 32  # so many may have some


class PreparedStatuses:
    """Of PyTorch, and each for one message only: what a device has written there is no UNKNOWN any more.

    They are taken on the stream on which they were filled, so that whatever is written there comes behind.
    """

    def __init__(self) -> None:
        self._idle: dict[tuple[int, int], list[Any]] = {}  # by the device and the stream

    def take(self, like: Any, stream: int) -> Any:
        """A tensor with one status, or None where each call has to have its own fill.

        stream: the current one. That is so in a graph: it uses its statuses whenever it is replayed.
        """
        torch, device = sys.modules["torch"], like.get_device()
        if torch.cuda.current_device() != device or torch.cuda.is_current_stream_capturing():
            return None
        try:  # to look first would let another thread take the last one in between
            return self._idle[device, stream].pop()
        except (KeyError, IndexError):
            return self._more(like, (device, stream)).pop()

    def _more(self, like: Any, place: tuple[int, int]) -> list[Any]:
        torch = sys.modules["torch"]
        if len(self._idle) >= STREAMS:  # of streams that there may be no longer
            self._idle.clear()
        with torch.inference_mode(False):
            filled = torch.full((ROOM,), UNKNOWN, dtype=torch.int32, device=like.device)
            made = [filled[number : number + 1] for number in range(ROOM)]
        self._idle[place] = made
        return made
