#include "kernels/chained_modes.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, Chaining Mode>
__global__ void __launch_bounds__(kDevicePolicy.codebook_threads, 1)
    chained_kernel(const __grid_constant__ ChainedArguments arguments) {
  DeviceThread thread;
  chained_modes<kDevicePolicy.tables, Rounds, Mode>(thread, arguments, device_tables::t0.word);
}

template <Chaining Mode>
constexpr ByRounds<ChainedArguments> chained_kernels() {
  return {{chained_kernel<10, Mode>, chained_kernel<12, Mode>, chained_kernel<14, Mode>}};
}

}  // namespace

const ByRounds<ChainedArguments> cbc_encrypt = chained_kernels<Chaining::cbc_encrypt>();
const ByRounds<ChainedArguments> cfb_encrypt = chained_kernels<Chaining::cfb_encrypt>();
const ByRounds<ChainedArguments> ofb = chained_kernels<Chaining::ofb>();
const ByRounds<ChainedArguments> cmac = chained_kernels<Chaining::cmac>();

}  // namespace warpaes::kernels
