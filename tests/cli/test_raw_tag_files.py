"""`warpaes raw` with the tag apart, where files cannot be nameless."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.open_files import wait_until_open
from tests.cli.program import command_line, environment, pattern, succeed
from tests.cli.raw_modes import key_of

# As if one folder were on such a file system.
NAMED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#define OF_SYSTEM(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static int refused(const char* path, int flags) {
  if ((flags & O_TMPFILE) != O_TMPFILE || !strstr(path, "tags")) return 0;
  errno = EOPNOTSUPP;
  return 1;
}
int open(const char* path, int flags, ...) {
  return refused(path, flags) ? -1 : OF_SYSTEM(open)(path, flags, 0600);
}
int openat(int in, const char* path, int flags, ...) {
  return refused(path, flags) ? -1 : OF_SYSTEM(openat)(in, path, flags, 0600);
}
"""


@pytest.fixture(name="posed")
def environment_in_which_tags_are_named(tmp_path: Path) -> dict[str, str]:
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(NAMED)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return environment(LD_PRELOAD=str(library))


def command(mode: str, plain: Path, tag: Path) -> list[str]:
    options = ("raw", "-q", "--mode", mode, "--key-hex", key_of(32).hex(), "--nonce", "00" * 12)
    if mode == "ccm":
        options = (*options[:-1], "00" * 7)
    return command_line(*options, plain, "-o", plain.with_name("out"), "--tag-file", tag)


@pytest.mark.parametrize("mode", ["gcm-siv", "ccm"])
def test_a_signal_leaves_no_file_of_the_tag(mode: str, posed: dict[str, str], tmp_path: Path) -> None:
    plain, tags = tmp_path / "plain", tmp_path / "tags"
    tags.mkdir()
    with plain.open("wb") as file:
        file.truncate(600 << 20)
    before = sorted(tmp_path.iterdir())
    with subprocess.Popen(
        command(mode, plain, tags / "tag"),
        env=posed,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        wait_until_open(running, plain)
        time.sleep(0.05)
        running.terminate()
        running.wait(60)
    assert running.returncode == 130
    assert os.listdir(tags) == []
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("mode", ["gcm", "gcm-siv", "ccm"])
def test_the_tag_is_made_there(mode: str, posed: dict[str, str], tmp_path: Path) -> None:
    plain, tags = tmp_path / "plain", tmp_path / "tags"
    tags.mkdir()
    plain.write_bytes(pattern(1000))
    made = command(mode, plain, tags / "tag")
    subprocess.run(made, check=True, env=posed)
    assert os.listdir(tags) == ["tag"]
    out = plain.with_name("out")
    back = succeed(*made[1:3], "-d", *made[3:9], out, "--tag-file", tags / "tag").out
    assert back == pattern(1000)
    refused = subprocess.run(made, check=False, env=posed, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"{tags / 'tag'} exists already" in refused.stderr
