"""The circuits in the headers, checked; and the checks, by faults that they must find."""

import re

import pytest

from devtools import derive_mix_columns_circuit, derive_sbox_circuit
from devtools.circuits import look_ups, ordering, sums, tower
from devtools.circuits.field import AFFINE, SBOX_WITHOUT_CONSTANT

SBOX = derive_sbox_circuit.HEADER.read_text()
MIX_COLUMNS = derive_mix_columns_circuit.HEADER.read_text()


def test_the_headers_hold_what_they_say() -> None:
    assert derive_sbox_circuit.main(["--check"]) == 0
    assert derive_mix_columns_circuit.main(["--check"]) == 0


def test_the_sbox_has_the_standards_values() -> None:
    """FIPS 197, table 4."""
    assert [value ^ 0x63 for value in SBOX_WITHOUT_CONSTANT[:4]] == [0x63, 0x7C, 0x77, 0x7B]
    assert SBOX_WITHOUT_CONSTANT[0x53] ^ 0x63 == 0xED


@pytest.mark.parametrize("name", list(derive_sbox_circuit.WANTED))
def test_every_gate_of_the_sbox_matters(name: str) -> None:
    circuit = look_ups.parse_function(SBOX, name)
    for number, gate in enumerate(circuit.gates):
        wrong = look_ups.Gate(gate.table ^ 0xFF, gate.fanin)
        gates = (*circuit.gates[:number], wrong, *circuit.gates[number + 1 :])
        changed = look_ups.Circuit(gates, circuit.outputs)
        header = derive_sbox_circuit.header_of(derive_sbox_circuit.circuits_in(SBOX) | {name: changed})
        assert any(fault.startswith(f"{name} is wrong") for fault in derive_sbox_circuit.faults(header))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ((r"lop3<0x96>\((\w+), (\w+), (g\d+)\)", r"lop3<0x96>(\1, \2, x00)"), "is wrong in"),
        ((r", key\[31\]\)", r", x00)"), "cannot take every round key"),
        ((r"(\d+) gates", "1 gates"), "not what this script writes"),
    ],
)
def test_faults_in_mix_columns_are_found(change: tuple[str, str], fault: str) -> None:
    header = re.sub(*change, MIX_COLUMNS, count=1)
    assert header != MIX_COLUMNS
    assert any(fault in found for found in derive_mix_columns_circuit.faults(header))


def test_towers_are_the_sbox_in_any_basis() -> None:
    for seed in range(5):
        assert tower.inversion(range(256), AFFINE, seed).function() == SBOX_WITHOUT_CONSTANT


def test_matrices_are_inverse_to_each_other() -> None:
    there, back = sums.matrix(sums.MIX_COLUMNS), sums.matrix(sums.INVERSE_MIX_COLUMNS)
    for bit, row in enumerate(there):
        total = 0
        for source in range(sums.INPUTS):
            total ^= back[source] * (row >> source & 1)
        assert total == 1 << bit


def test_orders_keep_few_values() -> None:
    fanins = [(0, 1), (2, 3), (4, 4), (5, 4)]  # gates 4 to 7
    order = ordering.with_few_live_values(4, fanins, [6, 7], width=10)
    assert sorted(order) == [4, 5, 6, 7]
    assert ordering.most_live(4, fanins, [6, 7]) == 4
