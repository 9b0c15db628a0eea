"""clang-tidy over all C++ sources but two (ONLY_INSTANTIATE).

A file that passed is read again only when what it is made of changes.

What a result depends on is hashed: the program and its settings, how the file is compiled, and the contents
of the file and of all that it includes, directly or not. A file that passed leaves an empty file of that
name in build/clang-tidy/.

Two thirds of the time would go into headers, which each file includes again. So files are joined into one
text behind one copy of their #include lines, if none of them has a name of its own that one behind it uses,
and if they are compiled in the same way but for where headers are looked for (the folders of all of them
are, then) and how code is made. If there is any finding, or the text does not compile, it is read again in
halves, down to single files: what is reported is always of a file that was read alone. Joined files could
hide two things: an #include that a file lacks and another one has, and a name that one declares by `using`
and only another one needs. --all reads all files, each alone.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from devtools.build import configure
from devtools.process import Command, say, text_of
from devtools.repository import BUILD, ROOT, VENV, tool

PASSED = BUILD / "clang-tidy"
KEPT_SECONDS = 30 * 24 * 3600.0
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
ARGUMENT = r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+'  # as CMake writes it: in quotation marks if it has spaces
FOLDER_OPTION = re.compile(rf"(?:-I|-isystem ){ARGUMENT}")
CODE_OPTION = re.compile(r"-(?:O\w|g\d?|fPI[CE]|fvisibility\S*|f\w+-sections)(?=\s|$)")

JOINED = 12  # files at most
OUTPUT_AND_SOURCE = re.compile(rf" -o {ARGUMENT} -c {ARGUMENT}$")
INCLUDE_LINE = re.compile(r"^#include .*\n", re.MULTILINE)
STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*')
WORD = re.compile(r"[A-Za-z_]\w*")
MEMBER = re.compile(r"(?:\.|->|(?<![\w>])::)\s*[A-Za-z_]\w*|\b(?:std|fmt|testing)::\w+")
# Its end is that of the file, or says what it ends. Functions in it end in the first column, too.
UNNAMED_NAMESPACE = re.compile(r"^namespace \{\n(.*?)^\}(?:  // namespace$|\n?\Z)", re.MULTILINE | re.DOTALL)
# Google Test's namespace, and ours of that name, in which the other one has to have `::` before it.
TESTING = re.compile(r"(?<![\w:])testing::")
TESTING_OF_OURS = re.compile(r"^namespace warpaes::(?:\w+::)*testing \{", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) = ([^;]+);", re.MULTILINE)
NO_NAMES = "TEST|INSTANTIATE|extern|namespace|private|public|static_assert|template|using"
DECLARED = re.compile(
    rf"^(?:(?:struct|class|enum class|enum|union) (\w+)|(?!{NO_NAMES})[A-Za-z_].*?(\w+) ?[(=[{{;])",
    re.MULTILINE,
)

CONSTANTS = re.compile(r"^const(?:expr)? .*;", re.MULTILINE)  # several may stand in a line
CONSTANT = re.compile(r"(\w+) =")
FOR_C = re.compile(r'^extern "C" .*?(\w+)\(', re.MULTILINE)  # a name of the whole program, as of fuzz targets

# A definition each, which instantiates all kernels with another constant than emulated_engines.cpp does. A
# reading of one takes as long as those of seven other files. A template's branches are read whether they are
# instantiated or not: a fault planted in one for two tables was found with emulated_engines.cpp as well.
ONLY_INSTANTIATE = "tests/emulated_gpu/emulated_two_tables*.cpp"

# The build's commands are those of single files, with the headers that each names itself.
ALONE = ("-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DWARPAES_UNITY=OFF")


@dataclass(frozen=True)
class Source:
    path: Path
    command: str  # with which it is compiled

    @property
    def options(self) -> str:
        """The compiler's, but for what they are applied to."""
        return OUTPUT_AND_SOURCE.sub("", self.command).partition(" ")[2]

    @property
    def folder_options(self) -> list[str]:
        """Those that say where headers are looked for."""
        return FOLDER_OPTION.findall(self.options)

    @property
    def dialect(self) -> list[str]:
        """The options that say what the text means, and what the compiler complains of."""
        return CODE_OPTION.sub("", FOLDER_OPTION.sub("", self.options)).split()


