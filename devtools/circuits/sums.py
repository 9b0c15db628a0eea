"""Circuits of XOR gates of two or three inputs on the 32 bit planes of AES' state.

Values are numbered: 0..31 the inputs, 8 * row + bit, from 32 on the gates. Where a gate adds two values, a
word of key may be added as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from devtools.circuits import ordering

INPUTS = OUTPUTS = 32
MIX_COLUMNS = (2, 3, 1, 1)  # FIPS 197 section 5.1.3
INVERSE_MIX_COLUMNS = (14, 11, 13, 9)  # section 5.3.3

# In the kernels' state, word 4 * bit + row is value 8 * row + bit.
VALUE_OF_WORD = [8 * (word % 4) + word // 4 for word in range(INPUTS)]


def matrix(factors: Sequence[int]) -> list[int]:
    """For each output, the inputs that it adds up, as a mask. Row r has factors[i] times row r + i."""

    def times_x(bits: list[int]) -> list[int]:
        return [(bits[i - 1] if i else 0) ^ (bits[7] if i in {0, 1, 3, 4} else 0) for i in range(8)]

    outputs: list[int] = []
    for row in range(4):
        total = [0] * 8
        for offset, factor in enumerate(factors):
            product = [1 << (8 * ((row + offset) % 4) + bit) for bit in range(8)]
            for power in range(4):
                if factor >> power & 1:
                    total = [a ^ b for a, b in zip(total, product, strict=True)]
                product = times_x(product)
        outputs += total
    return outputs


@dataclass(frozen=True)
class SumCircuit:
    gates: tuple[tuple[int, ...], ...]
    outputs: tuple[int, ...]

    def function(self) -> list[int]:
        """The matrix that the circuit computes, in the form of matrix()."""
        sums = [1 << i for i in range(INPUTS)]
        for gate in self.gates:
            total = 0
            for source in gate:
                total ^= sums[source]
            sums.append(total)
        return [sums[output] for output in self.outputs]

    def key_gates(self) -> list[int]:
        """The first gates with an input to spare whose keys can add up to any key of the outputs."""
        reach = [0] * (INPUTS + len(self.gates))  # the outputs that change when a value does
        for bit, output in enumerate(self.outputs):
            reach[output] ^= 1 << bit
        for number in range(len(reach) - 1, INPUTS - 1, -1):
            for source in self.gates[number - INPUTS]:
                reach[source] ^= reach[number]
        basis: list[int] = []
        chosen = []
        for number, gate in enumerate(self.gates, INPUTS):
            rest = reach[number] if len(gate) < 3 else 0
            for vector in basis:
                rest = min(rest, rest ^ vector)
            if rest:
                basis.append(rest)
                chosen.append(number)
        return chosen

    def most_live(self) -> int:
        return ordering.most_live(INPUTS, self.gates, self.outputs)

    def with_few_live_values(self, width: int) -> "SumCircuit":
        order = ordering.with_few_live_values(INPUTS, self.gates, self.outputs, width)
        number = {old: INPUTS + new for new, old in enumerate(order)} | {i: i for i in range(INPUTS)}
        return SumCircuit(
            tuple(tuple(sorted(number[source] for source in self.gates[old - INPUTS])) for old in order),
            tuple(number[output] for output in self.outputs),
        )


def greedy(rows: Sequence[int]) -> SumCircuit:
    """The pair of values that most rows have is added first (Paar 1997)."""
    sets = [{i for i in range(INPUTS) if row >> i & 1} for row in rows]
    gates: list[tuple[int, ...]] = []
    while any(len(row) > 1 for row in sets):
        uses: dict[tuple[int, int], int] = {}
        for row in sets:
            for pair in combinations(sorted(row), 2):
                uses[pair] = uses.get(pair, 0) + 1
        best = max(uses, key=lambda pair: uses[pair])
        for row in sets:
            if row.issuperset(best):
                row.difference_update(best)
                row.add(INPUTS + len(gates))
        gates.append(best)
    return SumCircuit(tuple(gates), tuple(next(iter(row)) for row in sets))


def parse(text: str) -> SumCircuit:
    """Reads a circuit in the text form that anneal_sums.cpp reads and writes."""
    lines = [line.split() for line in text.splitlines()]
    gates = tuple(tuple(int(source) for source in line) for line in lines[:-1])
    return SumCircuit(gates, tuple(int(output) for output in lines[-1][1:]))


def text(circuit: SumCircuit) -> str:
    lines = [" ".join(map(str, gate)) for gate in circuit.gates]
    return "\n".join([*lines, f"out {' '.join(map(str, circuit.outputs))}"]) + "\n"
