// OCB3 (RFC 7253) for many messages with a key each: as in team/gcm_siv.hpp, a team of lanes works on a
// message from the expansion of its key to its tag.
//
// Threads and memory. The message's slot of shared memory has its round keys, for decryption those of both
// directions, and the first of the L_j. The others, which one block in a thousand needs, are made by
// doubling. A warp prepares the keys of as many messages at once as it has slots: one pass of the cipher
// makes L_* of each (in the first lanes) and Offset_0 (in the others). Another pass makes the tag; the team's
// first lane does the last bytes. Decryption keeps only the S-box beside the inverse tables instead of a
// whole table, as shared memory is needed for slots.
//
// Limits. Look-ups, as in ECB, and round keys, which come from shared memory: the smaller the teams, the more
// of them. Timing class: conflict-free.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/team/frame.hpp"
#include "kernels/warp/lane_private_sbox.hpp"
#include "kernels/warp/ocb3_pass.hpp"

namespace warpaes::core {

/// The members of OcbKey (warp/ocb3_offsets.hpp) for a message's own key.
struct OcbTeamKey {
  static constexpr uint32_t kDoubles = 10;

  Columns star, dollar;
  Columns l[kDoubles];

  WARPAES_HOST_DEVICE Columns double_at(uint32_t j) const {
    if (j < kDoubles) return l[j];
    Columns last = l[kDoubles - 1];
    WARPAES_KEEP_ROLLED
    for (uint32_t i = kDoubles - 1; i < j; i++) last = doubled(last);
    return last;
  }
};

/// What a warp keeps of a message's key. The sizes are such that those of its four teams begin in different
/// banks.
struct alignas(16) OcbEncryptionSlot {
  RoundKeys encryption;
  OcbTeamKey ocb;
};
struct alignas(16) OcbDecryptionSlot {
  RoundKeys encryption, data;
  OcbTeamKey ocb;
};
template <warpaes_direction Way>
using OcbSlot = std::conditional_t<Way == WARPAES_DIRECTION_ENCRYPT, OcbEncryptionSlot, OcbDecryptionSlot>;
static_assert(sizeof(OcbEncryptionSlot) / 16 % 4 != 0 && sizeof(OcbDecryptionSlot) / 16 % 4 != 0);

/// One warp's work on up to 32 messages.
/// @tparam Slots how many messages' keys the warp prepares at once
template <int Tables, int Rounds, warpaes_direction Way, uint32_t Slots, class Thread>
class OcbPerMessageKeysRunner {
 public:
  using Both = OcbTables<Tables, Way, LanePrivateSbox>;
  using Slot = OcbSlot<Way>;
  using Keys = WarpKeys<Slot, Slots>;
  static constexpr Ciphertext kSide = ciphertext_of(Way);

  /// @param warp_keys the warp's place in shared memory for keys
  WARPAES_HOST_DEVICE OcbPerMessageKeysRunner(Thread& thread, const Both& tables,
                                              const PerMessageKeysBatch& batch, Keys& warp_keys)
      : thread_(thread), team_(thread, batch), tables_(tables), batch_(batch), warp_keys_(warp_keys) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    Columns offset_0{0, 0, 0, 0};
    team_.template in_turns_with_keys<Slots>(
        team_.order(task), [&](uint32_t from) { offset_0 = make_keys(team_.index_of(task, from)); },
        [&](uint32_t from, uint32_t slot) {
          take(TeamMessage(batch_, task, from), warp_keys_.message[slot], team_.from_lane(offset_0, slot));
        });
  }

  using Edges = OcbEdges<typename Both::Edge, Rounds, Way, Slot>;

  /// Works on the team's message. All lanes of the warp call.
  WARPAES_HOST_DEVICE void take(const TeamMessage& own, const Slot& slot, Columns offset_0) {
    const BatchedMessage& message = own.message;
    const uint32_t lanes = team_.lanes(), lane = team_.lane();
    const Edges edges(tables_.edge, slot);

    Columns tag{0, 0, 0, 0};
    if (own.accepted) {
      const OcbPass<typename Both::Data, Rounds, Way, Slot> pass(tables_.data, slot, lanes, lane);
      tag = pass({message.input, message.output, static_cast<uint32_t>(message.bytes / 16), 0}, offset_0);
      if (team_.leads()) tag = tag ^ edges.end(message, offset_0);
    }
    tag = edges.encrypt(team_.sum(tag));
    if (batch_.aad_bytes != 0) {
      Columns hash{0, 0, 0, 0};
      if (own.accepted) hash = edges.hash(message.aad, message.aad_bytes, lane, lanes);
      tag = tag ^ team_.sum(hash);
    }
    team_.template finish<kSide>(own, tag);
  }

