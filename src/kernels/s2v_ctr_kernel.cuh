#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"
#include "kernels/s2v_ctr.hpp"

namespace warpaes::kernels {

template <int Rounds, LaneKeys Keys, Ciphertext Side>
__global__ void __launch_bounds__(message_lanes_policy(kDevicePolicy, Keys).threads, 1)
    s2v_ctr_kernel(const __grid_constant__ S2vCtrArguments arguments) {
  DeviceThread thread;
  s2v_ctr<kDevicePolicy.tables, Rounds, Keys, Side>(thread, arguments, device_tables::t0.word);
}

template <LaneKeys Keys, Ciphertext Side>
constexpr ByRounds<S2vCtrArguments> s2v_ctr_kernels() {
  return {{s2v_ctr_kernel<10, Keys, Side>, s2v_ctr_kernel<12, Keys, Side>, s2v_ctr_kernel<14, Keys, Side>}};
}

}  // namespace warpaes::kernels
