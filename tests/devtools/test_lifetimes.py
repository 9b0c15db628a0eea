"""Clang warns of a view of a temporary object, and not of a view of what another view shows."""

import re
import subprocess
from pathlib import Path

import pytest

from devtools.repository import ROOT, tool

TEXT = """#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "warpaes/warpaes.hpp"

std::vector<uint8_t> memory();
std::span<uint8_t> part();
std::string_view word();

void use(std::vector<uint8_t>& bytes) {
  warpaes::Input owned = bytes, half = std::span(bytes).first(3), other = part(), text = word();
  warpaes::Output to = bytes, to_half = std::span(bytes).first(3), to_other = part();
  warpaes::Input of_a_temporary = memory();
  warpaes::Input of_another = std::array<uint8_t, 3>();
}
"""


@pytest.mark.skipif(not tool("clang-tidy").is_file(), reason="clang-tidy is installed by ./dev lint")
def test_only_temporary_objects_that_own_their_bytes_are_warned_of(tmp_path: Path) -> None:
    source = tmp_path / "views.cpp"
    source.write_text(TEXT)
    # Without a check of its own, it does not ask the compiler for its warnings.
    checks = "--checks=-*,clang-diagnostic-dangling*,misc-static-assert"
    options = ["-std=c++20", "-I", str(ROOT / "include"), "-Wno-unused-variable"]
    done = subprocess.run(
        [tool("clang-tidy"), checks, str(source), "--", *options], capture_output=True, text=True, check=False
    )
    assert re.findall(r"value of local variable '(\w+)'", done.stdout) == ["of_a_temporary", "of_another"]
