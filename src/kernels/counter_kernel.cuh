#pragma once

#include "kernels/counter_mode.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

template <int Rounds, Hashed Hash, class Arguments>
__global__ void __launch_bounds__(kDevicePolicy.counter_threads, 1)
    counter_kernel(const __grid_constant__ Arguments arguments) {
  DeviceThread thread;
  counter_mode<kDevicePolicy.tables, Rounds, Hash>(thread, arguments, device_tables::t0.word);
}

template <Hashed Hash, class Arguments>
constexpr ByRounds<Arguments> counter_kernels() {
  return {{counter_kernel<10, Hash, Arguments>, counter_kernel<12, Hash, Arguments>,
           counter_kernel<14, Hash, Arguments>}};
}

}  // namespace warpaes::kernels
