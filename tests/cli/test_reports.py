"""--json, the progress bar, several files, usage, exit codes; engines, devices and self-test."""

import os
import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.peak_memory import MOST_MEMORY, measured, peak_memory
from tests.cli.program import command_line, environment, pattern, run, succeed
from tests.cli.terminal import seen_on_a_terminal


def test_json_of_several_files(key: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a", "b")]
    for number, path in enumerate(files):
        path.write_bytes(pattern(1000 * (number + 1)))
    result = succeed("encrypt", "--json", "-k", key, *files)
    *lines, summary = result.lines
    assert [(line["type"], line["input"], line["output"]) for line in lines] == [
        ("file", str(path), f"{path}.wa") for path in files
    ]
    assert [(line["plaintext_bytes"], line["sync_seconds"]) for line in lines] == [(1000, 0), (2000, 0)]
    assert summary.keys() == {
        "type",
        "command",
        "files",
        "plaintext_bytes",
        "seconds",
        "sync_seconds",
        "gb_per_s",
        "engine",
        "setup_seconds",
    }
    assert summary["type"] == "summary"
    assert summary["command"] == "encrypt"
    assert summary["files"] == 2
    assert summary["plaintext_bytes"] == 3000
    assert summary["seconds"] >= summary["sync_seconds"] >= 0
    assert result.err == ""


def test_some_of_several_fail(key: Path, plain: Path, tmp_path: Path) -> None:
    result = run("encrypt", "--json", "-k", key, tmp_path / "missing", plain)
    assert result.code == 3
    assert [line["type"] for line in result.lines] == ["file_error", "file", "error"]
    assert result.lines[0]["code"] == 10
    assert result.last["code"] == 3
    assert "1 of 2 files failed" in result.last["message"]
    assert plain.with_name("plain.wa").exists()


def test_one_output_for_several_files(key: Path, plain: Path, tmp_path: Path) -> None:
    assert run("encrypt", "-k", key, plain, plain, "-o", tmp_path / "out").code == 2
    assert not (tmp_path / "out").exists()


def test_json_and_data_cannot_share_standard_output(key: Path, plain: Path) -> None:
    assert run("encrypt", "--json", "-k", key, plain, "-o", "-").code == 2
    assert run("encrypt", "--json", "-k", key, "-", stdin=b"").code == 2


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["encrypt"], ["encrypt", "--frobnicate", "x"]])
def test_usage(arguments: list[str]) -> None:
    result = run(*arguments, "--json")
    assert result.code == 2
    assert result.err.startswith("warpaes: error: ")
    command = "warpaes encrypt" if "encrypt" in arguments else "warpaes"
    assert f"warpaes: hint: {command} --help" in result.err
    assert result.last["type"] == "error"
    assert result.last["code"] == 2


def test_help_and_version() -> None:
    text = succeed("--help").out.decode()
    for verb in (
        "encrypt",
        "decrypt",
        "verify",
        "rekey",
        "inspect",
        "keygen",
        "raw",
        "kdf",
        "mac",
        "engines",
        "devices",
        "selftest",
        "calibrate",
        "bench",
    ):
        assert verb in text
        assert succeed(verb, "--help").out
    for code in (0, 1, 2, 3, 4, 10, 12, 13, 14, 130):
        assert f"  {code} " in text
    assert succeed("--version").out.startswith(b"warpaes 0.")


def test_quiet_says_nothing(key: Path, plain: Path) -> None:
    assert succeed("encrypt", "-k", key, plain).err != ""
    assert succeed("encrypt", "-f", "--quiet", "-k", key, plain).err == ""


def bar_of(key: Path, large: Path, *options: str, columns: int = 100) -> str:
    """What a terminal sees while a long file is encrypted, by one thread so that there is time to see it."""
    one: tuple[str | Path, ...] = ("encrypt", "--threads", "1", "-k", key, large, "-o", "-")
    return seen_on_a_terminal(*one, *options, columns=columns)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no space
    return path


