#include "kernels/bitsliced_xts.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(kDevicePolicy.bitsliced_threads, kDevicePolicy.bitsliced_xts_blocks)
    bitsliced_xts_kernel(const __grid_constant__ SlicedXtsArguments arguments) {
  DeviceThread thread;
  bitsliced_xts<Rounds, Way>(thread, arguments);
}

/// Few blocks, so that registers matter more than how many threads there are.
template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(kDevicePolicy.bitsliced_threads)
    bitsliced_xts_stealing_kernel(const __grid_constant__ SlicedXtsArguments arguments) {
  DeviceThread thread;
  bitsliced_xts_stealing<Rounds, Way>(thread, arguments);
}

template <warpaes_direction Way>
constexpr ByRounds<SlicedXtsArguments> kKernels = {
    {bitsliced_xts_kernel<10, Way>, bitsliced_xts_kernel<12, Way>, bitsliced_xts_kernel<14, Way>}};

template <warpaes_direction Way>
constexpr ByRounds<SlicedXtsArguments> kStealing = {{bitsliced_xts_stealing_kernel<10, Way>,
                                                     bitsliced_xts_stealing_kernel<12, Way>,
                                                     bitsliced_xts_stealing_kernel<14, Way>}};

}  // namespace

CudaError launch_bitsliced_xts(const SlicedXtsArguments& arguments, bool stealing,
                               warpaes_direction direction, int rounds, uint32_t blocks, uint32_t threads,
                               Stream stream) {
  const bool encrypts = direction == WARPAES_ENCRYPT;
  const auto& whole = encrypts ? kKernels<WARPAES_ENCRYPT> : kKernels<WARPAES_DECRYPT>;
  const auto& rest = encrypts ? kStealing<WARPAES_ENCRYPT> : kStealing<WARPAES_DECRYPT>;
  return launch((stealing ? rest : whole)[rounds], arguments, blocks, threads,
                threads / kWarpLanes * static_cast<uint32_t>(sizeof(SlicedXtsScratch)), stream);
}

}  // namespace warpaes::kernels
