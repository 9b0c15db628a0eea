"""The verbs of ./dev, one row each."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from devtools import (
    bench,
    build,
    demo,
    docs,
    evidence,
    extension,
    files,
    gpu,
    installation,
    libcrypto,
    lint,
    packages,
    setup,
    testing,
    wheels,
)
from devtools.process import code_of
from devtools.steps import say_steps

Options = argparse.Namespace


class Verb(NamedTuple):
    name: str
    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    action: Callable[[Options], int]


def no_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def compiler_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--system-cuda", action="store_true", help="use this machine's CUDA toolkit, not the pinned one"
    )


def test_arguments(parser: argparse.ArgumentParser) -> None:
    compiler_arguments(parser)
    parser.add_argument(
        "--extension",
        action="store_true",
        help="with the C++ of the Python package under sanitizers, too: 90 s more on one processor",
    )
    parser.add_argument(
        "--torch",
        action="store_true",
        help="with all tests of the Python package beside PyTorch, too: 200 s more on one processor, and 7 GB"
        " in build/torch, which are installed once",
    )


def build_arguments(parser: argparse.ArgumentParser) -> None:
    compiler_arguments(parser)
    parser.add_argument("--release", action="store_true", help="for every supported GPU, as it is shipped")


def openssl_argument(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--openssl",
        choices=libcrypto.CHOICES,
        default=default,
        help="this machine's libcrypto, or one of a pinned version inside, whose sources cargo downloads"
        f" (default: {default})",
    )


def package_arguments(parser: argparse.ArgumentParser) -> None:
    build_arguments(parser)
    openssl_argument(parser, libcrypto.PINNED)
    parser.add_argument(
        "--maintainer",
        type=maintainer,
        default="",
        metavar="'NAME <MAIL ADDRESS>'",
        help="whom the Debian packages name as the one to write to",
    )


def maintainer(text: str) -> str:
    """As Debian's packages have it."""
    if not re.fullmatch(r"[^<>\s][^<>\n]* <[^<>@\s]+@[^<>@\s]+>", text):
        raise argparse.ArgumentTypeError("it is not written as 'Name <mail@address>'")
    return text


def preset(options: Options) -> str:
    return "release" if options.release else "dev"


