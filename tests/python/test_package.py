"""What pip and type checkers read of the package, and what `import warpaes` loads. (A wheel: ./dev wheel.)"""

import ast
import importlib
import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import warpaes
from devtools.repository import ROOT
from warpaes import _native

SOURCES = ROOT / "bindings" / "python" / "warpaes"
NAMED = (ast.ClassDef, ast.FunctionDef)


def test_entry_points_lead_somewhere() -> None:
    tomllib = pytest.importorskip("tomllib")  # since Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = [one for group in project["entry-points"].values() for one in group.values()]
    assert "warpaes.filesystem:WarpaesFileSystem" in found
    for one in found:
        module, _, name = one.partition(":")
        path = SOURCES / f"{module.partition('.')[2]}.py"
        defined = {node.name for node in ast.parse(path.read_text()).body if isinstance(node, NAMED)}
        assert name in defined


def test_the_stub_is_of_the_module() -> None:
    """The same names, the same methods, and for each as many arguments."""
    body = ast.parse((SOURCES / "_native.pyi").read_text()).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    constants = [
        node.target.id
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert public == {*functions, *classes, *constants}
    for name, function in functions.items():
        assert_same_arguments(getattr(_native, name), function)
    for name, described in classes.items():
        methods = {node.name: node for node in described.body if isinstance(node, ast.FunctionDef)}
        fields = {
            node.target.id
            for node in described.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }
        there = {one for one in vars(getattr(_native, name)) if not one.startswith("__") or one in methods}
        assert there == {*methods, *fields}, name
        for method, node in methods.items():
            assert_same_arguments(vars(getattr(_native, name))[method], node)


def assert_same_arguments(found: Any, described: ast.FunctionDef) -> None:
    """nanobind writes the signature into the first line of the documentation."""
    (line,) = (found.__doc__ or "").splitlines()[:1] or [""]
    if not line.startswith(described.name):
        return  # __init__ and static methods have theirs elsewhere
    given = ast.parse(f"def {line.replace('warpaes._native.', '')}: ...").body[0]
    assert isinstance(given, ast.FunctionDef)
    names = [argument.arg for argument in given.args.args]
    expected = [argument.arg for argument in described.args.args]
    assert [one for one in names if one != "self"] == [one for one in expected if one != "self"]


def test_it_says_that_it_has_types() -> None:
    assert (Path(inspect.getfile(warpaes)).parent / "py.typed").is_file()


def test_import_needs_and_loads_nothing_else() -> None:
    """No CUDA driver, no NumPy, no PyTorch: it is quick, and works where they are not."""
    program = """
import sys
import warpaes
mapped = open("/proc/self/maps").read()
assert "libcuda" not in mapped, mapped
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"numpy", "torch", "cupy", "fsspec", "lmcache", "vllm"}, loaded
warpaes.AESGCM(bytes(16)).encrypt(bytes(12), b"")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["torch", "lmcache", "vllm"])
def test_modules_for_others_say_what_is_missing(name: str) -> None:
    if importlib.util.find_spec(name) is not None:
        pytest.skip(f"{name} is installed")
    with pytest.raises(ModuleNotFoundError, match=f"No module named '{name}"):
        importlib.import_module(f"warpaes.{name}")


def test_annotations_are_found_at_run_time() -> None:
    numpy = pytest.importorskip("warpaes.numpy")
    for function in (numpy.save_file, numpy.load_file, warpaes.open):
        assert "secret" in get_type_hints(function) or function is warpaes.open
