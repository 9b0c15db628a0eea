#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

constexpr BatchPolicy kDeviceBatch = key_each_policy(kDevicePolicy);

template <int Rounds, Ciphertext Side>
__global__ void __launch_bounds__(kDeviceBatch.threads, 1)
    siv_batch_kernel(const __grid_constant__ SivBatch batch) {
  DeviceThread thread;
  siv_batch<kDeviceBatch.tables, Rounds, Side>(thread, batch, device_tables::t0.word);
}

/// RFC 8452 has no keys of 192 bits: what stands in their place is not called.
template <Ciphertext Side>
constexpr ByRounds<SivBatch> kKernels = {
    {siv_batch_kernel<10, Side>, siv_batch_kernel<14, Side>, siv_batch_kernel<14, Side>}};

}  // namespace

const ByRounds<SivBatch> siv_batch_encrypt = kKernels<Ciphertext::output>;
const ByRounds<SivBatch> siv_batch_decrypt = kKernels<Ciphertext::input>;

}  // namespace warpaes::kernels