def folder_of(text: str) -> Path:
    """As a variable that is not set gives it, an empty name would be the folder that one happens to be in."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    try:
        return Path(text).expanduser().resolve()
    except RuntimeError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error


def prefix_argument(parser: argparse.ArgumentParser) -> None:
    default = Path("/usr/local")
    parser.add_argument(
        "--prefix", type=folder_of, default=default, metavar="DIR", help=f"default: {default}"
    )


def install_arguments(parser: argparse.ArgumentParser) -> None:
    build_arguments(parser)
    prefix_argument(parser)


def staging_arguments(parser: argparse.ArgumentParser) -> None:
    build_arguments(parser)
    python_argument(
        parser, "a Python that stage/ also gets the package's extension for, beside that of .venv"
    )
    openssl_argument(parser, libcrypto.SYSTEM)


def wheel_arguments(parser: argparse.ArgumentParser) -> None:
    build_arguments(parser)
    python_argument(
        parser, "a Python to make a wheel for; may be given several times (default: that of .venv)"
    )
    openssl_argument(parser, libcrypto.PINNED)


def python_argument(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--python", action="append", default=[], metavar="PROGRAM", help=what)


def bench_arguments(parser: argparse.ArgumentParser) -> None:
    compiler_arguments(parser)
    parser.add_argument(
        "--compare-openssl-speed", action="store_true", help="the openssl engine and `openssl speed` by turns"
    )
    parser.epilog = "All other arguments are passed on to warpaes bench."
    parser.set_defaults(passes_on=True)


def files_arguments(parser: argparse.ArgumentParser) -> None:
    compiler_arguments(parser)
    openssl_argument(parser, libcrypto.SYSTEM)
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="where the .jsonl file goes"
    )
    parser.add_argument("--mebibytes", type=int, default=1024, metavar="N", help="size of the file: 1024")
    parser.add_argument("--turns", type=int, default=5, metavar="N", help="runs of each contestant: 5")


def gpu_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="where the .jsonl files go")
    names = ",".join(suite.name for suite in gpu.SUITES)
    parser.add_argument("--suites", default=names, metavar="A,B", help=f"default: {names}")


def evidence_arguments(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--check", action="store_true", help="exit 1 unless evidence is of these sources")
    choice.add_argument(
        "--figures", action="store_true", help="write the figures into the pages that quote them"
    )
    choice.add_argument("--page", action="store_true", help="draw the lab's run: docs/lab/<gpu>.html")


def lint_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all",
        action="store_true",
        help="clang-tidy also reads files that are as they were when they passed",
    )


def run_setup(options: Options) -> int:
    setup.set_up(options.system_cuda, *setup.GROUPS)
    return 0


def run_build(options: Options) -> int:
    pythons = wheels.interpreters(options.python)
    build.build_and_stage(preset(options), system_cuda=options.system_cuda, openssl=options.openssl)
    extension.stage_extensions(pythons)
    say_steps()
    return 0


def run_bench(options: Options) -> int:
    if options.compare_openssl_speed:
        return bench.compare_openssl_speed(options.others, system_cuda=options.system_cuda)
    return bench.bench(options.others, system_cuda=options.system_cuda)


def run_evidence(options: Options) -> int:
    if options.figures:
        return evidence.write_figures()
    return evidence.write_page() if options.page else evidence.check()


VERBS = (
    Verb("demo", "encrypt and decrypt 300 MB, with another implementation as witness", compiler_arguments,
         lambda options: demo.demo(system_cuda=options.system_cuda)),
    Verb("setup", "install what is missing; the other verbs do it themselves", compiler_arguments, run_setup),
    Verb("build", "build, and install into stage/", staging_arguments, run_build),
    Verb("install", "build, and install library, tool and lab", install_arguments,
         lambda options: installation.install_into(
             options.prefix, preset=preset(options), system_cuda=options.system_cuda)),
    Verb("uninstall", "remove what ./dev install has put there", prefix_argument,
         lambda options: installation.uninstall_from(options.prefix)),
    Verb("package", "build, and make .deb packages and a tarball in build/packages/", package_arguments,
         lambda options: packages.package(
             preset=preset(options), system_cuda=options.system_cuda, openssl=options.openssl,
             maintainer=options.maintainer)),
    Verb("wheel", "the Python package as wheels and as sources, in build/wheels/", wheel_arguments,
         lambda options: wheels.wheel(
             wheels.interpreters(options.python), preset=preset(options), system_cuda=options.system_cuda,
             openssl=options.openssl)),
    Verb("test", "build, also with sanitizers, and run all tests", test_arguments,
         lambda options: testing.test(
             system_cuda=options.system_cuda, extension=options.extension, torch=options.torch)),
    Verb("bench", "measure on this machine: warpaes bench", bench_arguments,
         run_bench),
    Verb("files", "measure warpaes on files beside cp, dd, openssl and age", files_arguments,
         lambda options: files.files(
             options.output, options.mebibytes << 20, options.turns, system_cuda=options.system_cuda,
             openssl=options.openssl)),
    Verb("gpu", "what a GPU machine has to run, from stage/ alone", gpu_arguments,
         lambda options: gpu.gpu(options.output, options.suites.split(","))),
    Verb("evidence", "is evidence/ of these sources?", evidence_arguments,
         run_evidence),
    Verb("docs", "the API reference, from the comments of headers and Python's docstrings", no_arguments,
         lambda _: docs.docs()),
    Verb("lint", "check format, layers, comments, pages, ruff, mypy, clang-tidy", lint_arguments,
         lambda options: lint.lint(read_all=options.all)),
    Verb("format", "format C++, CUDA and Python sources", no_arguments, lambda _: lint.format_sources()),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev", description="Set up, build, test and measure WarpAES.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    for verb in VERBS:
        subparser = verbs.add_parser(
            verb.name, help=verb.summary, description=verb.summary, allow_abbrev=False
        )
        verb.arguments(subparser)
        subparser.set_defaults(action=verb.action, complain=subparser.error)
    options, others = parser.parse_known_args()
    if others and "passes_on" not in options:
        options.complain(f"unrecognized arguments: {' '.join(others)}")
    options.others = others
    return code_of(lambda: options.action(options))
