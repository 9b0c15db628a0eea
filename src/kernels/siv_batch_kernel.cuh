#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

template <int Rounds, Ciphertext Side, class Batch>
__global__ void __launch_bounds__(key_each_policy(kDevicePolicy).threads, 1)
    siv_batch_kernel(const __grid_constant__ Batch batch) {
  DeviceThread thread;
  siv_batch<key_each_policy(kDevicePolicy).tables, Rounds, Side>(thread, batch, device_tables::t0.word);
}

/// RFC 8452 has no keys of 192 bits: what stands in their place is not called.
template <Ciphertext Side, class Batch>
constexpr ByRounds<Batch> siv_batch_kernels() {
  return {{siv_batch_kernel<10, Side, Batch>, siv_batch_kernel<14, Side, Batch>,
           siv_batch_kernel<14, Side, Batch>}};
}

}  // namespace warpaes::kernels
