// What several modes have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "engines/engine.hpp"
#include "primitives/counter_block.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core {

/// How many blocks are done at once where they do not wait for each other: enough to keep an engine's
/// pipeline busy, and few enough for the first-level cache.
constexpr uint64_t kChainBlocksAtOnce = 256;

/// Scratch memory that holds plaintext or key stream.
using ChainScratch = Wiped<std::array<uint8_t, 16 * kChainBlocksAtOnce>>;

/// output = a XOR b; output may be either.
inline void xor_bytes(uint8_t* output, const uint8_t* a, const uint8_t* b, uint64_t bytes) {
  uint64_t at = 0;
  for (; at + 8 <= bytes; at += 8) {
    uint64_t x = 0, y = 0;
    std::memcpy(&x, a + at, 8);
    std::memcpy(&y, b + at, 8);
    x ^= y;
    std::memcpy(output + at, &x, 8);
  }
  for (; at < bytes; at++) output[at] = static_cast<uint8_t>(a[at] ^ b[at]);
}

/// sum = sum XOR with.
inline void xor_block(MacBlock& sum, const MacBlock& with) {
  xor_bytes(sum.data(), sum.data(), with.data(), sum.size());
}

/// What CBC and CFB carry from part to part of a message: the last 16 bytes of what IV and ciphertext so far
/// make together.
class LastCiphertext {
 public:
  explicit LastCiphertext(const uint8_t* iv) { std::memcpy(block_.data(), iv, block_.size()); }

  const uint8_t* data() const { return block_.data(); }
  void append(const uint8_t* ciphertext, uint64_t bytes) { append(block_, ciphertext, bytes); }

  /// Calls mode(run) with these bytes as its IV. Decryption in place overwrites the ciphertext, so what the
  /// next part needs is kept before.
  template <class Mode>
  void run(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes, const Mode& mode) {
    Block next = block_;
    if (direction == WARPAES_DIRECTION_DECRYPT) append(next, input, bytes);
    mode(ChainRun{block_.data(), input, output, bytes});
    if (direction == WARPAES_DIRECTION_ENCRYPT) append(next, output, bytes);
    block_ = next;
  }

 private:
  using Block = std::array<uint8_t, 16>;

  static void append(Block& block, const uint8_t* text, uint64_t bytes) {
    const auto fresh = static_cast<size_t>(std::min<uint64_t>(bytes, block.size()));
    if (fresh == 0) return;  // `text` may be null then
    std::memmove(block.data(), block.data() + fresh, block.size() - fresh);
    std::memcpy(block.data() + block.size() - fresh, text + bytes - fresh, fresh);
  }

  Block block_;
};

/// How counter blocks count: add128 for CTR, add32 for GCM.
using CounterStep = CounterBlock (*)(CounterBlock counter, uint64_t blocks);

/// XORs data with the encryption of successive counter blocks: CTR and, with another way of counting, GCTR of
/// GCM. It is composed from encrypt_blocks, for engines that work on host memory.
/// @param input,output equal or disjoint
void xor_key_stream(const Engine& engine, const EngineKey& key, CounterBlock first, CounterStep step,
                    const uint8_t* input, uint8_t* output, uint64_t bytes);

/// Throws UNSUPPORTED unless the engine works on host memory, where modes can be composed.
void require_composable(const Engine& engine, const char* what);

/// Throws WORKSPACE unless there are the bytes that are needed, 16-byte aligned.
/// @param work what needs them @param purpose what for, if that is worth a word
void require_workspace(const char* work, const Engine& engine, size_t needed, const void* workspace,
                       size_t bytes, const char* purpose = "");

/// Calls the engine's own parallel decryption, after a check of the workspace that it needs in place.
void unchain(const Engine& engine, Engine::Unchain fused, const EngineKey& key, const ChainRun& run,
             void* workspace, size_t workspace_bytes, Stream stream);

}  // namespace warpaes::core
