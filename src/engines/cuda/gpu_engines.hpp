// The rows of the engines that run kernels, as templates over a GPU: CUDA's (cuda_engine.cpp), or the
// emulated one of the tests. A Gpu is a struct with these static functions, which throw Failure:
//
//     kernels::DeviceShape shape(int device);
//     template <class Kernel>
//     void run(Kernel, const kernels::LaunchTarget&, const typename Kernel::Arguments&,
//              const kernels::GridSize&, Stream);
//     void zero(const kernels::LaunchTarget&, void* memory, size_t bytes, Stream);
#pragma once

#include "engines/cuda/bitsliced_batch_launches.hpp"
#include "engines/cuda/bitsliced_engine.hpp"
#include "engines/cuda/ccm_eax_launches.hpp"
#include "engines/cuda/gcm_siv_launches.hpp"
#include "engines/cuda/lane_private_engine.hpp"
#include "engines/cuda/lane_private_runs.hpp"
#include "engines/cuda/message_lane_launches.hpp"
#include "engines/cuda/ocb3_launches.hpp"
#include "engines/cuda/siv_lane_launches.hpp"
#include "engines/cuda/store_launch.hpp"

namespace warpaes::core {

/// The kernels for batches of GCM are made for nonces of the length that the standard recommends.
constexpr size_t kGcmBatchNonce = 12;
/// Kernels count a nonce's bytes by 32 bits.
constexpr size_t kLongestBatchNonce = UINT32_MAX;

template <class Gpu>
constexpr ModeSupports lane_private_modes() {
  using CcmEax = CcmEaxLaunches<Gpu>;
  using GcmSivs = GcmSivLaunches<Gpu>;
  using Lanes = MessageLaneLaunches<Gpu>;
  using Ocb3s = Ocb3Launches<Gpu>;
  using Sivs = SivLaunches<Gpu>;
  ModeSupports all{};
  for (warpaes_mode mode = WARPAES_MODE_ECB; mode <= WARPAES_MODE_KWP; mode++) {
    all[mode] = {.run = Lanes::run, .run_key_each = Lanes::key_each};
  }
  all[WARPAES_MODE_GCM] = all[WARPAES_MODE_GMAC] = {
      .run = LanePrivateEngine<Gpu>::gcm,
      .run_key_each = MessageLaunches<Gpu>::key_each,
      .workspace_bytes = LanePrivateEngine<Gpu>::gcm_workspace_bytes,
      .only_batch_nonce = kGcmBatchNonce,
  };
  all[WARPAES_MODE_GCM_SIV] = {GcmSivs::run, GcmSivs::key_each, GcmSivs::workspace_bytes, kLongestRagged};
  all[WARPAES_MODE_CCM] = {CcmEax::template run<CcmOrEax::ccm>, CcmEax::template key_each<CcmOrEax::ccm>};
  all[WARPAES_MODE_EAX] = {.run = CcmEax::template run<CcmOrEax::eax>,
                           .run_key_each = CcmEax::template key_each<CcmOrEax::eax>,
                           .longest_nonce = kLongestBatchNonce};
  all[WARPAES_MODE_OCB3] = {Ocb3s::run, Ocb3s::key_each, Ocb3s::workspace_bytes, kOcbLongest};
  all[WARPAES_MODE_SIV] = {
      .run = Sivs::key_pair, .run_key_each = Sivs::key_each, .longest_nonce = kLongestBatchNonce};
  return all;
}

template <class Gpu>
constexpr ModeSupports bitsliced_modes() {
  ModeSupports all{};
  for (const warpaes_mode mode :
       {WARPAES_MODE_ECB, WARPAES_MODE_CBC, WARPAES_MODE_CFB, WARPAES_MODE_OFB, WARPAES_MODE_CTR}) {
    all[mode] = {.run = BitslicedBatchLaunches<Gpu>::run, .longest = kLongestInSlicedBatch};
  }
  all[WARPAES_MODE_GCM] = all[WARPAES_MODE_GMAC] = {
      .run = BitslicedEngine<Gpu>::gcm,
      .workspace_bytes = BitslicedEngine<Gpu>::gcm_workspace_bytes,
      .only_batch_nonce = kGcmBatchNonce,
      .takes_arrays = false,
  };
  return all;
}

/// Fills in what the engines have in common. `Implementation` has the functions for blocks, and `Runs` those
/// for one long message whose blocks are independent.
/// @param row says which engine it is, and whether it can run
template <class Gpu, class Implementation, class Runs>
constexpr Engine gpu_engine(Engine row, const ModeSupports& modes) {
  row.prepare = Implementation::prepare;
  row.encrypt_blocks = Implementation::template blocks<WARPAES_DIRECTION_ENCRYPT>;
  row.decrypt_blocks = Implementation::template blocks<WARPAES_DIRECTION_DECRYPT>;
  row.counter = Implementation::counter;
  row.gcm_part_tag = Implementation::gcm_part_tag;
  row.cbc_decrypt = Runs::template unchain<Unchaining::cbc>;
  row.cfb_decrypt = Runs::template unchain<Unchaining::cfb>;
  row.unchain_workspace_bytes = unchain_workspace_for;
  row.xts = Runs::xts;
  row.store = store_parameters_on<Gpu>;
  row.modes = modes;
  return row;
}

/// The engine with T-tables in shared memory, one copy for each lane.
template <class Gpu>
constexpr Engine lane_private_engine(const Engine& row) {
  return gpu_engine<Gpu, LanePrivateEngine<Gpu>, LanePrivateRuns<Gpu>>(row, lane_private_modes<Gpu>());
}

/// The engine with bit planes and logic instructions.
template <class Gpu>
constexpr Engine bitsliced_engine(const Engine& row) {
  return gpu_engine<Gpu, BitslicedEngine<Gpu>, BitslicedEngine<Gpu>>(row, bitsliced_modes<Gpu>());
}

}  // namespace warpaes::core
