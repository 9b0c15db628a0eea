"""The stub of the extension module, _native.pyi, says what the module has: nanobind keeps its signatures."""

import ast
from pathlib import Path
from typing import Any

import pytest

import warpaes
from warpaes import _native

STUB = ast.parse(Path(str(warpaes.__file__)).with_name("_native.pyi").read_text())
# Types that the stub has more exactly than the C++ code, which looks at them itself.
VAGUE = {"object", "list", "tuple", "dict", "memoryview"}


def of_stub(body: list[ast.stmt], prefix: str = "") -> dict[str, ast.FunctionDef]:
    found = {}
    for one in body:
        if isinstance(one, ast.FunctionDef):
            found[prefix + one.name] = one
        elif isinstance(one, ast.ClassDef):
            found |= of_stub(one.body, f"{one.name}.")
    return found


def of_module(given: Any, prefix: str = "") -> dict[str, ast.FunctionDef]:
    found = {}
    for name in dir(given):
        value = getattr(given, name)
        if hasattr(value, "__nb_signature__"):
            ((signature, *_),) = value.__nb_signature__
            parsed = ast.parse(f"{signature}: ...").body[0]
            assert isinstance(parsed, ast.FunctionDef)
            found[prefix + name] = parsed
        elif isinstance(value, type) and not prefix and not name.startswith("_"):
            found |= of_module(value, f"{name}.")
    return found


# Functions of C's, which have no signature of nanobind's; what they do when something is wrong has one.
QUICK = {f"Key.{name}": f"Key._{name}" for name in ("encrypt", "decrypt", "encrypt_into", "decrypt_into")}
ALL = of_stub(STUB.body)
STATED, THERE = {name: ALL[name] for name in ALL.keys() - QUICK.keys()}, of_module(_native)


def test_has_the_functions_of_the_module() -> None:
    made_by_default = {"Batch.__init__", "Rows.__init__"}  # structures, which take no arguments
    assert STATED.keys() == THERE.keys() - made_by_default


@pytest.mark.parametrize("name", QUICK)
def test_has_what_is_called_quickly(name: str) -> None:
    """By arguments that have a place and no name."""
    quick, checked = ALL[name].args, ALL[QUICK[name]].args
    assert [one.arg for one in quick.posonlyargs] == [one.arg for one in checked.args]
    assert quick.args == []
    assert types(ALL[QUICK[name]])[1:] == [
        ast.unparse(one.annotation) for one in quick.posonlyargs[1:] if one.annotation
    ] + [ast.unparse(ALL[name].returns or ast.Constant(None))]


def types(function: ast.FunctionDef) -> list[str]:
    """Of the arguments and of the answer, without the names of modules."""
    annotations = [*(one.annotation for one in function.args.args), function.returns]
    texts = ["" if one is None else ast.unparse(one) for one in annotations]
    return [one.replace("warpaes._native.", "").replace("collections.abc.", "") for one in texts]


@pytest.mark.parametrize("name", sorted(STATED))
def test_has_the_signature_of_the_module(name: str) -> None:
    stated, there = STATED[name], THERE[name]
    assert [one.arg for one in stated.args.args] == [one.arg for one in there.args.args]
    for found, expected in zip(types(stated), types(there), strict=True):
        assert found == expected or expected.removesuffix(" | None") in VAGUE
