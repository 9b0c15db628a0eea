#include "kernels/device_thread.cuh"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

std::atomic<uint64_t> launch_count{0};

namespace {

__global__ void wipe_kernel(WipeArguments arguments) {
  DeviceThread thread;
  wipe_failed_messages(thread, arguments);
}

/// Shared memory of a kernel with these warps: tables first, then the sliced warps' scratch.
uint32_t shared_bytes(const LaunchPolicy& policy, const CounterWarps& warps) {
  return (warps.tables == 0 ? 0 : shared_bytes(policy)) +
         static_cast<uint32_t>(warps.sliced) * static_cast<uint32_t>(sizeof(SlicedScratch));
}

template <class Arguments>
CudaError launch_counter(const ByRounds<Arguments>& kernels, const Arguments& arguments, int rounds,
                         uint32_t blocks, const LaunchPolicy& policy, const CounterWarps& warps,
                         Stream stream) {
  return launch(kernels[rounds], arguments, blocks,
                static_cast<uint32_t>(warps.tables + warps.sliced) * kWarpLanes, shared_bytes(policy, warps),
                stream);
}

CudaError allow_shared_memory_for_planes(const LaunchPolicy& policy) {
  const auto bytes = [&policy](CounterKernel kernel, bool hashed) {
    return shared_bytes(policy, counter_warps(policy, kernel, hashed));
  };
  CudaError result = allow_shared_memory(bitsliced_counter, bytes(CounterKernel::bitsliced, false));
  for (const auto* kernels : {&bitsliced_gcm_encrypt, &bitsliced_gcm_decrypt}) {
    if (result == cudaSuccess) {
      result = allow_shared_memory(*kernels, bytes(CounterKernel::bitsliced, true));
    }
  }
  if (result != cudaSuccess || policy.gcm_beside.threads == 0) return result;
  result = allow_shared_memory(counter_beside, bytes(CounterKernel::both, false));
  for (const auto* kernels : {&gcm_beside_encrypt, &gcm_beside_decrypt}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, bytes(CounterKernel::both, true));
  }
  return result;
}

}  // namespace

uint64_t launches() { return launch_count.load(std::memory_order_relaxed); }

CudaError prepare_device(DeviceShape& shape) {
  int device = 0;
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&shape.multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  // A kernel compiled from PTX has the policy of the PTX's architecture, not of the device's.
  if (error == cudaSuccess)
    error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(counter[10]));
  if (error != cudaSuccess) return error;
  shape.capability = attributes.ptxVersion;
  shape.policy = launch_policy(shape.capability);
  const uint32_t bytes = shared_bytes(shape.policy);
  CudaError result = allow_shared_memory(codebook_encrypt, bytes);
  if (result == cudaSuccess) result = allow_shared_memory(codebook_decrypt, bytes);
  if (result == cudaSuccess) result = allow_shared_memory(counter, bytes);
  if (result == cudaSuccess) result = allow_shared_memory_for_planes(shape.policy);
  if (result == cudaSuccess) result = allow_shared_memory(gcm_encrypt, bytes);
  if (result == cudaSuccess) result = allow_shared_memory(gcm_decrypt, bytes);
  for (const auto* kernels : {&cbc_decrypt, &cfb_decrypt}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, bytes);
  }
  if (result == cudaSuccess) result = allow_shared_memory(xts_encrypt, bytes);
  if (result == cudaSuccess) result = allow_shared_memory(xts_decrypt, shared_bytes_beside_one(shape.policy));
  if (result == cudaSuccess) result = prepare_message_kernels(shape.policy);
  return result;
}

CudaError prepare_message_kernels(const LaunchPolicy& policy) {
  CudaError result = prepare_one_key_batches(policy);
  if (result == cudaSuccess) result = prepare_key_each_batches(policy);
  if (result == cudaSuccess) result = prepare_message_lanes(policy);
  if (result == cudaSuccess) result = prepare_chained_aead(policy);
  if (result == cudaSuccess) result = prepare_s2v_ctr(policy);
  if (result == cudaSuccess) result = prepare_siv(policy);
  return result == cudaSuccess ? prepare_ocb(policy) : result;
}

