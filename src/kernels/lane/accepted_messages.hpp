// Authenticated messages that lanes walk, one each: which are taken, and what becomes of those that fail.
#pragma once

#include "kernels/lane/lane_keys.hpp"
#include "kernels/warp/batched_message.hpp"

namespace warpaes::core {

/// The next message that is accepted, from this one on; those that are not get their status.
/// @param begin (const BatchedMessage&, uint32_t index), of the message that is found
/// @return its index, or one beyond the batch
/// @tparam Batch MessageBatch, or what has more
template <Ciphertext Side, class Batch, class Begin>
WARPAES_HOST_DEVICE uint32_t take_accepted(const Batch& batch, uint32_t message, uint32_t step,
                                           const Begin& begin) {
  for (; message < batch.messages; message += step) {
    const BatchedMessage found(batch, message);
    if (found.refused == WARPAES_OK) {
      begin(found, message);
      break;
    }
    finish_message<Side>(batch, message, {0, 0, 0, 0}, found.refused);
  }
  return message;
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

}  // namespace warpaes::core