  /// Makes the keys of the messages of all slots, lane l that of slot l % Slots. All lanes of the warp call.
  /// @param index the lane's message
  /// @return its Offset_0
  WARPAES_HOST_DEVICE Columns make_keys(uint32_t index) {
    const uint32_t of_slot = thread_.lane() % Slots;
    Slot& slot = warp_keys_.message[of_slot];
    const bool writes = thread_.lane() < Slots;
    thread_.sync_warp();  // all lanes have used the slots for the last time
    expand_key_at<Rounds>(slot.encryption, tables_.edge, batch_.key(index), writes);
    thread_.sync_warp();
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT) invert_key(slot);
    const uint8_t* const nonce = batch_.nonce(index);
    const auto encrypt = [&](Columns block) {
      if (writes) block = {0, 0, 0, 0};
      const Columns made = Edges(tables_.edge, slot).encrypt(block);
      if (writes) fill_doubles(slot.ocb, made);
      return team_.from_lane(made, Slots + of_slot);
    };
    const Columns offset_0 =
        ocb_first_offset(nonce, nonce == nullptr ? 0 : batch_.nonce_bytes, batch_.tag_bytes, encrypt);
    thread_.sync_warp();
    return offset_0;
  }

  /// KeyExpansionEIC() (FIPS 197 section 5.3.5) in the order of use. The slot's lanes take its words in
  /// turns.
  WARPAES_HOST_DEVICE void invert_key(Slot& slot) {
    WARPAES_KEEP_ROLLED
    for (uint32_t i = thread_.lane() / Slots; i < 4 * (Rounds + 1); i += kWarpLanes / Slots) {
      const uint32_t round = i / 4, word = slot.encryption.word[i];
      slot.data.word[4 * (Rounds - round) + i % 4] =
          round == 0 || round == Rounds ? word : inverse_mixed_column(word);
    }
  }

  WARPAES_HOST_DEVICE static void fill_doubles(OcbTeamKey& ocb, Columns star) {
    ocb.star = star;
    Columns last = ocb.dollar = doubled(star);
    WARPAES_KEEP_ROLLED
    for (uint32_t j = 0; j < OcbTeamKey::kDoubles; j++) ocb.l[j] = last = doubled(last);
  }

  Thread& thread_;
  const Team<Thread, PerMessageKeysBatch> team_;
  const Both& tables_;
  const PerMessageKeysBatch& batch_;
  Keys& warp_keys_;
};

namespace kernels::team {

/// A thread block has as many teams as shared memory has slots for beside the tables. Where those would be
/// fewer than 384 threads, there are fewer tables instead.
template <warpaes_direction Way>
struct Ocb3PerMessageKeys : ForEveryKeySize {
  static constexpr const char* kName = "team/ocb3_per_message_keys";
  using Arguments = PerMessageKeysBatch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    const uint32_t most = ocb_policy(on, Way).threads;
    for (int tables = on.tables_with_room;; tables /= 2) {
      const uint32_t before_slots = bytes_before_slots(tables);
      const uint32_t slots = (on.most_shared_bytes - before_slots) / sizeof(OcbSlot<Way>);
      const uint32_t fit = slots * kSmallestTeam, threads = fit < most ? fit / 128 * 128 : most;
      if (tables > 1 && threads < most && threads < 384) continue;
      return with_slots({.threads = threads, .shared_bytes = before_slots, .tables = tables}, on,
                        2 * kFewestSlots, sizeof(OcbSlot<Way>));
    }
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Runner = OcbPerMessageKeysRunner<kPolicy.tables, Rounds, Way, kPolicy.slots, Thread>;
    const typename Runner::Both tables(thread);
    auto& keys = keys_of_warp<typename Runner::Keys>(thread, bytes_before_slots(kPolicy.tables));
    Runner runner(thread, tables, arguments, keys);
    for_each_task(thread, arguments.distribution, runner);
    wipe_keys(thread, keys);
  }

 private:
  WARPAES_HOST_DEVICE static constexpr uint32_t bytes_before_slots(int tables) {
    return static_cast<uint32_t>(tables) * kTableBytes +
           (Way == WARPAES_DIRECTION_ENCRYPT ? 0 : LanePrivateSbox::kBytes);
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
