// Kernels that break the process's GPU for good.
#pragma once

#include <driver_types.h>

namespace warpaes::core::testing {

struct Fault {
  const char* name;
  /// Runs it. @return what CUDA says of it then; it must be an error
  cudaError_t (*provoke)();
};

inline constexpr int kFaults = 3;
extern const Fault kFaultTable[kFaults];

/// Loads the kernels onto the current device, so that a fault happens as soon as it is provoked.
/// @return whether that is done
bool load_faults();

}  // namespace warpaes::core::testing
