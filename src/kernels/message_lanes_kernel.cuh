#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"
#include "kernels/message_lanes.hpp"

namespace warpaes::kernels {

template <int Rounds, CipherMode Mode, LaneKeys Keys>
__global__ void __launch_bounds__(message_lanes_policy(kDevicePolicy, Keys).threads, 1)
    message_lanes_kernel(const __grid_constant__ LaneArguments arguments) {
  DeviceThread thread;
  const uint32_t* const t0 = inverts_cipher(Mode) ? device_tables::inverse_t0.word : device_tables::t0.word;
  message_lanes<kDevicePolicy.tables, Rounds, Mode, Keys>(thread, arguments, t0);
}

template <CipherMode Mode, LaneKeys Keys>
constexpr ByRounds<LaneArguments> message_lanes_kernels() {
  return {{message_lanes_kernel<10, Mode, Keys>, message_lanes_kernel<12, Mode, Keys>,
           message_lanes_kernel<14, Mode, Keys>}};
}

}  // namespace warpaes::kernels
