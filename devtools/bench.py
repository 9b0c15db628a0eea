"""./dev bench: warpaes bench, and the openssl engine beside `openssl speed`."""

from collections.abc import Sequence

from devtools import openssl_speed
from devtools.build import build_and_stage
from devtools.process import exit_code
from devtools.repository import WARPAES


def bench(arguments: Sequence[str], *, system_cuda: bool) -> int:
    build_and_stage("dev", system_cuda=system_cuda)
    return exit_code([WARPAES, "bench", *arguments])


def compare_openssl_speed(*, system_cuda: bool) -> int:
    build_and_stage("dev", system_cuda=system_cuda)
    return openssl_speed.compare(WARPAES)
