// What OCB3 (RFC 7253) does with a message: a team of lanes works on whole blocks; the edges (the nonce, the
// last bytes, the additional data) are few blocks, for which the cipher is a loop that is not unrolled.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/warp/batched_message.hpp"
#include "kernels/warp/ocb3_offsets.hpp"

namespace warpaes::core {

/// What a launch for OCB3 needs of a key.
struct OcbKeys {
  RoundKeys encryption;
  RoundKeys data;  // of the launch's direction
  OcbKey ocb;
};

/// Whole blocks that follow each other; the first is the first of a group.
struct OcbPiece {
  const uint8_t* input;
  uint8_t* output;
  uint32_t blocks;
  uint32_t group;  // of 2 * lanes blocks, counted from the message's beginning

  /// As BatchedMessage::is_in_global_memory(), for the place that the lane has come to.
  WARPAES_HOST_DEVICE void is_in_global_memory() const {
#if defined(__CUDA_ARCH__)
    __builtin_assume(__isGlobal(input));
    __builtin_assume(__isGlobal(output));
#endif
  }
};

/// @tparam Tables those of the direction
/// @tparam Keys OcbKeys, or another structure with the members that the direction needs
template <class Tables, int Rounds, warpaes_direction Way, class Keys = OcbKeys>
class OcbPass {
 public:
  WARPAES_HOST_DEVICE OcbPass(const Tables& tables, const Keys& keys, uint32_t lanes, uint32_t lane)
      : tables_(tables), keys_(keys), lanes_(lanes), lane_(lane) {}

  /// @return the lane's share of the sum of the plaintext
  WARPAES_HOST_DEVICE Columns operator()(OcbPiece piece, Columns offset_0) const {
    Columns sum{0, 0, 0, 0};
    if (piece.blocks == 0) return sum;  // the pointers of an empty piece may be null
    Offsets offsets(keys_.ocb, offset_0, piece.group, lanes_, lane_);
    const bool aligned = is_aligned(piece.input) && is_aligned(piece.output);
    piece.input += 16 * lane_;
    piece.output += 16 * lane_;
    WARPAES_KEEP_ROLLED
    for (; aligned && piece.blocks >= 2 * lanes_; piece.blocks -= 2 * lanes_) {
      whole_group(piece, offsets, sum);
      piece.input += 32 * lanes_;
      piece.output += 32 * lanes_;
    }
    if (piece.blocks != 0) any_blocks(piece, offsets, sum);
    return sum;
  }

 private:
  using Offsets = OcbLaneOffsets<decltype(Keys::ocb)>;

  WARPAES_HOST_DEVICE Columns cipher(Columns block, Columns offset) const {
    if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) {
      const RoundKeys& keys = keys_.encryption;
      return tables_.template encrypt<Rounds, 1>(Tables::add_round_key(block ^ offset, keys, 0), keys) ^
             offset;
    } else {
      return tables_.template decrypt<Rounds>(block ^ offset, keys_.data) ^ offset;
    }
  }

  /// Works on two blocks at the same time: the load of one is hidden behind the cipher of the other.
  WARPAES_HOST_DEVICE void whole_group(const OcbPiece& piece, Offsets& offsets, Columns& sum) const {
    // If the round keys are in shared memory, this would make the compiler keep too many of them in
    // registers.
    if constexpr (std::is_same_v<Keys, OcbKeys>) piece.is_in_global_memory();
    const uint32_t second = 16 * lanes_;
    const Columns in = load_aligned(piece.input), in_second = load_aligned(piece.input + second);
    if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) sum = sum ^ in ^ in_second;
    const Columns out = cipher(in, offsets.current());
    store_aligned(piece.output, out);
    offsets.to_second_half();
    const Columns out_second = cipher(in_second, offsets.current());
    store_aligned(piece.output + second, out_second);
    offsets.to_next_group();
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT) sum = sum ^ out ^ out_second;
  }

  /// Works on the blocks that fill no group, or on all blocks if memory is not aligned.
  WARPAES_HOST_DEVICE void any_blocks(const OcbPiece& piece, Offsets& offsets, Columns& sum) const {
    bool second = false;
    WARPAES_KEEP_ROLLED
    for (uint32_t at = lane_; at < piece.blocks; at += lanes_) {
      const uint64_t place = uint64_t{16} * (at - lane_);
      const Columns in = load_block(piece.input + place, 16, 0);
      const Columns out = cipher(in, offsets.current());
      store_block(piece.output + place, 16, 0, out);
      sum = sum ^ (Way == WARPAES_DIRECTION_ENCRYPT ? in : out);
      if (second) {
        offsets.to_next_group();
      } else {
        offsets.to_second_half();
      }
      second = !second;
    }
  }

  const Tables& tables_;
  const Keys& keys_;
  const uint32_t lanes_, lane_;
};

