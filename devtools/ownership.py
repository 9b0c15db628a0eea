"""To whom files of the project belong: `sudo ./dev install` builds as the owner of the tree."""

import os
import pwd
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.process import Stop, code_of
from devtools.repository import ROOT


def require_writable(*paths: Path) -> None:
    """Stop unless each can be written to, or, if it is not there, the folder that it would come into."""
    for path in paths:
        there = next(one for one in (path, *path.parents) if one.exists())
        if not os.access(there, os.W_OK):
            owner = there.stat().st_uid
            raise Stop(f"{there} cannot be written to; it belongs to {name_of(owner)}", hint=remedy(owner))


def remedy(owner: int) -> str:
    if owner == os.geteuid():
        return "build in a copy of these sources, in a folder that can be written to"
    return (
        f"sudo chown -R {name_of(os.geteuid())} {shlex.quote(str(ROOT))}, or build in a copy of these sources"
    )


def name_of(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


@contextmanager
def for_all_users() -> Iterator[None]:
    """All users can read new folders and files, whatever the umask is, which for root is often strict."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def other_owner() -> os.stat_result | None:
    """Of the tree, where sudo's root would leave files in it that its owner cannot write to."""
    tree = ROOT.stat()
    return tree if os.geteuid() == 0 and "SUDO_UID" in os.environ and tree.st_uid != 0 else None


def run_as(owner: os.stat_result, work: Callable[[], int]) -> int:
    """Does the work in a process of that user's, and returns its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            become(owner)
            code = code_of(work)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def become(owner: os.stat_result) -> None:
    """Takes all of that user's groups, and no others."""
    group, groups, settings = owner.st_gid, [owner.st_gid], {}
    try:
        user = pwd.getpwuid(owner.st_uid)
    except KeyError:
        pass  # a number without a name, as in a container
    else:
        group, groups = user.pw_gid, os.getgrouplist(user.pw_name, user.pw_gid)
        settings = {"HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name}
    os.setgroups(groups)
    os.setgid(group)
    os.setuid(owner.st_uid)
    os.environ.update(settings)
