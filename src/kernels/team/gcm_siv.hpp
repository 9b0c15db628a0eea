// GCM-SIV (RFC 8452) for many messages: as in team/gcm.hpp, a team of lanes works on each message, from the
// derivation of its keys to its tag.
//
// Threads and memory. A warp derives the keys of as many messages at once as it has slots in shared memory
// (team/team_key.hpp). Its lanes encrypt the four or six counter blocks of each derivation (section 4) side
// by side, and shuffles bring the halves that are used together. The round keys and powers of H go to the
// message's slot. With per-message keys, the message's key is expanded into the same slot before that, and
// overwritten by the derived one.
//
// Limits. Look-ups, as in grid/ctr_gcm.hpp. Encryption reads a message twice, for the second time from the
// caches if messages are short. Timing class: conflict-free.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/team/frame.hpp"
#include "kernels/warp/four_lane_cipher.hpp"
#include "kernels/warp/gcm_siv_pass.hpp"

namespace warpaes::core {

struct GcmSivBatch : MessageBatch {
  WorkDistribution distribution;
  RoundKeys keys;      // of the key-generating key (RFC 8452 section 4)
  Columns only_nonce;  // the nonce of a batch that has one only
};

/// One warp's work on up to 32 messages.
/// @tparam Slots for how many messages the warp derives keys at once
/// @tparam Batch GcmSivBatch or PerMessageKeysBatch
template <int Tables, int Rounds, Ciphertext Side, uint32_t Slots, class Thread, class Batch>
class GcmSivRunner {
 public:
  using Lane = LanePrivateTables<Tables>;
  using Keys = WarpKeys<TeamKey, Slots>;  // derived ones
  static_assert(is_free_of_conflicts(sizeof(TeamKey)));
  static constexpr bool kOwnKeys = std::is_same_v<Batch, PerMessageKeysBatch>;

  /// @param warp_keys the warp's place in shared memory for keys
  WARPAES_HOST_DEVICE GcmSivRunner(Thread& thread, const Lane& tables, const Batch& batch, Keys& warp_keys)
      : thread_(thread), team_(thread, batch), tables_(tables), batch_(batch), warp_keys_(warp_keys) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    team_.template in_turns_with_keys<Slots>(
        team_.order(task), [&](uint32_t from) { derive_keys(team_.index_of(task, from)); },
        [&](uint32_t from, uint32_t slot) {
          slot_ = warp_keys_.message + slot;
          take(TeamMessage(batch_, task, from));
        });
  }

 private:
  WARPAES_HOST_DEVICE Columns nonce(uint32_t index) const {
    if constexpr (!kOwnKeys) {
      if (!batch_.has_nonces()) return batch_.only_nonce;
    }
    const uint8_t* const from = batch_.nonce(index);
    return from == nullptr ? Columns{0, 0, 0, 0} : load_bytes(from, 12);
  }

  WARPAES_HOST_DEVICE Columns encrypt_block(Columns block, const RoundKeys& keys) const {
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }

  /// Works on the team's message. All lanes of the warp call.
  WARPAES_HOST_DEVICE void take(const TeamMessage& own) {
    const BatchedMessage& message = own.message;
    Gf128 before{0, 0};
    if (batch_.aad_bytes != 0) {
      if (own.accepted) {
        before = weighted(polyval_of_rows(message.aad, message.aad_bytes, slot_->powers.within[2],
                                          team_.lanes(), team_.lane()));
      }
      before = team_.sum(before);
    }
    Gf128 hash{0, 0};
    if (own.accepted) {
      if constexpr (Side == Ciphertext::output) {
        hash = weighted(pass<SivWork::hash>(message, [] { return Columns{0, 0, 0, 0}; }, before));
      } else {
        const uint8_t* const given = batch_.tag(own.index);
        const auto first_block = [given] { return siv_first_counter(load_block(given, 16, 0)); };
        hash = weighted(pass<SivWork::open>(message, first_block, before));
      }
    }
    const Columns tag = tag_of(hash, message, own.index);
    if (Side == Ciphertext::output && own.accepted) {
      pass<SivWork::crypt>(message, [tag] { return siv_first_counter(tag); }, {0, 0});
    }
    team_.template finish<Side>(own, tag);
  }

  template <SivWork Work, class First>
  WARPAES_HOST_DEVICE Gf128 pass(const BatchedMessage& message, const First& first_block,
                                 Gf128 before) const {
    // The pass that does both has too few registers for two blocks.
    constexpr uint32_t kRowsTogether = Work == SivWork::open ? 1 : 2;
    return SivPass<Tables, Rounds, Work, kRowsTogether>(tables_, *slot_, team_.lanes(), team_.lane())(
        {message.input, message.output, message.bytes}, first_block, before);
  }

