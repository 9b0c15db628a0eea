// OFB, SP 800-38A section 6.4: O_j = E(O_(j-1)), with the initialisation vector as O_0; C_j = P_j XOR O_j.
#include <algorithm>
#include <cstring>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {

void ofb(const Engine& engine, const EngineKey& key, const ChainRun& run, Stream stream) {
  require_valid_message(WARPAES_MODE_OFB, WARPAES_DIRECTION_ENCRYPT, run);
  if (run.bytes == 0) return;
  if (engine.ofb != nullptr) {
    engine.ofb(key, run, stream);
  } else {
    ofb_composed(engine, key, run);
  }
}

void ofb_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  require_composable(engine, "OFB");
  ChainScratch scratch;
  uint8_t* const block = scratch.data();
  std::memcpy(block, run.iv, 16);
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    engine.encrypt_blocks(key, {block, block, 16}, nullptr);
    xor_bytes(run.output + at, run.input + at, block, std::min<uint64_t>(16, run.bytes - at));
  }
}

}  // namespace warpaes::core
