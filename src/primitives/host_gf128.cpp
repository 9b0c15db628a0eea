#include "primitives/host_gf128.hpp"

#include "primitives/byte_order.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpaes::core {
namespace {

Gf128 plain_multiply(Gf128 a, Gf128 b) { return gf128_multiply(a, b); }

Gf128 element(const uint8_t* block, HashOrder order) {
  if (order == HashOrder::ghash) return gf128_from_block(block);
  return {load_le64(block), load_le64(block + 8)};
}

Gf128 plain_run(const Gf128Factor* power, Gf128 sum, const uint8_t* data, uint64_t blocks, HashOrder order) {
  for (uint64_t i = 0; i < blocks; i++) {
    Gf128Sum product;
    product.add(sum ^ element(data + 16 * i, order), power[0]);
    sum = product.reduced();
  }
  return sum;
}

#if defined(__x86_64__)

// PCLMULQDQ multiplies 64 bits by 64, of whichever halves of two registers its last operand names. PSHUFB
// turns a block's bytes around.
#define WARPAES_CARRYLESS [[gnu::target("pclmul,ssse3")]] inline

WARPAES_CARRYLESS __m128i in_register(Gf128 element) {
  return _mm_set_epi64x(static_cast<long long>(element.hi), static_cast<long long>(element.lo));
}

WARPAES_CARRYLESS Gf128 from_register(__m128i element) {
  Gf128 result;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&result), element);
  return result;
}

WARPAES_CARRYLESS __m128i halves_swapped(__m128i v) { return _mm_shuffle_epi32(v, 0x4e); }

/// Gf128Sum in registers.
struct WideSum {
  __m128i low, middle, high;
};

/// @param halves the sum of b's halves, in the lower one
WARPAES_CARRYLESS void add_product(WideSum& sum, __m128i a, __m128i b, __m128i halves) {
  sum.low = _mm_xor_si128(sum.low, _mm_clmulepi64_si128(a, b, 0x00));
  sum.high = _mm_xor_si128(sum.high, _mm_clmulepi64_si128(a, b, 0x11));
  const __m128i of_a = _mm_xor_si128(a, halves_swapped(a));
  sum.middle = _mm_xor_si128(sum.middle, _mm_clmulepi64_si128(of_a, halves, 0x00));
}

/// Gf128Sum::reduced(): the same two steps.
WARPAES_CARRYLESS __m128i reduced(const WideSum& sum) {
  const __m128i modulus = _mm_set_epi64x(0, static_cast<long long>(0xC200000000000000u));
  const __m128i cross = _mm_xor_si128(sum.middle, _mm_xor_si128(sum.low, sum.high));
  const __m128i low = _mm_xor_si128(sum.low, _mm_slli_si128(cross, 8));
  const __m128i high = _mm_xor_si128(sum.high, _mm_srli_si128(cross, 8));
  const __m128i first = _mm_xor_si128(halves_swapped(low), _mm_clmulepi64_si128(low, modulus, 0x00));
  const __m128i second = _mm_xor_si128(halves_swapped(first), _mm_clmulepi64_si128(first, modulus, 0x00));
  return _mm_xor_si128(high, second);
}

WARPAES_CARRYLESS WideSum no_sum() { return {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()}; }

[[gnu::target("pclmul,ssse3")]] Gf128 instruction_multiply(Gf128 a, Gf128 b) {
  WideSum sum = no_sum();
  const __m128i factor = in_register(b);
  add_product(sum, in_register(a), factor, _mm_xor_si128(factor, halves_swapped(factor)));
  return from_register(reduced(sum));
}

template <HashOrder kOrder>
WARPAES_CARRYLESS __m128i load(const uint8_t* block) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block));
  if constexpr (kOrder == HashOrder::polyval) return bytes;
  return _mm_shuffle_epi8(bytes, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/// The first of `count` blocks takes the sum with it, and the highest power.
template <HashOrder kOrder>
WARPAES_CARRYLESS __m128i side_by_side(const Gf128Factor* power, __m128i sum, const uint8_t* data,
                                       uint64_t count) {
  WideSum products = no_sum();
#pragma GCC unroll 8
  for (uint64_t i = 0; i < count; i++) {
    const Gf128Factor& factor = power[count - 1 - i];
    __m128i block = load<kOrder>(data + 16 * i);
    if (i == 0) block = _mm_xor_si128(block, sum);
    add_product(products, block, in_register(factor.value),
                _mm_set_epi64x(0, static_cast<long long>(factor.halves)));
  }
  return reduced(products);
}

template <HashOrder kOrder>
[[gnu::target("pclmul,ssse3")]] Gf128 run_in_order(const Gf128Factor* power, Gf128 sum, const uint8_t* data,
                                                   uint64_t blocks) {
  __m128i running = in_register(sum);
  for (; blocks >= kHashPowers; blocks -= kHashPowers, data += 16 * kHashPowers) {
    running = side_by_side<kOrder>(power, running, data, kHashPowers);
  }
  if (blocks != 0) running = side_by_side<kOrder>(power, running, data, blocks);
  return from_register(running);
}

#undef WARPAES_CARRYLESS

Gf128 instruction_run(const Gf128Factor* power, Gf128 sum, const uint8_t* data, uint64_t blocks,
                      HashOrder order) {
  const auto run =
      order == HashOrder::ghash ? run_in_order<HashOrder::ghash> : run_in_order<HashOrder::polyval>;
  return run(power, sum, data, blocks);
}

constexpr HostGf128 kByInstruction = {
    .name = "pclmulqdq", .powers = kHashPowers, .multiply = instruction_multiply, .run = instruction_run};

#endif

}  // namespace

const HostGf128 plain_gf128 = {.name = "plain", .powers = 1, .multiply = plain_multiply, .run = plain_run};

const HostGf128* instruction_gf128() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3")) return &kByInstruction;
#endif
  return nullptr;
}

const HostGf128& host_gf128() {
  const HostGf128* const fast = instruction_gf128();
  return fast != nullptr ? *fast : plain_gf128;
}

Gf128 host_power(Gf128 value, uint64_t exponent) {
  const auto multiply = host_gf128().multiply;
  Gf128 power = gf128_one();
  for (; exponent != 0; exponent >>= 1, value = multiply(value, value)) {
    if ((exponent & 1) != 0) power = multiply(power, value);
  }
  return power;
}

Gf128 host_inverse(Gf128 value) {
  const auto multiply = host_gf128().multiply;
  Gf128 inverse = gf128_one();
  for (int bit = 1; bit < 128; bit++) {
    value = multiply(value, value);
    inverse = multiply(inverse, value);
  }
  return inverse;
}

}  // namespace warpaes::core
