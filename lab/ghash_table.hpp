// A table of all multiples of h by polynomials of a few bits, in shared memory. It belongs to the lessons on
// Shoup's method.
#pragma once

#include "lab/ghash_grid.hpp"

namespace warpaes::core::lab {

/// A multiple of h as two words of 64 bits, which a lane loads in one access.
struct alignas(16) GhashMultiple {
  uint64_t lo, hi;
};

/// Fills the entries that belong to this thread; a barrier must follow. Entry v is the sum of h x^j over the
/// bits that are set in v, of which the highest belongs to x^0.
/// @tparam Bits how many bits an index has
template <int Bits, class Thread>
WARPAES_HOST_DEVICE void fill_multiples(Thread& thread, GhashMultiple* table, Gf128 h) {
  for (uint32_t v = thread.index(); v < 1u << Bits; v += thread.count()) {
    Gf128 sum{0, 0}, shifted = h;
    for (int bit = Bits - 1; bit >= 0; bit--, shifted = ghash_times_x(shifted)) {
      if ((v >> bit) & 1) sum = sum ^ shifted;
    }
    table[v] = {sum.lo, sum.hi};
  }
  thread.barrier();
}

/// Multiplies by x^Bits. The bits that fall out at the end, `out`, come back multiplied by x^7 + x^2 + x + 1.
/// That is four XORs, so that no second table is needed; methods for the CPU have one.
template <int Bits>
WARPAES_HOST_DEVICE Gf128 times_power_of_x(Gf128 v) {
  const uint64_t out = v.lo & ((1u << Bits) - 1);
  const uint64_t reduced = out ^ out << 5 ^ out << 6 ^ out << 7;
  return {v.lo >> Bits | v.hi << (64 - Bits), v.hi >> Bits ^ reduced << (57 - Bits)};
}

/// Horner's rule over the digits of x, which have `Bits` bits. It begins with the last digit, which belongs
/// to the highest power.
template <int Bits>
WARPAES_HOST_DEVICE Gf128 times_by_table(const GhashMultiple* table, Gf128 x) {
  Gf128 product{0, 0};
  WARPAES_KEEP_ROLLED
  for (int i = 0; i < 128 / Bits; i++) {
    const GhashMultiple multiple = table[x.lo & ((1u << Bits) - 1)];
    product = times_power_of_x<Bits>(product) ^ Gf128 { multiple.lo, multiple.hi };
    x = {x.lo >> Bits | x.hi << (64 - Bits), x.hi >> Bits};
  }
  return product;
}

}  // namespace warpaes::core::lab
