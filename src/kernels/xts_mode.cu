#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"
#include "kernels/xts_mode.hpp"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(kDevicePolicy.xts_threads, 1)
    xts_kernel(const __grid_constant__ XtsArguments arguments) {
  constexpr int tables = Way == WARPAES_ENCRYPT ? kDevicePolicy.tables : kDevicePolicy.tables_beside_one;
  DeviceThread thread;
  xts_mode<tables, Rounds, Way>(thread, arguments, device_tables::t0.word, device_tables::inverse_t0.word);
}

}  // namespace

const ByRounds<XtsArguments> xts_encrypt = {
    {xts_kernel<10, WARPAES_ENCRYPT>, xts_kernel<12, WARPAES_ENCRYPT>, xts_kernel<14, WARPAES_ENCRYPT>}};
const ByRounds<XtsArguments> xts_decrypt = {
    {xts_kernel<10, WARPAES_DECRYPT>, xts_kernel<12, WARPAES_DECRYPT>, xts_kernel<14, WARPAES_DECRYPT>}};

}  // namespace warpaes::kernels