  WARPAES_HOST_DEVICE Gf128 weighted(Gf128 lane_hash) const {
    return gf128_multiply(lane_hash, lane_weight(slot_->powers.h, team_.lanes(), team_.lane()));
  }

  /// @param hash the lane's share of the hash; all lanes of the warp call
  WARPAES_HOST_DEVICE Columns tag_of(Gf128 hash, const BatchedMessage& message, uint32_t index) {
    const TeamPowers& powers = slot_->powers;
    hash = gf128_multiply(team_.sum(hash), powers.h_squared) ^
           gf128_multiply({8 * message.aad_bytes, 8 * message.bytes}, powers.h);
    return encrypt_by_four_lanes<Rounds>(thread_, tables_, siv_tag_block(hash, nonce(index)), slot_->keys);
  }

  /// The key from which the keys of the lane's message are derived. All lanes of the warp call.
  WARPAES_HOST_DEVICE const RoundKeys& generating_key(TeamKey& slot, uint32_t index) {
    if constexpr (kOwnKeys) {
      thread_.sync_warp();  // all lanes have used the slots for the last time
      expand_key_at<Rounds>(slot.keys, tables_, batch_.key(index), thread_.lane() < Slots);
      thread_.sync_warp();
      return slot.keys;
    } else {
      return batch_.keys;
    }
  }

  /// Section 4, for the messages of all slots: the first half of each block of the derivation is used. Lane l
  /// works for slot l % Slots, and the warp makes 32 / Slots blocks of each derivation at once.
  /// @param index the lane's message
  WARPAES_HOST_DEVICE void derive_keys(uint32_t index) {
    constexpr uint32_t kKeyWords = Rounds - 6, kHalves = 2 + kKeyWords / 2, kAtOnce = kWarpLanes / Slots;
    const uint32_t of_slot = thread_.lane() % Slots;
    TeamKey& slot = warp_keys_.message[of_slot];
    const Columns nonce = this->nonce(index);
    const RoundKeys& generating = generating_key(slot, index);
    uint64_t half[kHalves];
    WARPAES_UNROLL
    for (uint32_t first = 0; first < kHalves; first += kAtOnce) {
      const uint32_t counter = first + thread_.lane() / Slots;
      const Columns made = encrypt_block({counter, nonce.a, nonce.b, nonce.c}, generating);
      WARPAES_UNROLL
      for (uint32_t i = 0; i < kAtOnce && first + i < kHalves; i++) {
        half[first + i] = thread_.shuffle(static_cast<uint64_t>(made.b) << 32 | made.a, of_slot + i * Slots);
      }
    }
    uint32_t key[kKeyWords];
    WARPAES_UNROLL
    for (uint32_t i = 0; i < kKeyWords; i += 2) {
      key[i] = static_cast<uint32_t>(half[2 + i / 2]);
      key[i + 1] = static_cast<uint32_t>(half[2 + i / 2] >> 32);
    }
    const bool writes = thread_.lane() < Slots;
    thread_.sync_warp();  // all lanes have used the slots for the last time
    expand_key<Rounds>(slot.keys, tables_, key, writes);
    if (writes) fill_team_powers(slot.powers, {half[0], half[1]}, team_.lanes());
    thread_.sync_warp();
  }

  Thread& thread_;
  const Team<Thread, Batch> team_;
  const Lane& tables_;
  const Batch& batch_;
  Keys& warp_keys_;
  const TeamKey* slot_ = nullptr;  // the one of the team's present message
};

/// The policy of the kernels for many messages. There are at most 8 slots, as the 32 lanes of a warp make the
/// four blocks of 8 derivations at once.
WARPAES_HOST_DEVICE constexpr kernels::KernelPolicy siv_policy(const LaunchPolicy& on) {
  return with_slots(kernels::with_tables(on.tables_with_room, on.team_key_threads), on, kWarpLanes / 4,
                    sizeof(TeamKey));
}

namespace kernels::team {

/// @tparam Batch GcmSivBatch or PerMessageKeysBatch
template <class Batch, warpaes_direction Way>
struct GcmSiv : ForKeysOf128And256Bits {
  static constexpr const char* kName = "team/gcm_siv";
  using Arguments = Batch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return siv_policy(on);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const auto tables = filled_tables<kPolicy.tables>(thread);
    using Runner = GcmSivRunner<kPolicy.tables, Rounds, ciphertext_of(Way), kPolicy.slots, Thread, Batch>;
    auto& keys = keys_of_warp<typename Runner::Keys>(thread, kPolicy.tables * kTableBytes);
    Runner runner(thread, tables, arguments, keys);
    for_each_task(thread, arguments.distribution, runner);
    wipe_keys(thread, keys);
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
