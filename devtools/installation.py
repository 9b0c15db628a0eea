"""./dev install and ./dev uninstall: the product in a folder of choice, and out of it again.

What was installed is listed in the folder itself, so that nothing but the folder is needed to remove it.
Who makes a package sets DESTDIR, as for `make install`: what belongs into /usr goes into DESTDIR/usr then.
"""

import os
import shlex
import shutil
import tempfile
from pathlib import Path

from devtools.build import TESTED_PARTS, build, install
from devtools.ownership import for_all_users, other_owner, run_as
from devtools.process import Stop, heading, run, say, text_of
from devtools.setup import PRODUCT, TEST, install_apt_packages_of
from devtools.steps import say_steps

# The Python package is installed by pip, for whichever Python.
INSTALLED_PARTS = tuple(part for part in TESTED_PARTS if part not in ("checks", "python"))
ELSEWHERE = "sudo, or a folder of your own: --prefix ~/.local"
LIST = Path("share") / "warpaes" / "installed-files.txt"
SYSTEM_PROGRAMS = "/usr/sbin:/sbin"  # which users do not have in PATH


def install_into(prefix: Path, *, preset: str, system_cuda: bool) -> int:
    """Of sudo's root only the copies are: the owner of the tree builds, and can go on doing so."""
    place_of_files, way_out = below_destdir(prefix), remover(prefix)
    require_place(place_of_files)
    with tempfile.TemporaryDirectory() as temporary:
        staged = Path(temporary)

        def stage() -> int:
            folder = build(preset, targets=INSTALLED_PARTS, system_cuda=system_cuda)
            install(folder, INSTALLED_PARTS, staged)
            say_steps()
            return 0

        owner = other_owner()
        if owner:
            os.chown(staged, owner.st_uid, owner.st_gid)
            install_apt_packages_of(PRODUCT, TEST)  # only root can, and the build runs as the owner
        code = run_as(owner, stage) if owner else stage()
        if code:
            return code
        heading(f"install: {place_of_files}")
        count = place(staged, place_of_files, way_out=way_out)
    say(f"\n{count} files installed; {way_out} removes them")
    if not destdir():
        tell_the_loader(prefix)
    return 0


def uninstall_from(prefix: Path) -> int:
    say(f"{remove(below_destdir(prefix))} files removed from {below_destdir(prefix)}")
    if os.geteuid() == 0 and not destdir() and is_searched_by_the_loader(prefix / "lib"):
        tell_the_loader(prefix)
    return 0


def destdir() -> str:
    return os.environ.get("DESTDIR", "")


def below_destdir(prefix: Path) -> Path:
    return Path(destdir()).resolve() / prefix.relative_to("/") if destdir() else prefix


def remover(prefix: Path) -> str:
    """The command that removes what was installed."""
    setting = f"DESTDIR={shlex.quote(destdir())} " if destdir() else ""
    return f"{setting}./dev uninstall --prefix {shlex.quote(str(prefix))}"


def tell_the_loader(prefix: Path) -> None:
    """Sees to it that programs find the library when they start, or says how they do.

    Of the folders that it always searches, the loader knows what ldconfig has last seen there. A program that
    is linked with a library that is newer than this does not start.
    """
    folder = prefix / "lib"
    if not is_searched_by_the_loader(folder):
        rpath = shlex.quote(f"-Wl,-rpath,{folder}")
        say(f"programs find the library by {rpath} when they are linked, or by LD_LIBRARY_PATH")
    elif os.geteuid() == 0:
        run([ldconfig()])
    else:
        say("sudo ldconfig, and programs find the library")


def is_searched_by_the_loader(folder: Path) -> bool:
    if not ldconfig():
        return False
    # -N and -X: it changes neither its cache nor links. -v: it lists the folders that it searches.
    lines = text_of([ldconfig(), "-N", "-X", "-v"]).splitlines()
    searched = {Path(line.partition(":")[0]).resolve() for line in lines if line.startswith("/")}
    return folder.resolve() in searched


def ldconfig() -> str:
    """Empty where there is none, as on systems without glibc."""
    return shutil.which("ldconfig", path=SYSTEM_PROGRAMS) or ""


