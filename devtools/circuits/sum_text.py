"""Circuits of sums as C++: written, and read again."""

import re

from devtools.circuits.filled import filled
from devtools.circuits.sums import INPUTS, OUTPUTS, VALUE_OF_WORD, SumCircuit

GATE_LINE = re.compile(r"\bg(\d+) = (?:lop3<0x96>\(([^)]+)\)|([^,;]+ \^ [^,;]+))[,;]")
OUTPUT_LINE = re.compile(r"word\[(\d+)\] = (\w+)[,;]")
KEY = re.compile(r"key\[(\d+)\]")


def text_of_function(circuit: SumCircuit, name: str, comment: str) -> str:
    def value(number: int) -> str:
        return f"x{number // 8}{number % 8}" if number < INPUTS else f"g{number - INPUTS}"

    keys = {number: index for index, number in enumerate(circuit.key_gates())}
    lines = [f"/// {line}" for line in comment.splitlines()]
    lines += ["// NOLINTNEXTLINE(readability-function-size): generated"]
    lines += [f"WARPAES_HOST_DEVICE void {name}(uint32_t (&word)[32], const uint32_t* key) {{"]
    values = [f"{value(i)} = word[{VALUE_OF_WORD.index(i)}]" for i in range(INPUTS)]
    for number, gate in enumerate(circuit.gates, INPUTS):
        terms = [value(source) for source in gate]
        if number in keys:
            terms.append(f"key[{keys[number]}]")
        total = f"lop3<0x96>({', '.join(terms)})" if len(terms) == 3 else " ^ ".join(terms)
        values.append(f"{value(number)} = {total}")
    words = [f"word[{w}] = {value(circuit.outputs[VALUE_OF_WORD[w]])}" for w in range(OUTPUTS)]
    return "\n".join([*lines, filled("const uint32_t ", values), filled("", words), "}"])


def parse_function(source: str, name: str) -> tuple[SumCircuit, list[int]]:
    """The circuit that a function of the generated header computes, and the gates that take its key words."""
    body = source[source.index(f" {name}(") :]
    body = body[: body.index("\n}")]

    def value(text: str) -> int:
        return 8 * int(text[1]) + int(text[2]) if text[0] == "x" else INPUTS + int(text[1:])

    gates: list[tuple[int, ...]] = []
    key_gates: list[int] = []
    for match in GATE_LINE.finditer(body):
        number = INPUTS + len(gates)
        terms = match[2].split(", ") if match[2] else match[3].split(" ^ ")
        keys = [int(key[1]) for key in map(KEY.fullmatch, terms) if key]
        if int(match[1]) != len(gates) or (keys and keys != [len(key_gates)]):
            raise ValueError(f"{name}: gate {match[1]} or its key is out of order")
        key_gates += [number] * len(keys)
        gates.append(tuple(value(term) for term in terms if not KEY.fullmatch(term)))
    outputs = {VALUE_OF_WORD[int(match[1])]: value(match[2]) for match in OUTPUT_LINE.finditer(body)}
    if set(outputs) != set(range(OUTPUTS)):
        raise ValueError(f"{name}: not all of the 32 outputs")
    return SumCircuit(tuple(gates), tuple(outputs[i] for i in range(OUTPUTS))), key_gates
