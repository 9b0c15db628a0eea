#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(ocb_policy(kDevicePolicy, Way).threads, 1)
    ocb_long_kernel(const __grid_constant__ OcbLongArguments arguments) {
  DeviceThread thread;
  ocb_long<ocb_policy(kDevicePolicy, Way).tables, Rounds, Way>(thread, arguments, device_tables::t0.word,
                                                               device_tables::inverse_t0.word);
}

template <warpaes_direction Way>
constexpr ByRounds<OcbLongArguments> kKernels = {
    {ocb_long_kernel<10, Way>, ocb_long_kernel<12, Way>, ocb_long_kernel<14, Way>}};

}  // namespace

const ByRounds<OcbLongArguments> ocb_long_encrypt = kKernels<WARPAES_ENCRYPT>;
const ByRounds<OcbLongArguments> ocb_long_decrypt = kKernels<WARPAES_DECRYPT>;

}  // namespace warpaes::kernels
