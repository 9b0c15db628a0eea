// CTR, and GCM's hash of it, for consecutive blocks at any address: what a team of lanes does with a message,
// or a warp with its run of a long one.
//
//     blocks     | . . . 0 | 1 2 3 4 | 5 6 7 8 | 9 10 11 12 |      a row is a block for each lane
//                  row 0     row 1     row 2     row 3
//
// Rows are right-aligned, so only the first can lack blocks. A lane's hash is one sum, by Horner's rule from
// row to row. The loop's body is one row, which keeps the code short, and takes fewer registers than products
// of several rows that are reduced together: these hold the chunks that are on their way from memory. Only
// the first and the last row have chunks that reach beyond the message.
#pragma once

#include "kernels/warp/ghash.hpp"
#include "kernels/warp/message_counters.hpp"
#include "kernels/warp/shifted_blocks.hpp"

namespace warpaes::core {

/// @tparam Hash which side of the XOR is hashed
/// @tparam Team its lanes share the blocks; see WholeWarp and Team of team/frame.hpp
/// @tparam Counters a MessageCounters, made for the counter of block 0
template <int Tables, int Rounds, Hashed Hash, class Team, class Counters>
class ShiftedCounterRows {
 public:
  /// @param power the power of H from a lane's block to its block of the next row
  /// @param first_counter the last 32 bits of block 0's counter
  WARPAES_HOST_DEVICE ShiftedCounterRows(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                         const Gf128Factor& power, const Team& team, Counters& counters,
                                         uint32_t first_counter)
      : tables_(tables),
        keys_(keys),
        power_(power),
        team_(team),
        counters_(counters),
        first_counter_(first_counter) {}

  /// Encrypts or decrypts the blocks, and hashes them. All lanes of the warp call, with the same number of
  /// bytes.
  /// @param before the hash of what comes before the blocks
  /// @param exists false for a team that has no message: it only takes part in what lanes exchange, and what
  ///        it reads and returns does not matter
  /// @return the lane's share of the hash, to be multiplied by its weight
  WARPAES_HOST_DEVICE Gf128 operator()(const uint8_t* from, uint8_t* to, uint64_t bytes, Gf128 before,
                                       bool exists) {
    const BlockRange blocks(bytes);
    const ShiftedInput input(from, blocks);
    Output output(team_, to, blocks);
    const uint32_t lanes = team_.lanes(), first = 0 - ((0 - blocks.count) & (lanes - 1));
    Gf128 hash{0, 0};
    if (first == 0 && team_.is_last()) hash = before;
    WARPAES_KEEP_ROLLED
    for (uint32_t row = first; row != blocks.count; row += lanes) {
      const uint32_t block = row + team_.lane();
      const bool inner = static_cast<int32_t>(row) > 0 && row + lanes != blocks.count,
                 has_block = exists && static_cast<int32_t>(block) >= 0;
      Chunks loaded;
      if (inner) {
        loaded = input.load_inner(block);
      } else if (has_block) {
        loaded = input.load(block);
      } else {
        loaded = {{0, 0, 0, 0}, {0, 0, 0, 0}};
      }
      if constexpr (Hash != Hashed::nothing) {
        hash = multiply_reduced(hash, power_);
        if (block == kBefore) hash = hash ^ before;
      }
      const Columns mask = key_stream(has_block ? block : 0);
      // What was loaded is not looked at before this line, and so the cipher need not wait for memory. If
      // both branches did the same, the compiler would do it before them, and even before the cipher.
      if (inner) {
        const Columns in = input.joined(loaded, [](uint32_t number) { return number; }), out = in ^ mask,
                      chunk = output.chunk_of(out);
        if (exists) output.store_inner(block, chunk);
        add(hash, Hash == Hashed::input ? in : out);
      } else {
        const Columns in = input.joined(loaded, computed_again), out = in ^ mask,
                      chunk = output.chunk_of(out);
        if (has_block) {
          output.store(block, chunk, out);
          add(hash, output.kept(block, Hash == Hashed::input ? in : out));
        }
      }
    }
    return hash;
  }

 private:
  using Output = ShiftedOutput<Team>;
  /// The number of the block right before the first, in whose place stands what comes before the blocks.
  static constexpr uint32_t kBefore = ~0u;

  WARPAES_HOST_DEVICE static void add(Gf128& hash, Columns block) {
    if constexpr (Hash != Hashed::nothing) hash = hash ^ to_gf128(block);
  }

  WARPAES_HOST_DEVICE Columns key_stream(uint32_t block) const {
    const Columns state = counters_.after_two_rounds_of(block + first_counter_);
    return tables_.template encrypt<Rounds, 3>(state, keys_);
  }

  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const Gf128Factor& power_;
  const Team& team_;
  Counters& counters_;
  const uint32_t first_counter_;
};

}  // namespace warpaes::core
