"""Arrays and their names in encrypted files: whatever is changed is refused. (PyTorch: test_torch.py.)"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warpaes
from devtools.repository import WARPAES
from warpaes import _streams
from warpaes.numpy import load_file, save_file

KEY = bytes(range(32))
CHUNK = 16384
PROGRAM = Path(os.environ.get("WARPAES", WARPAES))
DTYPES = ["bool", "uint8", "int8", "uint16", "float16", "int32", "float32", "uint64", "float64", "complex64"]


def arrays(seed: int = 0) -> dict[str, Any]:
    choice = numpy.random.default_rng(seed)
    return {
        "weight": choice.random((300, 70), dtype="float32"),
        "bias": choice.integers(0, 9, 7).astype("float16"),
        "steps": numpy.array(12345),
        "empty": numpy.zeros((0, 4), dtype="int8"),
        "mask": choice.integers(0, 2, (3, 5)).astype(bool),
    }


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    return found.keys() == expected.keys() and all(
        found[name].dtype == array.dtype
        and found[name].shape == array.shape
        and found[name].tobytes() == array.tobytes()
        for name, array in expected.items()
    )


def plaintext(path: Path) -> bytes:
    with warpaes.open(path, key=KEY) as file:
        return file.read()


def sealed_as(path: Path, text: bytes) -> Path:
    with warpaes.open(path, "wb", key=KEY) as file:
        file.write(text)
    return path


def test_comes_back(tmp_path: Path) -> None:
    save_file(arrays(), tmp_path / "file", key=KEY, metadata={"format": "np"})
    assert same(load_file(tmp_path / "file", key=KEY), arrays())
    assert same(load_file(tmp_path / "file", key=KEY, names=["bias"]), {"bias": arrays()["bias"]})
    with pytest.raises(KeyError, match="no tensor 'none'"):
        load_file(tmp_path / "file", key=KEY, names=["none"])
    assert b"weight" not in (tmp_path / "file").read_bytes()


@given(
    st.dictionaries(
        st.text(max_size=8).filter(lambda name: name != "__metadata__"),
        st.tuples(st.sampled_from(DTYPES), st.lists(st.integers(0, 5), max_size=3)),
        max_size=5,
    ),
    st.none() | st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_names_and_shapes(tmp_path: Path, described: Any, metadata: dict[str, str] | None) -> None:
    choice = numpy.random.default_rng(1)
    made = {name: choice.integers(0, 2, shape).astype(dtype) for name, (dtype, shape) in described.items()}
    save_file(made, tmp_path / "file", key=KEY, metadata=metadata)
    assert same(load_file(tmp_path / "file", key=KEY), made)
    text = plaintext(tmp_path / "file")
    assert (8 + struct.unpack_from("<Q", text)[0]) % CHUNK == 0


def test_the_program_decrypts_it_to_a_safetensors_file(tmp_path: Path) -> None:
    save_file(arrays(), tmp_path / "file", passphrase="a passphrase", metadata={"made by": "a test"})
    (tmp_path / "phrase").write_text("a passphrase\n")
    (tmp_path / "phrase").chmod(0o600)
    command = [str(PROGRAM), "decrypt", "-q", "--passphrase-file", str(tmp_path / "phrase")]
    subprocess.run([*command, "-o", str(tmp_path / "plain"), str(tmp_path / "file")], check=True)
    text = (tmp_path / "plain").read_bytes()
    (length,) = struct.unpack_from("<Q", text)
    header = json.loads(text[8 : 8 + length])
    assert header.pop("__metadata__") == {"made by": "a test"}
    assert header["weight"]["shape"] == [300, 70]
    end = 0
    for name, one in header.items():  # in the order of their bytes, without holes
        start, stop = one["data_offsets"]
        assert start == end
        assert text[8 + length + start : 8 + length + stop] == arrays()[name].tobytes()
        end = stop
    assert end == len(text) - 8 - length


def test_safetensors_reads_it(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    save_file(arrays(), tmp_path / "file", key=KEY)
    assert same(safetensors.load(plaintext(tmp_path / "file")), arrays())
    sealed_as(tmp_path / "other", safetensors.save(arrays(), {"a": "b"}))
    assert same(load_file(tmp_path / "other", key=KEY), arrays())


def test_names_are_several(tmp_path: Path) -> None:
    save_file(arrays(), tmp_path / "file", key=KEY)
    with pytest.raises(TypeError, match="names must be a list of names, not str"):
        load_file(tmp_path / "file", names="a", key=KEY)


@pytest.mark.parametrize("size", [5, 2 * CHUNK])
def test_every_changed_byte_is_refused(tmp_path: Path, size: int) -> None:
    """Of the beginning, the header and what is after it, also of the empty chunk that ends whole ones.

    Of the padding and of long data it is every 97th byte.
    """
    path = tmp_path / "file"
    save_file({"a": numpy.zeros(size, "uint8"), "b": numpy.zeros(0)}, path, key=KEY)
    good = path.read_bytes()
    length = len(good)
    for place in sorted({*range(0, length, 97), *range(250), *range(length - 40, length)}):
        damaged = bytearray(good)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises((warpaes.WrongKey, warpaes.Damaged)):
            load_file(path, key=KEY)
    path.write_bytes(good)
    assert load_file(path, key=KEY)["a"].nbytes == size


def test_every_cut_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    """And never as a genuine file of something else, which it may look like without its end."""
    path, cut = tmp_path / "file", (warpaes.Truncated, warpaes.Damaged)
    save_file({"a": numpy.arange(3 * CHUNK, dtype="uint8"), "b": numpy.zeros(3)}, path, key=KEY)
    good = path.read_bytes()
    borders = [56 + 16400 * number + more for number in range(5) for more in (-1, 0, 1, 16, 17)]
    for length in [*range(0, len(good), 1999), *borders, len(good) - 1, len(good) - 16]:
        if length < len(good):
            path.write_bytes(good[:length])
            with pytest.raises(cut):
                load_file(path, key=KEY, names=["b"])
    path.write_bytes(good + bytes(16))
    with pytest.raises(cut):
        load_file(path, key=KEY)
    save_file({f"array {number}": numpy.zeros(0) for number in range(500)}, path, key=KEY)
    path.write_bytes(path.read_bytes()[: 56 + 16400 + 100])  # inside the header
    with pytest.raises(cut):
        load_file(path, key=KEY)


def test_swapped_chunks_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save_file({name: numpy.full(CHUNK, 7, "uint8") for name in ("a", "b")}, path, key=KEY)
    good = path.read_bytes()
    first, second = (good[56 + 16400 * number :][:16400] for number in (1, 2))
    path.write_bytes(good[: 56 + 16400] + second + first + good[56 + 3 * 16400 :])
    for name in ("a", "b"):
        with pytest.raises(warpaes.Damaged):
            load_file(path, key=KEY, names=[name])


def test_one_array_reads_its_chunks_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, fetched = tmp_path / "file", 0
    save_file({str(n): numpy.full(CHUNK, n, "uint8") for n in range(100)}, path, key=KEY)
    read_into = _streams.FileSource.read_into

    def counting(self: Any, offset: int, into: memoryview) -> None:
        nonlocal fetched
        fetched += len(into)
        read_into(self, offset, into)

    monkeypatch.setattr(_streams.FileSource, "read_into", counting)
    no_file = property(lambda self: -1, lambda self, number: None)  # so that nothing is read without it
    monkeypatch.setattr(_streams.FileSource, "file", no_file, raising=False)
    assert (load_file(path, key=KEY, names=["50"])["50"] == 50).all()
    assert fetched < 5 * 16400


def header_of(**entries: Any) -> bytes:
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"short", "too short"),
        (struct.pack("<Q", 1 << 60) + b"{}", "impossible length"),
        (struct.pack("<Q", 2) + b"[]", "cannot be read"),
        (struct.pack("<Q", 3) + b"{x}", "cannot be read"),
        (header_of(a={"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}) + b"1", "speaks of"),
        (header_of(a={"dtype": "U8", "shape": [3], "data_offsets": [0, 2]}) + b"12", "does not fit"),
        (header_of(a={"dtype": "U8", "shape": [-1], "data_offsets": [0, -1]}), "no number"),
        (header_of(a={"dtype": "X9", "shape": [1], "data_offsets": [0, 1]}) + b"1", "does not know"),
        (header_of(a={"dtype": "U8", "shape": [1], "data_offsets": [1, 2]}) + b"12", "overlap"),
        (header_of(a={"dtype": "U8", "shape": [1]}) + b"1", "cannot be read"),
        (header_of(a={"dtype": "U8", "shape": [True], "data_offsets": [0, 1]}) + b"1", "no number"),
        (header_of(a={"dtype": "U8", "shape": [1], "data_offsets": [False, True]}) + b"1", "no number"),
        (header_of(a={"dtype": ["U8"], "shape": [1], "data_offsets": [0, 1]}) + b"1", "cannot be read"),
        (header_of(a={"dtype": "U8", "shape": [0, 2**62], "data_offsets": [0, 0]}), "no number"),
        (header_of(a={"dtype": "U8", "shape": [0, 2**70], "data_offsets": [0, 0]}), "no number"),
        (header_of(a={"dtype": "U8", "shape": [0, *[2**20] * 4], "data_offsets": [0, 0]}), "too large"),
        (header_of(a={"dtype": "U8", "shape": [1] * 65, "data_offsets": [0, 1]}) + b"1", "dimensions"),
        (header_of(__metadata__=5), "metadata"),
        (header_of(__metadata__={"a": 5}), "metadata"),
        (header_of(__metadata__=["a"]), "metadata"),
        (struct.pack("<Q", 200_000) + b"[" * 200_000, "cannot be read"),
        (struct.pack("<Q", 5) + b"[1,2]", "cannot be read"),
    ],
)
def test_a_genuine_file_that_is_something_else(tmp_path: Path, text: bytes, problem: str) -> None:
    with pytest.raises(warpaes.ContainerError, match=problem):
        load_file(sealed_as(tmp_path / "file", text), key=KEY)


def test_misuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    for given_arrays, problem in (
        ({"__metadata__": numpy.zeros(1)}, "__metadata__"),
        ({"a": numpy.array(["text"])}, "safetensors does not have"),
        ({"a": numpy.zeros(1, "complex128")}, "safetensors does not have"),
        ({"a": numpy.ma.masked_array([1, 2], mask=[False, True])}, "mask would be lost"),
        ({1: numpy.zeros(1)}, "must be a str, not int"),  # JSON would make "1" of it
        ({None: numpy.zeros(1), "a": numpy.zeros(1)}, "must be a str, not NoneType"),
    ):
        with pytest.raises((TypeError, ValueError), match=problem):
            save_file(given_arrays, path, key=KEY)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="strings"):
        save_file({}, path, key=KEY, metadata={"a": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="arrays must be a dictionary with names as keys, not list"):
        save_file([numpy.zeros(1)], path, key=KEY)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="metadata must be a dictionary with names as keys, not tuple"):
        save_file({}, path, (("a", "b"),), key=KEY)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pass one of key="):
        save_file({}, path)
    assert list(tmp_path.iterdir()) == []
    save_file({"a": numpy.arange(20)[::2]}, path, key=KEY)
    assert (load_file(path, key=KEY)["a"] == numpy.arange(20)[::2]).all()
    given = {"filename": path, "metadata": {"as": "safetensors calls them"}}
    save_file({"a": numpy.arange(20)}, **given, key=KEY)  # type: ignore[arg-type]
    save_file({"a": numpy.arange(20)}, path, {"also": "by their places"}, key=KEY)
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    bf16 = header_of(a={"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}) + b"12"
    with pytest.raises(TypeError, match="BF16"):
        load_file(sealed_as(path, bf16), key=KEY)


@pytest.mark.parametrize(
    "name",
    ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e4m3fnuz", "float8_e5m2fnuz"],
)
def test_types_that_ml_dtypes_adds(tmp_path: Path, name: str) -> None:
    """In which JAX's arrays come."""
    added = pytest.importorskip("ml_dtypes")
    array = numpy.arange(24, dtype="uint8").view(getattr(added, name))
    save_file({"a": array, "scalar": array[3]}, tmp_path / "file", key=KEY)
    found = load_file(tmp_path / "file", key=KEY)
    assert found["a"].dtype == array.dtype
    assert found["a"].tobytes() == array.tobytes()
    assert found["scalar"].shape == ()
    swapped = array.astype(array.dtype.newbyteorder(">"))
    save_file({"a": swapped}, tmp_path / "file", key=KEY)
    assert load_file(tmp_path / "file", key=KEY)["a"].tobytes() == array.tobytes()
