#pragma once

#include <algorithm>

#include "kernels/bitsliced_counter.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

template <int Rounds, Hashed Hash, class Arguments>
__global__ void __launch_bounds__(kDevicePolicy.counter_threads, 1)
    counter_kernel(const __grid_constant__ Arguments arguments) {
  DeviceThread thread;
  counter_mode<kDevicePolicy.tables, Rounds, Hash>(thread, arguments, device_tables::t0.word);
}

template <int Rounds, Hashed Hash, class Arguments>
__global__ void __launch_bounds__(kDevicePolicy.sliced_counter_threads, 1)
    bitsliced_counter_kernel(const __grid_constant__ Arguments arguments) {
  DeviceThread thread;
  warpaes::bitsliced_counter<Rounds, Hash>(thread, arguments);
}

template <Hashed Hash>
constexpr BesideTables kBeside =
    Hash == Hashed::nothing ? kDevicePolicy.ctr_beside : kDevicePolicy.gcm_beside;

/// Empty for devices whose policy does not have it.
template <int Rounds, Hashed Hash, class Arguments>
__global__ void __launch_bounds__(std::max(kBeside<Hash>.threads, 32), 1)
    counter_beside_kernel(const __grid_constant__ Arguments arguments) {
  if constexpr (kBeside<Hash>.threads != 0) {
    DeviceThread thread;
    counter_both_ways<kDevicePolicy.tables, Rounds, Hash>(thread, arguments, device_tables::t0.word,
                                                          kBeside<Hash>.table_warps);
  }
}

template <Hashed Hash, class Arguments>
constexpr ByRounds<Arguments> counter_kernels() {
  return {{counter_kernel<10, Hash, Arguments>, counter_kernel<12, Hash, Arguments>,
           counter_kernel<14, Hash, Arguments>}};
}

template <Hashed Hash, class Arguments>
constexpr ByRounds<Arguments> bitsliced_counter_kernels() {
  return {{bitsliced_counter_kernel<10, Hash, Arguments>, bitsliced_counter_kernel<12, Hash, Arguments>,
           bitsliced_counter_kernel<14, Hash, Arguments>}};
}

template <Hashed Hash, class Arguments>
constexpr ByRounds<Arguments> counter_beside_kernels() {
  return {{counter_beside_kernel<10, Hash, Arguments>, counter_beside_kernel<12, Hash, Arguments>,
           counter_beside_kernel<14, Hash, Arguments>}};
}

}  // namespace warpaes::kernels
