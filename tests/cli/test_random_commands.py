"""Commands put together at random, one after the other on what the ones before have left: files and exit
codes are what a model says, and another program opens what is written. The same commands in each run."""

import os
import random
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag

from tests.cli.program import CHUNK, HEADER, SEALED_CHUNK, Result, pattern, run
from tests.vectors.damaged_containers.make import Container, flipped, plaintext

KEYS = {name: pattern(32 + number)[number:] for number, name in enumerate(("one", "two"))}
NAMES = [
    "a",
    "b c",
    "-d",
    "--json",
    "new\nline",
    "quo'te",
    "\udcff",
    "é",
    "N" * 252,
    "s/e",
    "s/t/$f",
    "s/t/[x]",
]
LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 24 * CHUNK, 100_000]
WORLDS, COMMANDS = 40, 5

Files = dict[Path, bytes]


@dataclass(frozen=True)
class Command:
    verb: str
    key: str
    targets: list[str]
    flags: frozenset[str]
    place: str = ""  # the folder of outputs, or "-"

    def line(self, keys: Path) -> list[str | Path]:
        options: list[str | Path] = ["-k", keys / self.key, *sorted(self.flags)]
        if self.verb == "rekey":
            options += ["--new-key-file", keys / "two"]
        if self.place:
            options += ["-o" if self.place == "-" else "--output-folder", self.place]
        return [self.verb, *options, "--", *self.targets]


@dataclass(frozen=True)
class Job:
    """What becomes of one input. No text: it fails, with one of these codes."""

    source: Path
    output: Path | None
    text: bytes | None
    codes: frozenset[int] = frozenset()


def files_in(folder: Path) -> Files:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def opened(key: str, content: bytes) -> bytes | None:
    decryptor = Cobblestone256Decryptor(KEYS[key], b"")
    try:
        return decryptor.update(content) + decryptor.finalize()
    except (InvalidTag, ValueError):
        return None


def sealed(chance: random.Random) -> bytes:
    """A container, sound or not."""
    container = Container(chance.choice(LENGTHS), number=chance.randrange(1000), key=KEYS["one"]).whole
    chunks = (len(container) - HEADER) // SEALED_CHUNK
    faults = [
        flipped(container, chance.randrange(len(container))),
        container[: chance.randrange(len(container))],
        container[: HEADER + chance.randint(0, chunks) * SEALED_CHUNK],
        container + bytes(chance.choice([1, 16, SEALED_CHUNK])),
    ]
    return chance.choice([container] * 8 + faults)


def fill(chance: random.Random, folder: Path) -> None:
    for name in chance.sample(NAMES, chance.randint(3, 8)):
        for path in chance.choice([[name], [f"{name}.wa"], [name, f"{name}.wa"]]):
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            is_container = path.endswith(".wa")
            file.write_bytes(sealed(chance) if is_container else plaintext(chance.choice(LENGTHS)))


def random_command(chance: random.Random, files: Files) -> Command:
    verb = chance.choice(["encrypt", "decrypt", "decrypt", "verify", "rekey"])
    flags = {flag for flag in ("--json", "-q", "--no-progress") if chance.random() < 0.4}
    if verb != "verify" and chance.random() < 0.4:
        flags.add("--force")
    if verb in ("encrypt", "decrypt") and chance.random() < 0.3:
        flags.add("--rm")
    place = chance.choice(["", "", "out", "out/deep"]) if verb != "verify" else ""
    key = chance.choice(["one", "one", "one", "two"])
    if chance.random() < 0.3:
        tops = [".", *{path.parts[0] for path in files if len(path.parts) > 1}]
        return Command(verb, key, [chance.choice(sorted(tops))], frozenset({*flags, "-r"}), place)
    fitting = [path for path in files if (path.suffix == ".wa") != (verb == "encrypt")]
    pool = sorted(map(str, fitting)) or ["missing"]
    number = min(len(pool), chance.choice([1, 1, 2, 4]))
    targets = chance.sample([*pool, "missing"] if number > 1 else pool, number)
    command = Command(verb, key, targets, frozenset(flags), place)
    if (
        number == 1
        and verb in ("encrypt", "decrypt")
        and not flags & {"--json", "--rm"}
        and chance.random() < 0.2
    ):
        return replace(command, place="-")
    return command


def listed(command: Command, files: Files) -> list[tuple[Path, Path]]:
    """The inputs, and their paths in a folder of outputs."""
    if "-r" not in command.flags:
        return [(Path(name), Path(Path(name).name)) for name in command.targets]
    top = Path(command.targets[0])
    return [
        (path, path)
        for path in files
        if path.is_relative_to(top) and (path.suffix == ".wa") != (command.verb == "encrypt")
    ]


