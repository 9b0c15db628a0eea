"""MixColumns and its inverse, with AddRoundKey, as circuits of 3-input XOR gates: checked, and searched anew.

    python3 -m devtools.derive_mix_columns_circuit --check
    python3 -m devtools.derive_mix_columns_circuit --search mix_columns_circuit --seed 2

What is looked for. 32 sums of 32 bit planes, each plus a word of round key, in the fewest gates of three
inputs. Wherever a gate adds only two values, a word of key can go in for nothing. It need not be a word of
the round key: key words added anywhere reach certain outputs, and if the sets that they reach have full
rank, there are 32 words that add up to any round key (primitives/bitsliced_keys.hpp solves for them, once a
key). So the cost is the number of gates plus what the rank lacks of 32.

How. Greedy sharing of pairs (Paar 1997) to start from; then simulated annealing, circuits/anneal_sums.cpp: a
move makes one value in another way, as the sum of two or three others that do not depend on it, one of which
may be a new gate. Most moves change nothing in number, and are always taken.

What it found. The counts that --check prints; where MixColumns in 92 gates of two inputs (Maximov 2019) and
32 more for the round key are 124, and a design for three inputs by hand took 76.

The header is the data: --check reads the gates from there and compares their sums with the standard's
matrices, the gates that take keys with the full rank, and the counts in the comments.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from devtools.circuits import sum_text, sums
from devtools.circuits.search import anneal
from devtools.circuits.sums import SumCircuit
from devtools.repository import ROOT

HEADER = ROOT / "src" / "primitives" / "mix_columns_circuit.hpp"
BEAM = 500


class Wanted(NamedTuple):
    factors: Sequence[int]
    what: str


WANTED = {
    "mix_columns_circuit": Wanted(sums.MIX_COLUMNS, "MixColumns, FIPS 197 section 5.1.3"),
    "inverse_mix_columns_circuit": Wanted(sums.INVERSE_MIX_COLUMNS, "InvMixColumns, FIPS 197 section 5.3.3"),
}

PREAMBLE = """\
// MixColumns and its inverse, each with AddRoundKey, as circuits of XOR gates with three inputs.
// Made by devtools/derive_mix_columns_circuit.py, which also checks it; docs/design/bitsliced.md tells how.
#pragma once

#include <cstdint>

#include "primitives/lop3.hpp"

namespace warpaes::core {

"""

COMMENT = """\
{what}, plus a round key, on the 32 words of SlicedState.
{counts}. Key words go in where a gate has an input to spare:
bitsliced_keys.hpp finds the words that add up to the round key wanted.
@param key 32 words"""


def counts(circuit: SumCircuit) -> str:
    return f"{len(circuit.gates)} gates, at most {circuit.most_live()} values at a time"


def header_of(circuits: dict[str, SumCircuit]) -> str:
    functions = [
        sum_text.text_of_function(
            circuit, name, COMMENT.format(what=WANTED[name].what, counts=counts(circuit))
        )
        for name, circuit in circuits.items()
    ]
    return PREAMBLE + "\n\n".join(functions) + "\n\n}  // namespace warpaes::core\n"


def circuits_in(header: str) -> dict[str, SumCircuit]:
    return {name: sum_text.parse_function(header, name)[0] for name in WANTED}


def faults(header: str) -> list[str]:
    """Lists what is wrong with the header."""
    found = []
    for name, wanted in WANTED.items():
        circuit, key_gates = sum_text.parse_function(header, name)
        should = sums.matrix(wanted.factors)
        wrong = [i for i, is_ in enumerate(circuit.function()) if is_ != should[i]]
        if wrong:
            found.append(f"{name} is wrong in {len(wrong)} outputs, the first of which is {wrong[0]}")
        if len(circuit.key_gates()) != sums.OUTPUTS or key_gates != circuit.key_gates():
            found.append(f"{name} cannot take every round key where it takes keys")
    if not found and re.sub(r"\s+", " ", header) != re.sub(r"\s+", " ", header_of(circuits_in(header))):
        found.append("the text is not what this script writes: comments and counts among it")
    return found


def search(name: str, seed: int, steps: int, temperature: float) -> SumCircuit:
    wanted = sums.matrix(WANTED[name].factors)
    start = sums.greedy(wanted)
    found = sums.parse(
        anneal("anneal_sums", sums.text(start), steps=steps, seed=seed, temperature=temperature)
    ).with_few_live_values(BEAM)
    assert found.function() == wanted
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="verify the header's matrices and keys")
    action.add_argument("--search", choices=list(WANTED), help="and write the header if it has fewer gates")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=250_000, help="a minute or two")
    parser.add_argument("--temperature", type=float, default=0.25)
    parser.add_argument("--header", type=Path, default=HEADER)
    options = parser.parse_args(arguments)
    header = options.header.read_text()
    circuits = circuits_in(header)
    if options.search:
        found = search(options.search, options.seed, options.steps, options.temperature)
        complete = len(found.key_gates()) == sums.OUTPUTS
        print(f"found: {counts(found)}; the header has {counts(circuits[options.search])}")
        if complete and len(found.gates) < len(circuits[options.search].gates):
            options.header.write_text(header_of(circuits | {options.search: found}))
        return 0
    for fault in (wrong := faults(header)):
        print(f"{options.header.name}: {fault}")
    for name, circuit in circuits.items():
        print(f"{name}: {counts(circuit)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
