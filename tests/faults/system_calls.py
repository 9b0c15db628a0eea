"""System calls of a program, one after the other, as strace sees them: the program is killed at each."""

import re
from collections import Counter
from pathlib import Path

NOT_THE_PROGRAMS = {"execve"}  # it is there only when this has ended
CALL = re.compile(r"(?P<thread>\d+) +(?P<name>\w+)\(")


def counted(log: str) -> dict[str, int]:
    """How often each is made, by the thread that makes it most often, since strace counts them by thread."""
    made = Counter(
        (match["name"], match["thread"]) for line in log.splitlines() if (match := CALL.match(line))
    )
    most: dict[str, int] = {}
    for (name, _), times in made.items():
        most[name] = max(most.get(name, 0), times)
    return {name: times for name, times in most.items() if name not in NOT_THE_PROGRAMS}


def traced(log: Path) -> list[str]:
    """What stands before a command so that all its system calls are written to a file."""
    return ["strace", "-qq", "-f", "-s", "0", "-o", str(log)]


def killed_at(name: str, number: int) -> list[str]:
    """What stands before a command so that it is killed before it makes that system call, in any thread."""
    kill = f"inject={name}:signal=KILL:when={number}"
    return ["strace", "-qq", "-f", "-o", "/dev/null", "-e", f"trace={name}", "-e", kill]
