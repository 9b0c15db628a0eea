// Calls of the posed CUDA that fail: the one with a given number, once or from then on.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace warpaes::core::posed {

struct Faults {
  uint64_t first = UINT64_MAX;  // the number of the call that fails, counted from 0
  cudaError_t error = cudaErrorUnknown;
  bool from_then_on = false;
};

/// Begins to count calls.
void begin_faults(const Faults& faults);
/// @return the name of the first call that failed; empty if there was none
std::string end_faults();

/// To be asked by each function of CUDA: what it has to return.
cudaError_t verdict_on(const char* call);

}  // namespace warpaes::core::posed
