"""The figures of ./dev files as tables, a section for each machine."""

from collections.abc import Sequence

from devtools.figures import Line
from devtools.files_bench import DEVICE_MEMORY

CASES = ("a new file", "over an old file", "read only", "a pipe")


def section(source: str, lines: list[Line]) -> str:
    machine = lines[0]
    files = [line for line in lines if line["type"] == "files"]
    return "".join(
        [
            f"{machine['cpu']}, {machine['cpus']} processors; ",
            f"{', '.join(f'{who} {version}' for who, version in machine['peers'].items())}. ",
            f"From [{source}](../../evidence/{source}), commit {machine['commit']}, ",
            f"{machine['load']} programs running on average.\n",
            *(speeds(place, CASES, files) for place in ("tmpfs", "disk")),
            speeds("tmpfs", (DEVICE_MEMORY,), files),
            "\n| figure | where | |\n| --- | --- | --- |\n",
            *(ratio(line) for line in lines if line["type"] == "ratio"),
            *(peak(line) for line in lines if line["type"] == "memory"),
            *(f"\nSkipped: {line.get('who', line['place'])}: {line['reason']}.\n"
              for line in lines if line["type"] == "skipped"),
        ]
    )  # fmt: skip


def speeds(place: str, columns: Sequence[str], files: list[Line]) -> str:
    """A row for each contestant, a column for each case."""
    here = {(line["who"], line["case"]): line for line in files if line["place"] == place}
    cases = [case for case in columns if any(case == of for _, of in here)]
    if not cases:
        return ""
    contestants = list(dict.fromkeys(who for who, case in here if case in cases))
    rows = "".join(
        f"| {who} | {' | '.join(speed(here.get((who, case))) for case in cases)} |\n" for who in contestants
    )
    size = next(line["bytes"] for line in files if line["case"] == cases[0]) >> 20
    return (
        f"\nGB/s (10^9 bytes of plaintext a second), {place}, {size} MiB:\n\n"
        f"| | {' | '.join(cases)} |\n| --- |{' --- |' * len(cases)}\n{rows}"
    )


def speed(line: Line | None) -> str:
    return f"{line['bytes'] / line['seconds'] / 1e9:.2f}" if line else ""


def ratio(line: Line) -> str:
    what = "processor time of" if line["figure"] == "cpu_seconds" else "speed of"
    where = f"{line['place']}, {line['case']}"
    return f"| {what} {line['who']}, as a multiple of {line['beside']} | {where} | {multiple(line):.2f} |\n"


def multiple(line: Line) -> float:
    """Of speed; or of time, where that is the figure."""
    return 1 / line["value"] if line["figure"] == "cpu_seconds" else float(line["value"])


def peak(line: Line) -> str:
    size = line["bytes"] >> 30
    return f"| memory of {line['who']} | a file of {size} GiB | {line['peak_bytes'] / (1 << 20):.0f} MiB |\n"
