// Blocks at addresses that are no multiple of 16, moved by whole accesses of 16 bytes.
//
//     memory in 16s     | . . . A A | A A B B | B B C C | C . . . |       A, B, C: blocks of neighbouring
//     lanes load of B                        low       high                    both are read, and joined
//     store                             ^ A's end and B's beginning, stored by B's lane
//
// A lane that loads reads the two aligned chunks in which its block lies. A lane that stores writes the chunk
// in which its block begins, and gets from the lane before what that chunk has of the block before. Chunks
// that reach beyond the message's ends are neither read nor written: there it goes byte by byte.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// How many bytes the address lies above a multiple of 16.
WARPAES_HOST_DEVICE uint32_t misalignment(const void* pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer)) & 15;
}

/// The low word of high:low >> 8 * bytes. @param bytes only its last two bits count
WARPAES_HOST_DEVICE uint32_t joined_words(uint32_t low, uint32_t high, uint32_t bytes) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, 8 * bytes);
#else
  return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (8 * (bytes & 3)));
#endif
}

/// The 16 bytes that begin `bytes` bytes behind the beginning of low, which high follows.
/// @param bytes 0 to 15
WARPAES_HOST_DEVICE Columns joined(Columns low, Columns high, uint32_t bytes) {
  const bool by_8 = (bytes & 8) != 0, by_4 = (bytes & 4) != 0;
  const uint32_t a = by_8 ? low.c : low.a, b = by_8 ? low.d : low.b, c = by_8 ? high.a : low.c,
                 d = by_8 ? high.b : low.d, e = by_8 ? high.c : high.a, f = by_8 ? high.d : high.b;
  const uint32_t v = by_4 ? b : a, w = by_4 ? c : b, x = by_4 ? d : c, y = by_4 ? e : d, z = by_4 ? f : e;
  return {joined_words(v, w, bytes), joined_words(w, x, bytes), joined_words(x, y, bytes),
          joined_words(y, z, bytes)};
}

/// Stores bytes `from` to `to` - 1 of a block.
WARPAES_HOST_DEVICE void store_between(uint8_t* chunk, Columns v, uint32_t from, uint32_t to) {
  const uint32_t word[4] = {v.a, v.b, v.c, v.d};
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 16; i++) {
    if (i >= from && i < to) chunk[i] = static_cast<uint8_t>(word[i / 4] >> (8 * (i % 4)));
  }
}

/// Loads blocks of a message from any address.
class ShiftedInput {
 public:
  WARPAES_HOST_DEVICE ShiftedInput(const uint8_t* input, uint64_t bytes)
      : input_(input), bytes_(bytes), shift_(misalignment(input)) {}

  /// Any block of the message; what is behind its end is zero.
  WARPAES_HOST_DEVICE Columns load(uint32_t block) const {
    const uint64_t at = uint64_t{16} * block, left = bytes_ - at;
    if (shift_ == 0 && left >= 16) return load_aligned(input_ + at);
    if (block != 0 && left >= 32 - shift_) return load_inner(block);
    return load_bytes(input_ + at, left < 16 ? static_cast<uint32_t>(left) : 16);
  }

  /// A block that has 16 bytes of the message before it, and 16 behind it.
  WARPAES_HOST_DEVICE Columns load_inner(uint32_t block) const {
    const uint8_t* const chunk = input_ + uint64_t{16} * block - shift_;
    const Columns low = load_aligned(chunk);
    return shift_ == 0 ? low : joined(low, load_aligned(chunk + 16), shift_);
  }

 private:
  const uint8_t* const input_;
  const uint64_t bytes_;
  const uint32_t shift_;
};

/// Stores the rows of a message one after the other. Lanes next to each other have neighbouring blocks, and a
/// row's first block follows the last of the row before.
template <class Team>
class ShiftedOutput {
 public:
  WARPAES_HOST_DEVICE ShiftedOutput(const Team& team, uint8_t* output, uint64_t bytes)
      : team_(team), output_(output), bytes_(bytes), shift_(misalignment(output)) {}

  /// Stores a row. All lanes of the team call.
  /// @param block this lane's; before the message's first block it is negative, and then nothing is stored
  /// @param value the block, of which as many bytes count as the message has
  WARPAES_HOST_DEVICE void store(uint32_t block, Columns value) {
    const Columns chunk = chunk_of(value);
    if (static_cast<int32_t>(block) < 0) return;
    const uint64_t at = uint64_t{16} * block, left = bytes_ - at;
    uint8_t* const to = output_ + at - shift_;
    const uint32_t from = block == 0 ? shift_ : 0, own = left < 16 ? static_cast<uint32_t>(left) : 16,
                   end = shift_ + own;
    if (from == 0 && end >= 16) {
      store_aligned(to, chunk);
    } else {
      store_between(to, chunk, from, end);
    }
    // Nobody has the block behind the message's last.
    if (left <= 16 && end > 16) store_bytes(to + 16, moved_down(value, 16 - shift_), end - 16);
  }

  /// What the message has of the block.
  WARPAES_HOST_DEVICE Columns kept(uint32_t block, Columns value) const {
    const uint64_t left = bytes_ - uint64_t{16} * block;
    return left >= 16 ? value : keep_bytes(value, static_cast<uint32_t>(left));
  }

  /// Stores a row that is neither the message's first nor its last.
  WARPAES_HOST_DEVICE void store_inner(uint32_t block, Columns value) {
    store_aligned(output_ + uint64_t{16} * block - shift_, chunk_of(value));
  }

 private:
  WARPAES_HOST_DEVICE Columns chunk_of(Columns value) {
    if (shift_ == 0) return value;
    const Columns given = team_.is_last() ? last_ : value;
    last_ = value;
    return joined(team_.from_neighbour(given), value, 16 - shift_);
  }

  const Team& team_;
  uint8_t* const output_;
  const uint64_t bytes_;
  const uint32_t shift_;
  Columns last_{0, 0, 0, 0};  // this lane's block of the row before, which counts in the team's last lane
};

}  // namespace warpaes::core
