"""Everyday builds are for the GPU of the evidence and for those that are here."""

import pytest

from devtools import build
from devtools.process import Command, Stop


def says(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def nvidia_smi(command: Command) -> str:
        assert command[0] == "nvidia-smi"
        return text

    monkeypatch.setattr(build, "text_of", nvidia_smi)


@pytest.mark.parametrize(
    ("text", "architectures"),
    [
        ("8.9\n", "89;90"),
        ("12.0\n9.0\n12.0\n", "90;120"),
        ("", "90"),
        ("[N/A]\n", "90"),
    ],
)
def test_gpus_that_are_here(monkeypatch: pytest.MonkeyPatch, text: str, architectures: str) -> None:
    says(monkeypatch, text)
    assert build.everyday_options() == [f"-DWARPAES_CUDA_ARCHITECTURES={architectures}"]


def test_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(command: Command) -> str:
        raise Stop(f"no such program: {command[0]}")

    monkeypatch.setattr(build, "text_of", missing)
    assert build.everyday_options() == ["-DWARPAES_CUDA_ARCHITECTURES=90"]
