#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"
#include "kernels/unchained_modes.hpp"

namespace warpaes::kernels {
namespace {

template <int Rounds, Unchaining Mode>
__global__ void __launch_bounds__(kDevicePolicy.codebook_threads, 1)
    unchain_kernel(const __grid_constant__ UnchainArguments arguments) {
  DeviceThread thread;
  const uint32_t* t0 = Mode == Unchaining::cbc ? device_tables::inverse_t0.word : device_tables::t0.word;
  unchained_modes<kDevicePolicy.tables, Rounds, Mode, held_blocks(Mode)>(thread, arguments, t0);
}

__global__ void save_kernel(SaveArguments arguments) {
  DeviceThread thread;
  save_blocks_before_runs(thread, arguments);
}

}  // namespace

const ByRounds<UnchainArguments> cbc_decrypt = {{unchain_kernel<10, Unchaining::cbc>,
                                                 unchain_kernel<12, Unchaining::cbc>,
                                                 unchain_kernel<14, Unchaining::cbc>}};
const ByRounds<UnchainArguments> cfb_decrypt = {{unchain_kernel<10, Unchaining::cfb>,
                                                 unchain_kernel<12, Unchaining::cfb>,
                                                 unchain_kernel<14, Unchaining::cfb>}};

CudaError launch_save(const SaveArguments& arguments, const LaunchPolicy& policy, Stream stream) {
  const uint32_t threads = static_cast<uint32_t>(policy.codebook_threads);
  return launch(save_kernel, arguments, (arguments.runs - 1) / threads + 1, threads, 0, stream);
}

}  // namespace warpaes::kernels
