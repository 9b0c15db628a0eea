// Authenticated messages that are walked by one lane each: which of them are worked on, and what becomes of
// those whose tag is wrong.
#pragma once

#include "kernels/lane/lane_keys.hpp"
#include "kernels/warp/batched_message.hpp"

namespace warpaes::core {

/// Is there anything to do for this message? A message that is refused gets its status here.
/// @tparam Batch MessageBatch, or a structure that has more than that
template <Ciphertext Side, class Batch>
WARPAES_HOST_DEVICE bool accepts_or_reports(const Batch& batch, const BatchedMessage& message,
                                            uint32_t index) {
  if (message.refused == WARPAES_OK) return true;
  finish_message<Side>(batch, index, {0, 0, 0, 0}, message.refused);
  return false;
}

/// Zeroes the output of messages whose tag was wrong. All lanes of the warp zero one message after the other.
/// @param message,failed the lane's own; all lanes of a warp call
template <class Thread>
WARPAES_HOST_DEVICE void wipe_failed(Thread& thread, const MessageBatch& batch, uint32_t message,
                                     bool failed) {
  if (!thread.any(failed)) return;
  thread.sync_warp();  // stores of other lanes come before the zeros
  WARPAES_KEEP_ROLLED
  for (uint32_t owner = 0; owner < kWarpLanes; owner++) {
    const uint32_t index = thread.shuffle(message, owner);
    if (thread.shuffle(uint32_t{failed}, owner) == 0) continue;
    wipe_output(BatchedMessage(batch, index), kWarpLanes, thread.lane());
  }
}

/// Ends messages: stores or compares their tags, and zeroes the output of those whose tag was wrong.
/// @param ends is the lane's message over? All lanes of a warp call
template <Ciphertext Side, class Thread, class Batch>
WARPAES_HOST_DEVICE void finish_or_wipe(Thread& thread, const Batch& batch, uint32_t index, bool ends,
                                        Columns tag) {
  bool failed = false;
  if (ends) failed = finish_message<Side>(batch, index, tag, WARPAES_OK) != WARPAES_OK;
  if constexpr (Side == Ciphertext::input) wipe_failed(thread, batch, index, failed);
}

}  // namespace warpaes::core
