// The offsets of OCB3 (RFC 7253), in a form in which any lane can begin anywhere.
//
// Section 4.2 computes Offset_i from Offset_(i-1) and L_{ntz(i)}. Taken together, Offset_i is Offset_0 plus
// the sum of the L_j for the bits j that are set in the Gray code of i, i ^ i >> 1. That is linear in i. So
// what lanes add to their group's offset is the same in each group.
#pragma once

#include <bit>

#include "kernels/warp/block_access.hpp"
#include "primitives/gf_double.hpp"

namespace warpaes::core {

/// The longest message, in bytes. The numbers of its blocks have 35 bits, one for each L_j of OcbKey; within
/// a run or a team, blocks are counted in 32 bits.
constexpr uint64_t kOcbLongest = uint64_t{1} << 38;

/// The key-dependent blocks of section 4.1. They are as secret as the key; whoever owns them wipes them.
struct OcbKey {
  static constexpr int kDoubles = 35;

  Columns star, dollar;
  Columns l[kDoubles];

  /// L_j of section 4.1.
  WARPAES_HOST_DEVICE Columns double_at(uint32_t j) const { return l[j]; }
};

/// @param encrypted_zeros E_K(0^128), 16 bytes
inline void fill_ocb_key(OcbKey& key, const uint8_t* encrypted_zeros) {
  key.star = load_bytes(encrypted_zeros, 16);
  key.dollar = doubled(key.star);
  key.l[0] = doubled(key.dollar);
  for (int j = 1; j < OcbKey::kDoubles; j++) key.l[j] = doubled(key.l[j - 1]);
}

/// Offset_i of section 4.2 without Offset_0, or the same of HASH in section 4.1.
/// @tparam Key OcbKey, or another structure with its L_j
template <class Key>
WARPAES_HOST_DEVICE Columns ocb_offset_sum(const Key& key, uint64_t i) {
  Columns sum{0, 0, 0, 0};
  uint64_t gray = i ^ i >> 1;
  WARPAES_KEEP_ROLLED
  for (uint32_t j = 0; gray != 0; j++, gray >>= 1) {
    if ((gray & 1) != 0) sum = sum ^ key.double_at(j);
  }
  return sum;
}

/// Section 4.2: TAGLEN mod 128 in seven bits, then zeros, a one, and the nonce.
WARPAES_HOST_DEVICE Columns ocb_nonce_block(const uint8_t* nonce, uint32_t bytes, uint32_t tag_bytes) {
  uint32_t word[4] = {8 * tag_bytes % 128 << 1, 0, 0, 0};
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 16; i++) {
    if (i + bytes == 15) word[i / 4] |= 1u << (8 * (i % 4));
    if (i + bytes > 15) word[i / 4] |= static_cast<uint32_t>(nonce[i + bytes - 16]) << (8 * (i % 4));
  }
  return {word[0], word[1], word[2], word[3]};
}

/// Stretch[1 + bottom .. 128 + bottom] of section 4.2. @param bottom below 64
WARPAES_HOST_DEVICE Columns ocb_stretched(Columns ktop, uint32_t bottom) {
  uint32_t word[6] = {
      reverse_bytes(ktop.a), reverse_bytes(ktop.b), reverse_bytes(ktop.c), reverse_bytes(ktop.d), 0, 0};
  word[4] = word[0] ^ (word[0] << 8 | word[1] >> 24);
  word[5] = word[1] ^ (word[1] << 8 | word[2] >> 24);
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 5; i++) word[i] = bottom >= 32 ? word[i + 1] : word[i];
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 4; i++) {
    const uint64_t two = static_cast<uint64_t>(word[i]) << 32 | word[i + 1];
    word[i] = reverse_bytes(static_cast<uint32_t>(two << bottom % 32 >> 32));
  }
  return {word[0], word[1], word[2], word[3]};
}

/// Offset_0 of section 4.2.
/// @param encrypt (Columns) -> Columns
template <class Encrypt>
WARPAES_HOST_DEVICE Columns ocb_first_offset(const uint8_t* nonce, uint32_t bytes, uint32_t tag_bytes,
                                             const Encrypt& encrypt) {
  Columns block = ocb_nonce_block(nonce, bytes, tag_bytes);
  const uint32_t bottom = block.d >> 24 & 63;
  block.d &= 0xc0ffffff;
  return ocb_stretched(encrypt(block), bottom);
}

/// A lane's offsets. The lane has two blocks of each group of 2 * lanes, at its own place in either half.
template <class Key>
class OcbLaneOffsets {
 public:
  /// @param offset_0 the message's
  /// @param group the group with which the lane begins; its first block has the number 2 * lanes * group + 1
  WARPAES_HOST_DEVICE OcbLaneOffsets(const Key& key, Columns offset_0, uint32_t group, uint32_t lanes,
                                     uint32_t lane)
      : key_(key),
        next_group_(group + 1),
        bits_(lanes == 8    ? 4
              : lanes == 16 ? 5
                            : 6),
        last_(lane == lanes - 1),
        current_(offset_0 ^ ocb_offset_sum(key, uint64_t{group} << bits_) ^ ocb_offset_sum(key, lane + 1)) {}

  WARPAES_HOST_DEVICE Columns current() const { return current_; }

  /// Goes on by `lanes` blocks. Two bits of the Gray code change: the one below that of the half, and that of
  /// the highest bit of the number that changes. Only for the last lane does the latter lie beyond the group.
  WARPAES_HOST_DEVICE void to_second_half() { add(last_ ? beyond() : bits_ - 1); }
  WARPAES_HOST_DEVICE void to_next_group() {
    add(last_ ? bits_ - 1 : beyond());
    next_group_++;
  }

 private:
  WARPAES_HOST_DEVICE uint32_t beyond() const {
#if defined(__CUDA_ARCH__)
    return bits_ - 1 + static_cast<uint32_t>(__ffs(static_cast<int>(next_group_)));
#else
    return bits_ + static_cast<uint32_t>(std::countr_zero(next_group_));
#endif
  }

  WARPAES_HOST_DEVICE void add(uint32_t index) {
    current_ = current_ ^ key_.l[bits_ - 2] ^ key_.double_at(index);
  }

  const Key& key_;
  uint32_t next_group_;
  const uint32_t bits_;  // of a number below 2 * lanes
  const bool last_;      // the lane's number in the second half is where the next group begins
  Columns current_;
};

}  // namespace warpaes::core
