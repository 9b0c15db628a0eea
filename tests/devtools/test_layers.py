"""The sources keep the layers of docs/architecture.md, and one that did not would be found."""

from pathlib import Path

from devtools import layers
from devtools.layers import Arrow

PAGE = f"""
{layers.BEGIN}
| part | what it is | may use |
| --- | --- | --- |
| `cli/lab_*` | the lab's commands | `cli` |
| `cli` | the tool | `src/modes`, `src/engines/table.hpp` |
| `src/modes` | modes | `src/engines` |
| `src/engines` | engines | `src/modes/facts.hpp` |
| `src/failure.hpp` | errors | {layers.FOR_LIBRARY} |
| `include` | the interface | {layers.FOR_ALL} |
{layers.END}
| `src/no` | behind the table | `cli` |
"""
KEPT = [
    Arrow("cli/main.cpp", "src/modes/gcm.hpp"),
    Arrow("cli/main.cpp", "src/engines/table.hpp"),
    Arrow("cli/main.cpp", "cli/options.hpp"),
    Arrow("src/modes/gcm.cpp", "src/engines/engine.hpp"),
    Arrow("src/engines/engine.cpp", "src/modes/facts.hpp"),
    Arrow("src/engines/engine.cpp", "src/failure.hpp"),
    Arrow("cli/lab_main.cpp", "cli/options.hpp"),
    Arrow("cli/main.cpp", "include/warpaes.h"),
]


def violations(*more: Arrow, page: str = PAGE) -> list[str]:
    return layers.violations(layers.parts(page), [*KEPT, *more])


def test_the_sources_keep_their_layers() -> None:
    assert layers.layers_are_kept()


def test_what_the_table_allows() -> None:
    assert violations() == []


def test_an_arrow_that_is_not_allowed() -> None:
    found = violations(Arrow("src/engines/engine.cpp", "src/modes/gcm.hpp"))
    assert found == [
        "src/engines/engine.cpp includes src/modes/gcm.hpp, and src/engines may not use src/modes"
    ]


def test_what_only_the_library_may_use() -> None:
    found = violations(Arrow("cli/main.cpp", "src/failure.hpp"))
    assert found == ["cli/main.cpp includes src/failure.hpp, and cli may not use src/failure.hpp"]


def test_a_row_for_some_files_goes_before_the_folders() -> None:
    found = violations(Arrow("cli/lab_main.cpp", "src/modes/gcm.hpp"))
    assert found == ["cli/lab_main.cpp includes src/modes/gcm.hpp, and cli/lab_* may not use src/modes"]


def test_a_file_that_is_in_no_part() -> None:
    found = violations(Arrow("cli/main.cpp", "src/new/a.hpp"), Arrow("src/no/a.cpp", "cli/options.hpp"))
    assert found == ["src/new/a.hpp is in no part", "src/no/a.cpp is in no part"]


def test_what_is_allowed_in_vain() -> None:
    page = PAGE.replace("`src/engines` |", "`src/engines`, `src/failure.hpp`, `src/process` |")
    assert violations(page=page) == [
        "src/modes may use src/failure.hpp, and does not",
        "src/modes may use src/process, and does not",
    ]


def test_a_circle_of_parts() -> None:
    page = PAGE.replace("`src/modes/facts.hpp`", "`src/modes`")
    assert violations(page=page) == [
        "src/engines/engine.cpp includes src/modes/facts.hpp, and src/modes stands above src/engines"
    ]


def test_includes_are_found_as_the_compiler_does(tmp_path: Path) -> None:
    for name, text in {
        "src/modes/gcm.cpp": '#include "gcm.hpp"\n#  include "engines/engine.hpp"\n#include <vector>\n',
        "src/modes/gcm.hpp": '#include <warpaes/status.h>\n// #include "engines/engine.hpp"\n',
        "src/engines/engine.hpp": '#include "elsewhere.hpp"\n',
        "include/warpaes/status.h": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(layers.includes(tmp_path)) == [
        Arrow("src/modes/gcm.cpp", "src/modes/gcm.hpp"),
        Arrow("src/modes/gcm.cpp", "src/engines/engine.hpp"),
        Arrow("src/modes/gcm.hpp", "include/warpaes/status.h"),
    ]


def test_own_headers_are_found_between_angle_brackets(tmp_path: Path) -> None:
    for name, text in {
        "src/modes/gcm.cpp": "#include <c_api/handles.hpp>\n#include<engines/engine.hpp>\n",
        "src/modes/ctr.cpp": "#include <gcm.hpp>\n",  # the file's own folder is searched for "gcm.hpp" alone
        "src/modes/gcm.hpp": "#include <string.h>\n",
        "src/c_api/handles.hpp": "",
        "src/engines/engine.hpp": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(layers.includes(tmp_path)) == [
        Arrow("src/modes/gcm.cpp", "src/c_api/handles.hpp"),
        Arrow("src/modes/gcm.cpp", "src/engines/engine.hpp"),
    ]


def test_no_part_may_use_tests(tmp_path: Path) -> None:
    for name, text in {
        "cli/main.cpp": '#include "emulated_engines.hpp"\n#include "tests/faults/faults.h"\n',
        "cli/options.cpp": '#include <devtools/tool.hpp>\n#include "../tests/faults/faults.h"\n',
        "devtools/tool.hpp": "",
        "tests/emulated_gpu/emulated_engines.hpp": "",
        "tests/faults/faults.h": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert violations(*layers.includes(tmp_path)) == [
        "cli/main.cpp includes tests/emulated_gpu/emulated_engines.hpp, which no part may use",
        "cli/main.cpp includes tests/faults/faults.h, which no part may use",
        "cli/options.cpp includes devtools/tool.hpp, which no part may use",
        "cli/options.cpp includes tests/faults/faults.h, which no part may use",
    ]
