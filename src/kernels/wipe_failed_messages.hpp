// After GCM decryption: no plaintext stays where the tag was wrong. Costs a launch and one read a
// message when all is well.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes {

struct WipeArguments {
  const int32_t* statuses;
  uint8_t* output;
  uint64_t output_stride, bytes, messages;
};

/// Messages are dealt out to blocks; of a failed one, all blocks wipe a share if there are fewer
/// messages than blocks.
template <class Thread>
WARPAES_HOST_DEVICE void wipe_failed_messages(Thread& thread, const WipeArguments& arguments) {
  const uint64_t shares =
      arguments.messages < thread.block_count() ? thread.block_count() / arguments.messages : 1;
  for (uint64_t i = thread.block(); i < arguments.messages * shares; i += thread.block_count()) {
    const uint64_t message = i / shares, share = i % shares;
    if (arguments.statuses[message] == 0) continue;
    uint8_t* output = arguments.output + message * arguments.output_stride;
    for (uint64_t at = share * thread.count() + thread.index(); at < arguments.bytes;
         at += shares * thread.count()) {
      output[at] = 0;
    }
  }
}

}  // namespace warpaes
