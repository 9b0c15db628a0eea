"""The S-box and its inverse as circuits of 3-input gates: checked, and searched for anew.

    python3 -m devtools.derive_sbox_circuit --check
    python3 -m devtools.derive_sbox_circuit --search sbox_circuit --seed 7

What is looked for. A GPU's logic instruction computes any function of three bits, so the cost of a circuit is
the number of its gates, whatever they are: XORs of three, multiplexers, and complements come for free. That
is also why nothing is gained by leaving out the S-box's constant; it is left out because the caller has a
key to add anyway.

Where it starts. At inversion by way of GF(2^4) and GF(2^2) in randomly chosen bases, circuits/tower.py: some
120 gates, the best of 40 choices.

How it shrinks, circuits/anneal_look_ups.cpp. With eight inputs, a truth table is 256 bits, and everything can
be decided exactly. A move picks a gate and looks at which of the 256 inputs the outputs would notice another
value of it (the care set). Any three values, not depending on the gate, that tell the inputs where it must be
1 from those where it must be 0 can replace its fan-ins: resubstitution with don't-cares (Mishchenko,
Brayton, Jiang and Jang 2009, by way of SAT; here by exhaustion). So can two values and a new gate of three
others. The move counts gates that nobody reads any more against those that are new. Most moves change nothing
in number, and are always taken: the circuit wanders among its equals until one of them can lose a gate. A
larger one is accepted with probability exp(-1/temperature).

What it found. The counts that --check prints. The circuit of 115 gates of two inputs (Boyar and Peralta 2010)
becomes 84 in a compiler's hands, 76 to 78 by general logic synthesis, and 74 by annealing its mapping.

The header is the data: --check reads the gates from there, evaluates them at all 256 inputs against the S-box
by its definition (circuits/field.py), and compares the counts in the comments.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from devtools.circuits import look_ups, tower
from devtools.circuits.field import (
    AFFINE,
    INVERSE_AFFINE,
    INVERSE_SBOX_WITHOUT_CONSTANT,
    SBOX_WITHOUT_CONSTANT,
)
from devtools.circuits.look_ups import Circuit
from devtools.circuits.search import anneal
from devtools.repository import ROOT

HEADER = ROOT / "src" / "primitives" / "sbox_circuit.hpp"
STARTS = 40
BEAM = 8000


class Wanted(NamedTuple):
    function: list[int]
    into: list[int]  # linear maps before and after the inversion
    out_of: list[int]
    comment: str


IDENTITY = list(range(256))
WANTED = {
    "sbox_circuit": Wanted(
        SBOX_WITHOUT_CONSTANT,
        IDENTITY,
        AFFINE,
        """SubBytes without its constant, FIPS 197 section 5.1.1: S(x) ^ 0x63 of 32 bytes, in place. The
caller adds the constant to the round key that follows.
{counts}.
@param bit bit j of all the bytes, bit 0 being the least significant""",
    ),
    "inverse_sbox_circuit": Wanted(
        INVERSE_SBOX_WITHOUT_CONSTANT,
        INVERSE_AFFINE,
        IDENTITY,
        """InvSubBytes of what lacks the S-box's constant, section 5.3.2: the inverse of S at x ^ 0x63, of 32
bytes, in place. The caller adds the constant to the round key before.
{counts}.
@param bit bit j of all the bytes, bit 0 being the least significant""",
    ),
}

PREAMBLE = """\
// The S-box and its inverse as circuits of 3-input gates, for 32 bytes at a time.
// Made by devtools/derive_sbox_circuit.py, which also checks it; docs/design/bitsliced.md tells how.
#pragma once

#include <cstdint>

#include "primitives/lop3.hpp"

namespace warpaes::core {

"""


def counts(circuit: Circuit) -> str:
    return f"{len(circuit.gates)} gates, at most {circuit.most_live()} values at a time"


def header_of(circuits: dict[str, Circuit]) -> str:
    functions = [
        look_ups.text_of_function(circuit, name, WANTED[name].comment.format(counts=counts(circuit)))
        for name, circuit in circuits.items()
    ]
    return PREAMBLE + "\n\n".join(functions) + "\n\n}  // namespace warpaes::core\n"


def circuits_in(header: str) -> dict[str, Circuit]:
    return {name: look_ups.parse_function(header, name) for name in WANTED}


def faults(header: str) -> list[str]:
    """Lists what is wrong with the header."""
    found = []
    circuits = circuits_in(header)
    for name, circuit in circuits.items():
        wrong = [
            x
            for x, (is_, should) in enumerate(zip(circuit.function(), WANTED[name].function, strict=True))
            if is_ != should
        ]
        if wrong:
            found.append(f"{name} is wrong at {len(wrong)} inputs, the first of which is {wrong[0]:#04x}")
    if not found and re.sub(r"\s+", " ", header) != re.sub(r"\s+", " ", header_of(circuits)):
        found.append("the text is not what this script writes: comments and counts among it")
    return found


def from_towers(name: str, seed: int) -> Circuit:
    wanted = WANTED[name]
    starts = [tower.inversion(wanted.into, wanted.out_of, seed * 100 + number) for number in range(STARTS)]
    return min(starts, key=lambda circuit: len(circuit.gates))


def search(name: str, start: Circuit, seed: int, steps: int, temperature: float) -> Circuit:
    found = look_ups.parse(
        anneal("anneal_look_ups", look_ups.text(start), steps=steps, seed=seed, temperature=temperature)
    ).with_few_live_values(BEAM)
    assert found.function() == WANTED[name].function
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="verify the header at every input")
    action.add_argument("--search", choices=list(WANTED), help="and write the header if it has fewer gates")
    parser.add_argument("--onward", action="store_true", help="start from the circuit in the header")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2_000_000, help="a minute or two")
    parser.add_argument("--temperature", type=float, default=0.25)
    parser.add_argument("--header", type=Path, default=HEADER)
    options = parser.parse_args(arguments)
    header = options.header.read_text()
    circuits = circuits_in(header)
    if options.search:
        start = circuits[options.search] if options.onward else from_towers(options.search, options.seed)
        found = search(options.search, start, options.seed, options.steps, options.temperature)
        print(f"found: {counts(found)}; the header has {counts(circuits[options.search])}")
        if len(found.gates) < len(circuits[options.search].gates):
            options.header.write_text(header_of(circuits | {options.search: found}))
        return 0
    for fault in (wrong := faults(header)):
        print(f"{options.header.name}: {fault}")
    for name, circuit in circuits.items():
        print(f"{name}: {counts(circuit)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
