#pragma once

#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/ending_lanes.hpp"
#include "kernels/launch.cuh"
#include "kernels/message_lanes.hpp"
#include "kernels/segment_lanes.hpp"
#include "kernels/wrap_lanes.hpp"
#include "kernels/xts_lanes.hpp"

namespace warpaes::kernels {

template <int Rounds, CipherMode Mode, LaneKeys Keys>
__global__ void __launch_bounds__(message_lanes_policy(kDevicePolicy, Keys, Mode).threads, 1)
    message_lanes_kernel(const __grid_constant__ LaneArguments arguments) {
  constexpr int kTables = message_lanes_policy(kDevicePolicy, Keys, Mode).tables;
  const uint32_t *const t0 = device_tables::t0.word, *const inverse_t0 = device_tables::inverse_t0.word;
  DeviceThread thread;
  if constexpr (is_xts(Mode)) {
    xts_lanes<kTables, Rounds, Mode, Keys>(thread, arguments, t0, inverse_t0);
  } else if constexpr (wraps_keys(Mode)) {
    wrap_lanes<kTables, Rounds, Mode, Keys>(thread, arguments, t0, inverse_t0);
  } else if constexpr (pads(Mode)) {
    ending_lanes<kTables, Rounds, Mode, Keys>(thread, arguments, t0, inverse_t0);
  } else if constexpr (has_short_segments(Mode)) {
    segment_lanes<kTables, Rounds, Keys>(thread, arguments, t0);
  } else {
    message_lanes<kTables, Rounds, Mode, Keys>(thread, arguments, t0, inverse_t0);
  }
}

template <CipherMode Mode, LaneKeys Keys>
constexpr ByRounds<LaneArguments> message_lanes_kernels() {
  return {{message_lanes_kernel<10, Mode, Keys>, message_lanes_kernel<12, Mode, Keys>,
           message_lanes_kernel<14, Mode, Keys>}};
}

}  // namespace warpaes::kernels
