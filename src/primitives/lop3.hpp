// The one logic instruction of NVIDIA's GPUs: any function of three bits, 32 of them at a time.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

/// PTX ISA, lop3.b32.
/// @tparam Table its bit 4a + 2b + c is the result at (a, b, c): the function itself, applied to
///         a = 0xf0, b = 0xcc, c = 0xaa
template <uint8_t Table>
WARPAES_HOST_DEVICE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return result;
#else
  uint32_t result = 0;
  if constexpr ((Table & 0x01) != 0) result |= ~a & ~b & ~c;
  if constexpr ((Table & 0x02) != 0) result |= ~a & ~b & c;
  if constexpr ((Table & 0x04) != 0) result |= ~a & b & ~c;
  if constexpr ((Table & 0x08) != 0) result |= ~a & b & c;
  if constexpr ((Table & 0x10) != 0) result |= a & ~b & ~c;
  if constexpr ((Table & 0x20) != 0) result |= a & ~b & c;
  if constexpr ((Table & 0x40) != 0) result |= a & b & ~c;
  if constexpr ((Table & 0x80) != 0) result |= a & b & c;
  return result;
#endif
}

}  // namespace warpaes::core
