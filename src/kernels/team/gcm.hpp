// GCM for many messages: a team of lanes (see team/team_key.hpp) works on each message from its first byte to
// its tag.
//
// Threads and memory. A warp takes up to 32 messages at once. Lane m computes what the tag of message m needs
// besides the data: E_K(J0) and what the lengths contribute to the hash. Then the warp's teams take the
// messages in turns, the longest first, so that messages of one turn are about equally long. In ragged
// batches that have long messages, a warp takes one message, and then the next one that is left. A message is
// right-aligned in its groups of four rows: the rows that it does not fill are the first, where a hash of
// zeros stays zero. The hash of the additional data stands where the block before the first would be.
//
// Per-message keys. A warp has as many slots in shared memory as it prepares keys at once
// (team/team_key.hpp). Each lane expands one message's key; then some lanes encrypt zeros, for H and its
// powers, and others J0, each for its message.
//
// Limits. Look-ups, as in grid/ctr_gcm.hpp. One message is the work of at most one team, so a message that is
// much longer than the others keeps its team at work when the others have finished.
// Timing class: conflict-free.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/team/frame.hpp"
#include "kernels/warp/message_counters.hpp"
#include "kernels/warp/shifted_counter_rows.hpp"

namespace warpaes::core {

struct OneKeyBatch : MessageBatch {
  WorkDistribution distribution;
  TeamKey key;
};

/// A batch under one key whose messages may have any lengths.
struct RaggedBatch : OneKeyBatch {
  uint32_t* claimed;  // as for_each_task() has it
};

/// A batch under one key of which most messages begin at no multiple of 16. It is regular (is_regular() of
/// engines/batch.hpp), so that all messages are equally long.
struct ShiftedBatch : OneKeyBatch {};

/// What a warp prepares of a message that has a key of its own.
template <int Rounds>
struct GcmMessageKey {
  ExpandedKey<Rounds> keys;
  TeamPowers powers;
  Gf128 mask;          // E_K(J0)
  uint64_t unused[2];  // so that the messages of a warp's teams are in different banks
};

/// One warp's work on up to 32 messages.
/// @tparam Slots with per-message keys, how many messages' keys the warp prepares at once; 0 under one key
template <int Tables, int Rounds, Ciphertext Side, uint32_t Slots, class Thread, class Batch>
class GcmRunner {
 public:
  using Lane = LanePrivateTables<Tables>;
  using Keys = WarpKeys<GcmMessageKey<Rounds>, Slots>;
  static_assert(is_free_of_conflicts(sizeof(GcmMessageKey<Rounds>)));
  static constexpr bool kOwnKeys = std::is_same_v<Batch, PerMessageKeysBatch>,
                        kShifted = std::is_same_v<Batch, ShiftedBatch>,
                        kClaims = std::is_same_v<Batch, RaggedBatch>;  // may have a counter of tasks
  /// How many rows of a group are computed side by side. The warps of a ragged batch are at different places
  /// of the code, so that it has to be short for the instruction cache; in others they stay together.
  static constexpr uint32_t kRows = 4, kRowsAtOnce = kClaims ? 2 : kRows;

  /// @param warp_keys with per-message keys, the warp's place in shared memory for them
  WARPAES_HOST_DEVICE GcmRunner(Thread& thread, const Lane& tables, const Batch& batch, Keys* warp_keys)
      : thread_(thread), team_(thread, batch), tables_(tables), batch_(batch), warp_keys_(warp_keys) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    if constexpr (kOwnKeys) {
      team_.template in_turns_with_keys<Slots>(
          team_.order(task), [&](uint32_t from) { make_keys(team_.index_of(task, from)); },
          [&](uint32_t from, uint32_t slot) {
            slot_ = warp_keys_->message + slot;
            take(task, from, {0, 0});
          });
    } else {
      Gf128 seed{0, 0};
      const bool has_one = is_in_batch(batch_, task, thread_.lane());
      if constexpr (kClaims) {
        if (!thread_.any(has_one)) return;  // all messages of the task belong to another launch
      }
      if (has_one) seed = seed_of(message_of_task(batch_.distribution, task, thread_.lane()));
      // A team that has the warp for itself need not wait for others, whatever the order.
      const bool alone = kClaims && batch_.distribution.teams == 1;
      team_.in_turns(alone ? thread_.lane() : team_.order(task),
                     [&](uint32_t from) { take(task, from, seed); });
    }
  }

