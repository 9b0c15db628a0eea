"""What a checkpoint of torch.distributed.checkpoint replaces in its folder, and what it leaves alone."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
dcp = pytest.importorskip("torch.distributed.checkpoint")

import warpaes  # noqa: E402
from tests.python.checkpoints import KEY, load, same, save, small, state, zeros_like  # noqa: E402
from warpaes._secrets import kept_secret  # noqa: E402
from warpaes.files import NewFile  # noqa: E402
from warpaes.torch import dcp as sealed  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:torch.distributed is disabled")


def test_a_save_that_fails_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    save(tmp_path, small())
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(dcp.api.CheckpointException, match="without plain memory"):
        save(tmp_path, {**small(), "sparse": torch.zeros(3).to_sparse()})
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert same(load(tmp_path, small()), small())
    save(tmp_path, state())
    assert len(list(tmp_path.iterdir())) == 2
    assert same(load(tmp_path, state()), state())


def test_files_of_others_stay(tmp_path: Path) -> None:
    """Also those whose names are as long as those of a checkpoint's files, as a model's in two parts are."""
    others = {f"model-0000{number}-of-00002.safetensors.wa" for number in (1, 2)}
    others |= {"0123456789abcdef" * 2 + ".wa", ".another.part"}
    for name in others:
        (tmp_path / name).write_bytes(b"weights")
    for seed in (1, 2):
        save(tmp_path, state(seed))
    assert others < {path.name for path in tmp_path.iterdir()}
    assert len(list(tmp_path.iterdir())) == len(others) + 2


def test_saves_at_the_same_time(tmp_path: Path) -> None:
    """The last one to complete is what the folder has, and all of it is there."""
    save(tmp_path, state(0))

    class Overtaken(sealed.Writer):
        def finish(self, metadata: Any, results: Any) -> None:
            save(tmp_path, state(2))
            super().finish(metadata, results)

    dcp.save(state(1), storage_writer=Overtaken(tmp_path, key=KEY))
    assert same(load(tmp_path, state(1)), state(1))
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("slip", ["key", "context_string", "folder"])
def test_processes_that_are_not_told_the_same(tmp_path: Path, slip: str) -> None:
    """As where each has made a key of its own: what nobody could load replaces no other checkpoint."""
    folder = tmp_path / "checkpoint"
    save(folder, small())
    other: dict[str, Any] = {"path": folder, "key": KEY}
    other |= {"key": {"key": bytes(32)}, "context_string": {"context_string": b"run 8"}}.get(slip, {})
    if slip == "folder":
        other["path"] = tmp_path / "another"
        other["path"].mkdir()

    class OfTwo(sealed.Writer):
        def write_data(self, plan: Any, planner: Any) -> Any:
            return sealed.Writer(**other).write_data(plan, planner)

    sentence = "not in that folder" if slip == "folder" else "another key or context string"
    with pytest.raises(dcp.api.CheckpointException, match=sentence):
        dcp.save(state(), storage_writer=OfTwo(folder, key=KEY))
    assert same(load(folder, small()), small())


@pytest.mark.parametrize(
    "kind", ["plain", "another key", "no checkpoint", "a pickle of a class that is gone"]
)
def test_a_checkpoint_before_that_cannot_be_read(tmp_path: Path, kind: str) -> None:
    """It is replaced, its files stay, and there is a word of it."""
    if kind == "plain":
        dcp.save(state(1), checkpoint_id=tmp_path)
    elif kind == "another key":
        save(tmp_path, state(1), key=KEY[::-1])
    elif kind == "no checkpoint":
        (tmp_path / ".metadata").write_bytes(b"")
    else:
        with NewFile(str(tmp_path / ".metadata")) as file:
            secret = kept_secret(key=KEY)
            with sealed._Appended(file, secret, sealed._context_of(".metadata")) as into:
                into.write(b"cgone\nGone\n.")
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.warns(UserWarning, match="could not be read.*remove them yourself"):
        save(tmp_path, state(2))
    assert same(load(tmp_path, state(2)), state(2))
    assert before < {path.name for path in tmp_path.iterdir()}


@pytest.mark.filterwarnings("error:.*could not be read")
def test_a_warning_that_is_raised_comes_when_all_is_saved(tmp_path: Path) -> None:
    save(tmp_path, state(1), key=KEY[::-1])
    with pytest.raises((UserWarning, dcp.api.CheckpointException), match="remove them yourself"):
        save(tmp_path, state(2))
    assert same(load(tmp_path, state(2)), state(2))


def test_addresses_of_other_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would become folders of this machine, called s3: and the like."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no folder of this machine"):
        sealed.Writer("s3://bucket/7", key=KEY)
    for storage in (sealed.Writer(key=KEY), sealed.Reader(key=KEY)):
        with pytest.raises(ValueError, match="no folder of this machine"):
            storage.reset("s3://bucket/7")
    with pytest.raises((ValueError, dcp.api.CheckpointException), match="no folder of this machine"):
        dcp.save(small(), checkpoint_id="s3://bucket/7", storage_writer=sealed.Writer(key=KEY))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_named_later(tmp_path: Path) -> None:
    writer, reader = sealed.Writer(key=KEY), sealed.Reader(key=KEY)
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        dcp.save(state(seed), checkpoint_id=folder, storage_writer=writer)
        found = zeros_like(state(seed))
        dcp.load(found, checkpoint_id=folder, storage_reader=reader)
        assert same(found, state(seed))
    with pytest.raises(ValueError, match="name the folder"):
        sealed.Reader(key=KEY).read_metadata()


def test_an_older_checkpoint_is_not_loaded_in_place_of_one_of_each_process(tmp_path: Path) -> None:
    """load() takes what all processes have saved together before what each has saved by itself."""
    together, alone = tmp_path / "together", tmp_path / "alone"
    save(together, state(1))
    writer = sealed.Writer(together, key=KEY)
    with pytest.raises((ValueError, dcp.api.CheckpointException), match="would be loaded in its place"):
        dcp.save(state(2), storage_writer=writer, use_collectives=False)
    assert same(load(together, state(1)), state(1))
    assert len(list(together.iterdir())) == 2
    for seed in (1, 2):
        dcp.save(state(seed), storage_writer=sealed.Writer(alone, key=KEY), use_collectives=False)
        assert same(load(alone, state(seed)), state(seed))
    with pytest.raises(warpaes.WrongKey):
        sealed.Reader(alone, key=KEY[::-1])
