// CTR, and GCM's hash of it, for consecutive blocks at any address: what a team of lanes does with a message,
// or a warp with its run of a long one.
//
//     blocks     | . . . 0 | 1 2 3 4 | 5 6 7 8 | 9 10 11 12 |      teams of four lanes: a row is a block for
//     each
//                  row 0     row 1     row 2     row 3             four rows are a group
//
// Rows are right-aligned (TeamGroups), so only the first group can have rows that are not full. It is done
// row by row, and all others with one reduction for four rows. Only the blocks at both ends go byte by byte.
#pragma once

#include "kernels/team/message_teams.hpp"
#include "kernels/warp/message_counters.hpp"
#include "kernels/warp/shifted_blocks.hpp"

namespace warpaes::core {

/// The powers of H from a lane's block of a group of four rows to its others.
struct RowPowers {
  const Gf128Factor &three, &two, &one;  // rows later
  const Gf128Factor& group;              // four rows: from one group to the next
};

/// @tparam Hash which side of the XOR is hashed
/// @tparam Team its lanes share the blocks; see team/frame.hpp
/// @tparam Counters a MessageCounters, made for the counter of the lane's first block
template <int Tables, int Rounds, Hashed Hash, class Team, class Counters>
class ShiftedCounterRows {
 public:
  /// @param first_counter the last 32 bits of block 0's counter
  WARPAES_HOST_DEVICE ShiftedCounterRows(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                         const RowPowers& powers, const Team& team, Counters& counters,
                                         uint32_t first_counter)
      : tables_(tables),
        keys_(keys),
        powers_(powers),
        team_(team),
        counters_(counters),
        first_counter_(first_counter) {}

  /// All lanes of the team call.
  /// @param before the hash of what comes before the blocks
  /// @return the lane's share of the hash, to be multiplied by its weight
  WARPAES_HOST_DEVICE Gf128 operator()(const uint8_t* from, uint8_t* to, uint64_t bytes, Gf128 before) {
    const TeamGroups all(bytes, team_.lanes());
    const ShiftedInput input(from, bytes);
    Output output(team_, to, bytes);
    uint32_t groups = all.groups, block = all.first + team_.lane();
    Gf128 hash{0, 0};
    if (all.is_full()) {
      if (team_.is_last()) hash = before;
    } else {
      hash = first_group(input, output, block, before);
      block += 4 * team_.lanes();
      groups--;
    }
    WARPAES_KEEP_ROLLED
    for (; groups > 0; groups--, block += 4 * team_.lanes()) hash = group(input, output, block, hash);
    return hash;
  }

 private:
  using Output = ShiftedOutput<Team>;

  WARPAES_HOST_DEVICE Columns crypt(Columns in, uint32_t block) const {
    const Columns state = counters_.after_two_rounds_of(block + first_counter_);
    return in ^ tables_.template encrypt<Rounds, 3>(state, keys_);
  }

  /// A group whose first rows lie before the first block.
  WARPAES_HOST_DEVICE Gf128 first_group(const ShiftedInput& input, Output& output, uint32_t block,
                                        Gf128 before) const {
    Gf128 hash{0, 0};
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < 4; k++, block += team_.lanes()) {
      if constexpr (Hash != Hashed::nothing) hash = multiply_reduced(hash, powers_.one);
      if (block == TeamGroups::kBefore) hash = hash ^ before;
      Columns out{0, 0, 0, 0};
      if (!TeamGroups::is_before_message(block)) {
        const Columns in = input.load(block);
        out = crypt(in, block);
        if constexpr (Hash == Hashed::input) hash = hash ^ to_gf128(in);
        if constexpr (Hash == Hashed::output) hash = hash ^ to_gf128(output.kept(block, out));
      }
      output.store(block, out);
    }
    return hash;
  }

  WARPAES_HOST_DEVICE Gf128 group(const ShiftedInput& input, Output& output, uint32_t block,
                                  Gf128 hash) const {
    const Gf128Factor* const powers[3] = {&powers_.three, &powers_.two, &powers_.one};
    Gf128Sum sum;
    if constexpr (Hash != Hashed::nothing) sum.add(hash, powers_.group);
    const auto add = [&](Columns ciphertext, uint32_t k) {
      if (k < 3) {
        sum.add(to_gf128(ciphertext), *powers[k]);
      } else {
        hash = hash ^ to_gf128(ciphertext);
      }
    };
    WARPAES_UNROLL
    for (uint32_t k = 0; k < 4; k++, block += team_.lanes()) {
      const bool inner = k == 1 || k == 2;
      const Columns in = inner ? input.load_inner(block) : input.load(block);
      if (Hash != Hashed::nothing && k == 3) hash = sum.reduced();  // early, as the sum takes registers
      if constexpr (Hash == Hashed::input) add(in, k);
      const Columns out = crypt(in, block);
      if (inner) {
        output.store_inner(block, out);
      } else {
        output.store(block, out);
      }
      if constexpr (Hash == Hashed::output) add(k == 3 ? output.kept(block, out) : out, k);
    }
    return hash;
  }

  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const RowPowers powers_;
  const Team& team_;
  Counters& counters_;
  const uint32_t first_counter_;
};

}  // namespace warpaes::core
