// OCB3 (RFC 7253) for one message that all warps share. The host computes Offset_0.
//
//     message    | run 0: warp 0 | run 1: warp 1 | …     lane l of 32: blocks l, l + 32, l + 64 … of the run
//
// A warp takes a run of consecutive blocks, as a team of 32 lanes, and its share of the blocks of the
// additional data. The sums that OCB3 forms are plain XORs. The warp that comes last adds up those of all
// warps (warp/part_sums.hpp), and makes the tag or compares it.
//
// Decryption needs both directions of the cipher, because the tag is encrypted. So one table of the cipher
// lies beside those of its inverse, as in grid/xts.hpp.
//
// Limits. Look-ups, as in ECB. The additional data is short and is done by a loop over rounds that is not
// unrolled. Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/ghash.hpp"
#include "kernels/warp/ocb3_pass.hpp"
#include "kernels/warp/part_sums.hpp"

namespace warpaes::core {

struct OcbLongArguments : MessageBatch {
  OcbKeys keys;
  Columns offset_0;
  uint64_t run_blocks;  // a multiple of 64
  uint32_t runs;        // at least one
  uint32_t* arrivals;   // zero at the start
  Gf128* sums;          // two for each run: the sums of plaintext and of additional data
};

/// One warp's work on its run and its share of the additional data.
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
class OcbLongRunner {
 public:
  using Both = OcbTables<Tables, Way>;
  static constexpr Ciphertext kSide = ciphertext_of(Way);

  WARPAES_HOST_DEVICE OcbLongRunner(Thread& thread, const Both& tables, const OcbLongArguments& arguments)
      : thread_(thread), tables_(tables), edges_(tables.edge, arguments.keys), arguments_(arguments) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t run) {
    const BatchedMessage message(arguments_, 0);
    const uint64_t from = run * arguments_.run_blocks, left = message.bytes / 16 - from;
    const uint64_t blocks = left < arguments_.run_blocks ? left : arguments_.run_blocks;
    const OcbPass<typename Both::Data, Rounds, Way> pass(tables_.data, arguments_.keys, kWarpLanes,
                                                         thread_.lane());
    const OcbPiece piece{message.input + 16 * from, message.output + 16 * from, static_cast<uint32_t>(blocks),
                         static_cast<uint32_t>(from / (2 * kWarpLanes))};
    Columns sum = pass(piece, arguments_.offset_0);
    if (run == 0 && thread_.lane() == 0) sum = sum ^ edges_.end(message, arguments_.offset_0);
    const Columns hash = edges_.hash(message.aad, message.aad_bytes, run * kWarpLanes + thread_.lane(),
                                     uint64_t{arguments_.runs} * kWarpLanes);
    hand_in(run, exclusive_or_of_lanes(thread_, little_endian_words(sum)),
            exclusive_or_of_lanes(thread_, little_endian_words(hash)));
  }

 private:
  WARPAES_HOST_DEVICE void hand_in(uint32_t run, Gf128 sum, Gf128 hash) {
    const PartSums<2> sums{arguments_.arrivals, arguments_.sums, arguments_.runs};
    Gf128 total[2] = {sum, hash};
    if (!sums.hand_in(thread_, run, total)) return;
    const Columns tag = edges_.encrypt(little_endian_block(total[0])) ^ little_endian_block(total[1]);
    if (thread_.lane() == 0) finish_message<kSide>(arguments_, 0, tag, WARPAES_OK);
  }

  Thread& thread_;
  const Both& tables_;
  const OcbEdges<typename Both::Edge, Rounds, Way> edges_;
  const OcbLongArguments& arguments_;
};

namespace kernels::grid {

template <warpaes_direction Way>
struct Ocb3 : ForEveryKeySize {
  static constexpr const char* kName = "grid/ocb3";
  using Arguments = OcbLongArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return ocb_policy(on, Way);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const OcbTables<kPolicy.tables, Way> tables(thread);
    // There are at least as many warps as runs.
    const uint32_t run = thread.warp() * thread.block_count() + thread.block();
    if (run >= arguments.runs) return;
    OcbLongRunner<kPolicy.tables, Rounds, Way, Thread>(thread, tables, arguments)(run);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
