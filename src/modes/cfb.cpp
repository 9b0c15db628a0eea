// CFB, SP 800-38A section 6.3. With segments of a whole block: C_j = P_j XOR E(C_(j-1)), with the
// initialisation vector as C_0. The last segment may be shorter than a block, and then uses only as many
// bytes of the last E as it has. With segments of 8 bits and of 1 bit: a segment is XORed with the first bits
// of E(I_j), where I_j is the last 128 bits of what the initialisation vector and the ciphertext so far make
// together. The highest bit of a byte is its first (section 6.3 and the examples of appendix F.3).
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

/// The highest bits of a byte.
template <unsigned kBits>
constexpr unsigned kFirstBits = 0xffu << (8 - kBits) & 0xffu;

/// Copies 128 bits of `text`, from bit `at` on.
void copy_window(uint8_t* block, const uint8_t* text, uint64_t at) {
  const uint8_t* const from = text + at / 8;
  const unsigned shift = at % 8;
  if (shift == 0) {
    std::memcpy(block, from, 16);
    return;
  }
  for (int i = 0; i < 16; i++) {
    block[i] = static_cast<uint8_t>(from[i] << shift | from[i + 1] >> (8 - shift));
  }
}

/// The last 16 bytes of ciphertext, and behind them those that are being worked on.
struct Text {
  ChainScratch scratch;
  uint8_t* const past = scratch.data();
  uint8_t* const now = past + 16;

  explicit Text(const uint8_t* iv) { std::memcpy(past, iv, 16); }
  void advance(uint64_t bytes) { std::memmove(past, past + bytes, 16); }
};

template <unsigned kBits>
void encrypt(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  Text text(run.iv);
  ChainScratch scratch;
  uint8_t* const block = scratch.data();
  for (uint64_t at = 0; at < run.bytes; at++) {
    *text.now = 0;
    for (unsigned bit = 0; bit < 8; bit += kBits) {
      copy_window(block, text.past, bit);
      engine.encrypt_blocks(key, {block, block, 16}, nullptr);
      const unsigned stream = (block[0] & kFirstBits<kBits>) >> bit;
      const unsigned plain = run.input[at] & (kFirstBits<kBits> >> bit);
      *text.now = static_cast<uint8_t>(*text.now | (plain ^ stream));
    }
    run.output[at] = *text.now;
    text.advance(1);
  }
}

/// All of the ciphertext is there, so that segments do not wait for each other.
template <unsigned kBits>
void decrypt(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  constexpr uint64_t kSegments = 8 / kBits, kBytesAtOnce = kChainBlocksAtOnce / kSegments;
  Text text(run.iv);
  ChainScratch scratch;
  uint8_t* const blocks = scratch.data();
  for (uint64_t at = 0; at < run.bytes; at += kBytesAtOnce) {
    const uint64_t part = std::min(kBytesAtOnce, run.bytes - at);
    std::memcpy(text.now, run.input + at, part);
    for (uint64_t i = 0; i < part * kSegments; i++) copy_window(blocks + 16 * i, text.past, i * kBits);
    engine.encrypt_blocks(key, {blocks, blocks, 16 * kSegments * part}, nullptr);
    for (uint64_t i = 0; i < part; i++) {
      unsigned stream = 0;
      for (unsigned bit = 0; bit < 8; bit += kBits) {
        stream |= (blocks[16 * (kSegments * i + bit / kBits)] & kFirstBits<kBits>) >> bit;
      }
      run.output[at + i] = static_cast<uint8_t>(text.now[i] ^ stream);
    }
    text.advance(part);
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

void cfb8(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run, void*, size_t,
          Stream) {
  require_valid_message(WARPAES_MODE_CFB8, direction, run);
  if (run.bytes == 0) return;
  require_composable(engine, "CFB-8");
  (direction == WARPAES_DIRECTION_ENCRYPT ? encrypt<8> : decrypt<8>)(engine, key, run);
}

void cfb1(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run, void*, size_t,
          Stream) {
  require_valid_message(WARPAES_MODE_CFB1, direction, run);
  if (run.bytes == 0) return;
  require_composable(engine, "CFB-1");
  (direction == WARPAES_DIRECTION_ENCRYPT ? encrypt<1> : decrypt<1>)(engine, key, run);
}

}  // namespace warpaes::core