 private:
  WARPAES_HOST_DEVICE const auto& keys() const {
    if constexpr (kOwnKeys) {
      return slot_->keys;
    } else {
      return batch_.key.keys;
    }
  }
  WARPAES_HOST_DEVICE const TeamPowers& powers() const {
    if constexpr (kOwnKeys) {
      return slot_->powers;
    } else {
      return batch_.key.powers;
    }
  }

  WARPAES_HOST_DEVICE Columns nonce(uint32_t index) const {
    const uint8_t* const from = batch_.nonce(index);
    if (from == nullptr) return {0, 0, 0, 0};  // the message is refused
    if ((reinterpret_cast<uintptr_t>(from) & 3) != 0) return load_bytes(from, 12);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(from);
    return {words[0], words[1], words[2], 0};
  }

  /// E_K(J0) of section 7.1 step 2; J0 is the nonce and a counter of 1.
  WARPAES_HOST_DEVICE Gf128 mask_of(uint32_t index) const {
    Columns j0 = nonce(index);
    j0.d = reverse_bytes(1);
    return encrypted(j0, keys());
  }

  template <class Keys>
  WARPAES_HOST_DEVICE Gf128 encrypted(Columns block, const Keys& keys) const {
    return to_gf128(tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys));
  }

  /// What is added to the hash of additional data and ciphertext, times H^2, to give the tag.
  WARPAES_HOST_DEVICE Gf128 seed_of(uint32_t index) const {
    return lengths_share(BatchedMessage(batch_, index)) ^ mask_of(index);
  }
  WARPAES_HOST_DEVICE Gf128 lengths_share(const BatchedMessage& message) const {
    return gf128_multiply(ghash_lengths(message.aad_bytes, message.bytes), powers().h);
  }
  WARPAES_HOST_DEVICE Gf128 weighted(Gf128 lane_hash) const {
    return gf128_multiply(lane_hash, lane_weight(powers().h, team_.lanes(), team_.lane()));
  }

  /// Works on the team's message. All lanes of the warp call.
  /// @param seeds under one key, lane m has seed_of() the warp's message m
  WARPAES_HOST_DEVICE void take(uint32_t task, uint32_t from, Gf128 seeds) {
    const TeamMessage own(batch_, task, from);
    const BatchedMessage& message = own.message;
    // If the round keys are in shared memory, this would make the compiler keep too many of them in
    // registers.
    if constexpr (!kOwnKeys) message.is_in_global_memory();
    Gf128 aad_hash{0, 0};
    if (batch_.aad_bytes != 0) {
      if (own.accepted) aad_hash = weighted(hash_of_aad(message));
      aad_hash = team_.sum(aad_hash);
    }
    Gf128 hash{0, 0};
    if constexpr (kShifted) {
      hash = weighted(shifted(own, aad_hash));
    } else {
      if (own.accepted) hash = weighted(crypt(message, own.index, aad_hash));
    }
    hash = gf128_multiply(team_.sum(hash), powers().h_squared);
    if constexpr (kOwnKeys) {
      hash = hash ^ lengths_share(message) ^ slot_->mask;
    } else {
      hash = hash ^ Gf128{thread_.shuffle(seeds.lo, from), thread_.shuffle(seeds.hi, from)};
    }
    team_.template finish<Side>(own, to_columns(hash));
  }

  /// Fills all slots, lane l for slot l % Slots. All lanes of the warp call.
  /// @param index the lane's message
  WARPAES_HOST_DEVICE void make_keys(uint32_t index) {
    static_assert(2 * Slots <= kWarpLanes);
    const uint32_t lane = thread_.lane();
    GcmMessageKey<Rounds>& slot = warp_keys_->message[lane % Slots];
    thread_.sync_warp();  // all lanes have used the slots for the last time
    expand_key_at<Rounds>(slot.keys, tables_, batch_.key(index), lane < Slots);
    thread_.sync_warp();
    // One pass of the cipher: the first lanes encrypt zeros, which gives H, and the others J0.
    Columns block = nonce(index);
    block.d = reverse_bytes(1);
    if (lane < Slots) block = {0, 0, 0, 0};
    const Gf128 made = encrypted(block, slot.keys);
    if (lane < Slots) {
      fill_team_powers(slot.powers, ghash_key(made), team_.lanes());
    } else if (lane < 2 * Slots) {
      slot.mask = made;
    }
    thread_.sync_warp();
  }

  /// The lane's share of the hash of the additional data, to be multiplied by its weight. Rows are
  /// right-aligned like the message's.
  WARPAES_HOST_DEVICE Gf128 hash_of_aad(const BatchedMessage& message) const {
    const int64_t blocks = static_cast<int64_t>((message.aad_bytes + 15) / 16);
    const int64_t rows = (blocks + team_.lanes() - 1) / team_.lanes();
    Gf128 hash{0, 0};
    WARPAES_KEEP_ROLLED
    for (int64_t block = blocks - rows * team_.lanes() + team_.lane(); block < blocks;
         block += team_.lanes()) {
      hash = multiply_reduced(hash, powers().within[2]);
      if (block >= 0) hash = hash ^ to_gf128(load_block(message.aad, message.aad_bytes, block));
    }
    return hash;
  }

  /// @return the lane's share of the hash, to be multiplied by its weight
  WARPAES_HOST_DEVICE Gf128 crypt(const BatchedMessage& message, uint32_t index, Gf128 aad_hash) {
    const uint32_t group_blocks = 4 * team_.lanes();
    const TeamGroups all(message.bytes, team_.lanes());
    uint32_t groups = all.groups, block = all.first + team_.lane();  // the lane's first block of the group
    const bool full = all.is_full();
    Gf128 hash{0, 0};
    if (full && team_.lane() == team_.lanes() - 1) hash = aad_hash;
    if (groups == 0) return hash;

    const auto nonce_of_message = [this, index] { return nonce(index); };
    MessageCounters<Tables, decltype(nonce_of_message), std::remove_cvref_t<decltype(keys())>> counters(
        tables_, keys(), nonce_of_message, highest_counter(block));
    const bool aligned = is_aligned(message.input) && is_aligned(message.output);
    if (!full) {
      hash = any_group(message, counters, block, hash, aad_hash);
      block += group_blocks;
      groups--;
    }
    WARPAES_KEEP_ROLLED
    for (; groups > 0; groups--, block += group_blocks) {
      counters.start_rows(highest_counter(block));
      if (aligned && (groups > 1 || message.bytes % 16 == 0)) {
        hash = whole_group(message, counters, block, hash);
      } else {
        hash = any_group(message, counters, block, hash, {0, 0});
      }
    }
    return hash;
  }

  /// The same for a message at any address. All lanes of the warp call: all messages are equally long.
  WARPAES_HOST_DEVICE Gf128 shifted(const TeamMessage& own, Gf128 aad_hash) const {
    constexpr uint32_t kFirstCounter = 2;  // inc32(J0)
    const auto nonce_of_message = [this, &own] { return nonce(own.index); };
    using Counters = MessageCounters<Tables, decltype(nonce_of_message)>;
    Counters counters(tables_, keys(), nonce_of_message, kFirstCounter);
    ShiftedCounterRows<Tables, Rounds, Side == Ciphertext::output ? Hashed::output : Hashed::input,
                       Team<Thread, Batch>, Counters>
        rows(tables_, keys(), powers().within[2], team_, counters, kFirstCounter);
    return rows(own.message.input, own.message.output, batch_.bytes, aad_hash, own.accepted);
  }

  /// The highest counter of a group. Counters are inc32(J0), so block 0 has 2, and the group's last row has
  /// the highest.
  WARPAES_HOST_DEVICE uint32_t highest_counter(uint32_t block) const { return block + 2 + 3 * team_.lanes(); }

  template <class Counters>
  WARPAES_HOST_DEVICE Gf128 whole_group(const BatchedMessage& message, const Counters& counters,
                                        uint32_t block, Gf128 hash) const {
    const uint8_t* const input = message.input + uint64_t{16} * block;
    uint8_t* const output = message.output + uint64_t{16} * block;
    const auto& keys = this->keys();
    const TeamPowers& powers = this->powers();
    Gf128Sum sum;
    sum.add(hash, powers.group);
    if constexpr (kOwnKeys) return whole_group_in_pairs(input, output, counters, block, sum);
    Gf128 last{0, 0};
    WARPAES_KEEP_ROLLED
    for (uint32_t first = 0; first < kRows; first += kRowsAtOnce) {
      WARPAES_UNROLL
      for (uint32_t k = first; k < first + kRowsAtOnce; k++) {
        const uint32_t row = k * team_.lanes();
        const Columns in = load_aligned(input + 16 * row);
        const Columns state = counters.after_two_rounds(block + 2 + row);
        const Columns out = in ^ tables_.template encrypt<Rounds, 3>(state, keys);
        store_aligned(output + 16 * row, out);
        const Gf128 ciphertext = to_gf128(Side == Ciphertext::output ? out : in);
        if (k < kRows - 1) {
          sum.add(ciphertext, powers.within[k]);
        } else {
          last = ciphertext;
        }
      }
    }
    return sum.reduced() ^ last;
  }

  /// The same with two rows that go from round to round together, as round keys in shared memory are loaded
  /// for each.
  template <class Counters>
  WARPAES_HOST_DEVICE Gf128 whole_group_in_pairs(const uint8_t* input, uint8_t* output,
                                                 const Counters& counters, uint32_t block,
                                                 Gf128Sum& sum) const {
    Gf128 last{0, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kRows; k += 2) {
      const uint64_t row = 16 * team_.lanes();
      const Columns in[2] = {load_aligned(input), load_aligned(input + row)};
      Columns out[2] = {counters.after_two_rounds(block + 2),
                        counters.after_two_rounds(block + 2 + team_.lanes())};
      tables_.template encrypt_both<Rounds, 3>(out[0], out[1], keys());
      WARPAES_UNROLL
      for (uint32_t i = 0; i < 2; i++) {
        out[i] = in[i] ^ out[i];
        store_aligned(output + i * row, out[i]);
        const Gf128 ciphertext = to_gf128(Side == Ciphertext::output ? out[i] : in[i]);
        if (k + i < kRows - 1) {
          sum.add(ciphertext, powers().within[k + i]);
        } else {
          last = ciphertext;
        }
      }
      input += 2 * row, output += 2 * row, block += 2 * team_.lanes();
    }
    return sum.reduced() ^ last;
  }

  /// A group that the message does not fill, or whose memory is not aligned. It is done row by row.
  template <class Counters>
  WARPAES_HOST_DEVICE Gf128 any_group(const BatchedMessage& message, const Counters& counters, uint32_t block,
                                      Gf128 hash, Gf128 aad_hash) const {
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < 4; k++, block += team_.lanes()) {
      hash = multiply_reduced(hash, powers().within[2]);
      if (block == TeamGroups::kBefore) hash = hash ^ aad_hash;
      if (TeamGroups::is_before_message(block)) continue;
      const Columns in = load_block(message.input, message.bytes, block);
      const Columns state = counters.after_two_rounds(block + 2);
      const Columns out = in ^ tables_.template encrypt<Rounds, 3>(state, keys());
      store_block(message.output, message.bytes, block, out);
      const uint64_t left = message.bytes - uint64_t{16} * block;
      const Columns ciphertext = Side == Ciphertext::output ? out : in;
      hash = hash ^ to_gf128(left >= 16 ? ciphertext : keep_bytes(ciphertext, static_cast<uint32_t>(left)));
    }
    return hash;
  }

  Thread& thread_;
  const Team<Thread, Batch> team_;
  const Lane& tables_;
  const Batch& batch_;
  Keys* const warp_keys_;
  const GcmMessageKey<Rounds>* slot_ = nullptr;  // the one of the team's present message
};

