"""LMCache's `aesgcm` serde by this library, under the name `warpaes_aesgcm` and with the same settings.

LMCache has to know a serde before its server reads the configuration:

    python -m warpaes.lmcache lmcache.v1.multiprocess.http_server ARGUMENTS

runs that module with the serde. Programs that start LMCache themselves call register() first.
"""

import runpy
import sys
from pathlib import Path
from typing import Any

from lmcache.v1.distributed.serde.async_processor import AsyncSerdeProcessor
from lmcache.v1.distributed.serde.factory import get_registered_serde_types, register_serde_factory

from warpaes._lmcache_frames import Serde

__all__ = ["Serde", "register"]

NAME = "warpaes_aesgcm"


def _processor(settings: dict[str, Any]) -> Any:
    """What LMCache makes of {"type": "warpaes_aesgcm", …}."""
    if settings.get("key_provider", "hkdf") != "hkdf":
        raise ValueError(f"key_provider must be hkdf, not {settings['key_provider']!r}")
    path = settings.get("master_key_path")
    if not path:
        raise ValueError(f'{NAME} needs "master_key_path", the name of a file')
    serde = Serde(Path(str(path)).read_bytes(), int(settings.get("aes_bits", 128)))
    return AsyncSerdeProcessor(serde, serde, max_workers=int(settings.get("max_workers", 1)))


def register() -> None:
    """Makes the serde known to LMCache in this process."""
    if NAME not in get_registered_serde_types():
        register_serde_factory(NAME, _processor)


def main(arguments: list[str]) -> int:
    """Runs a module of LMCache's that has been told of the serde."""
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m warpaes.lmcache MODULE [ARGUMENT...]", file=sys.stderr)
        return 2
    register()
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
