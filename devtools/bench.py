"""./dev bench: warpaes bench."""

from collections.abc import Sequence

from devtools.build import build_and_stage
from devtools.process import exit_code
from devtools.repository import WARPAES


def bench(arguments: Sequence[str], *, system_cuda: bool) -> int:
    build_and_stage("dev", system_cuda=system_cuda)
    return exit_code([WARPAES, "bench", *arguments])
