// Wipes plaintext whose tag is wrong, for modes that need a launch of its own for that.
#pragma once

#include <string>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/grid/wipe_failed_messages.hpp"

namespace warpaes::core {

/// Launches what looks at the tags of decrypted messages. If that fails, nobody will look at the statuses,
/// and plaintext that is not authentic would stay. So then the driver zeroes all of the output, also what was
/// authentic, and the call fails.
/// @tparam Gpu what launches, see gpu_engines.hpp
/// @param launch () -> void
template <class Gpu, class Launch>
void launch_or_zero(const kernels::LaunchTarget& target, const WipeArguments& wiped, Stream stream,
                    const Launch& launch) {
  try {
    launch();
  } catch (const Failure& failed) {
    try {
      for (uint64_t message = 0; message < wiped.messages; message++) {
        Gpu::zero(target, wiped.output + message * wiped.output_stride, wiped.bytes, stream);
      }
    } catch (const Failure& zeroing) {
      throw Failure(failed.status(), std::string(failed.what()) +
                                         "; and the output, which may hold plaintext that is "
                                         "not authentic, could not be zeroed: " +
                                         zeroing.what());
    }
    throw;
  }
}

/// Launches the kernel that wipes the output of messages whose status is not OK.
template <class Gpu>
void wipe_failed(const kernels::LaunchTarget& target, const WipeArguments& wiped, Stream stream) {
  launch_or_zero<Gpu>(target, wiped, stream, [&] {
    Gpu::run(kernels::grid::WipeFailedMessages{}, target, wiped,
             {static_cast<uint32_t>(target.shape.multiprocessors)}, stream);
  });
}

}  // namespace warpaes::core
