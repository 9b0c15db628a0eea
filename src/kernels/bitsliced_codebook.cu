#include "kernels/bitsliced_codebook.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(kDevicePolicy.bitsliced_threads, kDevicePolicy.bitsliced_blocks)
    bitsliced_codebook_kernel(const __grid_constant__ SlicedCodebookArguments arguments) {
  DeviceThread thread;
  bitsliced_codebook<Rounds, Way>(thread, arguments);
}

template <warpaes_direction Way>
constexpr ByRounds<SlicedCodebookArguments> bitsliced_codebook_kernels() {
  return {{bitsliced_codebook_kernel<10, Way>, bitsliced_codebook_kernel<12, Way>,
           bitsliced_codebook_kernel<14, Way>}};
}

}  // namespace

const ByRounds<SlicedCodebookArguments> bitsliced_codebook_encrypt =
    bitsliced_codebook_kernels<WARPAES_ENCRYPT>();
const ByRounds<SlicedCodebookArguments> bitsliced_codebook_decrypt =
    bitsliced_codebook_kernels<WARPAES_DECRYPT>();

}  // namespace warpaes::kernels
