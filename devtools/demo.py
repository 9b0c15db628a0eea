"""./dev demo: the product's main job on real data, with another implementation as the witness."""

import hashlib
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from devtools.build import PRODUCT_PARTS, build_and_stage
from devtools.process import Argument, Command, Stop, Stopwatch, heading, say, text_of
from devtools.repository import BUILD, ROOT, VENV, WARPAES, tool
from devtools.steps import say_steps

FOLDER = BUILD / "demo"
KEY = FOLDER / "key"
TREE = FOLDER / "tree.tar"
SEALED = FOLDER / "tree.tar.wa"
OPENED = FOLDER / "tree-again.tar"
DAMAGED = FOLDER / "damaged.tar.wa"

# docs/container.md: a header of 56 bytes, then chunks of 16 KiB and their tags.
HEADER_BYTES, SEALED_CHUNK_BYTES = 56, 16384 + 16
EXIT_DAMAGED = 13


def demo(*, system_cuda: bool) -> int:
    clock = Stopwatch()
    build_and_stage("dev", parts=PRODUCT_PARTS, system_cuda=system_cuda)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)

    heading("a tree to encrypt, and a key")
    pack(tree_to_pack())
    warpaes("keygen", "--raw", "-o", KEY)
    heading("warpaes encrypt, warpaes decrypt")
    encrypted = warpaes("encrypt", "--key-file", KEY, "-o", SEALED, TREE)
    decrypted = warpaes("decrypt", "--key-file", KEY, "-o", OPENED, SEALED)
    say(f"encrypted: {speed(encrypted)}")
    say(f"decrypted: {speed(decrypted)}")
    heading("compare, by SHA-256")
    compare()
    heading("flip one bit, and verify")
    show_that_damage_is_found()
    heading("where this ran")
    say(where(encrypted["engine"]))
    say_what_next()
    say_steps()
    say(f"\ndemo: all as it should be, in {clock.seconds:.0f} s")
    return 0


def tree_to_pack() -> Path:
    """The folder of the compiler that set-up has installed; with --system-cuda, all of .venv."""
    return next(iter(VENV.glob("lib/python3*/site-packages/nvidia")), VENV)


def pack(tree: Path) -> None:
    with tarfile.open(TREE, "w") as archive:
        archive.add(tree, arcname=tree.name)
    say(f"{tree.relative_to(ROOT)} packed: {TREE.stat().st_size / 1e6:.0f} MB")


def warpaes(verb: str, *arguments: Argument) -> dict[str, Any]:
    """Runs the program, which must succeed, and returns the summary line of its JSON."""
    lines = text_of([WARPAES, verb, "--json", *arguments], timeout=300).splitlines()
    summary: dict[str, Any] = json.loads(lines[-1])
    if summary["type"] != "summary":
        raise Stop(f"warpaes {verb} did not end in a summary: {lines[-1]}")
    return summary


def speed(summary: dict[str, Any]) -> str:
    return (
        f"{summary['plaintext_bytes'] / 1e6:.0f} MB, {summary['gb_per_s']:.2f} GB/s, "
        f"engine {summary['engine']}"
    )


def compare() -> None:
    witness: Command = [tool("python"), ROOT / "devtools" / "cobblestone_decrypt.py", KEY, SEALED]
    digests = {
        "the tree": sha256(TREE),
        "decrypted by warpaes": sha256(OPENED),
        "decrypted by cryptography.cobblestone": text_of(witness, timeout=300).strip(),
    }
    for name, digest in digests.items():
        say(f"{digest}  {name}")
    if len(set(digests.values())) != 1:
        raise Stop("these should be equal")
    if sha256(SEALED) == digests["the tree"]:
        raise Stop("the container holds the plaintext")


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def show_that_damage_is_found() -> None:
    shutil.copyfile(SEALED, DAMAGED)
    offset = DAMAGED.stat().st_size * 2 // 3
    with DAMAGED.open("r+b") as stream:
        stream.seek(offset)
        byte = stream.read(1)[0]
        stream.seek(offset)
        stream.write(bytes([byte ^ 1]))
    chunk = (offset - HEADER_BYTES) // SEALED_CHUNK_BYTES
    say(f"flipped a bit of byte {offset}, which is in chunk {chunk}")
    command: Command = [WARPAES, "verify", "--json", "--key-file", KEY, DAMAGED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    say(done.stderr.strip())
    found = json.loads(done.stdout.splitlines()[-1])
    if done.returncode != EXIT_DAMAGED or found.get("chunk") != chunk:
        raise Stop(f"verify should have named chunk {chunk}: exit code {done.returncode}, {found}")
    say(f"found: exit code {done.returncode}, chunk {found['chunk']}")


def where(engine: str) -> str:
    devices = json_lines([WARPAES, "devices", "--json"])
    names = [line["name"] for line in devices if line["type"] == "device"]
    if names:
        return f"engine {engine}; GPU {', '.join(names)}"
    return f"engine {engine}, on the CPU: no GPU here ({devices[-1].get('reason') or 'none found'})"


def json_lines(command: Command) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(command).splitlines()]


def say_what_next() -> None:
    binary = WARPAES.relative_to(ROOT)
    folder = FOLDER.relative_to(ROOT)
    key, tree = f"{folder}/{KEY.name}", f"{folder}/{TREE.name}"
    heading("what to try next")
    say(f"{binary} inspect {folder}/{SEALED.name}")
    say(f"{binary} encrypt --engine portable --key-file {key} -o {folder}/slow.wa {tree}")
    say(f"{binary} engines && {binary} selftest && {binary} bench")
