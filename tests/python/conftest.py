"""Fixtures of several files of tests."""

import uuid
from pathlib import Path

import pytest


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where files can be put, as fsspec writes it."""
    return f"file://{tmp_path}" if request.param == "file" else f"memory://{uuid.uuid4().hex}"
