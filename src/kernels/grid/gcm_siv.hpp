// GCM-SIV (RFC 8452) for one long message that all warps share. The host derives the message's keys.
//
//     message    | run 0: warp 0 | run 1: warp 1 | …     rows of 32 blocks, one a lane; the last is full
//     hash = sum 0 * H^(blocks behind run 0)  +  sum 1 * H^(blocks behind run 1)  +  …
//
// A warp takes a run of consecutive blocks, as a team of 32 lanes. Its sum is multiplied by a power of H,
// which it finds by square and multiply, for the blocks that lie behind the run. The last thread block adds
// up the sums (warp/message_end.hpp), and makes the tag, or compares it and wipes the output if it is wrong.
// Encryption is two launches: one that hashes, and one whose counters begin at the tag that the first one has
// stored. Decryption is one launch.
//
// Limits. Device memory for the launch that only hashes; look-ups, as in ctr_gcm.hpp, for the other two.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/gcm_siv_pass.hpp"
#include "kernels/warp/message_end.hpp"

namespace warpaes::core {

struct SivLongArguments : MessageBatch {
  TeamKey key;  // derived from the message's nonce, with powers of H for teams of a whole warp
  Columns nonce;
  uint64_t run_blocks;
  uint32_t runs;
  SharedMessage shared;
};

/// One warp's work.
template <int Tables, int Rounds, SivWork Work, class Thread>
class SivLongRunner {
 public:
  using Lane = LanePrivateTables<Tables>;

  WARPAES_HOST_DEVICE SivLongRunner(Thread& thread, const Lane& tables, const SivLongArguments& arguments)
      : thread_(thread), tables_(tables), arguments_(arguments) {}

  /// Works on a run: hashes it, encrypts or decrypts it, or both.
  /// @return its share of the sum, which all lanes know; 0 for an encryption alone
  WARPAES_HOST_DEVICE Gf128 share_of_run(uint32_t run) {
    const uint64_t from = run * arguments_.run_blocks, left = arguments_.bytes - 16 * from;
    const uint64_t bytes = left < 16 * arguments_.run_blocks ? left : 16 * arguments_.run_blocks;
    const BatchedMessage message(arguments_, 0);
    message.is_in_global_memory();
    const auto first_block = [this, from]() -> Columns {
      if constexpr (Work == SivWork::hash) return {0, 0, 0, 0};  // the tag does not exist yet
      Columns first = siv_first_counter(load_bytes(arguments_.tags, 16));
      first.a += static_cast<uint32_t>(from);
      return first;
    };
    const Gf128 hash = SivPass<Tables, Rounds, Work, 1>(tables_, arguments_.key, kWarpLanes, thread_.lane())(
        {message.input + 16 * from, message.output + 16 * from, bytes}, first_block, {0, 0});
    if constexpr (Work == SivWork::crypt) return {0, 0};
    const Gf128 sum = behind(hash, from + (bytes + 15) / 16);
    return run == 0 ? sum ^ hash_of_aad_and_lengths(message) : sum;
  }

  /// Adds up the shares of all warps, and makes or compares the tag. All threads call, when their warp is
  /// done.
  /// @param sum this warp's share, which all its lanes know; zero if it has no run
  WARPAES_HOST_DEVICE void end(Gf128 sum, MessageEndScratch& scratch) {
    constexpr bool kWipes = Work == SivWork::open;
    if (thread_.lane() != 0) sum = {0, 0};
    Gf128 total;
    if (!sum_of_blocks(thread_, sum, arguments_.shared, kWipes, scratch, total)) return;
    const RoundKeys& keys = arguments_.key.keys;
    const Columns tag = tables_.template encrypt<Rounds, 1>(
        Lane::add_round_key(siv_tag_block(total, arguments_.nonce), keys, 0), keys);
    constexpr Ciphertext kSide = kWipes ? Ciphertext::input : Ciphertext::output;
    end_message<kSide>(thread_, arguments_, BatchedMessage(arguments_, 0), 0, arguments_.tags, to_gf128(tag),
                       &scratch.status, [this] { await_stores(thread_, arguments_.shared); });
  }

 private:
  WARPAES_HOST_DEVICE uint64_t blocks() const { return (arguments_.bytes + 15) / 16; }

  /// The sum of the lanes' hashes, times the power of H for all blocks behind block `end`.
  WARPAES_HOST_DEVICE Gf128 behind(Gf128 hash, uint64_t end) {
    const Gf128 h = arguments_.key.powers.h;
    hash = gf128_multiply(hash, lane_weight(h, kWarpLanes, thread_.lane()));
    return gf128_multiply(exclusive_or_of_lanes(thread_, hash), gf128_power(h, blocks() - end + 2));
  }

  WARPAES_HOST_DEVICE Gf128 hash_of_aad_and_lengths(const BatchedMessage& message) {
    const TeamPowers& powers = arguments_.key.powers;
    const Gf128 lengths = gf128_multiply({8 * message.aad_bytes, 8 * message.bytes}, powers.h);
    if (message.aad_bytes == 0) return lengths;
    const Gf128 hash =
        polyval_of_rows(message.aad, message.aad_bytes, powers.within[2], kWarpLanes, thread_.lane());
    return behind(hash, 0) ^ lengths;
  }

  Thread& thread_;
  const Lane& tables_;
  const SivLongArguments& arguments_;
};

namespace kernels::grid {

/// The kernel of one long message. It is launched with at least as many warps as runs.
template <SivWork Work>
struct GcmSiv : ForKeysOf128And256Bits {
  static constexpr const char* kName = "grid/gcm_siv";
  static constexpr bool kHashes = Work != SivWork::crypt;
  using Arguments = SivLongArguments;

  /// Where sums are added up lies behind the tables, which the tag still needs.
  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    if (!kHashes) return with_tables(on.tables, on.gcm_siv_threads);
    KernelPolicy policy = with_tables(on.tables_with_room, on.gcm_siv_threads);
    policy.shared_bytes += sizeof(MessageEndScratch);
    return policy;
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    end_fill(thread);
    if constexpr (Work == SivWork::open) begin_shared_message(thread, arguments.shared);
    const Lane tables(thread.shared_origin(), thread.shared_offset() / 4 + thread.lane());
    SivLongRunner<kPolicy.tables, Rounds, Work, Thread> runner(thread, tables, arguments);
    const uint32_t run = thread.warp() * thread.block_count() + thread.block();
    Gf128 sum{0, 0};
    if (run < arguments.runs) sum = runner.share_of_run(run);
    if constexpr (kHashes) {
      runner.end(sum, *reinterpret_cast<MessageEndScratch*>(thread.shared() + kPolicy.tables * kTableBytes));
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
