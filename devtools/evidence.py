"""Are the committed GPU runs of these sources? And their figures, for the pages that quote them."""

import hashlib
import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools import architectures, files_figures, leakage_figures, quotations, sources
from devtools.figures import BEGIN, END, Line, of_devices, summary, sustained, table
from devtools.process import Stop, run, say
from devtools.repository import EVIDENCE, ROOT, WARPAES


@dataclass(frozen=True)
class Scope:
    """What a kind of run is evidence of."""

    recorded: tuple[str, ...]  # the sources whose fingerprint its machine line has
    decisive: tuple[str, ...]  # those of them that its results can depend on
    result: str  # the type of a line that says a result; a run without any is evidence of nothing
    may_fail: bool = True  # False: a run with a failed line does not pass either


PLANTED_FAULTS = "tests/planted_gpu_faults/**/*"
KINDS = {
    "conformance": Scope(sources.PRODUCT, sources.PRODUCT, "conformance", may_fail=False),
    "properties": Scope(sources.PRODUCT, sources.PRODUCT, "properties", may_fail=False),
    "bench": Scope(sources.PRODUCT, sources.BENCH, "result"),
    "leakage": Scope(sources.PRODUCT, (*sources.KERNELS, "tests/leakage/**/*"), "leakage"),
    "bank-conflicts": Scope(sources.PRODUCT, (*sources.KERNELS, PLANTED_FAULTS), "bank_conflicts"),
    "lab": Scope(sources.LAB, (*sources.KERNELS, "lab/**/*"), "result"),
    **{
        tool: Scope(sources.PRODUCT, (*sources.KERNELS, PLANTED_FAULTS), tool, may_fail=False)
        for tool in ("memcheck", "racecheck", "initcheck", "synccheck")
    },
}
# Who has figures between the marks, of which kind of run, and how they are made.
TABLES: dict[Path, tuple[str, Callable[[str, list[Line]], str]]] = {
    ROOT / "README.md": ("bench", summary),
    ROOT / "docs" / "figures.md": ("bench", table),
    ROOT / "docs" / "benchmarks.md": ("sustained", sustained),
    ROOT / "docs" / "design" / "host-memory.md": ("devices", of_devices),
    ROOT / "docs" / "side-channels.md": ("leakage", leakage_figures.table),
    ROOT / "docs" / "design" / "architectures.md": ("bench", architectures.table),
    ROOT / "docs" / "design" / "files.md": ("files", files_figures.section),
}


def newest(kind: str, folder: Path = EVIDENCE) -> Path | None:
    """The newest file of that kind. Names begin with the date: <date>-<gpu>-<kind>.jsonl."""
    return max(folder.glob(f"*-{kind}.jsonl"), default=None)


def newest_of_each_machine(kind: str, folder: Path = EVIDENCE) -> list[Path]:
    machines = {path.name[len("2026-01-01-") :]: path for path in sorted(folder.glob(f"*-{kind}.jsonl"))}
    return list(machines.values())


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Stop unless the file is what ./dev gpu writes: objects, the first of them the machine."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    except json.JSONDecodeError as error:
        raise Stop(f"{path.name}: {error}") from error
    if not lines or lines[0].get("type") != "machine":
        raise Stop(f"{path.name} does not begin with a machine line")
    return lines


def check(folder: Path = EVIDENCE, root: Path = ROOT) -> int:
    """Of each kind the newest run of some machine has to be fresh; what the others have is said, too.

    No fresh run may be without a result, nor one whose kind says so with a failure.
    """
    of_kinds = [is_proven(kind, folder, root) for kind in KINDS]
    all_fresh = page_is_of_the_run(folder, root) and all(of_kinds)
    if not all_fresh:
        say("To make it anew: ./dev build, then ./dev gpu --output evidence on a machine with a GPU")
    return 0 if all_fresh else 1


def is_proven(kind: str, folder: Path, root: Path) -> bool:
    paths = newest_of_each_machine(kind, folder)
    if not paths:
        say(f"missing: {kind}")
    machines = {path: read_lines(path)[0] for path in paths}
    fresh = {path: is_of(machine, root, KINDS[kind]) for path, machine in machines.items()}
    for path, machine in machines.items():
        say(f"{'fresh' if fresh[path] else 'stale'}: {path.name}{what_failed(path)}")
        if not fresh[path]:
            say_what_changed(machine, root, KINDS[kind])
    unfit = {path: unfitness(path, KINDS[kind]) for path in paths if fresh[path]}
    for path, why in unfit.items():
        if why:
            say(f"{path.name} proves nothing: {why}")
    return any(fresh.values()) and not any(unfit.values())


def unfitness(path: Path, scope: Scope) -> str:
    """Why a fresh run is no evidence of its kind; empty if it is."""
    if not any(line.get("type") == scope.result for line in read_lines(path)):
        return f'it has no line of the type "{scope.result}"'
    return "" if scope.may_fail or not what_failed(path) else "lines of it failed"


def what_failed(path: Path) -> str:
    """Most runs may have failed: they are evidence all the same, and say so. Empty if nothing has."""
    lines = read_lines(path)
    failed = sum(line.get("passed") is False or bool(line.get("failed")) for line in lines)
    return f", in which {failed} of {len(lines)} lines FAILED" if failed else ""


