"""The table of the leak test has each experiment once, and the largest of what was found."""

from typing import Any

from devtools import evidence, leakage_figures

SMALL: dict[str, Any] = {
    "type": "leakage", "kernel": "cuda/bitsliced ctr", "varied": "key", "bytes": 4096,
    "odd_addresses": False, "passed": True,
    "fixed": {"launches": 900}, "random": {"launches": 1000, "mean_ns": 9100.0},
    "difference_ns": -12.0, "t": 1.5, "t_cropped": -2.25,
}  # fmt: skip
LARGER = {**SMALL, "random": {"launches": 1100, "mean_ns": 328000.0}, "t": -3.0, "passed": False}


def test_a_row_has_the_largest_of_its_experiments() -> None:
    assert leakage_figures.row("a", [SMALL, LARGER]) == "| a | 9.1 to 328 µs | 12 ns | 3.0, 2.2 |\n"
    assert leakage_figures.row("a", [SMALL]) == "| a | 9.1 µs | 12 ns | 1.5, 2.2 |\n"


def test_each_experiment_of_the_run_is_in_one_row() -> None:
    run = evidence.newest("leakage")
    assert run
    for line in evidence.read_lines(run)[1:]:
        assert sum(row.has(line) for row in leakage_figures.ROWS) == 1, line


def test_failed_experiments_are_told() -> None:
    controls = [{**SMALL, "kernel": name} for name in ("leaky T-tables", "leaky key bits", "copy")]
    tables = [
        {**SMALL, "kernel": f"cuda/{engine} ctr", "varied": varied, "bytes": size, "odd_addresses": odd}
        for engine in ("lane_private_tables", "bitsliced")
        for varied in ("input", "key", "pattern", "tag")
        for size in (4096, leakage_figures.LONG)
        for odd in (False, True)
    ]
    lines = [{"type": "machine", "gpu": "NVIDIA H200"}, *controls, *tables]
    assert "35 experiments of 900 to 1,000 launches" in leakage_figures.table("run", lines)
    assert "of which none failed" in leakage_figures.table("run", lines)
    assert "of which 1 failed" in leakage_figures.table("run", [*lines, LARGER])