def test_progress_bar(key: Path, large: Path) -> None:
    seen = bar_of(key, large)
    for part in ("large", " of 1.07 GB", " %", "B/s", " left", "[#"):
        assert part in seen
    assert "left" not in bar_of(key, large, "--no-progress")
    assert bar_of(key, large, "--quiet") == ""


@pytest.fixture(name="long_sealed", scope="module")
def long_container(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A key, and a container of 1 GiB, which takes a while to be verified."""
    folder = tmp_path_factory.mktemp("long")
    key, large = folder / "key", folder / "large"
    succeed("keygen", "-q", "-o", key)
    with large.open("wb") as stream:
        stream.truncate(1 << 30)
    succeed("encrypt", "-q", "--no-sync", "-k", key, large)
    return key, folder / "large.wa"


def test_progress_of_a_range(long_sealed: tuple[Path, Path]) -> None:
    key, sealed = long_sealed
    seen = seen_on_a_terminal("decrypt", "--range", "5:1000000000", "-k", key, sealed, "-o", "-")
    assert " of 1 GB" in seen


def test_progress_of_several_files(long_sealed: tuple[Path, Path], tmp_path: Path) -> None:
    """Their number and their bytes, of all that there are: also of those that have not begun."""
    key, sealed = long_sealed
    copy = tmp_path / "copy.wa"
    copy.symlink_to(sealed)
    seen = seen_on_a_terminal("verify", "-k", key, sealed, copy)
    for part in (" of 2 files", " of 2.15 GB", " %", "B/s", " left", "[#"):
        assert part in seen, part


def test_progress_of_several_files_of_which_one_is_a_pipe(
    long_sealed: tuple[Path, Path], tmp_path: Path
) -> None:
    """Nobody knows how much comes out of it, so there is no share of all."""
    key, sealed = long_sealed
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'exec cat "$0" > "$1"', sealed, pipe]) as writer:
        seen = seen_on_a_terminal("verify", "-k", key, sealed, pipe)
        assert writer.wait(60) == 0
    assert " of 2 files" in seen
    assert "GB/s" in seen
    assert " left" not in seen


@pytest.mark.parametrize("columns", [1, 20, 60, 80, 200])
def test_progress_bar_fits_the_terminal(columns: int, key: Path, large: Path) -> None:
    long = large.rename(large.with_name("a-very-long-name-" * 10 + "\x1b.ext"))
    lines = bar_of(key, long, columns=columns).split("\r\x1b[K")
    drawn = [line for line in lines[1:] if line and "encrypted" not in line]
    assert drawn or columns == 1
    assert all(len(line) < columns for line in drawn), drawn
    if columns >= 80:
        assert all("…" in line for line in drawn)
    assert not any("\x1b" in line for line in drawn)


def test_memory_is_bounded(key: Path, large: Path) -> None:
    """However long a file is."""
    encrypt = measured(command_line("encrypt", "-q", "-k", key, large, "-o", "-"))
    decrypt = measured(command_line("decrypt", "-q", "-k", key, "-"))
    pipe, null, settings = subprocess.PIPE, subprocess.DEVNULL, environment()
    with (
        subprocess.Popen(encrypt, stdout=pipe, stderr=pipe, env=settings) as encrypting,
        subprocess.Popen(
            decrypt, stdin=encrypting.stdout, stdout=null, stderr=pipe, env=settings
        ) as decrypting,
    ):
        assert encrypting.stdout
        encrypting.stdout.close()
        for peak in (peak_memory(encrypting), peak_memory(decrypting)):
            assert peak < MOST_MEMORY


def test_memory_of_verification_is_bounded(long_sealed: tuple[Path, Path]) -> None:
    """Of a file, which has places that can be read at the same time, and of a pipe, which has none."""
    key, sealed = long_sealed
    for path in (sealed, "-"):
        command = measured(command_line("verify", "-q", "-k", key, path))
        with (
            subprocess.Popen(["cat", sealed], stdout=subprocess.PIPE) as source,
            subprocess.Popen(
                command, stdin=source.stdout, stderr=subprocess.PIPE, env=environment()
            ) as running,
        ):
            assert source.stdout
            source.stdout.close()
            assert peak_memory(running) < MOST_MEMORY


def test_core_dumps_are_off(key: Path) -> None:
    command = command_line("encrypt", "-k", key, "-")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment()
    ) as running:
        assert running.stdin
        running.stdin.write(bytes(1 << 20))
        assert resource.prlimit(running.pid, resource.RLIMIT_CORE) == (0, 0)
        running.stdin.close()
        assert running.wait(60) == 0


def test_unknown_engine_or_device(key: Path, plain: Path) -> None:
    result = run("encrypt", "--json", "--engine", "abacus", "-k", key, plain)
    assert result.code == 4
    assert "abacus" in result.err
    assert "hint: `warpaes engines` lists them" in result.err
    assert result.last["code"] == 4
    for verb in ("encrypt", "selftest", "engines"):
        options = ("-k", key, plain) if verb == "encrypt" else ()
        result = run(verb, "--device", "99", *options)
        assert result.code == 4
        assert "hint: `warpaes devices` lists them" in result.err
    for device in ("both", "0,0", "-1", "0,x", "0,", ""):
        result = run("encrypt", "--device", device, "-k", key, plain)
        assert result.code == 2
        assert "write 0, or 0,1, or all" in result.err
    assert not plain.with_name("plain.wa").exists()
    assert run("encrypt", "--device", "all", "-k", key, plain).code == (0 if gpu_is_there() else 4)


def test_devices() -> None:
    *devices, summary = succeed("devices", "--json").lines
    assert summary["type"] == "summary"
    assert summary["devices"] == len(devices)
    assert bool(devices) != bool(summary["reason"])
    assert succeed("devices").out


def gpu_is_there() -> bool:
    return bool(succeed("devices", "--json").last["devices"])


def test_without_a_gpu(key: Path, plain: Path) -> None:
    if gpu_is_there():
        pytest.skip("there is a GPU here")
    result = run("encrypt", "--engine", "cuda", "-k", key, plain)
    assert result.code == 4
    assert "driver" in result.err
    assert run("selftest", "--engine", "cuda").code == 4
    assert succeed("encrypt", "--json", "-k", key, plain).last["engine"].startswith("openssl")


def test_engines() -> None:
    *engines, summary = succeed("engines", "--json").lines
    assert summary == {"type": "summary", "command": "engines", "engines": len(engines)}
    assert {line["name"] for line in engines} == {"cuda", "openssl", "portable"}
    for line in engines:
        assert line["timing"] in {"strict", "conflict-free", "leaky"}
        assert line["memory"] == ("device" if line["name"] == "cuda" else "host")
        assert line["available"] != bool(line["reason"])
        assert line["description"]
    table = succeed("engines").out.decode()
    assert all(f"{line['name']}/{line['kernel']}" in table for line in engines)


def test_a_timing_class_is_demanded(key: Path, plain: Path, sealed: Path, tmp_path: Path) -> None:
    engines = [line for line in succeed("engines", "--json").lines if line["type"] == "engine"]
    strict = [line for line in engines if line["timing"] == "strict"]
    listed = succeed("engines", "--json", "--timing", "strict").lines[:-1]
    assert [line["kernel"] for line in listed] == [line["kernel"] for line in strict]

    out = tmp_path / "out"
    verbs: tuple[tuple[str | Path, ...], ...] = (
        ("encrypt", "-k", key, plain, "-o", out),
        ("decrypt", "-k", key, sealed, "-o", out),
        ("verify", "-k", key, sealed),
        ("engines",),
        ("selftest",),
        ("bench", "--mode", "ecb", "--bytes", "4096", "--samples", "1"),
    )
    for verb in verbs:
        result = run(*verb, "--timing", "conflict-free", "--engine", "portable")
        assert result.code == 4, verb
        assert "portable/t_tables is leaky, and conflict-free timing is demanded" in result.err
        assert not out.exists()
        assert run(*verb, "--timing", "lenient").code == 2
    if any(line["available"] for line in strict):
        assert succeed("selftest", "--json", "--timing", "strict").last["passed"] >= 1
        succeed("encrypt", "-k", key, plain, "-o", out, "--timing", "strict")
    succeed("verify", "-k", key, sealed, "--timing", "any", "--engine", "portable")


def test_calibrate_stores_what_it_measured(tmp_path: Path) -> None:
    environment_with_cache = {**environment(), "XDG_CACHE_HOME": str(tmp_path)}
    *speeds, summary = succeed("calibrate", "--json", env=environment_with_cache).lines
    kinds = [kind for kind in ("stream", "gcm", "chained") for _ in range(4)]
    assert [line["work"] for line in speeds] == kinds
    assert [line["least_bytes"] >> 20 for line in speeds] == [4, 16, 64, 256] * 3
    for line in speeds:
        assert line["type"] == "speed"
        assert line["one_thread"] > 0
        assert line["all_threads"] > 0
        assert line["gpu_takes_part"] in ("always", "pinned", "pageable", "never")
    assert summary["command"] == "calibrate"
    assert summary["why_no_gpu"] or any(line["with_gpu_pinned"] for line in speeds)
    stored = Path(summary["file"])
    assert stored.parent == tmp_path / "warpaes"
    assert list(stored.parent.iterdir()) == [stored]
    assert [line.split()[0] for line in stored.read_text().splitlines()[2:]] == kinds

    stored.write_text("damaged")  # by whomever: measured anew
    assert b"stored in" in succeed("calibrate", env=environment_with_cache).out
    assert stored.read_text() != "damaged"
    refused = run("calibrate", env={**environment_with_cache, "XDG_CACHE_HOME": "/dev/null"})
    assert refused.code == 1
    assert "/dev/null/warpaes" in refused.err
    assert "$XDG_CACHE_HOME" in refused.err
    assert refused.out == b""  # and no seconds were spent measuring what cannot be kept
    assert b"stored in" not in refused.out
    stored.unlink()
    (stored / "in the way").mkdir(parents=True)
    assert run("calibrate", env=environment_with_cache).code != 0
    assert list(stored.parent.iterdir()) == [stored]  # and nothing half done


def test_selftest() -> None:
    *results, summary = succeed("selftest", "--json").lines
    outcomes = [line["result"] for line in results]
    assert summary["passed"] == outcomes.count("passed") >= 3
    assert summary["failed"] == outcomes.count("failed") == 0
    assert summary["skipped"] == outcomes.count("skipped")
    assert all(line["reason"] for line in results if line["result"] == "skipped")
    assert [line["engine"] for line in succeed("selftest", "--json", "--engine", "openssl").lines[:-1]] == [
        "openssl/evp"
    ]


def test_reports_that_cannot_be_written() -> None:
    for arguments in (["engines"], ["engines", "--json"], ["devices"], ["--help"]):
        with Path("/dev/full").open("wb") as full:
            result = run(*arguments, stdout=full)
        assert result.code == 1
        assert "writing standard output: No space left on device" in result.err


@pytest.mark.parametrize("verb", ["inspect", "mac -m cmac", "raw -m ecb -o out"])
def test_errors_name_the_file_that_is_missing(verb: str, key: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    result = run(*verb.split(), "-k", key, "--json", missing)
    assert result.code == 10
    assert result.last["file"] == str(missing)


def test_inspect(key: Path, plain: Path, sealed: Path) -> None:
    content = sealed.read_bytes()
    line = succeed("inspect", "--json", sealed).last
    assert line["plaintext_bytes"] == plain.stat().st_size
    assert line["container_bytes"] == len(content)
    assert line["chunks"] == 4
    assert (line["salt"], line["commitment"]) == (content[:24].hex(), content[24:56].hex())
    assert line["header_authenticated"] is False
    checked = succeed("inspect", "--json", "-k", key, sealed).last
    assert (checked["format"], checked["header_authenticated"]) == ("Cobblestone-256", True)
    assert succeed("inspect", "--json", "-", stdin=content).last["container_bytes"] == len(content)
    assert content[:24].hex() in succeed("inspect", sealed).out.decode()
