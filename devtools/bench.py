"""./dev bench: warpaes bench, and the openssl engine beside `openssl speed`."""

import re
import subprocess
from collections.abc import Sequence

from devtools import openssl_speed, sources
from devtools.build import build_and_stage
from devtools.process import Stop, exit_code
from devtools.repository import ROOT, STAGED_DATA, WARPAES


def bench(arguments: Sequence[str], *, system_cuda: bool) -> int:
    if is_staged():
        require_good(arguments)
    build_and_stage("dev", system_cuda=system_cuda)
    return exit_code([WARPAES, "bench", *arguments])


def compare_openssl_speed(others: Sequence[str], *, system_cuda: bool) -> int:
    if others:
        raise Stop(f"--compare-openssl-speed takes no other arguments: {' '.join(others)}")
    build_and_stage("dev", system_cuda=system_cuda)
    return openssl_speed.compare(WARPAES)


def is_staged() -> bool:
    """Whether stage/ has a program of the present sources, which knows what may be asked for."""
    staged = STAGED_DATA / "sources.sha256"
    return WARPAES.is_file() and staged.is_file() and staged.read_text().strip() == sources.fingerprint(ROOT)


def require_good(arguments: Sequence[str]) -> None:
    """Stop for options and values that the program would refuse: before a build, which takes minutes.

    With --help the program looks at values and measures nothing. It has no complaint about options then that
    it does not know, but prints those that it does.
    """
    helped = subprocess.run(
        [WARPAES, "bench", *arguments, "--help"], capture_output=True, text=True, timeout=60, check=False
    )
    hint = f"{WARPAES.relative_to(ROOT)} bench --help"
    if helped.returncode != 0:
        raise Stop(helped.stderr.partition("\n")[0].removeprefix("warpaes: error: "), hint=hint)
    known = {
        name for names in re.findall(r"^  (-\S+)", helped.stdout, re.MULTILINE) for name in names.split(",")
    }
    given = [one.partition("=")[0] for one in arguments if re.match("--?[A-Za-z]", one)]
    unknown = [one for one in given if one not in known]
    if unknown:
        raise Stop(f"warpaes bench has no option {', '.join(unknown)}", hint=hint)
