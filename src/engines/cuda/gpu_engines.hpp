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

/// The part of an engine's row that says which engine it is.
struct EngineIdentity {
  const char* name;
  const char* kernel;
  const char* description;
  TimingClass timing;
  Memory memory;
  Availability (*available)(int device);
};

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
template <class Gpu, class Implementation, class Runs>
constexpr Engine gpu_engine(const EngineIdentity& identity, const ModeSupports& modes) {
  return {
      .name = identity.name,
      .kernel = identity.kernel,
      .description = identity.description,
      .timing = identity.timing,
      .memory = identity.memory,
      .available = identity.available,
      .prepare = Implementation::prepare,
      .encrypt_blocks = Implementation::template blocks<WARPAES_DIRECTION_ENCRYPT>,
      .decrypt_blocks = Implementation::template blocks<WARPAES_DIRECTION_DECRYPT>,
      .counter = Implementation::counter,
      .gcm_part_tag = Implementation::gcm_part_tag,
      .cbc_decrypt = Runs::template unchain<Unchaining::cbc>,
      .cfb_decrypt = Runs::template unchain<Unchaining::cfb>,
      .unchain_workspace_bytes = unchain_workspace_for,
      .xts = Runs::xts,
      .store = store_parameters_on<Gpu>,
      .modes = modes,
  };
}

/// The engine with T-tables in shared memory, one copy for each lane.
template <class Gpu>
constexpr Engine lane_private_engine(const EngineIdentity& identity) {
  return gpu_engine<Gpu, LanePrivateEngine<Gpu>, LanePrivateRuns<Gpu>>(identity, lane_private_modes<Gpu>());
}

/// The engine with bit planes and logic instructions.
template <class Gpu>
constexpr Engine bitsliced_engine(const EngineIdentity& identity) {
  return gpu_engine<Gpu, BitslicedEngine<Gpu>, BitslicedEngine<Gpu>>(identity, bitsliced_modes<Gpu>());
}

}  // namespace warpaes::core