def output_of(command: Command, source: Path, below: Path) -> Path | None:
    if command.verb == "verify" or command.place == "-":
        return None
    name = Path(command.place) / below if command.place else source
    if command.verb == "encrypt":
        return name.with_name(f"{name.name}.wa")
    return name.with_suffix("") if command.verb == "decrypt" else name


def jobs_of(command: Command, files: Files) -> list[Job]:
    jobs = []
    for source, below in listed(command, files):
        output = output_of(command, source, below)
        content = files.get(source)
        if content is None:
            jobs.append(Job(source, output, None, frozenset({10})))
            continue
        text = content if command.verb == "encrypt" else opened(command.key, content)
        codes = frozenset({12, 13, 14}) if text is None else frozenset()
        in_place = command.verb == "rekey" and not command.place
        if output in files and not in_place and "--force" not in command.flags:
            text, codes = None, codes | {1}
        if output and len(os.fsencode(output.name)) > 255:
            text, codes = None, codes | {1}
        jobs.append(Job(source, output, text, codes))
    return jobs


def clash(jobs: list[Job]) -> bool:
    """Would outputs replace each other, or inputs that are others'? Refused as a whole where they could."""
    outputs = [job.output for job in jobs if job.output]
    sources = {job.source for job in jobs if job.source != job.output}
    return len(set(outputs)) < len(outputs) or not sources.isdisjoint(outputs)


def refused(jobs: list[Job]) -> list[Job]:
    return [replace(job, text=None, codes=frozenset({2})) for job in jobs]


def check_files(command: Command, jobs: list[Job], before: Files, after: Files) -> None:
    made = {job.output: job.text for job in jobs if job.text is not None and job.output is not None}
    gone = {job.source for job in jobs if job.text is not None and "--rm" in command.flags}
    assert after.keys() == (before.keys() | made.keys()) - (gone - made.keys())
    key = "two" if command.verb == "rekey" else command.key
    for path, content in after.items():
        if path in made:
            assert (content if command.verb == "decrypt" else opened(key, content)) == made[path], path
        else:
            assert content == before[path], path


def check_code(command: Command, jobs: list[Job], code: int) -> None:
    failed = [job for job in jobs if job.text is None]
    if not jobs:
        assert code == (0 if command.verb == "encrypt" else 10)
    elif len(jobs) == 1:
        assert code in (failed[0].codes if failed else {0})
    else:
        assert code == (2 if any(job.codes == {2} for job in jobs) else 3 if failed else 0)


def check_output(command: Command, jobs: list[Job], result: Result) -> None:
    if command.place == "-":
        (job,) = jobs
        if command.verb == "encrypt":
            assert opened(command.key, result.out) == job.text
        elif job.text is not None:
            assert result.out == job.text
        return  # what came before a fault is genuine: test_damage.py
    if "--json" not in command.flags:
        assert not result.out
        return
    types = [line["type"] for line in result.lines]
    assert types[-1] == ("error" if result.code else "summary")
    assert types.count("file") == sum(job.text is not None for job in jobs)
    ended = len(jobs) == 1 or result.code == 2
    assert types.count("file_error") == (0 if ended else sum(job.text is None for job in jobs))
    assert len(types) == types.count("file") + types.count("file_error") + 1


@pytest.mark.parametrize("world", range(WORLDS))
def test_random_commands(world: int, tmp_path: Path) -> None:
    chance = random.Random(world)
    folder, keys = tmp_path / "world", tmp_path / "keys"
    folder.mkdir()
    keys.mkdir()
    for name, key in KEYS.items():
        (keys / name).write_bytes(key)
        (keys / name).chmod(0o600)
    fill(chance, folder)
    for _ in range(COMMANDS):
        before = files_in(folder)
        command = random_command(chance, before)
        jobs = jobs_of(command, before)
        if clash(jobs):
            if "--force" not in command.flags and command.verb != "rekey":
                continue  # one of them fails, and which one depends on the threads
            jobs = refused(jobs)
        result = run(*command.line(keys), cwd=folder)
        told = f"{command}\n{result.err}"
        assert ("warpaes: error: " in result.err) == (result.code != 0), told
        assert "-q" not in command.flags or result.code or not result.err, told
        check_code(command, jobs, result.code)
        check_files(command, jobs, before, files_in(folder))
        check_output(command, jobs, result)
