// CUDA's errors as exceptions.
#pragma once

#include <driver_types.h>

namespace warpaes::bench {

/// Throws an Error(WARPAES_ERROR_CUDA) unless `result` is cudaSuccess; DEVICE_MEMORY if the GPU has too
/// little memory. `what` names the call.
void check(cudaError_t result, const char* what);

}  // namespace warpaes::bench
