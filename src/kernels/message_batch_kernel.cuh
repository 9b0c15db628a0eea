#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"
#include "kernels/message_batch.hpp"

namespace warpaes::kernels {

template <class Batch>
constexpr BatchPolicy kDeviceBatchPolicy =
    std::is_same_v<Batch, OneKeyBatch> ? one_key_policy(kDevicePolicy) : key_each_policy(kDevicePolicy);

template <int Rounds, Ciphertext Side, class Batch>
__global__ void __launch_bounds__(kDeviceBatchPolicy<Batch>.threads, 1)
    batch_kernel(const __grid_constant__ Batch batch) {
  DeviceThread thread;
  message_batch<kDeviceBatchPolicy<Batch>.tables, Rounds, Side>(thread, batch, device_tables::t0.word);
}

template <Ciphertext Side, class Batch>
constexpr ByRounds<Batch> batch_kernels() {
  return {{batch_kernel<10, Side, Batch>, batch_kernel<12, Side, Batch>, batch_kernel<14, Side, Batch>}};
}

}  // namespace warpaes::kernels
