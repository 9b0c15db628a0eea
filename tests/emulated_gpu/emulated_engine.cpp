#include "emulated_engine.hpp"

#include "emulated_launches.hpp"
#include "engines/cuda/bitsliced_engine.hpp"
#include "engines/cuda/chained_aead_launches.hpp"
#include "engines/cuda/lane_private_engine.hpp"
#include "engines/cuda/lane_private_runs.hpp"
#include "engines/cuda/message_lane_launches.hpp"
#include "engines/cuda/ocb_launches.hpp"
#include "engines/cuda/s2v_ctr_launches.hpp"
#include "engines/cuda/siv_launches.hpp"

namespace warpaes {
namespace {

template <int Tables>
constexpr Engine emulated_engine(const char* kernel) {
  using Implementation = LanePrivateEngine<EmulatedGpu<Tables>>;
  using Runs = LanePrivateRuns<EmulatedGpu<Tables>>;
  using Sivs = SivLaunches<EmulatedGpu<Tables>>;
  using MessageLanes = MessageLaneLaunches<EmulatedGpu<Tables>>;
  using Ocbs = OcbLaunches<EmulatedGpu<Tables>>;
  using ChainedAeads = ChainedAeadLaunches<EmulatedGpu<Tables>>;
  using S2vCtrs = S2vCtrLaunches<EmulatedGpu<Tables>>;
  return {
      .name = "emulated_gpu",
      .kernel = kernel,
      .description = "the GPU kernels' bodies, run by the CPU",
      .timing = WARPAES_TIMING_LEAKY,
      .memory = Memory::host,
      .available = [](int) { return Availability{true, ""}; },
      .prepare = Implementation::prepare,
      .encrypt_blocks = Implementation::template blocks<WARPAES_ENCRYPT>,
      .decrypt_blocks = Implementation::template blocks<WARPAES_DECRYPT>,
      .counter = Implementation::counter,
      .gcm_workspace_bytes = Implementation::gcm_workspace_bytes,
      .gcm = Implementation::gcm,
      .cipher_batch = MessageLanes::one_key,
      .cipher_key_each = MessageLanes::key_each,
      .gcm_key_each = Implementation::gcm_key_each,
      .gcm_siv = {Sivs::run, Sivs::workspace_bytes, kLongestRagged, Sivs::key_each},
      .ccm = {.run = ChainedAeads::template run<ChainedAead::ccm>,
              .key_each = ChainedAeads::template key_each<ChainedAead::ccm>},
      .eax = {.run = ChainedAeads::template run<ChainedAead::eax>,
              .key_each = ChainedAeads::template key_each<ChainedAead::eax>},
      .ocb3 = {Ocbs::run, Ocbs::workspace_bytes, kOcbLongest, Ocbs::key_each},
      .siv = {.run = S2vCtrs::one_pair, .key_each = S2vCtrs::key_each},
      .cbc_decrypt = Runs::template unchain<Unchaining::cbc>,
      .cfb_decrypt = Runs::template unchain<Unchaining::cfb>,
      .unchain_workspace_bytes = Runs::unchain_workspace_bytes,
      .xts = Runs::xts,
      .xts_batch = MessageLanes::xts,
  };
}

constexpr Engine emulated_bitsliced_engine() {
  using Implementation = BitslicedEngine<EmulatedGpu<4>>;
  return {
      .name = "emulated_gpu",
      .kernel = "bitsliced",
      .description = "the GPU's bitsliced kernels' bodies, run by the CPU",
      .timing = WARPAES_TIMING_STRICT,
      .memory = Memory::host,
      .available = [](int) { return Availability{true, ""}; },
      .prepare = Implementation::prepare,
      .encrypt_blocks = Implementation::blocks<WARPAES_ENCRYPT>,
      .decrypt_blocks = Implementation::blocks<WARPAES_DECRYPT>,
      .counter = Implementation::counter,
      .gcm_workspace_bytes = Implementation::gcm_workspace_bytes,
      .gcm = Implementation::gcm,
      .cbc_decrypt = Implementation::unchain<Unchaining::cbc>,
      .cfb_decrypt = Implementation::unchain<Unchaining::cfb>,
      .unchain_workspace_bytes = Implementation::unchain_workspace_bytes,
      .xts = Implementation::xts,
  };
}

}  // namespace

constinit const Engine emulated_four_tables = emulated_engine<4>("four_tables");
constinit const Engine emulated_two_tables = emulated_engine<2>("two_tables");
constinit const Engine emulated_bitsliced = emulated_bitsliced_engine();

std::span<const Engine* const> emulated_engines() {
  static constexpr const Engine* kEngines[] = {&emulated_four_tables, &emulated_two_tables,
                                               &emulated_bitsliced};
  return kEngines;
}

}  // namespace warpaes
