// The tables as a kernel gets them: words and bytes that the compiler has computed, which are in constant
// memory on a GPU. Each is read through a function that names the array itself, because reading through a
// pointer to constant memory would become an ordinary load.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "primitives/host_device.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core::lab {

struct TableWords {
  uint32_t t[4][256];  // T0 to T3; each is the one before, rotated by 8 bits
  uint8_t box[256];
};

namespace table_words {

constexpr TableWords of(const std::array<uint32_t, 256>& t0, const std::array<uint8_t, 256>& box) {
  TableWords words{};
  for (int i = 0; i < 256; i++) {
    for (int row = 0; row < 4; row++) words.t[row][i] = std::rotl(t0[i], 8 * row);
    words.box[i] = box[i];
  }
  return words;
}

#if defined(__CUDACC__)
static __constant__ const TableWords on_device = of(kT0, kSBox),
                                     inverse_on_device = of(kInverseT0, kInverseSBox);
#endif
inline constexpr TableWords kOnHost = of(kT0, kSBox), kInverseOnHost = of(kInverseT0, kInverseSBox);

}  // namespace table_words

/// T_row[i], or the entry of the inverse table.
template <bool Inverse>
WARPAES_HOST_DEVICE uint32_t constant_t(int row, uint32_t i) {
#if defined(__CUDA_ARCH__)
  return Inverse ? table_words::inverse_on_device.t[row][i] : table_words::on_device.t[row][i];
#else
  return Inverse ? table_words::kInverseOnHost.t[row][i] : table_words::kOnHost.t[row][i];
#endif
}

/// The entry of the S-box, or of its inverse.
template <bool Inverse>
WARPAES_HOST_DEVICE uint8_t constant_box(uint32_t i) {
#if defined(__CUDA_ARCH__)
  return Inverse ? table_words::inverse_on_device.box[i] : table_words::on_device.box[i];
#else
  return Inverse ? table_words::kInverseOnHost.box[i] : table_words::kOnHost.box[i];
#endif
}

}  // namespace warpaes::core::lab
