// GCM-SIV (RFC 8452) for many messages: as in team/gcm.hpp, a team of lanes works on each message, from the
// derivation of its keys to its tag.
//
// Threads and memory. The team's lanes encrypt the four or six counter blocks of the key derivation (section
// 4) side by side, and shuffles give the halves that are used to all lanes. The message's round keys and
// powers of H go to the team's slot of shared memory. With per-message keys, the message's key is expanded
// into the same slot before that, and overwritten by the derived one.
//
// Limits. Look-ups, as in grid/ctr_gcm.hpp. Encryption reads a message twice, for the second time from the
// caches if messages are short. Timing class: conflict-free.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/team/frame.hpp"
#include "kernels/warp/gcm_siv_pass.hpp"

namespace warpaes::core {

struct GcmSivBatch : MessageBatch {
  WorkDistribution distribution;
  RoundKeys keys;      // of the key-generating key (RFC 8452 section 4)
  Columns only_nonce;  // the nonce of a batch that has one only
};

/// One warp's work on up to 32 messages.
/// @tparam Batch GcmSivBatch or PerMessageKeysBatch
template <int Tables, int Rounds, Ciphertext Side, class Thread, class Batch>
class GcmSivRunner {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr bool kOwnKeys = std::is_same_v<Batch, PerMessageKeysBatch>;

  WARPAES_HOST_DEVICE GcmSivRunner(Thread& thread, const Lane& tables, const Batch& batch, TeamKey* slot)
      : thread_(thread), team_(thread, batch), tables_(tables), batch_(batch), slot_(slot) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    team_.in_turns(team_.order(task), [&](uint32_t from) { take(TeamMessage(batch_, task, from)); });
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
    derive_keys(own.index);

    Gf128 before{0, 0};
    if (batch_.aad_bytes != 0) {
      if (own.accepted) {
        before = weighted(polyval_of_rows(message.aad, message.aad_bytes, slot_->powers.within[2],
                                          team_.lanes(), team_.lane()));
      }
      before = team_.sum(before);
    }
    Gf128 hash{0, 0};
    Columns given{0, 0, 0, 0};
    if (own.accepted) {
      if constexpr (Side == Ciphertext::output) {
        hash = weighted(pass<SivWork::hash>(message, given, before));
      } else {
        given = load_block(batch_.tag(own.index), 16, 0);
        hash = weighted(pass<SivWork::open>(message, siv_first_counter(given), before));
      }
    }
    const Columns tag = tag_of(hash, message, own.index);
    if (Side == Ciphertext::output && own.accepted) {
      pass<SivWork::crypt>(message, siv_first_counter(tag), {0, 0});
    }
    team_.template finish<Side>(own, tag);
  }

  template <SivWork Work>
  WARPAES_HOST_DEVICE Gf128 pass(const BatchedMessage& message, Columns first, Gf128 before) const {
    return SivPass<Tables, Rounds, Work>(tables_, *slot_, team_.lanes(), team_.lane())(
        {message.input, message.output, message.bytes}, first, before);
  }

  WARPAES_HOST_DEVICE Gf128 weighted(Gf128 lane_hash) const {
    return gf128_multiply(lane_hash, lane_weight(slot_->powers.h, team_.lanes(), team_.lane()));
  }

  /// @param hash the lane's share of the hash; all lanes of the warp call
  WARPAES_HOST_DEVICE Columns tag_of(Gf128 hash, const BatchedMessage& message, uint32_t index) {
    const TeamPowers& powers = slot_->powers;
    hash = gf128_multiply(team_.sum(hash), powers.h_squared) ^
           gf128_multiply({8 * message.aad_bytes, 8 * message.bytes}, powers.h);
    return encrypt_block(siv_tag_block(hash, nonce(index)), slot_->keys);
  }

  /// The key from which the message's keys are derived. All lanes of the warp call.
  WARPAES_HOST_DEVICE const RoundKeys& generating_key(uint32_t index) {
    if constexpr (kOwnKeys) {
      thread_.sync_warp();  // all lanes have used the slot for the last time
      expand_key_at<Rounds>(slot_->keys, tables_, batch_.key(index), team_.leads());
      thread_.sync_warp();
      return slot_->keys;
    } else {
      return batch_.keys;
    }
  }

  /// Section 4: the first half of each block of the derivation is used.
  WARPAES_HOST_DEVICE void derive_keys(uint32_t index) {
    constexpr int kKeyWords = Rounds - 6;
    const Columns nonce = this->nonce(index);
    const Columns made = encrypt_block({team_.lane(), nonce.a, nonce.b, nonce.c}, generating_key(index));
    const uint32_t team = team_.first_lane();
    const auto half = [&](uint32_t block) {
      const uint64_t of_lane = static_cast<uint64_t>(made.b) << 32 | made.a;
      return thread_.shuffle(of_lane, team + block);
    };
    const uint64_t low = half(0), high = half(1);
    uint32_t key[kKeyWords];
    WARPAES_UNROLL
    for (uint32_t i = 0; i < kKeyWords; i += 2) {
      const uint64_t two = half(2 + i / 2);
      key[i] = static_cast<uint32_t>(two);
      key[i + 1] = static_cast<uint32_t>(two >> 32);
    }
    const bool writes = team_.leads();
    thread_.sync_warp();  // all lanes have used the slot for the last time
    expand_key<Rounds>(slot_->keys, tables_, key, writes);
    fill_team_powers(slot_->powers, {low, high}, team_.lanes(), writes);
    thread_.sync_warp();
  }

  Thread& thread_;
  const Team<Thread, Batch> team_;
  const Lane& tables_;
  const Batch& batch_;
  TeamKey* const slot_;
};

namespace kernels::team {

/// @tparam Batch GcmSivBatch or PerMessageKeysBatch
template <class Batch, warpaes_direction Way>
struct GcmSiv : ForKeysOf128And256Bits {
  static constexpr const char* kName = "team/gcm_siv";
  using Arguments = Batch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return team_key_policy(on);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const auto tables = filled_tables<kPolicy.tables>(thread);
    TeamKey* const slot =
        team_slot<TeamKey>(thread, kPolicy.tables * kTableBytes, arguments.distribution.lanes);
    GcmSivRunner<kPolicy.tables, Rounds, ciphertext_of(Way), Thread, Batch> runner(thread, tables, arguments,
                                                                                   slot);
    for_each_task(thread, arguments.distribution, runner, *slot);
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
