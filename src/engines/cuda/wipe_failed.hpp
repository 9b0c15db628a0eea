// Wipes plaintext whose tag is wrong, for modes that need a launch of its own for that.
#pragma once

#include <exception>
#include <string>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/grid/wipe_failed_messages.hpp"

namespace warpaes::core {

/// Device memory that must not stay as it is: `count` pieces of `bytes` bytes, one every `stride` bytes.
struct ToBeWiped {
  const char* what;  // for the error's text
  uint8_t* data;
  uint64_t count, stride, bytes;
};

/// Launches what wipes memory as the last of its work. If that fails, nobody will do so: then the driver
/// zeroes all of it, and the call fails.
/// @tparam Gpu what launches, see gpu_engines.hpp
/// @param launch () -> void
template <class Gpu, class Launch>
void launch_or_zero(const kernels::LaunchTarget& target, const ToBeWiped& memory, Stream stream,
                    const Launch& launch) {
  try {
    launch();
  } catch (const std::exception& failed) {  // a launch that failed, or lacks memory to say so
    try {
      for (uint64_t i = 0; i < memory.count; i++) {
        Gpu::zero(target, memory.data + i * memory.stride, memory.bytes, stream);
      }
    } catch (const Failure& zeroing) {
      throw Failure(zeroing.status(), std::string(failed.what()) + "; and " + memory.what +
                                          " could not be zeroed: " + zeroing.what());
    }
    throw;
  }
}

/// Launches the kernel that wipes the output of messages whose status is not OK. If it does not run, nobody
/// looks at the statuses, and what was authentic is zeroed as well.
template <class Gpu>
void launch_wipe_failed(const kernels::LaunchTarget& target, const WipeArguments& wiped, Stream stream) {
  const ToBeWiped output{"the output, which may hold plaintext that is not authentic,", wiped.output,
                         wiped.messages, wiped.output_stride, wiped.bytes};
  launch_or_zero<Gpu>(target, output, stream, [&] {
    Gpu::run(kernels::grid::WipeFailedMessages{}, target, wiped,
             {static_cast<uint32_t>(target.shape.multiprocessors)}, stream);
  });
}

}  // namespace warpaes::core
