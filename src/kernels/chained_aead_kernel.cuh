#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

template <int Rounds, ChainedAead Mode, Ciphertext Side, LaneKeys Keys>
__global__ void __launch_bounds__(chained_aead_policy(kDevicePolicy, Mode, Keys, Rounds).threads, 1)
    chained_aead_kernel(const __grid_constant__ ChainedAeadArguments arguments) {
  DeviceThread thread;
  chained_aead<kDevicePolicy.tables, Rounds, Mode, Side, Keys>(thread, arguments, device_tables::t0.word);
}

template <ChainedAead Mode, Ciphertext Side, LaneKeys Keys>
constexpr ByRounds<ChainedAeadArguments> chained_aead_kernels() {
  return {{chained_aead_kernel<10, Mode, Side, Keys>, chained_aead_kernel<12, Mode, Side, Keys>,
           chained_aead_kernel<14, Mode, Side, Keys>}};
}

}  // namespace warpaes::kernels
