// The rows of the engines that run kernels, for any GPU: CUDA's (cuda_engine.cpp), or the emulated one of the
// tests. A Gpu is a struct of static functions, which throw Failure:
//
//     kernels::DeviceShape shape(int device);
//     template <class Kernel>
//     void run(Kernel, const kernels::LaunchTarget&, const typename Kernel::Arguments&,
//              const kernels::GridSize&, Stream);
//     void zero(const kernels::LaunchTarget&, void* memory, size_t bytes, Stream);
#pragma once

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

/// Who an engine is: its row but for what it can do.
struct EngineIdentity {
  const char* name;
  const char* kernel;
  const char* description;
  TimingClass timing;
  Memory memory;
  Availability (*available)(int device);
};

/// T-tables in shared memory, one copy for each lane.
template <class Gpu>
constexpr Engine lane_private_engine(const EngineIdentity& identity) {
  using Implementation = LanePrivateEngine<Gpu>;
  using Runs = LanePrivateRuns<Gpu>;
  using GcmSivs = GcmSivLaunches<Gpu>;
  using MessageLanes = MessageLaneLaunches<Gpu>;
  using Ocb3s = Ocb3Launches<Gpu>;
  using CcmEax = CcmEaxLaunches<Gpu>;
  using Sivs = SivLaunches<Gpu>;
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
      .gcm_workspace_bytes = Implementation::gcm_workspace_bytes,
      .gcm = Implementation::gcm,
      .cipher_batch = MessageLanes::one_key,
      .cipher_key_each = MessageLanes::key_each,
      .gcm_key_each = Implementation::gcm_key_each,
      .gcm_siv = {GcmSivs::run, GcmSivs::workspace_bytes, kLongestRagged, GcmSivs::key_each},
      .ccm = {.run = CcmEax::template run<CcmOrEax::ccm>,
              .key_each = CcmEax::template key_each<CcmOrEax::ccm>},
      .eax = {.run = CcmEax::template run<CcmOrEax::eax>,
              .key_each = CcmEax::template key_each<CcmOrEax::eax>},
      .ocb3 = {Ocb3s::run, Ocb3s::workspace_bytes, kOcbLongest, Ocb3s::key_each},
      .siv = {.run = Sivs::key_pair, .key_each = Sivs::key_each},
      .cbc_decrypt = Runs::template unchain<Unchaining::cbc>,
      .cfb_decrypt = Runs::template unchain<Unchaining::cfb>,
      .unchain_workspace_bytes = Runs::unchain_workspace_bytes,
      .xts = Runs::xts,
      .xts_batch = MessageLanes::xts,
      .store = store_parameters_on<Gpu>,
  };
}

/// Bit planes and logic instructions.
template <class Gpu>
constexpr Engine bitsliced_engine(const EngineIdentity& identity) {
  using Implementation = BitslicedEngine<Gpu>;
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
      .gcm_workspace_bytes = Implementation::gcm_workspace_bytes,
      .gcm = Implementation::gcm,
      .gcm_takes_arrays = false,
      .cbc_decrypt = Implementation::template unchain<Unchaining::cbc>,
      .cfb_decrypt = Implementation::template unchain<Unchaining::cfb>,
      .unchain_workspace_bytes = Implementation::unchain_workspace_bytes,
      .xts = Implementation::xts,
      .store = store_parameters_on<Gpu>,
  };
}

}  // namespace warpaes::core
