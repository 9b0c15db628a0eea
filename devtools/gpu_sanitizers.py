"""Suites of ./dev gpu under compute-sanitizer, whose tools watch kernels. What they say is evidence."""

import json
import os
import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from devtools.gpu_properties import FILTER
from devtools.gpu_run import FORCED, Run, cuda_tool, selftests
from devtools.process import Command, Stopwatch, exit_code, say, text_of
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
    "aead_batches_test",
    "cipher_batches_test",
    "streams_and_graphs_test",
    "container_on_gpu_test",
    "message_batches_test",
    "fused_decrypt_test",
    "device_header_on_gpu_test",
    "long_messages_on_gpu_test",
)
# These launch what others launch, and read all of large workspaces, or do it a thousand times.
LEFT_OUT = ("WorkspaceResidue.*", "OnGpu.ManyThreadsAndStreamsShareAKey")

# The kernels for 128 MiB and more, which no self-test comes to: aligned data, and data at odd addresses.
LONG_MESSAGES = "*from_0_to_0:*from_0_to_7:*AreRight/256_behind_by_*"
# With a wrong tag as well; and a list.
LONG_MESSAGES_OF_GCM = "*OfGcm*/256_from_0_to_0:*OfGcm*/256_from_0_to_7:*AreRight/256_behind_by_0"

# A thread block that waits for another one's sum looks for it in memory where it may not be yet, and which
# nobody else has written (src/kernels/stamped_sum.hpp): the two halves of 16 bytes each, again and again. The
# compiler makes a loop of two turns of that, four instructions beside each other.
UNWRITTEN = re.compile(
    r"Uninitialized __global__ memory read of size (?P<bytes>\d+) bytes\n"
    r"=+ +at (?P<kernel>.+)\+(?P<instruction>0x[0-9a-f]+)\n"
)
MOST_INSTRUCTIONS, FARTHEST = 4, 256  # bytes from the first to the last
KERNELS_THAT_WAIT = re.compile(r"\b(?:\w*CtrGcm|SmallGcm|GcmSiv)<")
FOUND = re.compile(r"ERROR SUMMARY: (\d+) error")
# Of thousands of threads that wait, the tool has no room for all reports; it counts each such loss.
LOST = "Error buffer overflow has been detected"


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
        found = exit_code([*under(program, tool), PLANTED_FAULTS, tool], timeout=seconds)
        if found != TOOL_FOUND_SOMETHING:
            say(f"{tool} did not find the planted fault (exit code {found}): it would find no other")
            return False
        commands = [*known_answers, *watched_besides(tool)]
        return Watch(run, under(program, tool), tool, seconds).passes(commands)

    return passes


def under(program: Path, tool: str) -> list[str]:
    """All reports, without who launched the kernel: thousands of threads may each have one."""
    options = ("--print-limit", "1000000", "--show-backtrace", "no")
    return [str(program), "--tool", tool, "--error-exitcode", str(TOOL_FOUND_SOMETHING), *options]


def watched_besides(tool: str) -> list[Command]:
    """racecheck follows every access to shared memory: the known answers alone take it twelve minutes."""
    if tool == "racecheck":
        return [long_messages(LONG_MESSAGES_OF_GCM)]
    samples: list[Command] = [[CONFORMANCE, *FORCED, "--require", *choice] for choice in SAMPLES]
    tests: list[Command] = [[STAGED_TESTS / name, ":".join((FILTER, *LEFT_OUT))] for name in PROGRAMS]
    return [*tests, *samples]


def long_messages(chosen: str) -> Command:
    return [STAGED_TESTS / "long_messages_on_gpu_test", f"--gtest_filter={chosen}"]


def ran_no_test(output: str) -> bool:
    """A filter of Google Test that fits nothing is no error to it."""
    return "Running 0 tests" in output


NOTHING, NO_TEST = "nothing found", "no test was run"


class Watch:
    """One tool's look at many programs, one on each GPU at a time."""

    def __init__(self, run: Run, under: list[str], tool: str, seconds: float) -> None:
        self.run, self.under, self.tool, self.seconds = run, under, tool, seconds
        self.gpus: SimpleQueue[str] = SimpleQueue()
        self.lines: list[dict[str, Any]] = []

    def passes(self, commands: list[Command]) -> bool:
        """Writes a line for each; of what has not been run, should the machine be taken away, it says so."""
        self.lines = [self.line(command, "not run", 0) for command in commands]
        self.run.keep(self.tool, map(json.dumps, self.lines))
        gpus = visible_gpus()
        for gpu in gpus:
            self.gpus.put(gpu)
        with ThreadPoolExecutor(len(gpus)) as pool:
            list(pool.map(self.watch, range(len(commands)), commands))
        self.run.write(self.tool, map(json.dumps, self.lines))
        return all(line["passed"] for line in self.lines)

    def watch(self, index: int, command: Command) -> None:
        gpu, clock = self.gpus.get(), Stopwatch()
        try:
            code, text = self.seen_on(gpu, command)
        finally:
            self.gpus.put(gpu)
        self.lines[index] = self.line(command, outcome_of(code, text), clock.seconds)
        self.run.keep(self.tool, map(json.dumps, self.lines))
        say(f"{text}\n{json.dumps(self.lines[index])}")

    def seen_on(self, gpu: str, command: Command) -> tuple[int, str]:
        """The exit code, and what tool and program printed."""
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "output"
            code = exit_code(
                [*self.under, *command],
                timeout=self.seconds,
                extra_environment={"CUDA_VISIBLE_DEVICES": gpu},
                output=output,
            )
            return code, output.read_text(errors="replace")

    def line(self, command: Command, outcome: str, seconds: float) -> dict[str, Any]:
        program, *arguments = command
        return {
            "type": self.tool,
            "program": " ".join([Path(program).name, *map(str, arguments)]),
            "passed": outcome.startswith(NOTHING),
            "outcome": outcome,
            "seconds": round(seconds, 1),
        }


def visible_gpus() -> list[str]:
    """As CUDA_VISIBLE_DEVICES names them."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return chosen.split(",")
    return [str(number) for number, _ in enumerate(text_of(["nvidia-smi", "-L"]).splitlines())]


def outcome_of(code: int, text: str) -> str:
    """What became of a program that ran under a tool."""
    if code == 0:
        return NO_TEST if ran_no_test(text) else NOTHING
    if code != TOOL_FOUND_SOMETHING:
        return f"exit code {code}"
    kernels = kernels_that_only_wait(text)
    return f"{NOTHING} but kernels that wait for sums: {', '.join(kernels)}" if kernels else "something found"


def kernels_that_only_wait(text: str) -> list[str]:
    """The kernels of which initcheck says no more than that they wait; none if anything else was found."""
    instructions: dict[str, set[int]] = {}
    reports = list(UNWRITTEN.finditer(text))
    for report in reports:
        instructions.setdefault(report["kernel"], set()).add(int(report["instruction"], 16))
    only_waits = (
        len(reports) + text.count(LOST) == sum(map(int, FOUND.findall(text)))
        and all(report["bytes"] == "16" for report in reports)
        and all(is_a_wait(kernel, found) for kernel, found in instructions.items())
        and "[  FAILED  ]" not in text  # the exit code is the tool's
    )
    return sorted(instructions) if only_waits else []


def is_a_wait(kernel: str, instructions: set[int]) -> bool:
    return (
        bool(KERNELS_THAT_WAIT.search(kernel))
        and len(instructions) <= MOST_INSTRUCTIONS
        and max(instructions) - min(instructions) < FARTHEST
    )
