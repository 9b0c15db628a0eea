"""Inversion in GF(2^8) by way of GF(2^4) and GF(2^2), as a circuit to start from.

Write x = a1 u + a0 v with a1, a0 in GF(2^4), for any basis (u, v) of GF(2^8) over GF(2^4). Then
    d = x^17 = N(u) a1^2 + N(v) a0^2 + T a1 a0,  N(w) = w^17, T = u v^16 + u^16 v,
lies in GF(2^4), and 1/x = x^16 / d = (a1 / d) u^16 + (a0 / d) v^16 (Itoh and Tsujii 1988; Satoh et al. 2001).
So: a linear map to coordinates, one product in GF(2^4), an inverse of four bits, two products by it, and a
linear map to the outputs. Products are Karatsuba's, twice: 9 ANDs of sums of coordinates. Sums are shared
greedily (Paar 1997). Any bases will do; which ones are chosen by the random numbers.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations

from devtools.circuits.field import GF4, GF16, INVERSE, PRODUCT, power
from devtools.circuits.look_ups import Circuit, from_gates

A, B, C = 0xF0, 0xCC, 0xAA  # a table, applied to these, is itself

# Karatsuba's sums of the coordinates (i, j) of an element, i over GF(2^2) and j over GF(2).
HALVES = ((0,), (1,), (0, 1))
FORMS = [[2 * i + j for i in high for j in low] for high in HALVES for low in HALVES]


class Netlist:
    def __init__(self) -> None:
        self.gates: list[tuple[int, int, int, int]] = []

    def gate(self, table: int, a: int, b: int, c: int) -> int:
        self.gates.append((table, a, b, c))
        return 7 + len(self.gates)

    def sums(self, rows: Sequence[int], values: Sequence[int]) -> list[int]:
        """For each row, a mask of values, their sum: the pair that most rows have is summed first."""
        known = list(values)
        sets = [{i for i in range(len(known)) if row >> i & 1} for row in rows]
        while any(len(row) > 1 for row in sets):
            uses: dict[tuple[int, int], int] = {}
            for row in sets:
                for x, y in combinations(sorted(row), 2):
                    uses[x, y] = uses.get((x, y), 0) + 1
            most = max(uses.values())
            x, y = random.choice([pair for pair, count in uses.items() if count == most])
            known.append(self.gate(A ^ B, known[x], known[y], known[x]))
            for row in sets:
                if x in row and y in row:
                    row -= {x, y}
                    row.add(len(known) - 1)
        return [known[next(iter(row))] for row in sets]

    def products(self, xs: Sequence[int], ys: Sequence[int]) -> list[int]:
        return [self.gate(A & B, x, y, x) for x, y in zip(xs, ys, strict=True)]


def element(mask: int, basis: Sequence[int]) -> int:
    total = 0
    for k, member in enumerate(basis):
        if mask >> k & 1:
            total ^= member
    return total


def rows_of(function: Callable[[int], int], inputs: int) -> list[int]:
    """A linear map's matrix: for each bit of the result, the mask of the bits of the argument."""
    return [sum((function(1 << i) >> bit & 1) << i for i in range(inputs)) for bit in range(8)]


def karatsuba_weights(basis: Sequence[int]) -> list[int]:
    """What the products x0 y0, x1 y1, (x0 + x1)(y0 + y1) count in the product of two elements."""
    first, second = basis
    both = PRODUCT[first][second]
    return [PRODUCT[first][first] ^ both, PRODUCT[second][second] ^ both, both]


def random_bases() -> tuple[int, int, list[int], list[int]]:
    """(u, v) of GF(2^8) over GF(2^4), mostly normal; of GF(2^4) over GF(2^2); of GF(2^2)."""
    while True:
        u = random.randrange(1, 256)
        v = power(u, 16) if random.random() < 0.7 else random.randrange(1, 256)
        if PRODUCT[u][INVERSE[v]] not in GF16:
            break
    while True:
        g = [random.choice(GF16[1:]) for _ in range(2)]
        if PRODUCT[g[0]][INVERSE[g[1]]] not in GF4:
            break
    while True:
        h = [random.choice(GF4[1:]) for _ in range(2)]
        if h[0] != h[1]:
            return u, v, g, h


def inversion(into: Sequence[int], out_of: Sequence[int], seed: int) -> Circuit:
    """A circuit of out_of[1 / into[x]], both maps being linear and given as tables."""
    random.seed(seed)
    u, v, g, h = random_bases()
    basis = [PRODUCT[gi][hj] for gi in g for hj in h]
    coordinates4 = {element(mask, basis): mask for mask in range(16)}
    whole = [PRODUCT[w][b] for w in (u, v) for b in basis]
    coordinates = {element(mask, whole): mask for mask in range(256)}
    weights = [PRODUCT[x][y] for x in karatsuba_weights(g) for y in karatsuba_weights(h)]
    netlist = Netlist()

    # The sums of coordinates of a1 and a0 that products need.
    rows = rows_of(lambda x: coordinates[into[x]], 8)
    forms = [element(sum(1 << k for k in form), rows[half:]) for half in (0, 4) for form in FORMS]
    sums = netlist.sums(forms, range(8))
    high, low = sums[:9], sums[9:]

    # d, of products and squares. Squares are linear.
    cross = PRODUCT[u][power(v, 16)] ^ PRODUCT[power(u, 16)][v]

    def squares(x: int) -> int:
        mask = coordinates[into[x]]
        a1, a0 = element(mask, basis), element(mask >> 4, basis)
        return coordinates4[PRODUCT[power(u, 17)][power(a1, 2)] ^ PRODUCT[power(v, 17)][power(a0, 2)]]

    of_products = [coordinates4[PRODUCT[cross][weight]] for weight in weights]
    linear = rows_of(squares, 8)
    d_rows = [sum((of_products[p] >> bit & 1) << p for p in range(9)) | linear[bit] << 9 for bit in range(4)]
    d = netlist.sums(d_rows, [*netlist.products(high, low), *range(8)])

    # e = 1/d: each bit a function of four, by the last of which one chooses between two functions of three.
    inverse = [coordinates4[INVERSE[element(mask, basis)]] for mask in range(16)]
    e = []
    for bit in range(4):
        halves = [sum((inverse[8 * half + t] >> bit & 1) << t for t in range(8)) for half in range(2)]
        zero, one = (netlist.gate(table, d[2], d[1], d[0]) for table in halves)
        e.append(netlist.gate((A & B) | (~A & C & 0xFF), d[3], one, zero))

    e_sums = netlist.sums([sum(1 << k for k in form) for form in FORMS], e)
    products = netlist.products([*e_sums, *e_sums], [*high, *low])
    results = [PRODUCT[power(w, 16)][weight] for w in (u, v) for weight in weights]
    out_rows = [sum((out_of[result] >> bit & 1) << p for p, result in enumerate(results)) for bit in range(8)]
    return from_gates(netlist.gates, netlist.sums(out_rows, products))
