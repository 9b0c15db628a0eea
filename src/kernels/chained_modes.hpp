// Modes whose blocks wait for each other, in batches of independent messages: CBC, CFB and OFB
// encryption, CMAC and CBC-MAC.
//
// Threads. A lane walks one message from its first block to its last, and then takes its next one; lanes
// of a warp are on different messages. So messages of different lengths cost a lane its own blocks only.
//
// Memory. A lane that read its own message would make each access of a warp 32 lines long: 32 passes
// through the data path that the look-ups need. So four lanes share: each reads a quarter of 64 consecutive
// bytes of all four messages, and shuffles bring every lane the four blocks of its own. Likewise back.
// A lane reads and writes the same addresses, so that in-place operation needs no further care.
//
// Limits. Shared memory, through which shuffles go too: docs/design/kernels.md has the sum.
// Timing class: conflict-free.
#pragma once

#include "kernels/block_access.hpp"
#include "primitives/chaining.hpp"

namespace warpaes {

/// Message m lies at input + m * input_stride and is `bytes` long, unless the arrays of the same name say
/// otherwise; those may be null.
struct ChainedArguments {
  RoundKeys keys;
  Columns whole_mask, padded_mask;  // MacMasks
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes, input_stride, output_stride;
  const uint8_t* const* inputs;
  uint8_t* const* outputs;
  const uint64_t* lengths;
  const uint8_t* ivs;
  uint64_t iv_stride;
  uint8_t* tags;
  uint64_t tag_stride;
  uint32_t tag_bytes;
  bool whole_blocks;  // other lengths are refused
  int32_t* statuses;  // may be null
  uint32_t messages;  // these and the grid's lanes fit 32 bits
  uint32_t warps;     // of a block that take messages; the others only help to fill the tables
};

/// Four lanes share their messages' loads and stores, four blocks at a time.
constexpr uint32_t kSharers = 4, kTileBytes = 16 * kSharers;

/// Lane i's block k becomes lane k's block i, among four neighbouring lanes.
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

/// @tparam Mode cmac stands for cbc_mac as well
template <int Tables, int Rounds, Chaining Mode, class Thread>
class ChainedLane {
 public:
  using Lane = LanePrivateTables<Tables>;

  WARPAES_HOST_DEVICE ChainedLane(Thread& thread, const Lane& tables, const ChainedArguments& arguments)
      : thread_(thread), tables_(tables), arguments_(arguments) {}

  /// @param message,step this lane's first message, and how far the next one is; all lanes of a warp call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    take(message, step);
    while (thread_.any(has_message())) {
      const uint32_t bytes = left_ < kTileBytes ? static_cast<uint32_t>(left_) : kTileBytes;
      if (thread_.any(moved_)) share_addresses();
      Columns tile[kSharers];
      load(tile, bytes);
      chain(tile, bytes);
      if constexpr (!makes_tags(Mode)) store(tile, bytes);
      advance(bytes, step);
    }
  }

 private:
  WARPAES_HOST_DEVICE bool has_message() const { return message_ < arguments_.messages; }

