// Parts of a GCM message on the emulated GPU, told by their tags: from any counter on, also where its last
// four bytes begin again with 0, and of lengths about those of a group of blocks.
#include <gtest/gtest.h>

#include <random>

#include "emulated_engines.hpp"
#include "modes/gcm_parts.hpp"
#include "primitives/ghash.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;

/// What a part's tag should be.
Bytes tag_of(const Engine& engine, const EngineKey& key, GcmPart& part, CounterBlock first, uint64_t bytes) {
  const GcmHashKey hash = gcm_hash_key(engine, key);
  Bytes mask(16), tag(16);
  store_counter(mask.data(), add32(first, 0xffffffff));
  engine.encrypt_blocks(key, {mask.data(), mask.data(), 16}, nullptr);
  const Gf128 lengths = gf128_multiply(ghash_lengths(0, bytes), hash.key);
  gf128_to_block(part.sum() ^ lengths ^ gf128_from_block(mask.data()), tag.data());
  return tag;
}

class EmulatedGcmPart : public ::testing::TestWithParam<const Engine*> {};

TEST_P(EmulatedGcmPart, IsTheComposedOne) {
  const Engine& engine = *GetParam();
  std::mt19937_64 random(1);
  size_t key_bytes = 16;
  for (const uint64_t low : {2ull, 1ull, 0ull, 0x12345678fffffff0ull, 0xfffull}) {
    const auto key = engine.prepare(KeySchedule(random_bytes(random, key_bytes)), 0);
    key_bytes = key_bytes == 32 ? 16 : key_bytes + 8;
    const GcmHashKey hash = gcm_hash_key(engine, *key);
    for (const size_t bytes : {1u, 16u, 4095u, 4096u, 20'000u}) {
      for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
        SCOPED_TRACE(std::to_string(low) + ", " + std::to_string(bytes) + " bytes");
        const CounterBlock first{77, low};
        const Bytes text = random_bytes(random, bytes);
        Bytes expected = text, output = text, tag(16);
        const auto part = start_composed_gcm_part(engine, *key, hash, direction, first);
        part->crypt(expected.data(), expected.data(), bytes);
        Bytes workspace(engine.modes[WARPAES_MODE_GCM].workspace_bytes(1, bytes), 0xee);
        engine.gcm_part_tag(*key, {direction, first, text.data(), output.data(), bytes, tag.data()},
                            workspace.data(), nullptr);
        EXPECT_TRUE(output == expected);
        EXPECT_EQ(tag, tag_of(engine, *key, *part, first, bytes));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedGcmPart, ::testing::ValuesIn(emulated_engines()),
                         [](const auto& test) { return std::string(test.param->kernel); });

}  // namespace
}  // namespace warpaes::core
