#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(ocb_policy(kDevicePolicy, Way).threads, 1)
    ocb_batch_kernel(const __grid_constant__ OcbBatch batch) {
  DeviceThread thread;
  ocb_batch<ocb_policy(kDevicePolicy, Way).tables, Rounds, Way>(thread, batch, device_tables::t0.word,
                                                                device_tables::inverse_t0.word);
}

template <warpaes_direction Way>
constexpr ByRounds<OcbBatch> kKernels = {
    {ocb_batch_kernel<10, Way>, ocb_batch_kernel<12, Way>, ocb_batch_kernel<14, Way>}};

}  // namespace

const ByRounds<OcbBatch> ocb_batch_encrypt = kKernels<WARPAES_ENCRYPT>;
const ByRounds<OcbBatch> ocb_batch_decrypt = kKernels<WARPAES_DECRYPT>;

}  // namespace warpaes::kernels
