"""Files by a GPU whose calls of CUDA fail: on the posed one of tests/posed_gpu, in place of libwarpaes.so."""

from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, Result, environment, run, succeed

LIBRARY = PROGRAM.parent.parent / "libexec" / "warpaes" / "posed"
CALLS = range(0, 442, 13)  # a file of some chunks makes about 400, the first 150 of them before it is read
DONE, ERROR, NO_ENGINE = 0, 1, 4

pytestmark = pytest.mark.skipif(
    not list(LIBRARY.glob("libwarpaes.so.*")), reason="no library with a posed GPU was built"
)


def run_with_fault(fault: str, *arguments: str | Path) -> Result:
    """@param fault the number of the call that fails, with a "+" if all behind it fail as well"""
    posed = environment(LD_LIBRARY_PATH=str(LIBRARY), WARPAES_POSED_FAULT=fault)
    return run(*arguments, env=posed)


@pytest.mark.parametrize("others", ["", "+"])
@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_a_file_is_whole_or_not_there(verb: str, others: str, key: Path, plain: Path, sealed: Path) -> None:
    folder = plain.parent
    before = set(folder.iterdir())
    output, opened = folder / "output", folder / "opened"
    source = plain if verb == "encrypt" else sealed
    codes = []
    for call in CALLS:
        result = run_with_fault(f"{call}{others}", verb, "-k", key, "--engine", "cuda", source, "-o", output)
        codes.append(result.code)
        if result.code == DONE:
            if verb == "encrypt":
                succeed("decrypt", "-q", "-k", key, output, "-o", opened)
                output.unlink()
                opened.rename(output)
            assert output.read_bytes() == plain.read_bytes()
            output.unlink()
        else:
            assert "CUDA" in result.err or "device" in result.err, result.err
            assert "hint: " in result.err
        assert set(folder.iterdir()) == before
    assert set(codes) == {DONE, ERROR, NO_ENGINE}
    if others:
        assert codes == sorted(codes, key=[NO_ENGINE, ERROR, DONE].index)


def test_the_cpu_does_it_where_nobody_asked_for_the_gpu(key: Path, plain: Path, sealed: Path) -> None:
    for call in CALLS:
        assert run_with_fault(f"{call}+", "verify", "-k", key, sealed).code == 0


def test_a_file_is_worked_on_when_the_gpu_has_started(key: Path, plain: Path) -> None:
    """What the start takes is the run's setup, and not in what the file's speed is counted by."""
    done = run(
        "encrypt",
        "--json",
        "-k",
        key,
        "--engine",
        "cuda",
        plain,
        env=environment(LD_LIBRARY_PATH=str(LIBRARY)),
    )
    assert done.code == 0, done.err
    file, summary = done.lines
    assert file["engine"].startswith("cuda")
    assert file["seconds"] <= summary["seconds"]
