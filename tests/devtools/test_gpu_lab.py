"""The lab's suite keeps what was measured, however it ends."""

import json
from pathlib import Path

import pytest

from devtools import gpu_lab, process
from devtools.gpu_run import Run

MACHINE = {
    "type": "machine",
    "gpu": "NVIDIA H200",
    "date": "2030-01-02T00:00:00Z",
    "sources_sha256": "product",
}
LINES = ['{"type":"machine"}', '{"type":"study","study":"ladder"}', '{"type":"result","study":"ladder"}']
SUMMARY = '{"type":"summary"}'


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    (tmp_path / "lab.sha256").write_text("lab\n")
    monkeypatch.setattr(gpu_lab, "STAGED_DATA", tmp_path)
    monkeypatch.setattr(gpu_lab, "WARPAES", tmp_path / "warpaes")
    monkeypatch.setattr(gpu_lab, "cuda_tool", lambda name: None)
    return Run(MACHINE, tmp_path)


def program(run: Run, *lines: str, ends: str) -> None:
    """In place of warpaes: writes those lines where it is told to, and ends in some way."""
    text = "\n".join(lines)
    script = run.folder / "warpaes"
    script.write_text(f"""#!/bin/sh
for folder; do :; done
printf '%s' '{text}' > "$folder/results.jsonl"
{ends}
""")
    script.chmod(0o755)


def evidence(run: Run) -> list[dict[str, str]]:
    path = run.folder / "2030-01-02-h200-lab.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_results_stand_behind_the_machine_and_its_sources(run: Run) -> None:
    program(run, *LINES, SUMMARY, ends="exit 0")
    assert gpu_lab.lab(run, 10)
    lines = evidence(run)
    assert lines[0] == {**MACHINE, "sources_sha256": "lab"}
    assert [line["type"] for line in lines[1:]] == ["study", "result", "summary", "left_out"]
    assert lines[-1]["reason"].startswith("ncu, ")


@pytest.mark.parametrize("ends", ["exit 1", "exec sleep 60"])
def test_what_was_measured_is_kept(run: Run, ends: str) -> None:
    program(run, *LINES, '{"type":"res', ends=ends)
    assert not gpu_lab.lab(run, 0.5)
    kinds = [line["type"] for line in evidence(run)]
    assert kinds == ["machine", "study", "result", "interrupted", "left_out"]


def test_when_it_is_interrupted_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    program(run, *LINES, ends="exit 0")

    def interrupted(*arguments: object, **options: object) -> bool:
        process.run([run.folder / "warpaes", arguments[0][-1]])  # type: ignore[index]
        raise KeyboardInterrupt

    monkeypatch.setattr(gpu_lab, "succeeds", interrupted)
    with pytest.raises(KeyboardInterrupt):
        gpu_lab.lab(run, 10)
    assert [line["type"] for line in evidence(run)] == ["machine", "study", "result"]


def test_nothing_at_all(run: Run) -> None:
    program(run, ends="exit 1")
    assert not gpu_lab.lab(run, 10)
