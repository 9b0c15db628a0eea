"""Suites of ./dev gpu under compute-sanitizer, whose tools watch kernels at work; what they say is evidence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from devtools.gpu_properties import FILTER
from devtools.gpu_run import FORCED, Run, cuda_tool, selftests
from devtools.process import Command, Stopwatch, exit_code, say
from devtools.repository import CONFORMANCE, STAGED_TESTS

TOOL_FOUND_SOMETHING = 86  # any number that no program of ours exits with
PLANTED_FAULTS = STAGED_TESTS / "planted_gpu_faults"

# Besides the known answers: a sample of the vectors, and random cases, batches and wrong tags among them, in
# messages that a hundredfold slower GPU can bear.
SAMPLES: tuple[tuple[str, ...], ...] = (
    ("--largest", "300009", "--sample", "97"),
    ("--largest", "20009", "--random", "400"),
)
# Those of the test programs that give kernels what users may give them: wrong messages beside right ones,
# null pointers, data at any address, more messages than warps, streams and captures.
PROGRAMS = (
    "every_mode_on_gpu_test",
    "streams_and_graphs_test",
    "container_on_gpu_test",
    "fused_decrypt_test",
    "cipher_batches_test",
    "message_batches_test",
    "aead_batches_test",
)


def sanitizer(tool: str) -> Callable[[Run, float], bool]:
    """Everything that the tool watches, once it has found its planted fault."""

    def passes(run: Run, seconds: float) -> bool:
        program = cuda_tool("compute-sanitizer")
        if program is None:
            say("compute-sanitizer is neither on PATH nor in /usr/local/cuda*/bin: nothing was checked")
            return False
        known_answers = selftests()
        if not known_answers:
            say("the program has no engine on the GPU: nothing was checked")
            return False
        under: Command = [program, "--tool", tool, "--error-exitcode", str(TOOL_FOUND_SOMETHING)]
        found = exit_code([*under, PLANTED_FAULTS, tool], timeout=seconds)
        if found != TOOL_FOUND_SOMETHING:
            say(f"{tool} did not find the planted fault (exit code {found}): it would find no other")
            return False
        return watch(run, tool, under, [*known_answers, *watched_besides(tool)], seconds)

    return passes


def watched_besides(tool: str) -> list[Command]:
    """racecheck follows every access to shared memory: the known answers alone take it three minutes."""
    if tool == "racecheck":
        return []
    samples: list[Command] = [[CONFORMANCE, *FORCED, "--require", *choice] for choice in SAMPLES]
    tests: list[Command] = [[STAGED_TESTS / name, FILTER] for name in PROGRAMS]
    return [*samples, *tests]


def watch(run: Run, tool: str, under: Command, commands: list[Command], seconds: float) -> bool:
    """Writes a line for each; those of what has not been run, should the machine be taken away, failed."""
    lines = [line_of(tool, command, None, 0) for command in commands]
    for index, command in enumerate(commands):
        run.keep(tool, map(json.dumps, lines))
        clock = Stopwatch()
        code = exit_code([*under, *command], timeout=seconds)
        lines[index] = line_of(tool, command, code, clock.seconds)
        say(f"{clock.seconds:.0f} s, exit code {code}: {tool} of {lines[index]['program']}")
    run.write(tool, map(json.dumps, lines))
    return all(line["passed"] for line in lines)


def line_of(tool: str, command: Command, code: int | None, seconds: float) -> dict[str, Any]:
    """What became of a program under a tool."""
    outcomes = {None: "not run", 0: "nothing found", TOOL_FOUND_SOMETHING: "the tool found something"}
    program, *arguments = command
    return {
        "type": tool,
        "program": " ".join([Path(program).name, *map(str, arguments)]),
        "passed": code == 0,
        "outcome": outcomes.get(code, f"exit code {code}"),
        "seconds": round(seconds, 1),
    }
