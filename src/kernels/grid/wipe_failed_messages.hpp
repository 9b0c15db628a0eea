// Runs after decryption by kernels that do not wipe themselves, which are those of GCM in which many warps
// share each of several messages, and of OCB3 in which all warps share one. It sets the output to zero where
// the tag was wrong, so that no plaintext stays there. If all tags were right, this costs a launch and one
// read for each message.
#pragma once

#include <cstdint>

#include "kernels/kernel.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

/// Message m has its status at statuses[m], and `bytes` bytes at output + m * output_stride.
struct WipeArguments {
  const int32_t* statuses;
  uint8_t* output;
  uint64_t output_stride, bytes, messages;
};

namespace kernels::grid {

/// A thread for each message or, if there are more threads than messages, several threads that take turns
/// with the message's bytes.
struct WipeFailedMessages : WithoutKey {
  static constexpr const char* kName = "grid/wipe_failed_messages";
  using Arguments = WipeArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.ecb_threads), .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint64_t threads = static_cast<uint64_t>(thread.block_count()) * thread.count();
    const uint64_t shares = arguments.messages < threads ? threads / arguments.messages : 1;
    uint64_t i = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
    for (; i < arguments.messages * shares; i += threads) {
      const uint64_t message = i / shares;
      if (arguments.statuses[message] == 0) continue;
      uint8_t* output = arguments.output + message * arguments.output_stride;
      for (uint64_t at = i % shares; at < arguments.bytes; at += shares) output[at] = 0;
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
