// The one logic instruction of NVIDIA's GPUs: any function of three bits, 32 of them at a time.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

/// A function of three bits as a sum of products, modulo 2: the gates of the circuits have few products, and
/// the host computes them one by one.
/// @param table as lop3's
/// @return its bit m is 1 if the product of the inputs that m has is part of the sum; a is 4, b is 2, c is 1
constexpr uint8_t algebraic_normal_form(uint8_t table) {
  unsigned sums = table;  // Möbius transform: over the values of c, then of b, then of a
  sums ^= (sums & 0x55) << 1;
  sums ^= (sums & 0x33) << 2;
  sums ^= (sums & 0x0f) << 4;
  return static_cast<uint8_t>(sums);
}

/// The instruction lop3.b32 of the PTX ISA: a function of the bits of a, b and c at the same place.
/// @tparam Table its bit 4a + 2b + c is the result at (a, b, c): the function itself, applied to
///         a = 0xf0, b = 0xcc, c = 0xaa
template <uint8_t Table>
WARPAES_HOST_DEVICE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return result;
#else
  constexpr uint8_t kProducts = algebraic_normal_form(Table);
  uint32_t result = (kProducts & 0x01) != 0 ? ~uint32_t{0} : 0;
  if constexpr ((kProducts & 0x02) != 0) result ^= c;
  if constexpr ((kProducts & 0x04) != 0) result ^= b;
  if constexpr ((kProducts & 0x08) != 0) result ^= b & c;
  if constexpr ((kProducts & 0x10) != 0) result ^= a;
  if constexpr ((kProducts & 0x20) != 0) result ^= a & c;
  if constexpr ((kProducts & 0x40) != 0) result ^= a & b;
  if constexpr ((kProducts & 0x80) != 0) result ^= a & b & c;
  return result;
#endif
}

}  // namespace warpaes::core
