// OCB3 (RFC 7253) for many messages with a key each: a team of lanes takes a message, as in team/gcm_siv.hpp,
// from the expansion of its key to its tag.
//
// Threads and memory. The team's slot of shared memory has the message's round keys, decrypting those of both
// directions, and the first of the L_j; the others, which one block in a thousand needs, are doublings away.
// One pass of the cipher makes L_* (the team's last lane) and Offset_0 (the others), one the tag; the last
// bytes are the first lane's. Decrypting, the S-box alone lies beside the inverse tables, as shared memory is
// for slots.
//
// Limits. Look-ups, as ECB, and round keys come from shared memory: more with small teams. Timing class:
// conflict-free.
#pragma once

#include <type_traits>

#include "kernels/kernel.hpp"
#include "kernels/team/message_teams.hpp"
#include "kernels/warp/lane_private_sbox.hpp"
#include "kernels/warp/ocb3_pass.hpp"

namespace warpaes::core {

struct OcbKeyEachBatch : KeyEachBatch {
  uint32_t nonce_bytes;
};

/// OcbKey of a message's own key.
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

/// A team's slots: their sizes are such that those of a warp's four teams begin in different banks.
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

/// What lies in shared memory: tables of the direction, decrypting the S-box, and the slots.
template <int Tables, warpaes_direction Way>
struct OcbKeyEachTables {
  static constexpr bool kEncrypts = Way == WARPAES_DIRECTION_ENCRYPT;
  using Data = LanePrivateTables<Tables>;
  using Edge = std::conditional_t<kEncrypts, Data, LanePrivateSbox>;
  static constexpr uint32_t kEdgeAt = kEncrypts ? 0 : Tables * kTableBytes;
  static constexpr uint32_t kSlotsAt = Tables * kTableBytes + (kEncrypts ? 0 : LanePrivateSbox::kBytes);

  Data data;
  Edge edge;

  /// All threads of the block come here.
  template <class Thread>
  WARPAES_HOST_DEVICE OcbKeyEachTables(Thread& thread, const uint32_t* t0, const uint32_t* inverse_t0)
      : data((fill(thread, t0, inverse_t0), thread.shared()), thread.lane()),
        edge(thread.shared() + kEdgeAt, thread.lane()) {}

 private:
  template <class Thread>
  WARPAES_HOST_DEVICE static void fill(Thread& thread, const uint32_t* t0, const uint32_t* inverse_t0) {
    Data::fill(thread.shared(), kEncrypts ? t0 : inverse_t0, thread.index(), thread.count());
    if constexpr (!kEncrypts) Edge::fill(thread.shared() + kEdgeAt, t0, thread.index(), thread.count());
    thread.barrier();
  }
};

/// One warp's work on up to 32 messages.
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
class OcbKeyEachRunner {
 public:
  using Both = OcbKeyEachTables<Tables, Way>;
  using Slot = OcbSlot<Way>;
  static constexpr Ciphertext kSide =
      Way == WARPAES_DIRECTION_ENCRYPT ? Ciphertext::output : Ciphertext::input;

  WARPAES_HOST_DEVICE OcbKeyEachRunner(Thread& thread, const Both& tables, const OcbKeyEachBatch& batch,
                                       Slot* slot)
      : thread_(thread), tables_(tables), batch_(batch), slot_(slot), edges_(tables.edge, *slot) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    const uint32_t order = batch_.lengths != nullptr ? longest_first(thread_, batch_, task) : thread_.lane();
    const uint32_t teams = batch_.deal.teams, team = thread_.lane() * teams / kWarpLanes;
    WARPAES_KEEP_ROLLED
    for (uint32_t taken = 0; taken < batch_.deal.per_task; taken += teams) {
      take(task, thread_.shuffle(order, taken + team));
    }
  }

 private:
  WARPAES_HOST_DEVICE uint32_t lanes() const { return batch_.deal.lanes; }
  WARPAES_HOST_DEVICE uint32_t team_lane() const { return thread_.lane() & (lanes() - 1); }

