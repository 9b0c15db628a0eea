#include "kernels/batch_policy.hpp"
#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

template <int Rounds, SmallWork Work>
__global__ void __launch_bounds__(kSmallThreads) small_kernel(const __grid_constant__ SmallMessages batch) {
  DeviceThread thread;
  small_messages<Rounds, Work>(thread, batch, device_tables::t0.word);
}

template <SmallWork Work>
__global__ void __launch_bounds__(kSmallThreads)
    small_end_kernel(const __grid_constant__ SmallMessagesEnd batch) {
  DeviceThread thread;
  small_messages_end<Work>(thread, batch);
}

template <SmallWork Work>
constexpr ByRounds<SmallMessages> kSmall = {
    {small_kernel<10, Work>, small_kernel<12, Work>, small_kernel<14, Work>}};

}  // namespace

CudaError launch_small(const SmallMessages& batch, SmallWork work, int rounds, uint32_t blocks,
                       uint32_t threads, Stream stream) {
  constexpr const ByRounds<SmallMessages>* kByWork[] = {
      &kSmall<SmallWork::counter>, &kSmall<SmallWork::encrypt>, &kSmall<SmallWork::decrypt>};
  return launch((*kByWork[static_cast<int>(work)])[rounds], batch, blocks, threads, kSmallSharedBytes,
                stream);
}

CudaError launch_small_end(const SmallMessagesEnd& batch, SmallWork work, uint32_t threads, Stream stream) {
  const auto kernel = work == SmallWork::encrypt ? small_end_kernel<SmallWork::encrypt>
                                                 : small_end_kernel<SmallWork::decrypt>;
  return launch(kernel, batch, 1, threads, sizeof(SmallScratch), stream);
}

}  // namespace warpaes::kernels
