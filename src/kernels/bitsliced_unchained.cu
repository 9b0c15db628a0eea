#include "kernels/bitsliced_unchained.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, Unchaining Mode>
__global__ void __launch_bounds__(kDevicePolicy.bitsliced_threads, kDevicePolicy.bitsliced_blocks)
    bitsliced_unchain_kernel(const __grid_constant__ SlicedUnchainArguments arguments) {
  DeviceThread thread;
  bitsliced_unchained<Rounds, Mode>(thread, arguments);
}

template <Unchaining Mode>
constexpr ByRounds<SlicedUnchainArguments> bitsliced_unchain_kernels() {
  return {{bitsliced_unchain_kernel<10, Mode>, bitsliced_unchain_kernel<12, Mode>,
           bitsliced_unchain_kernel<14, Mode>}};
}

}  // namespace

const ByRounds<SlicedUnchainArguments> bitsliced_cbc_decrypt = bitsliced_unchain_kernels<Unchaining::cbc>();
const ByRounds<SlicedUnchainArguments> bitsliced_cfb_decrypt = bitsliced_unchain_kernels<Unchaining::cfb>();

}  // namespace warpaes::kernels
