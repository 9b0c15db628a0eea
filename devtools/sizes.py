"""How large what is shipped may become. The figures of today are in docs/design/packaging.md."""

from collections.abc import Iterable
from pathlib import Path

from devtools.process import Stop, say
from devtools.repository import ROOT

MOST_OF_LIBRARY = 10_000_000  # libwarpaes.so, for one architecture and with the system's OpenSSL
MOST_OF_PACKAGE = 64_000_000  # any one file that people download, for all architectures


def say_sizes(paths: Iterable[Path], most: int = MOST_OF_PACKAGE) -> None:
    """Prints the size of each file. Stops if one is too large to be shipped."""
    sizes = {path: path.stat().st_size for path in sorted(paths)}
    for path, size in sizes.items():
        say(f"{size / 1e6:6.1f} MB  {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")
    too_large = [path.name for path, size in sizes.items() if size > most]
    if too_large:
        raise Stop(
            f"larger than {most / 1e6:g} MB: {', '.join(too_large)}",
            hint="docs/design/packaging.md says what takes room; devtools/sizes.py has the limit",
        )
