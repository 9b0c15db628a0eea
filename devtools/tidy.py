"""clang-tidy over all C++ sources. A file that passed is read again only when what it is made of changes.

What a result depends on is hashed: the program and its settings, how the file is compiled, and the contents
of the file and of all that it includes, directly or not. A file that passed leaves an empty file of that
name in build/clang-tidy/.
"""

import hashlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from devtools.build import configure
from devtools.process import Command, say, text_of
from devtools.repository import BUILD, ROOT, VENV, tool

PASSED = BUILD / "clang-tidy"
KEPT_SECONDS = 30 * 24 * 3600.0
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
INCLUDE_FOLDER = re.compile(r"(?:^|\s)-(?:I|isystem) ?(\S+)")

# Each file is read alone and with the headers that it names itself.
ALONE = ("-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DWARPAES_UNITY=OFF")


@dataclass(frozen=True)
class Source:
    path: Path
    command: str  # with which it is compiled


@dataclass
class Includes:
    """Which files a file is made of. An #include counts also where an #if leaves it out."""

    system: tuple[str, ...]
    _digests: dict[str, bytes] = field(default_factory=dict)
    _names: dict[str, list[tuple[bytes, bytes]]] = field(default_factory=dict)
    _included: dict[tuple[str, ...], dict[str, list[str]]] = field(default_factory=dict)

    def closure(self, source: Source) -> set[str]:
        """The source, and all that it includes."""
        folders = (*INCLUDE_FOLDER.findall(source.command), *self.system)
        included = self._included.setdefault(folders, {})
        found: set[str] = set()
        waiting = [str(source.path)]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                if path not in included:
                    included[path] = self._included_by(path, folders)
                waiting += included[path]
        return found

    def digest(self, path: str) -> bytes:
        if path not in self._digests:
            text = Path(path).read_bytes()
            self._digests[path] = hashlib.sha256(text).digest()
            self._names[path] = INCLUDE.findall(text)
        return self._digests[path]

    def _included_by(self, path: str, folders: tuple[str, ...]) -> list[str]:
        """The headers that it includes and that exist. Others are of other systems; #if leaves them out."""
        self.digest(path)
        beside = os.path.dirname(path)
        found = []
        for quote, name in self._names[path]:
            looked_in = (beside, *folders) if quote == b'"' else folders
            candidates = (os.path.normpath(os.path.join(folder, name.decode())) for folder in looked_in)
            found += [next((file for file in candidates if os.path.isfile(file)), "")]
        return [file for file in found if file]


def system_folders() -> tuple[str, ...]:
    """Where the compiler looks by itself, so that clang-tidy takes the same standard library."""
    done = subprocess.run(
        ["c++", "-E", "-v", "-x", "c++", os.devnull], capture_output=True, text=True, check=True
    )
    listed = done.stderr.partition("#include <...> search starts here:")[2].partition("End of search list")[0]
    return tuple(line.strip() for line in listed.splitlines() if line.strip())


def key(source: Source, includes: Includes, settings: bytes) -> str:
    digest = hashlib.sha256(settings + source.command.encode())
    for path in sorted(includes.closure(source)):
        digest.update(f"{path}\n".encode() + includes.digest(path))
    return digest.hexdigest()


def sources_to_read(folder: Path) -> list[Source]:
    """Every C++ source that the build compiles and that is in the repository: nanobind's are in .venv."""
    foreign = (folder, VENV, VENV.resolve())
    entries = json.loads((folder / "compile_commands.json").read_text())
    commands = {Path(entry["file"]): entry["command"] for entry in entries if entry["file"].endswith(".cpp")}
    return [
        Source(path, commands[path])
        for path in sorted(commands)
        if not any(path.is_relative_to(other) for other in foreign)
    ]


def clang_tidy(*, read_all: bool) -> bool:
    folder = configure("dev", *ALONE, system_cuda=False, folder=BUILD / "lint")
    sources = sources_to_read(folder)
    settings = text_of([tool("clang-tidy"), "--version"]).encode() + (ROOT / ".clang-tidy").read_bytes()
    includes = Includes(system_folders())
    keys = {source: key(source, includes, settings) for source in sources}
    PASSED.mkdir(parents=True, exist_ok=True)
    unread = [source for source in sources if read_all or not (PASSED / keys[source]).is_file()]
    say(f"{len(sources)} files, {len(sources) - len(unread)} of them as they were when they passed")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda source: passes(source, folder, PASSED / keys[source]), unread))
    keep(keys.values())
    return bool(sources) and all(results)


def passes(source: Source, folder: Path, mark: Path) -> bool:
    command: Command = [tool("clang-tidy"), "--quiet", "-p", folder, source.path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    say(f"{source.path.relative_to(ROOT)}: {'ok' if done.returncode == 0 else 'FAILED'}")
    if done.returncode == 0:
        mark.touch()
    else:
        mark.unlink(missing_ok=True)
        say(done.stdout + done.stderr)
    return done.returncode == 0


def keep(names: Iterable[str], folder: Path = PASSED) -> None:
    """Renews these marks, and removes those that no run has asked for in a month."""
    for name in names:
        if (folder / name).is_file():
            (folder / name).touch()
    for mark in folder.iterdir():
        if mark.stat().st_mtime < time.time() - KEPT_SECONDS:
            mark.unlink()
