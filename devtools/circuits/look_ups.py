"""Circuits of 3-input gates with eight inputs and eight outputs: evaluated, ordered, read and written.

A gate is a truth table of eight bits and three fan-ins. The table's bit 4a + 2b + c is the result at
(a, b, c), which is the convention of the PTX instruction lop3.b32. Values are numbered: 0..7 the inputs,
from 8 on the gates in the order in which they are computed. A value's truth table over all 256 inputs is
an integer of 256 bits.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devtools.circuits import ordering
from devtools.circuits.filled import filled

INPUTS = OUTPUTS = 8
EVERYWHERE = (1 << 256) - 1
INPUT_TABLES = tuple(sum(1 << x for x in range(256) if x >> bit & 1) for bit in range(INPUTS))

GATE_LINE = re.compile(r"\bg(\d+) = lop3<0x([0-9a-f]{2})>\((\w+), (\w+), (\w+)\)[,;]")
OUTPUT_LINE = re.compile(r"bit\[(\d)\] = g(\d+)[,;]")


@dataclass(frozen=True)
class Gate:
    table: int
    fanin: tuple[int, int, int]


@dataclass(frozen=True)
class Circuit:
    gates: tuple[Gate, ...]
    outputs: tuple[int, ...]

    def values(self) -> list[int]:
        """The truth table of every input and gate."""
        values = list(INPUT_TABLES)
        for gate in self.gates:
            a, b, c = (values[source] for source in gate.fanin)
            values.append(look_up(gate.table, a, b, c))
        return values

    def function(self) -> list[int]:
        """The outputs, as a byte, at each of the 256 inputs."""
        values = self.values()
        tables = [values[output] for output in self.outputs]
        return [sum((table >> x & 1) << bit for bit, table in enumerate(tables)) for x in range(256)]

    def most_live(self) -> int:
        return ordering.most_live(INPUTS, [gate.fanin for gate in self.gates], self.outputs)

    def with_few_live_values(self, width: int) -> "Circuit":
        order = ordering.with_few_live_values(INPUTS, [g.fanin for g in self.gates], self.outputs, width)
        number = {old: INPUTS + new for new, old in enumerate(order)} | {i: i for i in range(INPUTS)}
        gates = []
        for old in order:
            a, b, c = self.gates[old - INPUTS].fanin
            gates.append(Gate(self.gates[old - INPUTS].table, (number[a], number[b], number[c])))
        return Circuit(tuple(gates), tuple(number[output] for output in self.outputs))


def look_up(table: int, a: int, b: int, c: int) -> int:
    result = 0
    for row in range(8):
        if table >> row & 1:
            result |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return result & EVERYWHERE


def from_gates(gates: Sequence[tuple[int, int, int, int]], outputs: Sequence[int]) -> Circuit:
    return Circuit(tuple(Gate(table, (a, b, c)) for table, a, b, c in gates), tuple(outputs))


def parse(text: str) -> Circuit:
    """Reads a circuit in the text form that anneal_look_ups.cpp reads and writes."""
    lines = [line.split() for line in text.splitlines()]
    gates = [(int(table), int(a), int(b), int(c)) for table, a, b, c in lines[:-1]]
    return from_gates(gates, [int(output) for output in lines[-1][1:]])


def text(circuit: Circuit) -> str:
    lines = [f"{gate.table} {' '.join(map(str, gate.fanin))}" for gate in circuit.gates]
    return "\n".join([*lines, f"out {' '.join(map(str, circuit.outputs))}"]) + "\n"


def parse_function(source: str, name: str) -> Circuit:
    """The circuit that a function of the generated header computes."""
    body = source[source.index(f" {name}(") :]
    body = body[: body.index("\n}")]

    def value(text: str) -> int:
        return int(text[1:]) if text[0] == "x" else INPUTS + int(text[1:])

    gates: list[tuple[int, int, int, int]] = []
    for match in GATE_LINE.finditer(body):
        if int(match[1]) != len(gates):
            raise ValueError(f"{name}: gate {match[1]} where {len(gates)} was expected")
        gates.append((int(match[2], 16), value(match[3]), value(match[4]), value(match[5])))
    outputs = {int(match[1]): INPUTS + int(match[2]) for match in OUTPUT_LINE.finditer(body)}
    if set(outputs) != set(range(OUTPUTS)):
        raise ValueError(f"{name}: not all of the eight outputs")
    return from_gates(gates, [outputs[bit] for bit in range(OUTPUTS)])


def text_of_function(circuit: Circuit, name: str, comment: str) -> str:
    def value(number: int) -> str:
        return f"x{number}" if number < INPUTS else f"g{number - INPUTS}"

    lines = [f"/// {line}" for line in comment.splitlines()]
    lines += ["// NOLINTNEXTLINE(readability-function-size): generated"]
    lines += [f"WARPAES_HOST_DEVICE void {name}(uint32_t (&bit)[8]) {{"]
    values = [f"x{i} = bit[{i}]" for i in range(INPUTS)]
    for number, gate in enumerate(circuit.gates):
        arguments = ", ".join(value(source) for source in gate.fanin)
        values.append(f"g{number} = lop3<0x{gate.table:02x}>({arguments})")
    bits = [f"bit[{i}] = {value(output)}" for i, output in enumerate(circuit.outputs)]
    return "\n".join([*lines, filled("const uint32_t ", values), filled("", bits), "}"])
