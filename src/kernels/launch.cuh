// From a table of kernels, one a key size, to a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>

#include "kernels/kernels.hpp"

namespace warpaes::kernels {

/// One kernel in its three key sizes, by rounds.
template <class Arguments>
struct ByRounds {
  void (*kernel[3])(Arguments);

  void (*operator[](int rounds) const)(Arguments) { return kernel[(rounds - 10) / 2]; }
};

extern std::atomic<uint64_t> launch_count;

template <class Arguments>
CudaError launch(void (*kernel)(Arguments), const Arguments& arguments, uint32_t blocks, uint32_t threads,
                 uint32_t shared, Stream stream) {
  launch_count.fetch_add(1, std::memory_order_relaxed);
  void* parameters[] = {const_cast<Arguments*>(&arguments)};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), parameters,
                          shared, stream);
}

template <class Arguments>
CudaError allow_shared_memory(const ByRounds<Arguments>& kernels, uint32_t bytes) {
  for (auto kernel : kernels.kernel) {
    const cudaError_t error =
        cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

CudaError prepare_one_key_batches(const LaunchPolicy& policy);
CudaError prepare_key_each_batches(const LaunchPolicy& policy);

CudaError prepare_message_lanes(const LaunchPolicy& policy);
CudaError prepare_chained_aead(const LaunchPolicy& policy);
CudaError prepare_s2v_ctr(const LaunchPolicy& policy);
CudaError prepare_siv(const LaunchPolicy& policy);
CudaError prepare_ocb(const LaunchPolicy& policy);

// One table a .cu file, so that they compile side by side.
extern const ByRounds<CodebookArguments> codebook_encrypt, codebook_decrypt;
extern const ByRounds<SlicedCodebookArguments> bitsliced_codebook_encrypt, bitsliced_codebook_decrypt;
extern const ByRounds<SlicedUnchainArguments> bitsliced_cbc_decrypt, bitsliced_cfb_decrypt;
extern const ByRounds<S2vCtrArguments> s2v_ctr_encrypt, s2v_ctr_decrypt, s2v_ctr_key_each_encrypt,
    s2v_ctr_key_each_decrypt;
extern const ByRounds<SivBatch> siv_batch_encrypt, siv_batch_decrypt;
extern const ByRounds<KeyEachBatch> siv_key_each_encrypt, siv_key_each_decrypt;
extern const ByRounds<SivLongArguments> siv_hash, siv_crypt, siv_open;
extern const ByRounds<OcbBatch> ocb_batch_encrypt, ocb_batch_decrypt;
extern const ByRounds<OcbKeyEachBatch> ocb_key_each_encrypt, ocb_key_each_decrypt;
extern const ByRounds<OcbLongArguments> ocb_long_encrypt, ocb_long_decrypt;
extern const ByRounds<UnchainArguments> cbc_decrypt, cfb_decrypt;
extern const ByRounds<XtsArguments> xts_encrypt, xts_decrypt;
extern const ByRounds<CounterArguments> counter;
extern const ByRounds<GcmArguments> gcm_encrypt, gcm_decrypt;
extern const ByRounds<SlicedCounterArguments> bitsliced_counter, counter_beside;
extern const ByRounds<SlicedGcmArguments> bitsliced_gcm_encrypt, bitsliced_gcm_decrypt, gcm_beside_encrypt,
    gcm_beside_decrypt;

/// Of chained_aead, with one key and with a key each.
namespace chained_one_key {
extern const ByRounds<ChainedAeadArguments> ccm_encrypt, ccm_decrypt, eax_encrypt, eax_decrypt;
}
namespace chained_key_each {
extern const ByRounds<ChainedAeadArguments> ccm_encrypt, ccm_decrypt, eax_encrypt, eax_decrypt;
}

/// Of message_lanes, with one key and with a key each.
namespace lanes {
extern const ByRounds<LaneArguments> ecb_encrypt, ecb_decrypt, cbc_encrypt, cbc_decrypt, cfb_encrypt,
    cfb_decrypt, ofb, ctr, cmac, xts_encrypt, xts_decrypt, wrap, unwrap, ending_encrypt, ending_decrypt,
    segments;
}
namespace lanes_key_each {
extern const ByRounds<LaneArguments> ecb_encrypt, ecb_decrypt, cbc_encrypt, cbc_decrypt, cfb_encrypt,
    cfb_decrypt, ofb, ctr, cmac, xts_encrypt, xts_decrypt, wrap, unwrap, ending_encrypt, ending_decrypt,
    segments;
}

}  // namespace warpaes::kernels
