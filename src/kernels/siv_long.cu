#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, SivWork Work>
__global__ void __launch_bounds__(siv_long_policy(kDevicePolicy).threads, 1)
    siv_long_kernel(const __grid_constant__ SivLongArguments arguments) {
  DeviceThread thread;
  siv_long<kDevicePolicy.tables, Rounds, Work>(thread, arguments, device_tables::t0.word);
}

/// RFC 8452 has no keys of 192 bits: what stands in their place is not called.
template <SivWork Work>
constexpr ByRounds<SivLongArguments> kKernels = {
    {siv_long_kernel<10, Work>, siv_long_kernel<14, Work>, siv_long_kernel<14, Work>}};

}  // namespace

const ByRounds<SivLongArguments> siv_hash = kKernels<SivWork::hash>;
const ByRounds<SivLongArguments> siv_crypt = kKernels<SivWork::crypt>;
const ByRounds<SivLongArguments> siv_open = kKernels<SivWork::open>;

}  // namespace warpaes::kernels
