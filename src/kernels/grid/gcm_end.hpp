// The last launch of one GCM message whose parts several thread blocks have had: it adds up their sums, and
// makes the tag, or compares it and wipes the output if it is wrong.
//
// Each of those thread blocks has published one sum, in which its parts of GHASH have their powers of H
// already, and one of them E_K(J0) and the lengths. The sums depend on the key: two sums of GHASH are
// polynomials with H as a common root, and whoever finds H can forge tags. So they are cleared.
//
// Threads. One thread block, which also wipes alone: a long message whose tag is wrong takes longer than one
// whose tag is right. Limits: the time of a launch. Timing class: strict.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/batched_message.hpp"
#include "kernels/warp/part_sums.hpp"

namespace warpaes::core {

struct GcmEndArguments : MessageBatch {
  uint32_t parts;  // how many sums there are
  Gf128* sums;
};

/// Takes a message's tag from the thread block's first warp, and wipes the output if the tag is wrong.
/// @param stored where the tag is
template <Ciphertext Side, class Thread>
WARPAES_HOST_DEVICE void end_message(Thread& thread, const MessageBatch& batch, const BatchedMessage& message,
                                     uint32_t index, uint8_t* stored, Gf128 tag, int32_t* shared_status) {
  if (thread.index() == 0) {
    *shared_status = finish_message_at<Side>(batch, index, stored, to_columns(tag), message.refused);
  }
  if constexpr (Side == Ciphertext::input) {
    thread.barrier();
    if (message.refused != WARPAES_OK || *shared_status == WARPAES_OK) return;
    const uint64_t blocks = (message.bytes + 15) / 16;
    for (uint64_t block = thread.index(); block < blocks; block += thread.count()) {
      store_block(message.output, message.bytes, static_cast<int64_t>(block), {0, 0, 0, 0});
    }
  }
}

/// What a thread block keeps in shared memory.
struct GcmEndScratch {
  Gf128 sums[32];  // one for each warp
  int32_t status;
};

template <Ciphertext Side, class Thread>
WARPAES_HOST_DEVICE void gcm_end(Thread& thread, const GcmEndArguments& arguments) {
  GcmEndScratch& scratch = *reinterpret_cast<GcmEndScratch*>(thread.shared());
  Gf128 sum{0, 0};
  for (uint32_t i = thread.index(); i < arguments.parts; i += thread.count()) {
    sum = sum ^ thread.collect(arguments.sums + i);
    thread.publish(arguments.sums + i, {0, 0});
  }
  sum = sum_of_block(thread, sum, scratch.sums);
  end_message<Side>(thread, arguments, only_message(arguments), 0, arguments.tags, sum, &scratch.status);
}

namespace kernels::grid {

template <Ciphertext Side>
struct GcmEnd : WithoutKey {
  static constexpr const char* kName = "grid/gcm_end";
  static constexpr bool kLaunchedAhead = true;
  using Arguments = GcmEndArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.small_threads),
            .shared_bytes = sizeof(GcmEndScratch),
            .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    gcm_end<Side>(thread, arguments);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
