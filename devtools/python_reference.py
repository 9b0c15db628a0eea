"""Pages of the Python package, which pdoc makes of its signatures and docstrings.

    python -m devtools.python_reference FOLDER

The package is imported. Others that it works with need not be installed: pages need no more than their names.
"""

import importlib
import importlib.abc
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import MethodDescriptorType, ModuleType
from typing import Any

import pdoc

from devtools.process import say

PEERS = ("lmcache", "torch", "vllm")
STYLE = Path(__file__).parent / "pdoc"


class _Name:
    """Whatever a package has under a name: a decorator that changes nothing, a base that adds nothing."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__qualname__ = module, name

    def __getattr__(self, name: str) -> "_Name":
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(self.__module__, f"{self.__qualname__}.{name}")

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        return arguments[0] if len(arguments) == 1 and callable(arguments[0]) else self

    def __or__(self, other: object) -> "_Name":
        return self

    __ror__ = __or__

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        del bases
        return ()


class _Package(ModuleType):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> _Name:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(self.__name__, name)


class _StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the packages of PEERS that are not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        package = fullname.partition(".")[0]
        return ModuleSpec(fullname, self, is_package=True) if package in PEERS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Package(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        del module


def documented_modules() -> list[pdoc.doc.Module]:
    """The public ones, imported."""
    sys.meta_path.append(_StandIns())  # behind those that find what is installed
    package = importlib.import_module("warpaes")
    _put_functions_back(importlib.import_module("warpaes.aead").AEAD)
    names = [found.name for found in pkgutil.walk_packages(package.__path__, "warpaes.")]
    public = [name for name in names if not any(part.startswith("_") for part in name.split("."))]
    return [pdoc.doc.Module(importlib.import_module(name)) for name in ["warpaes", *public]]


def _put_functions_back(given: type) -> None:
    """Functions that methods of the extension stand before have types and defaults to show."""
    for name in [name for name, value in vars(given).items() if isinstance(value, MethodDescriptorType)]:
        setattr(given, name, vars(given)["_own_functions"][name])


def members(doc: pdoc.doc.Namespace[Any]) -> Iterator[pdoc.doc.Doc[Any]]:
    """What a module or a class has on its page, and all that is in it."""
    for member in doc.own_members if isinstance(doc, pdoc.doc.Class) else doc.members.values():
        if member.name.startswith("_"):
            continue
        if not isinstance(member, pdoc.doc.Module):
            yield member
        if isinstance(member, pdoc.doc.Class):
            yield from members(member)


# "name: what it is" or "name, name: what they are" at the beginning of a line.
_ARGUMENTS = re.compile(r"^((?:[a-z_]+, )*[a-z_]+): ", re.MULTILINE)


def faults(module: pdoc.doc.Module) -> list[str]:
    """Public names without a docstring, and docstrings that say something of what is no argument."""
    found = [] if module.docstring else [f"{module.fullname} has no docstring"]
    for member in members(module):
        if not member.docstring and not _is_described_by_its_class(module, member):
            found.append(f"{member.fullname} has no docstring")
        found += [
            f"{member.fullname} has no {name}, of which its docstring says something"
            for line in _ARGUMENTS.findall(member.docstring)
            for name in line.split(", ")
            if name not in _names_of(member)
        ]
    return found


def _is_described_by_its_class(module: pdoc.doc.Module, member: pdoc.doc.Doc[Any]) -> bool:
    """A field whose class's docstring has a line about it."""
    parent = module.get(member.qualname.rpartition(".")[0])
    lines = _ARGUMENTS.findall(parent.docstring) if isinstance(parent, pdoc.doc.Class) else []
    return member.name in {name for line in lines for name in line.split(", ")}


def _names_of(member: pdoc.doc.Doc[Any]) -> set[str]:
    """What a docstring may say something of: arguments, and a class's attributes."""
    if isinstance(member, pdoc.doc.Function):
        return set(member.signature.parameters)
    if isinstance(member, pdoc.doc.Class):
        constructor = member.members.get("__init__")
        return {*member.members, *(_names_of(constructor) if constructor else ())}
    return set()


def write(modules: list[pdoc.doc.Module], folder: Path) -> None:
    """Makes the pages."""
    pdoc.render.configure(
        docformat="markdown", show_source=False, template_directory=STYLE, footer_text="WarpAES"
    )
    listed = {module.fullname for module in modules[0].submodules}  # which pdoc finds by itself
    pdoc.pdoc(*(one.fullname for one in modules if one.fullname not in listed), output_directory=folder)


def main(folder: Path) -> int:
    modules = documented_modules()
    write(modules, folder)
    found = [fault for module in modules for fault in faults(module)]
    for fault in found:
        say(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
