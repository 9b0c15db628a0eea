// How lanes that each walk a message of their own read and write memory.
//
// If every lane read its own message, an access of a warp would touch 32 lines, and take 32 passes through
// the data path that look-ups need as well. So four lanes share: each of them reads a quarter of 64
// consecutive bytes of all four messages, and shuffles bring every lane the four blocks of its own message.
// Stores do the same in reverse. A lane reads and writes the same addresses, so that in-place operation needs
// no further care.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// Four lanes share their messages' loads and stores, four blocks at a time.
constexpr uint32_t kSharers = 4, kTileBytes = 16 * kSharers;

/// Block k of lane i becomes block i of lane k, among four neighbouring lanes.
template <class Thread>
WARPAES_HOST_DEVICE void transpose(Thread& thread, Columns (&tile)[kSharers]) {
  WARPAES_UNROLL
  for (uint32_t bit = 1; bit < kSharers; bit *= 2) {
    const bool upper = (thread.lane() & bit) != 0;
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kSharers; k++) {
      if (k & bit) continue;
      Columns& low = tile[k];
      Columns& high = tile[k | bit];
      const Columns given = upper ? low : high;
      const Columns taken = {thread.shuffle_xor(given.a, bit), thread.shuffle_xor(given.b, bit),
                             thread.shuffle_xor(given.c, bit), thread.shuffle_xor(given.d, bit)};
      low = upper ? taken : low;
      high = upper ? high : taken;
    }
  }
}

/// Replaces the tile's blocks one after the other by the same instructions. Registers cannot be indexed, but
/// their contents can be moved on.
/// @param replace (uint32_t k, Columns block) -> Columns
template <class Replace>
WARPAES_HOST_DEVICE void in_turn(Columns (&tile)[kSharers], const Replace& replace) {
  WARPAES_KEEP_ROLLED
  for (uint32_t k = 0; k < kSharers; k++) {
    const Columns block = tile[0];
    tile[0] = tile[1];
    tile[1] = tile[2];
    tile[2] = tile[3];
    tile[3] = replace(k, block);
  }
}

/// One lane's part in the sharing. All lanes of a warp call load(), store() and advance() together.
/// @tparam Stores is there an output?
template <bool Stores, class Thread>
class SharedTiles {
 public:
  WARPAES_HOST_DEVICE explicit SharedTiles(Thread& thread) : thread_(thread) {}

  /// Says where this lane's next tile begins, if it does not follow its last one. A lane without a message
  /// may pass null, if its tiles have 0 bytes from then on.
  WARPAES_HOST_DEVICE void begin(const uint8_t* input, uint8_t* output) {
    input_ = reinterpret_cast<uintptr_t>(input);
    if constexpr (Stores) output_ = reinterpret_cast<uintptr_t>(output);
    moved_ = true;
  }

  /// @param bytes the length of this lane's tile; the rest of the tile is zero
  WARPAES_HOST_DEVICE void load(Columns (&tile)[kSharers], uint32_t bytes) {
    if (thread_.any(moved_)) share_addresses();
    const bool full = !thread_.any(bytes != kTileBytes);
    bool slow = false;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      const auto share = share_of<const uint8_t>(j, from_[j], bytes, full);
      tile[j] = {0, 0, 0, 0};
      if (share.is_quick()) tile[j] = load_aligned(share.at);
      slow |= share.is_slow();
    }
    if (thread_.any(slow)) {
      in_turn(tile, [&](uint32_t j, Columns block) {
        const auto share = share_of<const uint8_t>(j, place(from_, j), bytes, full);
        return share.is_slow() ? load_bytes(share.at, share.bytes) : block;
      });
    }
    transpose(thread_, tile);
  }

  WARPAES_HOST_DEVICE void store(Columns (&tile)[kSharers], uint32_t bytes) {
    transpose(thread_, tile);
    const bool full = !thread_.any(bytes != kTileBytes);
    bool slow = false;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      const auto share = share_of<uint8_t>(j, to_[j], bytes, full);
      if (share.is_quick()) store_aligned(share.at, tile[j]);
      slow |= share.is_slow();
    }
    if (!thread_.any(slow)) return;
    in_turn(tile, [&](uint32_t j, Columns block) {
      const auto share = share_of<uint8_t>(j, place(to_, j), bytes, full);
      if (share.is_slow()) store_bytes(share.at, block, share.bytes);
      return block;
    });
  }

  /// Goes on to the next tile.
  WARPAES_HOST_DEVICE void advance() {
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      from_[j] += kTileBytes;
      if constexpr (Stores) to_[j] += kTileBytes;
    }
  }

 private:
  /// Tells the other three lanes where this lane's new message begins. The places in other messages are kept.
  WARPAES_HOST_DEVICE void share_addresses() {
    const uint32_t sharer = thread_.lane() % kSharers;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      const uint32_t owner = thread_.lane() - sharer + j;
      const bool moved = thread_.shuffle(uint32_t{moved_}, owner) != 0;
      const auto input = thread_.shuffle(uint64_t{input_}, owner);
      if (moved) from_[j] = input + 16 * sharer;
      if constexpr (Stores) {
        const auto output = thread_.shuffle(uint64_t{output_}, owner);
        if (moved) to_[j] = output + 16 * sharer;
      }
    }
    moved_ = false;
  }

  /// Where this lane reads or writes for the j-th lane of its four, and how many of the 16 bytes.
  template <class Byte>
  struct Share {
    Byte* at;
    uint32_t bytes;
    WARPAES_HOST_DEVICE bool is_quick() const { return bytes == 16 && is_aligned(at); }
    WARPAES_HOST_DEVICE bool is_slow() const { return bytes != 0 && !is_quick(); }
  };

  /// @param full do all lanes of the warp have a whole tile?
  template <class Byte>
  WARPAES_HOST_DEVICE Share<Byte> share_of(uint32_t j, uintptr_t address, uint32_t bytes, bool full) {
    Byte* const at = reinterpret_cast<Byte*>(address);
    if (full) return {at, 16};
    const uint32_t sharer = thread_.lane() % kSharers;
    const uint32_t theirs = thread_.shuffle(bytes, thread_.lane() - sharer + j);
    const uint32_t mine = theirs > 16 * sharer ? theirs - 16 * sharer : 0;
    return {at, mine < 16 ? mine : 16};
  }

  /// places[j], without an index, as registers cannot be indexed.
  WARPAES_HOST_DEVICE static uintptr_t place(const uintptr_t (&places)[kSharers], uint32_t j) {
    return j == 0 ? places[0] : j == 1 ? places[1] : j == 2 ? places[2] : places[3];
  }

  Thread& thread_;
  bool moved_ = true;  // this lane has gone to a message of which the other three do not know yet
  uintptr_t input_ = 0, output_ = 0;
  // Where this lane reads and writes for its four. They are numbers, since lanes without a message go on
  // counting.
  uintptr_t from_[kSharers] = {}, to_[kSharers] = {};
};

}  // namespace warpaes::core
