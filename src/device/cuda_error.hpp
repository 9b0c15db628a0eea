// Turns CUDA's errors into this library's failures. To be included only where the CUDA runtime is called.
#pragma once

#include <cuda_runtime_api.h>

#include "failure.hpp"

namespace warpaes::core {

/// Throws FORKED in a child of a process that had used the GPU, and CUDA if an earlier error has
/// destroyed CUDA's state, naming that error.
void require_cuda_alive();

/// To be called before a GPU is used. It calls require_cuda_alive(), and from then on a fork is noticed.
void enter_cuda();

/// Throws unless `result` is cudaSuccess: DEVICE_MEMORY if the GPU is out of memory, NO_DEVICE if there is no
/// such device or driver, CAPTURE if a stream's capture forbids the call, CUDA otherwise. `what` names the
/// call, for example "cudaMalloc of 64 bytes". CUDA's record of the error is cleared, so that a later
/// cudaGetLastError() does not report it again.
void check(cudaError_t result, const char* what);

/// While it lives, this thread may allocate and wait. CUDA forbids both to every thread while one thread
/// captures a graph in the default mode, and a call that is made all the same ends that thread's capture. For
/// work on streams and memory of the library's own, which no graph knows of.
class BesideCaptures {
 public:
  BesideCaptures() noexcept;
  ~BesideCaptures();
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  cudaStreamCaptureMode callers_ = cudaStreamCaptureModeRelaxed;
};

/// The error in words, for example "cudaErrorNoDevice: no CUDA-capable device is detected".
std::string describe(cudaError_t error);

}  // namespace warpaes::core
