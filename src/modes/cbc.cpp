// CBC, SP 800-38A section 6.2: C_j = E(P_j XOR C_(j-1)), with the initialisation vector as C_0.
#include <algorithm>
#include <array>
#include <cstring>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

using Block = std::array<uint8_t, 16>;

void encrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  const uint8_t* previous = run.iv;
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    xor_bytes(run.output + at, run.input + at, previous, 16);
    engine.encrypt_blocks(key, {run.output + at, run.output + at, 16}, nullptr);
    previous = run.output + at;
  }
}

/// In place, each ciphertext is needed once more after it has been overwritten. So decryption goes to scratch
/// memory first, piece by piece, and keeps the last block of each piece for the next.
void decrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  ChainScratch decrypted;
  Block previous, last;
  std::memcpy(previous.data(), run.iv, 16);
  for (uint64_t at = 0; at < run.bytes; at += decrypted.size()) {
    const uint64_t part = std::min<uint64_t>(decrypted.size(), run.bytes - at);
    const uint8_t* const input = run.input + at;
    uint8_t* const text = decrypted.data();
    engine.decrypt_blocks(key, {input, text, part}, nullptr);
    xor_bytes(text, text, previous.data(), 16);
    xor_bytes(text + 16, text + 16, input, part - 16);
    std::memcpy(last.data(), input + part - 16, 16);
    std::memcpy(run.output + at, text, part);
    previous = last;
  }
}

}  // namespace

void cbc(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
         void* workspace, size_t workspace_bytes, Stream stream) {
  require_valid_message(WARPAES_MODE_CBC, direction, run);
  if (run.bytes == 0) return;
  if (direction == WARPAES_DIRECTION_DECRYPT && engine.cbc_decrypt != nullptr) {
    unchain(engine, engine.cbc_decrypt, key, run, workspace, workspace_bytes, stream);
  } else if (direction == WARPAES_DIRECTION_ENCRYPT && engine.cbc_encrypt != nullptr) {
    engine.cbc_encrypt(key, run, stream);
  } else {
    cbc_composed(engine, key, direction, run);
  }
}

void cbc_composed(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run) {
  require_composable(engine, direction == WARPAES_DIRECTION_ENCRYPT ? "CBC encryption" : "CBC decryption");
  (direction == WARPAES_DIRECTION_ENCRYPT ? encrypt_composed : decrypt_composed)(engine, key, run);
}

}  // namespace warpaes::core