namespace kernels::team {

/// @tparam Batch OneKeyBatch, RaggedBatch, ShiftedBatch or PerMessageKeysBatch
template <class Batch, warpaes_direction Way>
struct Gcm : ForEveryKeySize {
  static constexpr const char* kName = "team/gcm";
  using Arguments = Batch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int rounds) {
    if constexpr (!std::is_same_v<Batch, PerMessageKeysBatch>) {
      return with_tables(on.tables, on.counter_threads);
    }
    const size_t slot_bytes = rounds == 10   ? sizeof(GcmMessageKey<10>)
                              : rounds == 12 ? sizeof(GcmMessageKey<12>)
                                             : sizeof(GcmMessageKey<14>);
    return with_slots(with_tables(on.tables_with_room, on.team_key_threads), on, kWarpLanes / 2, slot_bytes);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const auto tables = filled_tables<kPolicy.tables>(thread);
    using Runner = GcmRunner<kPolicy.tables, Rounds, ciphertext_of(Way), kPolicy.slots, Thread, Batch>;
    if constexpr (Runner::kOwnKeys) {
      auto& keys = keys_of_warp<typename Runner::Keys>(thread, kPolicy.tables * kTableBytes);
      Runner runner(thread, tables, arguments, &keys);
      for_each_task(thread, arguments.distribution, runner);
      wipe_keys(thread, keys);
    } else {
      Runner runner(thread, tables, arguments, nullptr);
      if constexpr (Runner::kClaims) {
        for_each_task(thread, arguments.distribution, runner, arguments.claimed);
      } else {
        for_each_task(thread, arguments.distribution, runner);
      }
    }
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
