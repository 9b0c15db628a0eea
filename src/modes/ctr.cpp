// CTR, SP 800-38A section 6.5, and key streams of other counters.
#include <algorithm>
#include <bit>
#include <cstring>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

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
  ChainScratch stream;
  uint8_t* const block = stream.data();
  for (uint64_t at = 0; at < bytes; at += stream.size()) {
    const uint64_t part = std::min<uint64_t>(stream.size(), bytes - at);
    const uint64_t blocks = (part + 15) / 16;
    for (uint64_t i = 0; i < blocks; i++) store_at_once(block + 16 * i, step(first, at / 16 + i));
    engine.encrypt_blocks(key, {block, block, 16 * blocks}, nullptr);
    xor_bytes(output + at, input + at, block, part);
  }
}

void ctr(const Engine& engine, const EngineKey& key, const CounterRun& run, Stream stream) {
  require_valid_message(WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT,
                        {run.counter, run.input, run.output, run.bytes});
  if (run.bytes == 0) return;
  if (engine.counter != nullptr) {
    engine.counter(key, run, stream);
  } else {
    ctr_composed(engine, key, run);
  }
}

void ctr_composed(const Engine& engine, const EngineKey& key, const CounterRun& run) {
  require_composable(engine, "counter mode");
  xor_key_stream(engine, key, load_counter(run.counter), add128, run.input, run.output, run.bytes);
}

}  // namespace warpaes::core
