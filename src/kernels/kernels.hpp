// The production kernels as functions of the host: one launcher a kernel. All are asynchronous, need no
// allocation, and return what the launch returned.
#pragma once

#include "kernels/bitsliced_codebook.hpp"
#include "kernels/bitsliced_counter.hpp"
#include "kernels/bitsliced_unchained.hpp"
#include "kernels/bitsliced_xts.hpp"
#include "kernels/chained_aead.hpp"
#include "kernels/electronic_codebook.hpp"
#include "kernels/ending_lanes.hpp"
#include "kernels/message_batch.hpp"
#include "kernels/message_lanes.hpp"
#include "kernels/ocb_batch.hpp"
#include "kernels/ocb_key_each.hpp"
#include "kernels/ocb_long.hpp"
#include "kernels/s2v_ctr.hpp"
#include "kernels/segment_lanes.hpp"
#include "kernels/siv_batch.hpp"
#include "kernels/siv_long.hpp"
#include "kernels/small_message.hpp"
#include "kernels/unchained_modes.hpp"
#include "kernels/wipe_failed_messages.hpp"
#include "kernels/wrap_lanes.hpp"
#include "kernels/xts_lanes.hpp"
#include "kernels/xts_mode.hpp"

struct CUstream_st;

namespace warpaes::kernels {

using Stream = CUstream_st*;

/// Code of CUDA's cudaError_t; 0 is success.
using CudaError = int;

/// What a device's code was built for, and how the kernels are launched there.
struct DeviceShape {
  int capability;       // of the code that the driver chose or compiled for the device, 10 * major + minor
  int multiprocessors;  // blocks that run at the same time
  LaunchPolicy policy;
};

/// Asks the current device, and lets the kernels have the shared memory they need. Once a device,
/// before the first launch.
CudaError prepare_device(DeviceShape& shape);

CudaError launch_codebook(const CodebookArguments& arguments, warpaes_direction direction, int rounds,
                          uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_bitsliced_codebook(const SlicedCodebookArguments& arguments, warpaes_direction direction,
                                    int rounds, uint32_t blocks, uint32_t threads, Stream stream);
/// Who computes CTR and GCM of a message that many warps share.
enum class CounterKernel { tables, both, bitsliced };

/// The warps of a block of such a kernel.
struct CounterWarps {
  int tables, sliced;
  int sliced_permille;       // of a message's groups
  uint32_t blocks_a_thread;  // of a group, for those with tables
};

inline CounterWarps counter_warps(const LaunchPolicy& policy, CounterKernel kernel, bool hashed) {
  const int lanes = static_cast<int>(kWarpLanes);
  if (kernel == CounterKernel::tables) return {policy.counter_threads / lanes, 0, 0, kBlocksAlone};
  if (kernel == CounterKernel::bitsliced) return {0, policy.sliced_counter_threads / lanes, 1000, 0};
  const BesideTables& beside = hashed ? policy.gcm_beside : policy.ctr_beside;
  return {beside.table_warps, beside.threads / lanes - beside.table_warps, beside.sliced_permille,
          kBlocksBeside};
}

CudaError launch_counter(const SlicedCounterArguments& arguments, CounterKernel kernel, int rounds,
                         uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_gcm(const SlicedGcmArguments& arguments, CounterKernel kernel, warpaes_direction direction,
                     int rounds, uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_unchain(const UnchainArguments& arguments, Unchaining mode, int rounds, uint32_t blocks,
                         const LaunchPolicy& policy, Stream stream);
CudaError launch_bitsliced_unchain(const SlicedUnchainArguments& arguments, Unchaining mode, int rounds,
                                   uint32_t blocks, uint32_t threads, Stream stream);
/// @param stealing the other of the two launches, see bitsliced_xts.hpp
CudaError launch_bitsliced_xts(const SlicedXtsArguments& arguments, bool stealing,
                               warpaes_direction direction, int rounds, uint32_t blocks, uint32_t threads,
                               Stream stream);
CudaError launch_save(const SaveArguments& arguments, const LaunchPolicy& policy, Stream stream);
CudaError launch_xts(const XtsArguments& arguments, warpaes_direction direction, int rounds, uint32_t blocks,
                     const LaunchPolicy& policy, Stream stream);
CudaError launch_wipe(const WipeArguments& arguments, uint32_t blocks, const LaunchPolicy& policy,
                      Stream stream);

/// Shared memory for the kernels below, as prepare_device() does for those above.
CudaError prepare_message_kernels(const LaunchPolicy& policy);
CudaError launch_batch(const OneKeyBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                       const LaunchPolicy& policy, Stream stream);
CudaError launch_batch(const KeyEachBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                       const LaunchPolicy& policy, Stream stream);
/// @param mode with a key each not CBC-MAC
CudaError launch_message_lanes(const LaneArguments& arguments, CipherMode mode, LaneKeys keys, int rounds,
                               uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_chained_aead(const ChainedAeadArguments& arguments, ChainedAead mode, LaneKeys keys,
                              warpaes_direction direction, int rounds, uint32_t blocks,
                              const LaunchPolicy& policy, Stream stream);
CudaError launch_s2v_ctr(const S2vCtrArguments& arguments, LaneKeys keys, warpaes_direction direction,
                         int rounds, uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_siv_batch(const SivBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                           const LaunchPolicy& policy, Stream stream);
CudaError launch_siv_key_each(const KeyEachBatch& batch, warpaes_direction direction, int rounds,
                              uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_siv_long(const SivLongArguments& arguments, SivWork work, int rounds, uint32_t blocks,
                          const LaunchPolicy& policy, Stream stream);
CudaError launch_ocb_batch(const OcbBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                           const LaunchPolicy& policy, Stream stream);
CudaError launch_ocb_key_each(const OcbKeyEachBatch& batch, warpaes_direction direction, int rounds,
                              uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_ocb_long(const OcbLongArguments& arguments, warpaes_direction direction, int rounds,
                          uint32_t blocks, const LaunchPolicy& policy, Stream stream);
CudaError launch_small(const SmallMessages& batch, SmallWork work, int rounds, uint32_t blocks,
                       uint32_t threads, Stream stream);
CudaError launch_small_end(const SmallMessagesEnd& batch, SmallWork work, uint32_t threads, Stream stream);

/// How often each was launched by this process, so that a test can tell that the GPU did the work.
uint64_t launches();

}  // namespace warpaes::kernels