CudaError launch_codebook(const CodebookArguments& arguments, warpaes_direction direction, int rounds,
                          uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const auto& kernels = direction == WARPAES_ENCRYPT ? codebook_encrypt : codebook_decrypt;
  return launch(kernels[rounds], arguments, blocks, policy.codebook_threads, shared_bytes(policy), stream);
}

CudaError launch_bitsliced_codebook(const SlicedCodebookArguments& arguments, warpaes_direction direction,
                                    int rounds, uint32_t blocks, uint32_t threads, Stream stream) {
  const auto& kernels =
      direction == WARPAES_ENCRYPT ? bitsliced_codebook_encrypt : bitsliced_codebook_decrypt;
  return launch(kernels[rounds], arguments, blocks, threads, 0, stream);
}

CudaError launch_counter(const SlicedCounterArguments& arguments, CounterKernel kernel, int rounds,
                         uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const CounterWarps warps = counter_warps(policy, kernel, false);
  if (kernel == CounterKernel::tables) {
    return launch_counter<CounterArguments>(counter, arguments, rounds, blocks, policy, warps, stream);
  }
  const auto& kernels = kernel == CounterKernel::both ? counter_beside : bitsliced_counter;
  return launch_counter(kernels, arguments, rounds, blocks, policy, warps, stream);
}

CudaError launch_gcm(const SlicedGcmArguments& arguments, CounterKernel kernel, warpaes_direction direction,
                     int rounds, uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const CounterWarps warps = counter_warps(policy, kernel, true);
  const bool encrypt = direction == WARPAES_ENCRYPT;
  if (kernel == CounterKernel::tables) {
    return launch_counter<GcmArguments>(encrypt ? gcm_encrypt : gcm_decrypt, arguments, rounds, blocks,
                                        policy, warps, stream);
  }
  if (kernel == CounterKernel::both) {
    return launch_counter(encrypt ? gcm_beside_encrypt : gcm_beside_decrypt, arguments, rounds, blocks,
                          policy, warps, stream);
  }
  return launch_counter(encrypt ? bitsliced_gcm_encrypt : bitsliced_gcm_decrypt, arguments, rounds, blocks,
                        policy, warps, stream);
}

CudaError launch_unchain(const UnchainArguments& arguments, Unchaining mode, int rounds, uint32_t blocks,
                         const LaunchPolicy& policy, Stream stream) {
  const auto& kernels = mode == Unchaining::cbc ? cbc_decrypt : cfb_decrypt;
  return launch(kernels[rounds], arguments, blocks, static_cast<uint32_t>(policy.codebook_threads),
                shared_bytes(policy), stream);
}

CudaError launch_bitsliced_unchain(const SlicedUnchainArguments& arguments, Unchaining mode, int rounds,
                                   uint32_t blocks, uint32_t threads, Stream stream) {
  const auto& kernels = mode == Unchaining::cbc ? bitsliced_cbc_decrypt : bitsliced_cfb_decrypt;
  return launch(kernels[rounds], arguments, blocks, threads, 0, stream);
}

CudaError launch_xts(const XtsArguments& arguments, warpaes_direction direction, int rounds, uint32_t blocks,
                     const LaunchPolicy& policy, Stream stream) {
  const auto& kernels = direction == WARPAES_ENCRYPT ? xts_encrypt : xts_decrypt;
  const uint32_t shared =
      direction == WARPAES_ENCRYPT ? shared_bytes(policy) : shared_bytes_beside_one(policy);
  return launch(kernels[rounds], arguments, blocks, static_cast<uint32_t>(policy.xts_threads), shared,
                stream);
}

CudaError launch_wipe(const WipeArguments& arguments, uint32_t blocks, const LaunchPolicy& policy,
                      Stream stream) {
  return launch(wipe_kernel, arguments, blocks, policy.codebook_threads, 0, stream);
}

}  // namespace warpaes::kernels