def require_place(prefix: Path) -> None:
    """Stop if nothing can be put there: before a build, which takes minutes."""
    there = next(folder for folder in (prefix, *prefix.parents) if folder.exists())
    if not there.is_dir():
        raise Stop(f"{there} is no folder", hint="--prefix DIR")
    try:
        # Tried, as permissions do not tell: below /proc nobody, root included, can make a folder.
        with tempfile.TemporaryDirectory(dir=there):
            pass
    except OSError as error:
        raise Stop(f"{there} cannot be written to: {error.strerror}", hint=ELSEWHERE) from error


def place(staged: Path, prefix: Path, *, way_out: str = "./dev uninstall") -> int:
    """Copies a tree in place of what an earlier call has put there; Stop if a file is somebody else's."""
    files = sorted(path.relative_to(staged) for path in staged.rglob("*") if not path.is_dir())
    earlier, unfinished = set(listed(prefix)), {unfinished_of(file) for file in files}
    foreign = [
        str(file) for file in sorted({*files, *unfinished} - earlier) if os.path.lexists(prefix / file)
    ]
    if foreign:
        raise Stop(
            f"{prefix} has files that ./dev install has not put there: {', '.join(foreign)}",
            hint="remove them, or choose another --prefix",
        )
    try:
        with for_all_users():
            # Before the first file is copied: what is half installed can be removed, too.
            write_list(prefix, {*files, *earlier, *unfinished})
            for file in files:
                copy(staged / file, prefix / file)
            take_away(prefix, earlier - set(files))
            write_list(prefix, set(files))
    except PermissionError as error:
        raise Stop(str(error), hint=ELSEWHERE) from error
    except OSError as error:  # as when no space is left
        raise Stop(str(error), hint=f"{way_out} removes what is there by now") from error
    return len(files)


def write_list(prefix: Path, files: set[Path]) -> None:
    """In place of an earlier one, which stays whole if this one cannot be written."""
    new = prefix / unfinished_of(LIST)
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        new.write_text("".join(f"{file}\n" for file in sorted(files)))
        new.replace(prefix / LIST)
    finally:
        new.unlink(missing_ok=True)


def unfinished_of(file: Path) -> Path:
    return file.with_name(file.name + ".new")


def copy(source: Path, target: Path) -> None:
    """Copies into a new file, so that a running program keeps the one from which it was started."""
    new = unfinished_of(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        shutil.copy2(source, new, follow_symlinks=False)
        new.replace(target)
    except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
        hint = "remove what is in the way, or choose another --prefix"
        raise Stop(f"{target} cannot be put there: {error.strerror}", hint=hint) from error
    finally:
        if new.is_symlink() or new.is_file():
            new.unlink()


def remove(prefix: Path) -> int:
    if not (prefix / LIST).is_file():
        raise Stop(f"{prefix} has no {LIST}: ./dev install has put nothing there", hint="--prefix DIR")
    files = [file for file in listed(prefix) if os.path.lexists(prefix / file)]
    try:
        take_away(prefix, {*listed(prefix), LIST, unfinished_of(LIST)})
    except PermissionError as error:
        raise Stop(str(error), hint="sudo") from error
    return len(files)


def listed(prefix: Path) -> list[Path]:
    """Stop if the list is damaged or names what lies elsewhere, which ./dev install does not write."""
    if not (prefix / LIST).is_file():
        return []
    names = (prefix / LIST).read_bytes().decode(errors="replace")
    if "\ufffd" in names or "\0" in names:
        hint = f"remove WarpAES' files from {prefix} by hand, and this list"
        raise Stop(f"{prefix / LIST} is damaged: what ./dev install has put there is not known", hint=hint)
    files = [Path(line) for line in names.splitlines()]
    for file in files:
        if file.is_absolute() or ".." in file.parts:
            raise Stop(f"{prefix / LIST}: {file} is not in {prefix}")
    return files


def take_away(prefix: Path, files: set[Path]) -> None:
    """Removes the files, and the folders that are empty then."""
    for file in files:
        path = prefix / file
        if path.is_symlink() or path.is_file():  # a folder that has taken a file's place is somebody else's
            path.unlink()
    folders = {folder for file in files for folder in file.parents if folder != Path()}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        if (prefix / folder).is_dir() and not any((prefix / folder).iterdir()):
            (prefix / folder).rmdir()