@dataclass
class Includes:
    """Which files a file is made of. An #include counts also where an #if leaves it out."""

    system: tuple[str, ...]
    _digests: dict[str, bytes] = field(default_factory=dict)
    _names: dict[str, list[tuple[bytes, bytes]]] = field(default_factory=dict)
    _included: dict[tuple[str, ...], dict[str, list[str]]] = field(default_factory=dict)

    def closure(self, source: Source) -> set[str]:
        """The source, and all that it includes."""
        folders = (*map(folder_in, source.folder_options), *self.system)
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
        beside = [os.path.dirname(path)]
        found = [
            header_at(quote.decode(), name.decode(), beside, folders) for quote, name in self._names[path]
        ]
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
    wanted = [source for source in sources if read_all or not source.path.match(ONLY_INSTANTIATE)]
    unread = [source for source in wanted if read_all or not (PASSED / keys[source]).is_file()]
    say(f"{len(wanted)} files, {len(wanted) - len(unread)} of them as they were when they passed")
    reader = Reader(folder, {source: PASSED / keys[source] for source in unread})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(reader.passes, groups(unread, 1 if read_all else JOINED)))
    keep(keys.values())
    return bool(sources) and all(results)


@dataclass
class Group:
    """Files that can be joined, in this order."""

    sources: list[Source]
    kind: tuple[str, ...]  # what they have to have in common
    own: set[str]  # the names that they declare in unnamed namespaces
    aliases: dict[str, str]  # those of types (`using`) and what each stands for: two files may agree
    words: set[str]  # all names that stand in them
    headers: dict[tuple[str, str], str]  # " or <, and the name behind it: which file that is, as in header_at

    def takes(self, other: "Group", most: int) -> bool:
        """Could a name of these mean something else in the other file, which comes behind them?"""
        return (
            self.kind == other.kind
            and len(self.sources) < most
            and not self.own & other.words
            and all(
                other.aliases.get(name) == self.aliases[name] for name in self.aliases.keys() & other.words
            )
            and all_find_their_headers([self, other])
        )

    def add(self, other: "Group") -> None:
        self.sources += other.sources
        self.own |= other.own
        self.aliases |= other.aliases
        self.words |= other.words
        self.headers |= other.headers


def all_find_their_headers(joined_groups: list[Group]) -> bool:
    """Or has a folder of one a header whose name is that of another one's?"""
    sources = [source for group in joined_groups for source in group.sources]
    beside, folders = beside_all(sources), [*map(folder_in, folders_of_all(sources))]
    return all(
        header_at(quote, name, beside, folders) == path
        for group in joined_groups
        for (quote, name), path in group.headers.items()
    )


def beside_all(sources: Iterable[Source]) -> list[str]:
    return sorted({str(source.path.parent) for source in sources})


def folders_of_all(sources: Iterable[Source]) -> list[str]:
    """As options, the first one's first."""
    return list(dict.fromkeys(option for source in sources for option in source.folder_options))


def folder_in(option: str) -> str:
    return "".join(shlex.split(option.removeprefix("-isystem ").removeprefix("-I")))


@cache
def text_of_header(path: str) -> str:
    """Of a header of the project; nothing of another one."""
    return Path(path).read_text() if path and Path(path).is_relative_to(ROOT) else ""


def header_at(quote: str, name: str, beside: Iterable[str], folders: Iterable[str]) -> str:
    """The file that an #include means; nothing if it is in none of these folders, but the system's."""
    looked_in = [*beside, *folders] if quote == '"' else folders
    candidates = (os.path.normpath(os.path.join(folder, name)) for folder in looked_in)
    return next(filter(os.path.isfile, candidates), "")


