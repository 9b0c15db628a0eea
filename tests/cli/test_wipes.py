"""What the tool itself has of keys is wiped: each call of OPENSSL_cleanse is written down as it comes."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import environment, succeed

LEDGER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
void OPENSSL_cleanse(void* memory, size_t bytes) {
  if (bytes <= 4096) { /* larger pieces are data */
    static int file = 0;
    if (file == 0) file = open(getenv("WIPE_LEDGER"), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    if (write(file, memory, bytes) != (ssize_t)bytes || write(file, "\\n|\\n", 3) != 3) abort();
  }
  ((void (*)(void*, size_t))dlsym(RTLD_NEXT, "OPENSSL_cleanse"))(memory, bytes);
}
"""


@pytest.fixture(name="ledger", scope="module")
def library_that_notes_wipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ledger")
    source, library = folder / "ledger.c", folder / "ledger.so"
    source.write_text(LEDGER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def wiped_by(ledger: Path, noted: Path, *arguments: str | Path) -> bytes:
    """All that was in small pieces of memory which the program wiped."""
    noted.unlink(missing_ok=True)
    succeed(*arguments, env=environment(LD_PRELOAD=str(ledger), WIPE_LEDGER=str(noted)))
    return noted.read_bytes()


@pytest.mark.parametrize("options", [[], ["--raw"], ["--bits", "128"]], ids=["text", "raw", "128 bits"])
def test_a_fresh_key(ledger: Path, tmp_path: Path, options: list[str]) -> None:
    """Its bytes and its digits, whichever of them the file has."""
    path = tmp_path / "key"
    wiped = wiped_by(ledger, tmp_path / "noted", "keygen", "-o", path, *options)
    written = path.read_bytes()
    key = written if "--raw" in options else bytes.fromhex(written.decode())
    assert len(key) in (16, 32)
    assert key in wiped
    assert key.hex().encode() in wiped


def test_a_key_that_is_read(ledger: Path, plain: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    succeed("keygen", "-o", key)
    digits = key.read_text().strip()
    wiped = wiped_by(ledger, tmp_path / "noted", "encrypt", "-k", key, plain)
    assert bytes.fromhex(digits) in wiped
    assert digits.encode() in wiped
