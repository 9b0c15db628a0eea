// What is done once for all kernels together. This file does not include launch.cuh, which would compile
// kernels here.
#include <cuda_runtime_api.h>

#include <atomic>

#include "kernels/grid/ctr_gcm.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/registration.hpp"

namespace warpaes::core::kernels {

extern std::atomic<uint64_t> launch_count;
std::atomic<uint64_t> launch_count{0};

uint64_t launches() { return launch_count.load(std::memory_order_relaxed); }

CudaError prepare_device(DeviceShape& shape) {
  register_kernels();
  int device = 0;
  CudaError error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&shape.multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  // The policy is that of the code that runs. Code that the driver compiled from PTX has the policy of the
  // PTX's architecture, not of the device's.
  if (error == cudaSuccess) error = Launcher<grid::CtrGcm<Hashed::nothing>>::capability(shape.capability);
  if (error != cudaSuccess) return error;
  shape.policy = policy_for(shape.capability, WARPAES_NVCC_HAS_CLMAD);
  for (const KernelRow& row : kernel_table()) {
    for (const KernelVariant& variant : row.variants) {
      error = variant.prepare(shape.policy);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

}  // namespace warpaes::core::kernels
