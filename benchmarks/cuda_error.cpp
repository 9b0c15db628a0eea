#include "cuda_error.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "warpaes/memory.hpp"

namespace warpaes::bench {

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // or a later call would be told of it again
  throw Error(result == cudaErrorMemoryAllocation ? WARPAES_ERROR_DEVICE_MEMORY : WARPAES_ERROR_CUDA,
              fmt::format("{} failed: {}: {}", what, cudaGetErrorName(result), cudaGetErrorString(result)));
}

}  // namespace warpaes::bench
