#include "kernels/device_thread.cuh"
#include "kernels/electronic_codebook.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, warpaes_direction Way>
__global__ void __launch_bounds__(kDevicePolicy.codebook_threads, 1)
    codebook_kernel(const __grid_constant__ CodebookArguments arguments) {
  DeviceThread thread;
  const uint32_t* t0 = Way == WARPAES_ENCRYPT ? device_tables::t0.word : device_tables::inverse_t0.word;
  electronic_codebook<kDevicePolicy.tables, Rounds, Way>(thread, arguments, t0);
}

}  // namespace

const ByRounds<CodebookArguments> codebook_encrypt = {{codebook_kernel<10, WARPAES_ENCRYPT>,
                                                       codebook_kernel<12, WARPAES_ENCRYPT>,
                                                       codebook_kernel<14, WARPAES_ENCRYPT>}};
const ByRounds<CodebookArguments> codebook_decrypt = {{codebook_kernel<10, WARPAES_DECRYPT>,
                                                       codebook_kernel<12, WARPAES_DECRYPT>,
                                                       codebook_kernel<14, WARPAES_DECRYPT>}};

}  // namespace warpaes::kernels