def is_of(machine: dict[str, Any], root: Path, scope: Scope) -> bool:
    """Is a run of these sources: all that were recorded, or a commit since which nothing decisive changed?

    Git says the latter, of a commit that it knows. What has changed for other GPUs alone does not count, and
    neither do comments.
    """
    if machine.get("sources_sha256") == sources.fingerprint(root, scope.recorded):
        return True
    return what_changed(machine, root, scope) == []


def what_changed(machine: dict[str, Any], root: Path, scope: Scope) -> list[str] | None:
    """As sources.changed_since, since the commit of a run and for its GPU."""
    capability = str(machine.get("compute_capability") or "")
    return sources.changed_since(commit_of(machine, root, scope), root, scope.decisive, capability)


def commit_of(machine: dict[str, Any], root: Path, scope: Scope) -> str:
    """The commit that has the sources of a run; one that git does not know if none has.

    A build of files that were in no commit has "-modified" behind the one that they came from. If what was
    modified is not among the sources that a run depends on, such as a page or a test, they are that commit's.
    """
    commit = str(machine.get("commit"))
    base = commit.removesuffix("-modified")
    if base == commit or not machine.get("sources_sha256"):
        return commit
    same = sources.fingerprint_of_commit(base, root, scope.recorded) == machine["sources_sha256"]
    return base if same else commit


def say_what_changed(machine: dict[str, Any], root: Path, scope: Scope) -> None:
    """How stale a run is: all of it may have changed since, or one file."""
    most_named = 12
    commit, names = machine.get("commit"), what_changed(machine, root, scope)
    if names is None:
        say(f"    it is of the commit {commit}, which git does not know here: a full clone may tell more")
    if not names:
        return
    text = ", ".join(names[:most_named]) + (
        f" and {len(names) - most_named} more" if names[most_named:] else ""
    )
    say(f"    files that have changed since its commit, {commit}: {text}")


def with_tables(path: Path) -> str:
    """The text of the page, with its table made anew."""
    text = path.read_text()
    kind, figures_of = TABLES[path]
    runs = newest_of_each_machine(kind) if kind == "files" else [newest(kind)]
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise Stop(f"{path.name} has no {BEGIN} … {END}")
    figures = "\n".join(figures_of(run.name, read_lines(run)) for run in runs if run)
    figures = figures or "No run has been recorded yet.\n"
    return f"{before}{BEGIN}\n{figures}{END}{after}"


def pages_with_figures() -> dict[Path, str]:
    """The text that each page with figures of the evidence should have."""
    pages = {path: with_tables(path) for path in TABLES}
    runs = {kind: read_lines(path) if (path := newest(kind)) else None for kind in KINDS}
    for path in quotations.pages():
        pages[path] = quotations.renewed(path, pages.get(path, path.read_text()), runs)
    return pages


def figures_are_of_the_run() -> bool:
    stale = [path for path, text in pages_with_figures().items() if text != path.read_text()]
    for path in stale:
        say(f"{path.relative_to(ROOT)} differs from evidence/: ./dev evidence --figures")
    return not stale


def write_figures() -> int:
    for path, text in pages_with_figures().items():
        if text != path.read_text():
            path.write_text(text)
            say(f"written: {path.relative_to(ROOT)}")
    return 0


def lab_page(evidence: Path, root: Path = ROOT) -> Path:
    """The page that is drawn from <date>-<gpu>-lab.jsonl: docs/lab/<gpu>.html."""
    gpu = re.sub(r"^\d+-\d+-\d+-|-lab\.jsonl$", "", evidence.name)
    return root / "docs" / "lab" / f"{gpu}.html"


def page_mark(evidence: Path) -> str:
    """What stands at the end of a page to say from which run it was drawn."""
    return f"<!-- {evidence.name}, SHA-256 {hashlib.sha256(evidence.read_bytes()).hexdigest()} -->\n"


def page_is_of_the_run(folder: Path = EVIDENCE, root: Path = ROOT) -> bool:
    """Is the page of the committed run? Yes if there is no run, which is reported elsewhere."""
    evidence = newest("lab", folder)
    if evidence is None:
        return True
    page = lab_page(evidence, root)
    fresh = page.is_file() and page.read_text().endswith(page_mark(evidence))
    say(f"{'fresh' if fresh else 'stale' if page.is_file() else 'missing'}: {page.relative_to(root)}")
    if not fresh:
        say("To draw it: ./dev build, then ./dev evidence --page")
    return fresh


def write_page() -> int:
    evidence = newest("lab")
    if evidence is None:
        raise Stop(
            "no run of the lab's studies is in evidence/", hint="./dev gpu --suites lab --output evidence"
        )
    if not WARPAES.is_file():
        raise Stop(f"{WARPAES} is missing", hint="./dev build")
    page = lab_page(evidence)
    page.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run([WARPAES, "lab", "report", evidence, "-o", folder])
        page.write_text((Path(folder) / "report.html").read_text() + page_mark(evidence))
    say(f"written: {page.relative_to(ROOT)}")
    return 0
