#include "modes/key_stream.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "modes/chain.hpp"

namespace warpaes::core {
namespace {

/// Enough blocks to keep an engine's pipeline busy, few enough for the first-level cache.
constexpr uint64_t kBlocksAtOnce = 256;

/// Key stream blocks; wiped, as each is worth the plaintext that it hides.
struct KeyStream {
  std::array<uint8_t, 16 * kBlocksAtOnce> bytes;
  ~KeyStream() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
};

uint64_t big_endian(uint64_t number) {
  if constexpr (std::endian::native == std::endian::big) return number;
  return __builtin_bswap64(number);
}

/// store_counter() in two instructions, which compilers do not make of its sixteen stores.
void store_at_once(uint8_t* to, CounterBlock counter) {
  const uint64_t words[2] = {big_endian(counter.high), big_endian(counter.low)};
  std::memcpy(to, words, sizeof words);
}

}  // namespace

void xor_key_stream(const Engine& engine, const EngineKey& key, CounterBlock first, CounterStep step,
                    const uint8_t* input, uint8_t* output, uint64_t bytes) {
  KeyStream stream;
  uint8_t* const block = stream.bytes.data();
  for (uint64_t at = 0; at < bytes; at += stream.bytes.size()) {
    const uint64_t part = std::min<uint64_t>(stream.bytes.size(), bytes - at);
    const uint64_t blocks = (part + 15) / 16;
    for (uint64_t i = 0; i < blocks; i++) store_at_once(block + 16 * i, step(first, at / 16 + i));
    engine.encrypt_blocks(key, {block, block, 16 * blocks}, nullptr);
    xor_bytes(output + at, input + at, block, part);
  }
}

}  // namespace warpaes::core
