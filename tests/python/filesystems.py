"""What the tests of warpaes:: have in common. Whoever imports it has fsspec."""

from typing import Any

import fsspec

KEY = b"Thirty-two bytes nobody may see!"


def system(store: str, **options: Any) -> Any:
    """warpaes:: over that store."""
    fs, _ = fsspec.url_to_fs(f"warpaes::{store}/x", warpaes={"key": KEY, **options})
    return fs
