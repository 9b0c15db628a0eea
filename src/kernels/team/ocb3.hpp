// OCB3 (RFC 7253) for many messages: a team of lanes works on the whole blocks of a message, as in
// team/gcm.hpp.
//
// Threads and memory. A warp takes up to 32 messages at once. Lane m does whatever is a single block of
// message m: Offset_0 from the nonce, the last bytes and, in the end, the tag. In between, the warp's teams
// take the messages in turns, the longest first, and hand their sums to the lane that has the message. If a
// tag is wrong, the whole warp wipes the message.
//
// Limits. Look-ups, as in ECB, and two or three blocks a lane for each 32 messages. A message is the work of
// one team, however long it is. Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/accepted_messages.hpp"
#include "kernels/team/frame.hpp"
#include "kernels/warp/ocb3_pass.hpp"

namespace warpaes::core {

struct OcbBatch : MessageBatch {
  WorkDistribution distribution;
  OcbKeys keys;
  Columns only_offset;  // Offset_0 of a batch that has one nonce only
};

/// One warp's work on up to 32 messages.
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
class OcbRunner {
 public:
  using Both = OcbTables<Tables, Way>;
  static constexpr Ciphertext kSide = ciphertext_of(Way);

  WARPAES_HOST_DEVICE OcbRunner(Thread& thread, const Both& tables, const OcbBatch& batch)
      : thread_(thread),
        team_(thread, batch),
        tables_(tables),
        edges_(tables.edge, batch.keys),
        batch_(batch) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t task) {
    const bool has_one = is_in_batch(batch_, task, thread_.lane());
    const uint32_t own = has_one ? message_of_task(batch_.distribution, task, thread_.lane()) : 0;
    begin(own, has_one);
    const uint32_t order = team_.order(task);
    team_.in_turns(order, [&](uint32_t from) { take_blocks(TeamMessage(batch_, task, from), from); });
    tag_ = edges_.encrypt(tag_);
    if (batch_.aad_bytes != 0) {
      team_.in_turns(order, [&](uint32_t from) { take_aad(TeamMessage(batch_, task, from), from); });
    }
    finish(own, has_one);
  }

 private:
  /// Begins the lane's own message: all of it but its whole blocks and its additional data.
  WARPAES_HOST_DEVICE void begin(uint32_t own, bool has_one) {
    offset_0_ = batch_.only_offset;
    tag_ = {0, 0, 0, 0};
    const BatchedMessage message(batch_, own);
    if (!has_one || message.refused != WARPAES_OK) return;
    if (batch_.has_nonces()) {
      offset_0_ = ocb_first_offset(batch_.nonce(own), batch_.nonce_bytes, batch_.tag_bytes,
                                   [this](Columns block) { return edges_.encrypt(block); });
    }
    tag_ = edges_.end(message, offset_0_);
  }

  /// Works on the whole blocks of the team's message. All lanes of the warp call.
  /// @param from the number of the team's message among those of the task
  WARPAES_HOST_DEVICE void take_blocks(const TeamMessage& own, uint32_t from) {
    const BatchedMessage& message = own.message;
    const Columns offset_0 = team_.from_lane(offset_0_, from);
    Columns sum{0, 0, 0, 0};
    if (own.accepted) {
      const OcbPass<typename Both::Data, Rounds, Way> pass(tables_.data, batch_.keys, team_.lanes(),
                                                           team_.lane());
      sum = pass({message.input, message.output, static_cast<uint32_t>(message.bytes / 16), 0}, offset_0);
    }
    hand_over(sum, from);
  }

  WARPAES_HOST_DEVICE void take_aad(const TeamMessage& own, uint32_t from) {
    Columns sum{0, 0, 0, 0};
    if (own.accepted) {
      sum = edges_.hash(own.message.aad, own.message.aad_bytes, team_.lane(), team_.lanes());
    }
    hand_over(sum, from);
  }

  /// Adds a sum to the tag that is being made, in the lane that has begun the message.
  /// @param share this lane's share of the sum of message `from`, on which its team works
  WARPAES_HOST_DEVICE void hand_over(Columns share, uint32_t from) {
    const Gf128 sum = team_.sum(little_endian_words(share));
    WARPAES_KEEP_ROLLED
    for (uint32_t lane = 0; lane < kWarpLanes; lane += team_.lanes()) {
      const uint32_t owner = thread_.shuffle(from, lane);
      const Gf128 of_team{thread_.shuffle(sum.lo, lane), thread_.shuffle(sum.hi, lane)};
      if (thread_.lane() == owner) tag_ = tag_ ^ little_endian_block(of_team);
    }
  }

  WARPAES_HOST_DEVICE void finish(uint32_t own, bool has_one) {
    bool failed = false;
    if (has_one) {
      const BatchedMessage message(batch_, own);
      const int32_t status = finish_message<kSide>(batch_, own, tag_, message.refused);
      failed = message.refused == WARPAES_OK && status != WARPAES_OK;
    }
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT) wipe_failed(thread_, batch_, own, failed);
  }

  Thread& thread_;
  const Team<Thread, OcbBatch> team_;
  const Both& tables_;
  const OcbEdges<typename Both::Edge, Rounds, Way> edges_;
  const OcbBatch& batch_;
  Columns offset_0_{0, 0, 0, 0}, tag_{0, 0, 0, 0};  // of the message that this lane has begun
};

namespace kernels::team {

template <warpaes_direction Way>
struct Ocb3 : ForEveryKeySize {
  static constexpr const char* kName = "team/ocb3";
  using Arguments = OcbBatch;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return ocb_policy(on, Way);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const OcbTables<kPolicy.tables, Way> tables(thread);
    OcbRunner<kPolicy.tables, Rounds, Way, Thread> runner(thread, tables, arguments);
    for_each_task(thread, arguments.distribution, runner);
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