  WARPAES_HOST_DEVICE void advance(uint32_t bytes, uint32_t step) {
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      from_[j] += kTileBytes;
      if constexpr (!makes_tags(Mode)) to_[j] += kTileBytes;
    }
    if (!has_message()) return;
    left_ -= bytes;
    if (left_ != 0) return;
    if constexpr (makes_tags(Mode)) {
      store_bytes(arguments_.tags + message_ * arguments_.tag_stride, chain_, arguments_.tag_bytes);
    }
    take(message_ + step, step);
  }

  /// The next message that has work, from this one on.
  WARPAES_HOST_DEVICE void take(uint32_t message, uint32_t step) {
    for (left_ = 0; message < arguments_.messages; message += step) {
      find(message);
      const int32_t status = status_of_message();
      if (arguments_.statuses != nullptr) arguments_.statuses[message] = status;
      if (status == WARPAES_OK && (left_ != 0 || makes_tags(Mode))) break;
      left_ = 0;
    }
    message_ = message;
    moved_ = true;
    if (!has_message()) return;
    chain_ = {0, 0, 0, 0};
    if constexpr (!makes_tags(Mode)) chain_ = load_bytes(arguments_.ivs + message * arguments_.iv_stride, 16);
  }

  WARPAES_HOST_DEVICE void find(uint32_t message) {
    input_ = arguments_.inputs != nullptr ? arguments_.inputs[message]
                                          : arguments_.input + message * arguments_.input_stride;
    if constexpr (!makes_tags(Mode)) {
      output_ = arguments_.outputs != nullptr ? arguments_.outputs[message]
                                              : arguments_.output + message * arguments_.output_stride;
    }
    left_ = arguments_.lengths != nullptr ? arguments_.lengths[message] : arguments_.bytes;
  }

  /// What the host could not check, as arrays of pointers and lengths are the device's.
  WARPAES_HOST_DEVICE int32_t status_of_message() const {
    if (left_ > arguments_.bytes) return WARPAES_ERROR_LENGTH;
    if (arguments_.whole_blocks && (left_ % 16 != 0 || (makes_tags(Mode) && left_ == 0)))
      return WARPAES_ERROR_LENGTH;
    if (left_ == 0) return WARPAES_OK;
    if (input_ == nullptr) return WARPAES_ERROR_NULL_POINTER;
    if constexpr (!makes_tags(Mode)) {
      if (output_ == nullptr) return WARPAES_ERROR_NULL_POINTER;
      const uint64_t from = reinterpret_cast<uintptr_t>(input_), to = reinterpret_cast<uintptr_t>(output_);
      if (from != to && (from < to ? to - from : from - to) < left_) return WARPAES_ERROR_OVERLAP;
    }
    return WARPAES_OK;
  }

  /// Tells the sharers where new messages begin. The places in the others are kept.
  WARPAES_HOST_DEVICE void share_addresses() {
    const uint32_t sharer = thread_.lane() % kSharers;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSharers; j++) {
      const uint32_t owner = thread_.lane() - sharer + j;
      const bool moved = thread_.shuffle(uint32_t{moved_}, owner) != 0;
      const auto input = thread_.shuffle(reinterpret_cast<uintptr_t>(input_), owner);
      if (moved) from_[j] = input + 16 * sharer;
      if constexpr (!makes_tags(Mode)) {
        const auto output = thread_.shuffle(reinterpret_cast<uintptr_t>(output_), owner);
        if (moved) to_[j] = output + 16 * sharer;
      }
    }
    moved_ = false;
  }

  /// What this lane reads or writes for the j-th lane of its four, and how many bytes of the 16.
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

  /// places[j]: registers cannot be indexed.
  WARPAES_HOST_DEVICE static uintptr_t place(const uintptr_t (&places)[kSharers], uint32_t j) {
    return j == 0 ? places[0] : j == 1 ? places[1] : j == 2 ? places[2] : places[3];
  }

  WARPAES_HOST_DEVICE void load(Columns (&tile)[kSharers], uint32_t bytes) {
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

  /// Replaces the tile's blocks, one after the other by the same instructions: registers cannot be indexed,
  /// but they can be moved on.
  template <class Replace>
  WARPAES_HOST_DEVICE static void in_turn(Columns (&tile)[kSharers], const Replace& replace) {
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < kSharers; k++) {
      const Columns block = tile[0];
      tile[0] = tile[1];
      tile[1] = tile[2];
      tile[2] = tile[3];
      tile[3] = replace(k, block);
    }
  }

  /// What lies beyond the message's end is worked on as well, for the lanes to stay together, and not used.
  WARPAES_HOST_DEVICE void chain(Columns (&tile)[kSharers], uint32_t bytes) {
    const uint32_t last = bytes == left_ ? (bytes == 0 ? 0 : (bytes - 1) / 16) : kSharers;
    in_turn(tile, [&](uint32_t k, Columns block) {
      if constexpr (makes_tags(Mode)) {
        if (k == last) block = block ^ mask(bytes - 16 * k);
        const Columns next = encrypt(chain_ ^ block);
        if (k <= last) chain_ = next;
        return block;
      } else if constexpr (Mode == Chaining::cbc_encrypt) {
        return chain_ = encrypt(chain_ ^ block);
      } else if constexpr (Mode == Chaining::cfb_encrypt) {
        return chain_ = encrypt(chain_) ^ block;
      } else {
        chain_ = encrypt(chain_);
        return chain_ ^ block;
      }
    });
  }

  /// For a last block of so many bytes, with the padding: a one bit and zeros (SP 800-38B section 6.2).
  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const {
    if (bytes == 16) return arguments_.whole_mask;
    const uint32_t one = 0x80u << (8 * (bytes % 4)), column = bytes / 4;
    return arguments_.padded_mask ^ Columns{column == 0 ? one : 0, column == 1 ? one : 0,
                                            column == 2 ? one : 0, column == 3 ? one : 0};
  }

  WARPAES_HOST_DEVICE Columns encrypt(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }

  Thread& thread_;
  const Lane& tables_;
  const ChainedArguments& arguments_;
  uint32_t message_ = 0;
  const uint8_t* input_ = nullptr;  // where the message begins
  uint8_t* output_ = nullptr;
  uint64_t left_ = 0;
  bool moved_ = true;  // to a message that the sharers do not know of yet
  // Where this lane reads for its four, and writes: as numbers, for lanes without a message go on counting.
  uintptr_t from_[kSharers] = {}, to_[kSharers] = {};
  Columns chain_{0, 0, 0, 0};
};

/// The kernel's body.
template <int Tables, int Rounds, Chaining Mode, class Thread>
WARPAES_HOST_DEVICE void chained_modes(Thread& thread, const ChainedArguments& arguments,
                                       const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  if (thread.warp() >= arguments.warps) return;
  const Lane tables(thread.shared(), thread.lane());
  // Neighbouring warps' messages go to different blocks, so that a few of them use many multiprocessors.
  const uint32_t warp = thread.warp() * thread.block_count() + thread.block();
  ChainedLane<Tables, Rounds, Mode, Thread>(thread, tables, arguments)(
      warp * kWarpLanes + thread.lane(), arguments.warps * thread.block_count() * kWarpLanes);
}

}  // namespace warpaes