  /// All lanes of the warp come here; those whose team has no message take part in what is exchanged.
  WARPAES_HOST_DEVICE void take(uint32_t task, uint32_t from) {
    const bool present = is_in_batch(batch_, task, from);
    const uint32_t index = present ? message_of_task(batch_.deal, task, from) : 0;
    const BatchedMessage message(batch_, index);
    const bool accepted = present && message.refused == WARPAES_OK;
    const Columns offset_0 = make_key(index);

    Columns tag{0, 0, 0, 0};
    if (accepted) {
      const OcbPass<typename Both::Data, Rounds, Way, Slot> pass(tables_.data, *slot_, lanes(), team_lane());
      tag = pass({message.input, message.output, static_cast<uint32_t>(message.bytes / 16), 0}, offset_0);
      if (team_lane() == 0) tag = tag ^ edges_.end(message, offset_0);
    }
    tag = edges_.encrypt(sum(tag));
    if (batch_.aad_bytes != 0) {
      Columns hash{0, 0, 0, 0};
      if (accepted) hash = edges_.hash(message.aad, message.aad_bytes, team_lane(), lanes());
      tag = tag ^ sum(hash);
    }
    int32_t status = message.refused;
    if (present && team_lane() == 0) status = finish_message<kSide>(batch_, index, tag, status);
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT) {
      status =
          static_cast<int32_t>(thread_.shuffle(static_cast<uint32_t>(status), thread_.lane() - team_lane()));
      thread_.sync_warp();  // what other lanes wrote is before the zeros
      if (accepted && status != WARPAES_OK) wipe_output(message, lanes(), team_lane());
    }
  }

  WARPAES_HOST_DEVICE Columns sum(Columns share) {
    return little_endian_block(sum_of_team(thread_, lanes(), little_endian_words(share)));
  }

  WARPAES_HOST_DEVICE Columns from_lane(Columns v, uint32_t lane) {
    return {thread_.shuffle(v.a, lane), thread_.shuffle(v.b, lane), thread_.shuffle(v.c, lane),
            thread_.shuffle(v.d, lane)};
  }

  /// The message's key into the team's slot. @return Offset_0
  WARPAES_HOST_DEVICE Columns make_key(uint32_t index) {
    thread_.sync_warp();  // the slot's last use is over
    expand_key_at<Rounds>(slot_->encryption, tables_.edge, batch_.key(index), team_lane() == 0);
    thread_.sync_warp();
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT) invert_key();
    const uint32_t first = thread_.lane() - team_lane();
    const uint8_t* const nonce = batch_.nonce(index);
    const Columns offset_0 = ocb_first_offset(nonce, nonce == nullptr ? 0 : batch_.nonce_bytes,
                                              batch_.tag_bytes, [&](Columns block) {
                                                if (team_lane() == lanes() - 1) block = {0, 0, 0, 0};
                                                const Columns made = edges_.encrypt(block);
                                                fill_doubles(from_lane(made, first + lanes() - 1));
                                                return from_lane(made, first);
                                              });
    thread_.sync_warp();
    return offset_0;
  }

  /// KeyExpansionEIC(), FIPS 197 section 5.3.5, in the order of use: lanes take words in turns.
  WARPAES_HOST_DEVICE void invert_key() {
    WARPAES_KEEP_ROLLED
    for (uint32_t i = team_lane(); i < 4 * (Rounds + 1); i += lanes()) {
      const uint32_t round = i / 4, word = slot_->encryption.word[i];
      slot_->data.word[4 * (Rounds - round) + i % 4] =
          round == 0 || round == Rounds ? word : inverse_mixed_column(word);
    }
  }

  WARPAES_HOST_DEVICE void fill_doubles(Columns star) {
    if (team_lane() != 0) return;
    OcbTeamKey& ocb = slot_->ocb;
    ocb.star = star;
    Columns last = ocb.dollar = doubled(star);
    WARPAES_KEEP_ROLLED
    for (uint32_t j = 0; j < OcbTeamKey::kDoubles; j++) ocb.l[j] = last = doubled(last);
  }

  Thread& thread_;
  const Both& tables_;
  const OcbKeyEachBatch& batch_;
  Slot* const slot_;
  const OcbEdges<typename Both::Edge, Rounds, Way, Slot> edges_;
};

/// The kernel's body.
/// @tparam Tables of the cipher, or of its inverse, beside which there is the S-box
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void ocb_key_each(Thread& thread, const OcbKeyEachBatch& batch, const uint32_t* t0,
                                      const uint32_t* inverse_t0) {
  using Both = OcbKeyEachTables<Tables, Way>;
  const Both tables(thread, t0, inverse_t0);
  auto* const slot =
      reinterpret_cast<OcbSlot<Way>*>(thread.shared() + Both::kSlotsAt) + thread.index() / batch.deal.lanes;
  OcbKeyEachRunner<Tables, Rounds, Way, Thread> runner(thread, tables, batch, slot);
  for_each_task(thread, batch.deal, runner);
  thread.sync_warp();
  if ((thread.lane() & (batch.deal.lanes - 1)) == 0) wipe_key(*slot);
}

namespace kernels::team {

/// As many teams as shared memory has slots for beside the tables, and fewer tables rather than fewer than
/// 384 threads.
template <warpaes_direction Way>
struct Ocb3PerMessageKeys : ForEveryKeySize {
  static constexpr const char* kName = "team/ocb3_per_message_keys";
  using Arguments = OcbKeyEachBatch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    constexpr bool kEncrypts = Way == WARPAES_DIRECTION_ENCRYPT;
    const uint32_t most = ocb_policy(on, Way).threads;
    for (int tables = on.tables_with_room;; tables /= 2) {
      const uint32_t before_slots =
          static_cast<uint32_t>(tables) * kTableBytes + (kEncrypts ? 0 : LanePrivateSbox::kBytes);
      const uint32_t slots = (on.most_shared_bytes - before_slots) / sizeof(OcbSlot<Way>);
      const uint32_t fit = slots * kSmallestTeam / 128 * 128, threads = fit < most ? fit : most;
      if (tables > 1 && threads < most && threads < 384) continue;
      return {.threads = threads,
              .shared_bytes =
                  before_slots + threads / kSmallestTeam * static_cast<uint32_t>(sizeof(OcbSlot<Way>)),
              .tables = tables};
    }
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    ocb_key_each<kPolicy.tables, Rounds, Way>(thread, arguments, thread.t0(), thread.inverse_t0());
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
