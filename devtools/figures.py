"""Tables of figures for README.md and docs/figures.md, made from a benchmark's JSON lines."""

from collections.abc import Iterable
from typing import Any

BEGIN = "<!-- figures: written by ./dev evidence --figures -->"
END = "<!-- end of figures -->"

KEY_BITS = (128, 192, 256)
DIRECTIONS = ("encrypt", "decrypt")

Line = dict[str, Any]
Kind = tuple[str, ...]


# The rows of the README, with what a reader who does not know the project would call them.
SUMMARY: dict[Kind, str] = {
    ("gcm", "device", "cuda", "lane_private_tables"): "GCM, data on the GPU",
    ("ctr", "device", "cuda", "lane_private_tables"): "CTR, data on the GPU",
    ("xts", "device", "cuda", "lane_private_tables"): "XTS, data on the GPU",
    ("gcm", "device", "cuda", "bitsliced"): "GCM without table look-ups (timing class strict)",
    ("gcm", "pinned", "cuda", "lane_private_tables"): "GCM, data in page-locked host memory",
}


def summary(source: str, lines: list[Line]) -> str:
    """The few rows for README.md, without those that only specialists ask for."""
    runs = headline(line for line in lines if line["type"] == "result" and line["verified"])
    machine = lines[0]
    return "".join(
        [
            f"{machine['gpu']}, GB/s of plaintext (10^9 bytes), encrypt / decrypt. ",
            "All modes, sizes and limits: [docs/figures.md](docs/figures.md), ",
            f"from [{source}](evidence/{source}).\n\n",
            "| | 128-bit keys | 256-bit keys |\n",
            "| --- | --- | --- |\n",
            *(
                f"| {label} | {speeds(runs[kind], 128)} | {speeds(runs[kind], 256)} |\n"
                for kind, label in SUMMARY.items()
                if kind in runs
            ),
        ]
    )


def table(source: str, lines: list[Line]) -> str:
    machine = lines[0]
    results = [line for line in lines if line["type"] == "result" and line["verified"]]
    return "".join(
        [
            f"{machine['gpu']}, driver {machine['driver']}; CPU {machine['cpu']}. ",
            f"From [{source}](../evidence/{source}), commit {machine['commit']}.\n",
            "GB/s of plaintext (10^9 bytes), encrypt / decrypt, median, output verified; ",
            "in brackets the share of the hardware's limit that was measured in the same run.\n\n",
            "| mode | data in | engine | size | 128 bits | 192 bits | 256 bits | limit |\n",
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
            *(row(kind, of_kind) for kind, of_kind in headline(results).items()),
        ]
    )


def sustained(source: str, lines: list[Line]) -> str:
    """What is left of the speed in a long run without gaps, and what that takes."""
    runs = [line for line in lines if line["type"] == "result" and line["verified"]]
    seconds = min(line["sustained"]["seconds"] for line in runs)
    return "".join(
        [
            f"{lines[0]['gpu']}, {seconds:.0f} s each. From [{source}](../evidence/{source}), ",
            f"commit {lines[0]['commit']}.\n\n",
            "| | GB/s, a few calls | GB/s, without gaps | W | J/GB | clock, MHz |\n",
            "| --- | --- | --- | --- | --- | --- |\n",
            *(
                f"| {line['mode'].upper()}-{line['key_bits']}, {size(total_bytes(line))} a call "
                f"| {speed(line['gb_per_s'])} | {speed(line['sustained']['gb_per_s'])} "
                f"| {line['sustained']['watts']:.0f} | {line['sustained']['joules_per_gb']:.3f} "
                f"| {line['sustained']['clock_mhz']} |\n"
                for line in runs
            ),
        ]
    )


def of_devices(source: str, lines: list[Line]) -> str:
    """Several GPUs beside one of them."""

    def what(mode: str) -> str:
        return "nothing but copies both ways" if mode == "copies" else mode.upper()

    who = {
        "together": "one call of all GPUs",
        "each at the same time": "a call of each GPU, at the same time",
    }
    return "".join(
        [
            f"{lines[0]['gpu']}. From [{source}](../../evidence/{source}), ",
            f"commit {lines[0]['commit']}.\n\n",
            "| | data in | GPUs | times one GPU |\n| --- | --- | --- | --- |\n",
            *(
                f"| {what(line['mode'])}, {who[line['gpus']]} | {line['where']} | {line['of']} "
                f"| {line['ratio']:.2f} |\n"
                for line in lines
                if line["type"] == "ratio"
            ),
        ]
    )


def headline(results: Iterable[Line]) -> dict[Kind, list[Line]]:
    """For each mode, place and engine: of each key size and direction the run with the most bytes."""
    largest: dict[Kind, dict[tuple[int, str], Line]] = {}
    for line in results:
        kind = (line["mode"], line["where"], line["engine"], line["kernel"])
        runs = largest.setdefault(kind, {})
        key = (line["key_bits"], line["direction"])
        if key not in runs or total_bytes(line) > total_bytes(runs[key]):
            runs[key] = line
    return {kind: list(runs.values()) for kind, runs in largest.items()}


def total_bytes(line: Line) -> int:
    return int(line["bytes"]) * int(line["messages"])


def row(kind: Kind, runs: list[Line]) -> str:
    mode, where, engine, kernel = kind
    sizes = [size(count) for count in sorted({total_bytes(line) for line in runs})]
    limits = sorted({line["limit_name"] for line in runs if line.get("share") is not None})
    cells = (
        mode.upper(),
        where,
        f"{engine} ({kernel})",
        ", ".join(sizes),
        *(cell(runs, bits) for bits in KEY_BITS),
        ", ".join(limits),
    )
    return f"| {' | '.join(cells)} |\n"


def cell(runs: list[Line], key_bits: int) -> str:
    shares = [f"{line['share']:.0%}" for line in of_key(runs, key_bits) if line.get("share") is not None]
    return f"{speeds(runs, key_bits)} ({' / '.join(shares)})" if shares else speeds(runs, key_bits)


def speeds(runs: list[Line], key_bits: int) -> str:
    return " / ".join(speed(line["gb_per_s"]) for line in of_key(runs, key_bits))


def of_key(runs: list[Line], key_bits: int) -> list[Line]:
    """The runs with keys of this size, encryption before decryption."""
    return [
        line
        for direction in DIRECTIONS
        for line in runs
        if line["key_bits"] == key_bits and line["direction"] == direction
    ]


def speed(gb_per_s: float) -> str:
    return f"{gb_per_s:.0f}" if gb_per_s >= 100 else f"{gb_per_s:.1f}"


def size(count: int) -> str:
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= scale:
            return f"{count / scale:.4g} {unit}"
    return f"{count} B"
