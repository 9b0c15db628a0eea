// clmad, the PTX instruction that multiplies without carries and adds, and its definition where the
// instruction does not exist.
#pragma once

#include "primitives/gf128.hpp"

namespace warpaes::core::lab {

/// PTX ISA 9.3, clmad: .lo gives the low 64 bits of the product a * b and .hi the high ones, XORed with c.
WARPAES_HOST_DEVICE uint64_t clmad_lo(uint64_t a, uint64_t b, uint64_t c) {
#if WARPAES_HAS_CLMAD
  asm("clmad.lo.u64 %0, %1, %2, %3;" : "=l"(c) : "l"(a), "l"(b), "l"(c));
#else
  for (int i = 0; i < 64; i++) c ^= (b >> i & 1) != 0 ? a << i : 0;
#endif
  return c;
}

WARPAES_HOST_DEVICE uint64_t clmad_hi(uint64_t a, uint64_t b, uint64_t c) {
#if WARPAES_HAS_CLMAD
  asm("clmad.hi.u64 %0, %1, %2, %3;" : "=l"(c) : "l"(a), "l"(b), "l"(c));
#else
  for (int i = 1; i < 64; i++) c ^= (b >> i & 1) != 0 ? a >> (64 - i) : 0;
#endif
  return c;
}

}  // namespace warpaes::core::lab
