// CFB with segments of a whole block, SP 800-38A section 6.3: C_j = P_j XOR E(C_(j-1)), with the
// initialisation vector as C_0. The last segment may be shorter than a block, and then uses only as many
// bytes of the last E as it has.
#include <algorithm>
#include <array>
#include <cstring>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

using Block = std::array<uint8_t, 16>;

void encrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  ChainScratch scratch;
  uint8_t* const stream = scratch.data();
  const uint8_t* previous = run.iv;
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    engine.encrypt_blocks(key, {previous, stream, 16}, nullptr);
    xor_bytes(run.output + at, run.input + at, stream, std::min<uint64_t>(16, run.bytes - at));
    previous = run.output + at;
  }
}

void decrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  ChainScratch scratch;
  uint8_t* const stream = scratch.data();
  Block previous;
  std::memcpy(previous.data(), run.iv, 16);
  for (uint64_t at = 0; at < run.bytes; at += scratch.size()) {
    const uint64_t part = std::min<uint64_t>(scratch.size(), run.bytes - at);
    const uint64_t blocks = (part + 15) / 16;
    const uint8_t* const input = run.input + at;
    std::memcpy(stream, previous.data(), 16);
    std::memcpy(stream + 16, input, 16 * (blocks - 1));
    if (part == scratch.size()) std::memcpy(previous.data(), input + part - 16, 16);
    engine.encrypt_blocks(key, {stream, stream, 16 * blocks}, nullptr);
    xor_bytes(run.output + at, input, stream, part);
  }
}

}  // namespace

void cfb(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
         void* workspace, size_t workspace_bytes, Stream stream) {
  require_valid_message(WARPAES_MODE_CFB, direction, run);
  if (run.bytes == 0) return;
  if (direction == WARPAES_DIRECTION_DECRYPT && engine.cfb_decrypt != nullptr) {
    unchain(engine, engine.cfb_decrypt, key, run, workspace, workspace_bytes, stream);
  } else if (direction == WARPAES_DIRECTION_ENCRYPT && engine.cfb_encrypt != nullptr) {
    engine.cfb_encrypt(key, run, stream);
  } else {
    cfb_composed(engine, key, direction, run);
  }
}

void cfb_composed(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run) {
  require_composable(engine, direction == WARPAES_DIRECTION_ENCRYPT ? "CFB encryption" : "CFB decryption");
  (direction == WARPAES_DIRECTION_ENCRYPT ? encrypt_composed : decrypt_composed)(engine, key, run);
}

}  // namespace warpaes::core
