"""GF(2^8) as FIPS 197 section 4 has it, and the S-box from its definition."""

AFFINE_CONSTANT = 0x63


def multiply(a: int, b: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


PRODUCT = [[multiply(a, b) for b in range(256)] for a in range(256)]


def power(a: int, exponent: int) -> int:
    result = 1
    while exponent:
        if exponent & 1:
            result = PRODUCT[result][a]
        a = PRODUCT[a][a]
        exponent >>= 1
    return result


INVERSE = [power(a, 254) for a in range(256)]  # and 0 of 0

# The fields within: those that the Frobenius map's second and fourth power leave alone.
GF16 = [x for x in range(256) if power(x, 16) == x]
GF4 = [x for x in range(256) if power(x, 4) == x]


def affine(x: int) -> int:
    """The S-box's matrix, section 5.1.1, without the constant."""

    def rotated(by: int) -> int:
        return (x << by | x >> (8 - by)) & 0xFF

    return x ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4)


AFFINE = [affine(x) for x in range(256)]
INVERSE_AFFINE = [AFFINE.index(x) for x in range(256)]

# What the circuits compute: the constant is the round keys' business.
SBOX_WITHOUT_CONSTANT = [AFFINE[INVERSE[x]] for x in range(256)]
INVERSE_SBOX_WITHOUT_CONSTANT = [INVERSE[INVERSE_AFFINE[x]] for x in range(256)]
