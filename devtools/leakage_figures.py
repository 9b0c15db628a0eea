"""The figures of the leak test as a table for docs/side-channels.md."""

from collections.abc import Callable
from typing import Any, NamedTuple

Line = dict[str, Any]

LONG = 128 << 20  # bytes: calls that keep all multiprocessors busy


class Row(NamedTuple):
    name: str
    has: Callable[[Line], bool]  # is an experiment in this row?


def is_of(engine: str, *varied: str, long: bool = False, odd: bool = False) -> Callable[[Line], bool]:
    return lambda line: (
        line["kernel"].startswith(f"cuda/{engine} ")
        and line["varied"] in varied
        and (line["bytes"] == LONG) == long
        and line["odd_addresses"] == odd
    )


TABLES, PLANES = "lane_private_tables", "bitsliced"
OF_MESSAGES = ("input", "key", "pattern")
ROWS = (
    Row("leaky T-tables, pattern", lambda line: line["kernel"] == "leaky T-tables"),
    Row("leaky key bits, key", lambda line: line["kernel"] == "leaky key bits"),
    Row("copy, pattern; up to 128 MiB", lambda line: line["kernel"] == "copy"),
    Row("`lane_private_tables` up to 4 MiB: input", is_of(TABLES, "input")),
    Row("key", is_of(TABLES, "key")),
    Row("pattern", is_of(TABLES, "pattern")),
    Row("right tags against wrong ones", is_of(TABLES, "tag")),
    Row("at 128 MiB: input, key, pattern", is_of(TABLES, *OF_MESSAGES, long=True)),
    Row("at odd addresses, up to 4 MiB: these three", is_of(TABLES, *OF_MESSAGES, odd=True)),
    Row("at odd addresses, 128 MiB: these three", is_of(TABLES, *OF_MESSAGES, odd=True, long=True)),
    Row("`bitsliced` up to 4 MiB: all of these", is_of(PLANES, *OF_MESSAGES, "tag")),
    Row("at 128 MiB: input, key, pattern", is_of(PLANES, *OF_MESSAGES, long=True)),
    Row("at odd addresses, up to 4 MiB: these three", is_of(PLANES, *OF_MESSAGES, odd=True)),
    Row("at odd addresses, 128 MiB: these three", is_of(PLANES, *OF_MESSAGES, odd=True, long=True)),
)


def table(source: str, lines: list[Line]) -> str:
    experiments = [line for line in lines if line["type"] == "leakage"]
    launches = [line[each]["launches"] for line in experiments for each in ("fixed", "random")]
    failed = sum(not line["passed"] for line in experiments)
    return "".join(
        [
            f"{lines[0]['gpu']}: {len(experiments)} experiments of {min(launches):,} to {max(launches):,} ",
            f"launches in each set, of which {failed or 'none'} failed\n",
            f"([{source}](../evidence/{source})).\n\n",
            "| | time of a call | largest difference | largest absolute t |\n",
            "| --- | --- | --- | --- |\n",
            *(row(name, [line for line in experiments if has(line)]) for name, has in ROWS),
        ]
    )


def row(name: str, experiments: list[Line]) -> str:
    times = sorted({f"{line['random']['mean_ns'] / 1000:.3g}" for line in experiments}, key=float)
    time = times[0] if len(times) == 1 else f"{times[0]} to {times[-1]}"
    difference, all_times, cropped = (
        max(abs(line[field]) for line in experiments) for field in ("difference_ns", "t", "t_cropped")
    )
    return f"| {name} | {time} µs | {difference:.0f} ns | {all_times:.1f}, {cropped:.1f} |\n"
