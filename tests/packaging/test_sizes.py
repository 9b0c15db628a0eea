"""The library stays small enough to be copied around, and no package is shipped that is too large."""

import json
import re
from pathlib import Path

import pytest

from devtools import sizes
from devtools.process import Stop
from devtools.repository import BUILD, STAGED_DATA
from tests.packaging.test_hardening import LIBRARY, openssl_inside


def architectures() -> list[str]:
    """Those that the staged library was built for."""
    preset = json.loads((STAGED_DATA / "build.json").read_text())["preset"]
    settings = (BUILD / preset / "CMakeCache.txt").read_text()
    found = re.search(r"^WARPAES_CUDA_ARCHITECTURES:STRING=(.+)$", settings, re.MULTILINE)
    return found[1].split(";") if found else []


@pytest.mark.skipif(not LIBRARY.is_file(), reason="nothing has been staged")
def test_the_library_for_one_architecture() -> None:
    if openssl_inside() or len(architectures()) != 1:
        pytest.skip("the limit is of the library for one architecture, with the system's OpenSSL")
    sizes.say_sizes([LIBRARY.resolve()], sizes.MOST_OF_LIBRARY)


def test_what_is_too_large_is_not_shipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.deb").write_bytes(bytes(1000))
    (tmp_path / "large.deb").write_bytes(bytes(1001))
    with pytest.raises(Stop, match=r"^larger than 0\.001 MB: large\.deb$"):
        sizes.say_sizes(tmp_path.iterdir(), 1000)
    assert len(capsys.readouterr().out.splitlines()) == 2
    sizes.say_sizes([tmp_path / "small.deb"], 1000)


def test_the_limit_is_that_of_packages(tmp_path: Path) -> None:
    with (tmp_path / "large.whl").open("wb") as file:
        file.truncate(sizes.MOST_OF_PACKAGE + 1)
    with pytest.raises(Stop, match=r"large\.whl"):
        sizes.say_sizes(tmp_path.iterdir())
