"""The corpus of containers with one fault each (damaged_containers/): it is what its program makes, and two
implementations, this one and pyca/cryptography's, find what it says."""

import hashlib
import json
from pathlib import Path

import pytest
from cryptography.cobblestone import Cobblestone128Decryptor, Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag

from tests.cli.program import CHUNK, run, succeed
from tests.vectors.damaged_containers.make import FOLDER, Case, cases

CASES = cases()
EXIT_CODES = {"opens": 0, "wrong key": 12, "damaged": 13, "truncated": 14}


@pytest.fixture(name="options")
def options_of_tool(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    case: Case = request.param
    key = tmp_path / "key"
    key.write_bytes(case.key)
    key.chmod(0o600)
    return ["-k", str(key), *(["--context", case.context.decode()] if case.context else [])]


def by_name(case: Case) -> str:
    return case.name


def test_the_corpus_is_what_its_program_makes() -> None:
    committed = {path.name: path.read_bytes() for path in FOLDER.glob("*.wa")}
    assert committed == {f"{case.name}.wa": case.content for case in CASES}
    rows = json.loads((FOLDER / "cases.json").read_text())["cases"]
    assert rows == [case.row() for case in CASES]


@pytest.mark.parametrize(
    ("case", "options"), [(case, case) for case in CASES], indirect=["options"], ids=by_name
)
def test_the_tool(case: Case, options: list[str], tmp_path: Path) -> None:
    container, opened = FOLDER / f"{case.name}.wa", tmp_path / "opened"
    result = run("decrypt", "--json", *options, container, "-o", opened)
    assert result.code == EXIT_CODES[case.outcome], result.err
    assert result.code == run("verify", *options, container).code
    assert opened.exists() == (case.outcome == "opens")
    if case.outcome == "opens":
        assert opened.read_bytes() == case.plaintext
    if case.outcome == "damaged":
        assert {"chunk": result.last["chunk"]} == case.fault


@pytest.mark.parametrize(
    ("case", "options"),
    [(case, case) for case in CASES if case.sound],
    indirect=["options"],
    ids=by_name,
)
def test_sound_chunks_are_salvaged(case: Case, options: list[str], tmp_path: Path) -> None:
    salvaged, whole = tmp_path / "salvaged", tmp_path / "whole"
    run("decrypt", "--salvage", *options, FOLDER / f"{case.name}.wa", "-o", salvaged)
    succeed("decrypt", *options, FOLDER / "intact-three-chunks.wa", "-o", whole)
    for chunk in case.sound:
        span = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        assert salvaged.read_bytes()[span] == whole.read_bytes()[span]


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_pyca(case: Case) -> None:
    kind = Cobblestone256Decryptor if len(case.key) == 32 else Cobblestone128Decryptor
    if case.outcome == "opens":
        assert opened_by(kind, case) == case.plaintext
        assert hashlib.sha256(case.plaintext).hexdigest() == case.row()["plaintext_sha256"]
        return
    with pytest.raises((InvalidTag, ValueError)):
        opened_by(kind, case)


def opened_by(kind: type[Cobblestone128Decryptor] | type[Cobblestone256Decryptor], case: Case) -> bytes:
    decryptor = kind(case.key, case.context)
    return bytes(decryptor.update(case.content)) + bytes(decryptor.finalize())
