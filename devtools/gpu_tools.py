"""Suites of ./dev gpu that measure kernels with a tool: ncu's counters, and the leak test."""

import csv
import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.gpu_data_path import busy_parts
from devtools.gpu_run import Run, Skipped, cuda_tool, selftests, succeeds, watched
from devtools.gpu_sanitizers import LONG_MESSAGES, NO_TEST, PLANTED_FAULTS, long_messages, ran_no_test
from devtools.process import Command, Stop, say
from devtools.repository import STAGED_TESTS

LEAK_TEST = STAGED_TESTS / "leakage"

LOAD_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
STORE_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"
LOAD_WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
# What the addresses alone cost, loads and stores, and what they would at least.
WAVEFRONTS, IDEAL_WAVEFRONTS = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"
METRICS = (LOAD_CONFLICTS, STORE_CONFLICTS, LOAD_WAVEFRONTS, WAVEFRONTS, IDEAL_WAVEFRONTS)

# ncu needs a tenth of a second for each launch, as it rewrites the kernel to see addresses, and the self-test
# launches some kernels a hundred times: of each kernel, the first launches are looked at.
FIRST_OF_EACH = ("--kernel-name-base", "demangled", "--kernel-id", "::regex:.*:[1-3]")

# Passes more than the accesses need by their addresses, which ncu computes: some are at public places, where
# a message begins or ends, and the self-test's messages are short.
MOST_BY_ADDRESSES = 0.03
# The hardware's counter also has loads that waited for something else in the same memory, as arriving global
# loads: up to 5.3 % with all multiprocessors at work, so that a run may fail by it. One conflict of two lanes
# in every load would be 50 %.
MOST_COUNTED = 0.05


def bank_conflicts(run: Run, seconds: float) -> bool:
    """The hardware's counters, of each kernel in the self-test and of those for long messages.

    First of one that must have conflicts.
    """
    options = ("--clock-control", "none", *FIRST_OF_EACH, "--metrics", ",".join(METRICS))
    command: Command = [counting_tool(), "--csv", *options]
    programs = [*selftests(), long_messages(LONG_MESSAGES)]
    with only_where_counters_are_read():
        control = counters(watched([*command, PLANTED_FAULTS, "conflicts"], seconds))
        if all(conflict_free(metrics) for metrics in control.values()):
            say("no conflicts were counted where some are planted: silence about the others means nothing")
            return False
        outputs = [watched([*command, *each], seconds) for each in programs]
    if any(ran_no_test(line) for output in outputs for line in output):
        say(NO_TEST)
        return False
    kernels = counters(line for output in outputs for line in output)
    report = [
        json.dumps({"type": "bank_conflicts", "kernel": name, **metrics, "passed": conflict_free(metrics)})
        for name, metrics in sorted(kernels.items())
    ]
    run.write("bank-conflicts", report)
    for line in report:
        say(line)
    return bool(kernels) and all(map(conflict_free, kernels.values()))


def data_path(run: Run, seconds: float) -> bool:
    """How busy long messages keep what limits them."""
    with only_where_counters_are_read():
        lines = busy_parts(counting_tool(), seconds, lambda known: run.keep("data-path", known))
    run.write("data-path", lines)
    for line in lines:
        say(line)
    return bool(lines)


def counting_tool() -> Path:
    program = cuda_tool("ncu")
    if program is None:
        raise Skipped("ncu, which reads the GPU's counters, is neither on PATH nor in /usr/local/cuda*/bin")
    return program


@contextmanager
def only_where_counters_are_read() -> Iterator[None]:
    try:
        yield
    except Stop as stop:
        if "ERR_NVGPUCTRPERM" in str(stop):
            raise Skipped("this user may not read the GPU's counters") from stop
        raise


def conflict_free(metrics: dict[str, int]) -> bool:
    by_addresses = metrics[WAVEFRONTS] - metrics[IDEAL_WAVEFRONTS]
    return (
        by_addresses <= MOST_BY_ADDRESSES * metrics[IDEAL_WAVEFRONTS]
        and metrics[LOAD_CONFLICTS] <= MOST_COUNTED * metrics[LOAD_WAVEFRONTS]
    )


def counters(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Sums over the launches of each kernel, from ncu's CSV, which its own messages precede."""
    header = '"ID",'  # again in each program's output
    table = [line for line in lines if line.startswith('"')]
    table = table[:1] + [line for line in table[1:] if not line.startswith(header)]
    kernels: dict[str, dict[str, int]] = {}
    for row in csv.DictReader(table):
        kernel = kernels.setdefault(row["Kernel Name"], {"launches": 0, **dict.fromkeys(METRICS, 0)})
        if row["Metric Value"] != "n/a":
            kernel[row["Metric Name"]] += round(float(row["Metric Value"].replace(",", "")))
        kernel["launches"] += row["Metric Name"] == LOAD_CONFLICTS
    return kernels


def leakage(run: Run, seconds: float) -> bool:
    """Does time depend on data or keys?"""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "leakage.jsonl"
        passed = succeeds([LEAK_TEST, "--seconds", str(0.75 * seconds), "--json", lines], seconds)
        if not lines.is_file():
            say("no results were written")
            return False
        run.write("leakage", lines.read_text().splitlines())
    return passed
