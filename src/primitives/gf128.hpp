// GF(2^128) as GHASH needs it, in the bit order of POLYVAL (RFC 8452 section 3), in which a carry-less
// multiplier's products need no reflection.
//
//   GHASH(H, X) = reverse(POLYVAL(times_x(reverse(H)), reverse(X)))      RFC 8452 appendix A
//
// where reverse() turns the 16 bytes of a block around. Bit i of the 128-bit integer hi:lo is the
// coefficient of x^i modulo x^128 + x^127 + x^126 + x^121 + 1, and a product is a * b * x^-128.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

// The carry-less multiply-add instruction clmad needs PTX ISA 9.3, which is CUDA 13.3, and compute capability
// 8.0.
#if defined(__CUDACC__) && \
    (__CUDACC_VER_MAJOR__ > 13 || (__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ >= 3))
#define WARPAES_NVCC_HAS_CLMAD 1
#else
#define WARPAES_NVCC_HAS_CLMAD 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && WARPAES_NVCC_HAS_CLMAD
#define WARPAES_HAS_CLMAD 1
#else
#define WARPAES_HAS_CLMAD 0
#endif

namespace warpaes::core {

struct Gf128 {
  uint64_t lo, hi;

  friend WARPAES_HOST_DEVICE Gf128 operator^(Gf128 a, Gf128 b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend WARPAES_HOST_DEVICE bool operator==(Gf128 a, Gf128 b) {
    return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0;
  }
};

namespace gf128_detail {

/// 32 x 32 bits without carries by integer multiplication with holes: of every four bits of a factor one
/// is kept, so that at most 8 ones meet in a column of the product and the sum stays in its four bits.
WARPAES_HOST_DEVICE uint64_t multiply_32_with_holes(uint32_t a, uint32_t b) {
  uint64_t product = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t column = 0;
    for (int j = 0; j < 4; j++) {
      const uint64_t a_holes = a & (0x11111111u << j);
      const uint32_t b_holes = b & (0x11111111u << ((i - j) & 3));
      column ^= a_holes * b_holes;
    }
    product ^= column & (0x1111111111111111u << i);
  }
  return product;
}

}  // namespace gf128_detail

/// sum ^= a * b, 64 x 64 bits to 128 without carries.
WARPAES_HOST_DEVICE void add_carryless_product(Gf128& sum, uint64_t a, uint64_t b) {
#if WARPAES_HAS_CLMAD
  asm("clmad.lo.u64 %0, %1, %2, %0;" : "+l"(sum.lo) : "l"(a), "l"(b));
  asm("clmad.hi.u64 %0, %1, %2, %0;" : "+l"(sum.hi) : "l"(a), "l"(b));
#else
  using gf128_detail::multiply_32_with_holes;
  const uint32_t a0 = static_cast<uint32_t>(a), a1 = static_cast<uint32_t>(a >> 32);
  const uint32_t b0 = static_cast<uint32_t>(b), b1 = static_cast<uint32_t>(b >> 32);
  const uint64_t low = multiply_32_with_holes(a0, b0), high = multiply_32_with_holes(a1, b1);
  const uint64_t middle = multiply_32_with_holes(a0 ^ a1, b0 ^ b1) ^ low ^ high;  // Karatsuba
  sum.lo ^= low ^ (middle << 32);
  sum.hi ^= high ^ (middle >> 32);
#endif
}

/// A factor that is used often: its halves' sum, which Karatsuba needs, comes with it.
struct Gf128Factor {
  Gf128 value;
  uint64_t halves;
};

WARPAES_HOST_DEVICE Gf128Factor gf128_factor(Gf128 value) { return {value, value.lo ^ value.hi}; }

/// A sum of products that is reduced once, at the end.
struct Gf128Sum {
  Gf128 low{0, 0}, middle{0, 0}, high{0, 0};

  WARPAES_HOST_DEVICE void add(Gf128 a, const Gf128Factor& b) {
    add_carryless_product(low, a.lo, b.value.lo);
    add_carryless_product(high, a.hi, b.value.hi);
    add_carryless_product(middle, a.lo ^ a.hi, b.halves);
  }

  /// Montgomery reduction by x^128: twice, the low 64 bits are cancelled by a multiple of the modulus,
  /// whose upper part is x^63 + x^62 + x^57 (shifted by 64) and x^128.
  WARPAES_HOST_DEVICE Gf128 reduced() const {
    constexpr uint64_t modulus = 0xC200000000000000u;
    const Gf128 cross = middle ^ low ^ high;
    const uint64_t w0 = low.lo, w1 = low.hi ^ cross.lo, w2 = high.lo ^ cross.hi, w3 = high.hi;
    Gf128 first{w1, w0};
    add_carryless_product(first, w0, modulus);
    Gf128 second{first.hi, first.lo};
    add_carryless_product(second, first.lo, modulus);
    return {w2 ^ second.lo, w3 ^ second.hi};
  }
};

WARPAES_HOST_DEVICE Gf128 gf128_multiply(Gf128 a, Gf128 b) {
  Gf128Sum sum;
  sum.add(a, gf128_factor(b));
  return sum.reduced();
}

/// The neutral element of gf128_multiply(): x^128 modulo the polynomial.
WARPAES_HOST_DEVICE constexpr Gf128 gf128_one() { return {1, 0xC200000000000000u}; }

/// value^exponent by square and multiply.
WARPAES_HOST_DEVICE Gf128 gf128_power(Gf128 value, uint64_t exponent) {
  Gf128 power = gf128_one();
  for (; exponent != 0; exponent >>= 1, value = gf128_multiply(value, value)) {
    if (exponent & 1) power = gf128_multiply(power, value);
  }
  return power;
}

/// 1/value = value^(2^128 - 2); 0 for 0.
WARPAES_HOST_DEVICE Gf128 gf128_inverse(Gf128 value) {
  Gf128 inverse = gf128_one();
  for (int bit = 1; bit < 128; bit++) {
    value = gf128_multiply(value, value);
    inverse = gf128_multiply(inverse, value);
  }
  return inverse;
}

/// A block's 16 bytes as an element: reverse() above.
WARPAES_HOST_DEVICE Gf128 gf128_from_block(const uint8_t* block) {
  Gf128 element{0, 0};
  for (int i = 0; i < 8; i++) {
    element.hi = element.hi << 8 | block[i];
    element.lo = element.lo << 8 | block[8 + i];
  }
  return element;
}

WARPAES_HOST_DEVICE void gf128_to_block(Gf128 element, uint8_t* block) {
  for (int i = 7; i >= 0; i--, element.hi >>= 8, element.lo >>= 8) {
    block[i] = static_cast<uint8_t>(element.hi);
    block[8 + i] = static_cast<uint8_t>(element.lo);
  }
}

/// The key with which POLYVAL computes GHASH: H = E_K(0^128), as gf128_from_block() reads it, times x.
WARPAES_HOST_DEVICE Gf128 ghash_key(Gf128 h) {
  const uint64_t carry = h.hi >> 63;
  return {(h.lo << 1) ^ carry, ((h.hi << 1) | (h.lo >> 63)) ^ (carry * 0xC200000000000000u)};
}

/// The last block of GHASH's input, SP 800-38D section 7.1 step 5: both lengths in bits.
WARPAES_HOST_DEVICE Gf128 ghash_lengths(uint64_t aad_bytes, uint64_t bytes) {
  return {bytes * 8, aad_bytes * 8};
}

}  // namespace warpaes::core
