#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(ocb_key_each_policy(kDevicePolicy, Way).threads, 1)
    ocb_key_each_kernel(const __grid_constant__ OcbKeyEachBatch batch) {
  DeviceThread thread;
  ocb_key_each<ocb_key_each_policy(kDevicePolicy, Way).tables, Rounds, Way>(
      thread, batch, device_tables::t0.word, device_tables::inverse_t0.word);
}

template <warpaes_direction Way>
constexpr ByRounds<OcbKeyEachBatch> kKernels = {
    {ocb_key_each_kernel<10, Way>, ocb_key_each_kernel<12, Way>, ocb_key_each_kernel<14, Way>}};

}  // namespace

const ByRounds<OcbKeyEachBatch> ocb_key_each_encrypt = kKernels<WARPAES_ENCRYPT>;
const ByRounds<OcbKeyEachBatch> ocb_key_each_decrypt = kKernels<WARPAES_DECRYPT>;

}  // namespace warpaes::kernels
