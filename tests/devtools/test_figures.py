"""The tables say what the JSON says, and nothing that was not verified."""

from typing import Any

from devtools.figures import of_devices, summary, sustained, table

MACHINE = {"type": "machine", "gpu": "NVIDIA H200", "driver": "580", "cpu": "a CPU", "commit": "abc"}


def result(**changes: Any) -> dict[str, Any]:
    line = {
        "type": "result",
        "mode": "gcm",
        "key_bits": 128,
        "direction": "encrypt",
        "where": "device",
        "messages": 1,
        "bytes": 1 << 30,
        "engine": "cuda",
        "kernel": "lane_private_tables",
        "gb_per_s": 712.34,
        "limit": 1000.0,
        "limit_name": "shared_lookups",
        "share": 0.71,
        "verified": True,
    }
    return {**line, **changes}


def rows(*results: dict[str, Any]) -> list[str]:
    text = table("2030-01-02-h200-bench.jsonl", [MACHINE, *results])
    return [line for line in text.splitlines() if line.startswith("| ")][2:]


def test_row() -> None:
    (row,) = rows(result())
    assert row == ("| GCM | device | cuda (lane_private_tables) | 1 GiB | 712 (71%) |  |  | shared_lookups |")


def test_directions_and_key_sizes_share_a_row() -> None:
    (row,) = rows(
        result(direction="decrypt", gb_per_s=700.0, share=0.7),
        result(),
        result(key_bits=256, bytes=5 << 30, gb_per_s=99.94, share=0.5, limit_name="device_copy"),
    )
    assert row == (
        "| GCM | device | cuda (lane_private_tables) | 1 GiB, 5 GiB | 712 / 700 (71% / 70%) |  "
        "| 99.9 (50%) | device_copy, shared_lookups |"
    )


def test_places_and_kernels_do_not() -> None:
    assert len(rows(result(), result(where="pinned"), result(kernel="bitsliced"))) == 3


def test_largest_of_its_kind() -> None:
    (row,) = rows(result(bytes=1 << 20, gb_per_s=9.0), result(), result(bytes=1 << 10, gb_per_s=1.0))
    assert "| 1 GiB | 712 (71%) |" in row


def test_unverified_results_are_left_out() -> None:
    assert rows(result(verified=False)) == []


def test_no_limit() -> None:
    (row,) = rows(result(limit=None, limit_name=None, share=None))
    assert row.endswith("| 1 GiB | 712 |  |  |  |")


def test_summary_has_the_readmes_rows_only() -> None:
    lines = [MACHINE, result(), result(direction="decrypt", gb_per_s=700.0), result(mode="ofb")]
    text = summary("2030-01-02-h200-bench.jsonl", lines)
    assert "| GCM, data on the GPU | 712 / 700 |  |" in text
    assert "OFB" not in text


def test_sustained() -> None:
    run = {"seconds": 30.02, "gb_per_s": 961.4, "watts": 695.4, "joules_per_gb": 0.7231, "clock_mhz": 1755}
    text = sustained("2030-01-02-h200-sustained.jsonl", [MACHINE, result(sustained=run)])
    assert "| GCM-128, 1 GiB a call | 712 | 961 | 695 | 0.723 | 1755 |" in text
    assert "30 s each" in text


def test_several_devices() -> None:
    ratio = {"type": "ratio", "gpus": "together", "of": 2, "where": "pinned", "mode": "gcm", "ratio": 1.852}
    copies = {**ratio, "gpus": "each at the same time", "mode": "copies", "ratio": 1.9}
    text = of_devices("2030-01-02-h200-devices.jsonl", [MACHINE, result(), ratio, copies])
    assert [line for line in text.splitlines() if line.startswith("| ")][2:] == [
        "| GCM, one call of all GPUs | pinned | 2 | 1.85 |",
        "| nothing but copies both ways, a call of each GPU, at the same time | pinned | 2 | 1.90 |",
    ]