def group_of(source: Source) -> Group:
    text = source.path.read_text()
    unnamed = "\n".join(UNNAMED_NAMESPACE.findall(text))
    own = {name or other for name, other in DECLARED.findall(unnamed)} | {*FOR_C.findall(text)}
    own.update(name for line in CONSTANTS.findall(unnamed) for name in CONSTANT.findall(line))
    words = WORD.findall(MEMBER.sub(" ", STRING_OR_COMMENT.sub("", text)))
    beside, folders = beside_all([source]), [*map(folder_in, source.folder_options)]
    headers = {
        (quote.decode(), name.decode()): header_at(quote.decode(), name.decode(), beside, folders)
        for quote, name in INCLUDE.findall(text.encode())
    }
    part = os.path.relpath(source.path, ROOT).partition(os.sep)[0]
    has_ours = any(map(TESTING_OF_OURS.search, [text, *map(text_of_header, headers.values())]))
    kind = (part, "ours" if has_ours else "", *TESTING.findall(text)[:1], *source.dialect)
    return Group([source], kind, own, dict(ALIAS.findall(unnamed)), set(words), headers)


def groups(sources: list[Source], most: int) -> list[list[Source]]:
    """Each file goes into the first group that takes it."""
    found: list[Group] = []
    for one in map(group_of, sources):
        group = next((group for group in found if group.takes(one, most)), None)
        if group is None:
            found.append(one)
        else:
            group.add(one)
    return [group.sources for group in found]


@dataclass(frozen=True)
class Reader:
    folder: Path  # of the build
    marks: dict[Source, Path]

    def passes(self, group: list[Source]) -> bool:
        if len(group) == 1:
            return self.passes_alone(group[0])
        if self.passes_joined(group):
            self.say_ok(group)
            return True
        half = len(group) // 2
        results = [self.passes(part) for part in (group[:half], group[half:])]
        return all(results)

    def passes_alone(self, source: Source) -> bool:
        done = self.clang_tidy("-p", self.folder, source.path)
        if done.returncode == 0:
            self.say_ok([source])
            return True
        self.marks[source].unlink(missing_ok=True)
        say(f"{source.path.relative_to(ROOT)}: FAILED\n{done.stdout}{done.stderr}")
        return False

    def passes_joined(self, group: list[Source]) -> bool:
        text = joined(source.path.read_text() for source in group)
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            path = Path(name, "joined.cpp")
            path.write_text(text)
            options = shlex.split(" ".join((group[0].options, *folders_of_all(group))))
            beside = [f"-iquote{folder}" for folder in beside_all(group)]
            return self.clang_tidy(path, "--", *options, *beside).returncode == 0

    def clang_tidy(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command: Command = [tool("clang-tidy"), "--quiet", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    def say_ok(self, group: list[Source]) -> None:
        for source in group:
            self.marks[source].touch()
            say(f"{source.path.relative_to(ROOT)}: ok")


def joined(texts: Iterable[str]) -> str:
    """
    One text after the other. An #include line of an earlier one is left out of those behind it, which
    clang-tidy would otherwise report as repeated; what one of them repeats itself stays.
    """
    seen: set[str] = set()
    parts = []
    for text in texts:
        parts.append(INCLUDE_LINE.sub(lambda line: "\n" if line[0] in seen else line[0], text))
        seen.update(INCLUDE_LINE.findall(text))
    return "\n".join(parts)


def keep(names: Iterable[str], folder: Path = PASSED) -> None:
    """Renews these marks, and removes those that no run has asked for in a month."""
    for name in names:
        if (folder / name).is_file():
            (folder / name).touch()
    for mark in folder.iterdir():
        if mark.stat().st_mtime < time.time() - KEPT_SECONDS:
            mark.unlink()