/// @tparam Tables those of the cipher, whatever the direction
template <class Tables, int Rounds, warpaes_direction Way, class Keys = OcbKeys>
class OcbEdges {
 public:
  WARPAES_HOST_DEVICE OcbEdges(const Tables& tables, const Keys& keys) : tables_(tables), keys_(keys) {}

  WARPAES_HOST_DEVICE Columns encrypt(Columns block) const {
    return tables_.template encrypt_rolled<Rounds>(block, keys_.encryption);
  }

  /// Works on the bytes that make no whole block (section 4.2).
  /// @return what is encrypted to give the tag, but without the sum of the whole blocks
  WARPAES_HOST_DEVICE Columns end(const BatchedMessage& message, Columns offset_0) const {
    const uint64_t whole = message.bytes / 16;
    const uint32_t left = static_cast<uint32_t>(message.bytes % 16);
    Columns offset = offset_0 ^ ocb_offset_sum(keys_.ocb, whole), last{0, 0, 0, 0};
    if (left != 0) {
      offset = offset ^ keys_.ocb.star;
      const Columns in = load_bytes(message.input + 16 * whole, left);
      const Columns out = in ^ encrypt(offset);
      store_bytes(message.output + 16 * whole, out, left);
      last = padded(Way == WARPAES_DIRECTION_ENCRYPT ? in : keep_bytes(out, left), left);
    }
    return last ^ offset ^ keys_.ocb.dollar;
  }

  /// HASH of section 4.1: the lane's share of the sum, of every `step`-th block from `first` on.
  WARPAES_HOST_DEVICE Columns hash(const uint8_t* aad, uint64_t bytes, uint64_t first, uint64_t step) const {
    Columns sum{0, 0, 0, 0};
    const uint64_t whole = bytes / 16, blocks = (bytes + 15) / 16;
    WARPAES_KEEP_ROLLED
    for (uint64_t block = first; block < blocks; block += step) {
      Columns in = load_block(aad, bytes, static_cast<int64_t>(block));
      Columns offset = ocb_offset_sum(keys_.ocb, block < whole ? block + 1 : whole);
      if (block == whole) {
        in = padded(in, static_cast<uint32_t>(bytes % 16));
        offset = offset ^ keys_.ocb.star;
      }
      sum = sum ^ encrypt(in ^ offset);
    }
    return sum;
  }

 private:
  const Tables& tables_;
  const Keys& keys_;
};

/// The tables of a launch in shared memory: those of the direction and, for decryption, what the edges need
/// of the cipher behind them.
/// @tparam Tables how many tables of the direction
template <int Tables, warpaes_direction Way, class DecryptionEdge = LanePrivateTables<1>>
struct OcbTables {
  static constexpr bool kEncrypts = Way == WARPAES_DIRECTION_ENCRYPT;
  using Data = LanePrivateTables<Tables>;
  using Edge = std::conditional_t<kEncrypts, Data, DecryptionEdge>;
  static constexpr uint32_t kEdgeAt = kEncrypts ? 0 : Tables * kTableBytes;

  Data data;
  Edge edge;

  /// Fills the tables. All threads of the thread block call.
  template <class Thread>
  WARPAES_HOST_DEVICE explicit OcbTables(Thread& thread)
      : data((fill(thread), thread.shared()), thread.lane()),
        edge(thread.shared() + kEdgeAt, thread.lane()) {}

 private:
  template <class Thread>
  WARPAES_HOST_DEVICE static void fill(Thread& thread) {
    Data::fill(thread.shared(), kEncrypts ? thread.t0() : thread.inverse_t0(), thread.index(),
               thread.count());
    if constexpr (!kEncrypts) {
      Edge::fill(thread.shared() + kEdgeAt, thread.t0(), thread.index(), thread.count());
    }
    end_fill(thread);
  }
};

/// The policy of an OCB3 kernel. For decryption, one table of the cipher, for the edges, lies behind those of
/// the inverse cipher.
WARPAES_HOST_DEVICE constexpr kernels::KernelPolicy ocb_policy(const LaunchPolicy& on,
                                                               warpaes_direction way) {
  return way == WARPAES_DIRECTION_ENCRYPT ? kernels::with_tables(on.tables, on.ocb_threads)
                                          : kernels::with_one_more_table(on.tables_with_room, on.ocb_threads);
}

}  // namespace warpaes::core
