// Authenticated messages that lanes walk, one each: which are taken, and what becomes of those that fail.
#pragma once

#include "kernels/lane/lane_keys.hpp"
#include "kernels/warp/batched_message.hpp"

namespace warpaes::core {

/// Is there anything to do? A message that is refused gets its status.
/// @tparam Batch MessageBatch, or what has more
template <Ciphertext Side, class Batch>
WARPAES_HOST_DEVICE bool accepts_or_reports(const Batch& batch, const BatchedMessage& message,
                                            uint32_t index) {
  if (message.refused == WARPAES_OK) return true;
  finish_message<Side>(batch, index, {0, 0, 0, 0}, message.refused);
  return false;
}

/// No plaintext stays where the tag was wrong: all lanes zero one message after the other.
/// @param message,failed the lane's; all lanes of a warp call
template <class Thread>
WARPAES_HOST_DEVICE void wipe_failed(Thread& thread, const MessageBatch& batch, uint32_t message,
                                     bool failed) {
  if (!thread.any(failed)) return;
  thread.sync_warp();  // what other lanes wrote is before the zeros
  WARPAES_KEEP_ROLLED
  for (uint32_t owner = 0; owner < kWarpLanes; owner++) {
    const uint32_t index = thread.shuffle(message, owner);
    if (thread.shuffle(uint32_t{failed}, owner) == 0) continue;
    const BatchedMessage found(batch, index);
    const uint64_t blocks = (found.bytes + 15) / 16;
    WARPAES_KEEP_ROLLED
    for (uint64_t block = thread.lane(); block < blocks; block += kWarpLanes) {
      store_block(found.output, found.bytes, static_cast<int64_t>(block), {0, 0, 0, 0});
    }
  }
}

/// The end of messages: tags are stored, or compared, and then no plaintext stays where one was wrong.
/// @param ends is the lane's message over? All lanes of a warp call
template <Ciphertext Side, class Thread, class Batch>
WARPAES_HOST_DEVICE void finish_or_wipe(Thread& thread, const Batch& batch, uint32_t index, bool ends,
                                        Columns tag) {
  bool failed = false;
  if (ends) failed = finish_message<Side>(batch, index, tag, WARPAES_OK) != WARPAES_OK;
  if constexpr (Side == Ciphertext::input) wipe_failed(thread, batch, index, failed);
}

}  // namespace warpaes::core
