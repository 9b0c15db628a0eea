"""Files by a GPU whose calls of CUDA fail: on the posed one of tests/posed_gpu, in place of libwarpaes.so."""

import os
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, Result, environment, pattern, run, succeed

LIBRARY = PROGRAM.parent.parent / "libexec" / "warpaes" / "posed"
CALLS = range(0, 442, 13)  # a file of some chunks makes about 400, the first 150 of them before it is read
DONE, ERROR, NO_ENGINE = 0, 1, 4
KINDS_OF_WORK = "stream", "gcm", "chained"

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
            assert result.code == NO_ENGINE or "without --engine and --device" in result.err
        assert set(folder.iterdir()) == before
    assert set(codes) == {DONE, ERROR, NO_ENGINE}
    start = codes.index(ERROR)
    assert set(codes[:start]) <= {NO_ENGINE, DONE}
    assert NO_ENGINE not in codes[start:]
    if others:  # how often a run asks whether the GPU is ready differs by some calls
        assert DONE not in codes[:25]


def fnv_1a(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return value


def store_speeds(cache: Path) -> None:
    """As `warpaes calibrate` would store them (src/pipeline/speed_store.cpp) if this GPU were quick."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    version = succeed("--version").out.decode().split()[1]
    threads = f" {len(os.sched_getaffinity(0))} threads"
    engines = " cuda/lane_private_tables; openssl/evp; posed GPU with driver 13050"
    machine = ";".join([version, (models or ["unknown CPU"])[0], threads, engines])
    written = [
        "warpaes speeds, bytes a second, of calls from so many bytes on: "
        "one thread, all threads, with GPU (pageable, pinned)",
        machine,
        *(f"{kind} {4 << 20 << 2 * i} 1e9 2e9 9e10 9e10" for kind in KINDS_OF_WORK for i in range(4)),
    ]
    (cache / "warpaes").mkdir()
    (cache / "warpaes" / f"speeds-{fnv_1a(machine):016x}.txt").write_text("\n".join(written))


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_the_cpu_does_the_rest_where_no_engine_is_forced(verb: str, key: Path, tmp_path: Path) -> None:
    """The GPU is asked for, and begins; from some call on, all fail."""
    store_speeds(tmp_path)
    plain, sealed, output = tmp_path / "plain", tmp_path / "sealed", tmp_path / "output"
    plain.write_bytes(pattern(17_000_000))  # more than one piece of a GPU
    succeed("encrypt", "-q", "-k", key, plain, "-o", sealed)
    source = plain if verb == "encrypt" else sealed
    command = (verb, "--json", "--force", "-k", key, "--device", "0", source, "-o", output)
    posed = environment(LD_LIBRARY_PATH=str(LIBRARY), XDG_CACHE_HOME=str(tmp_path))
    succeed(*command, env={**posed, "WARPAES_POSED_CALLS": str(tmp_path / "calls")})
    calls = int((tmp_path / "calls").read_text())
    codes = []
    for call in range(0, calls, calls // 16):
        result = run(*command, env={**posed, "WARPAES_POSED_FAULT": f"{call}+"})
        codes.append(result.code)
        if result.code == DONE:
            assert result.lines[0]["engine"].startswith("cuda/")
            if verb == "encrypt":
                succeed("decrypt", "-q", "--force", "-k", key, output, "-o", tmp_path / "opened")
            assert (tmp_path / "opened" if verb == "encrypt" else output).read_bytes() == plain.read_bytes()
    assert codes == sorted(codes, key=[NO_ENGINE, DONE].index)
    assert codes[0] == NO_ENGINE
    assert codes.count(DONE) >= 8  # of calls for the file itself, which are more than half


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
