// How a GCM message ends that one thread block has, or that all thread blocks of a grid share: its tag is
// made, or compared, and the output is wiped if the tag is wrong.
//
// Thread blocks that share a message publish a sum each, in which their parts of GHASH have their powers of H
// already, and one of them E_K(J0) and the lengths. The last block waits for all others and adds up the sums.
// GPUs start the blocks of a grid in the order of their numbers, so that all others are at work or have ended
// when the last one begins to wait, whatever else the GPU does. CUDA does not promise this order.
//
// Threads. One thread block wipes alone: a long message whose tag is wrong takes longer than one whose tag is
// right. Timing class: strict.
#pragma once

#include "kernels/stamped_sum.hpp"
#include "kernels/warp/batched_message.hpp"
#include "kernels/warp/part_sums.hpp"

namespace warpaes::core {

/// What a thread block keeps in shared memory.
struct MessageEndScratch {
  Gf128 sums[32];  // one for each warp
  int32_t status;
};

/// Where the thread blocks that share a message publish their sums.
struct SharedMessage {
  StampedSum* sums;  // one for each thread block but the last; null if one block has the message
  uint64_t stamp;    // of this launch
};

/// To be called at the start of a kernel in which the last thread block may overwrite what the others have
/// written.
template <class Thread>
WARPAES_HOST_DEVICE void begin_shared_message(Thread& thread, const SharedMessage& shared) {
  if (thread.index() == 0 && thread.block() + 1 != thread.block_count()) {
    thread.begin_writing(shared.sums + thread.block(), shared.stamp);
  }
}

/// Takes a message's tag from the thread block's first warp, and wipes the output if the tag is wrong.
/// @tparam Batch MessageBatch, or what has its `tag_bytes` and `statuses`
/// @param stored where the tag is
/// @param await () -> void: returns when the output may be overwritten; all threads call it
template <Ciphertext Side, class Thread, class Batch, class Await>
WARPAES_HOST_DEVICE void end_message(Thread& thread, const Batch& batch, const BatchedMessage& message,
                                     uint32_t index, uint8_t* stored, Gf128 tag, int32_t* shared_status,
                                     const Await& await) {
  if (thread.index() == 0) {
    *shared_status = finish_message_at<Side>(batch, index, stored, to_columns(tag), message.refused);
  }
  if constexpr (Side == Ciphertext::input) {
    thread.barrier();
    if (message.refused != WARPAES_OK || *shared_status == WARPAES_OK) return;
    await();
    wipe_output(message, thread.count(), thread.index());
  }
}

/// Adds up what the threads of all thread blocks have of the message that they share. All threads call, and a
/// barrier must separate the call from whatever used the scratch memory before.
/// @param sum what this thread has
/// @param wipes may the last block overwrite what the others have written? It calls await_stores() before
/// @param total the sum of all, in the first warp of the last thread block
/// @return is this the last thread block?
template <class Thread>
WARPAES_HOST_DEVICE bool sum_of_blocks(Thread& thread, Gf128 sum, const SharedMessage& shared, bool wipes,
                                       MessageEndScratch& scratch, Gf128& total) {
  const uint32_t others = thread.block_count() - 1;
  const bool last = thread.block() == others;
  if (last) {
    for (uint32_t i = thread.index(); i < others; i += thread.count()) {
      sum = sum ^ thread.await(shared.sums + i, shared.stamp);
    }
  }
  total = sum_of_block(thread, sum, scratch.sums);
  if (!last && thread.index() == 0) {
    StampedSum* const to = shared.sums + thread.block();
    thread.publish(to, total, shared.stamp);
    // Behind the sum, so that nobody waits for it whose tag is right.
    if (wipes) thread.end_writing(to);
  }
  return last;
}

/// Waits in the last thread block until all that the others have written may be overwritten.
template <class Thread>
WARPAES_HOST_DEVICE void await_stores(Thread& thread, const SharedMessage& shared) {
  for (uint32_t i = thread.index(); i < thread.block_count() - 1; i += thread.count()) {
    thread.await_end_of_writing(shared.sums + i, shared.stamp);
  }
  thread.barrier();
}

}  // namespace warpaes::core
