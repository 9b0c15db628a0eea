// The cipher on bit planes against the cipher by T-tables, both directions, all key sizes.
#include "primitives/bitsliced_rounds.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "primitives/bitsliced_keys.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core {
namespace {

struct Blocks {
  uint8_t byte[16 * kSlicedBlocks];
};

Blocks random_blocks(std::mt19937& random) {
  Blocks blocks{};
  for (uint8_t& byte : blocks.byte) byte = static_cast<uint8_t>(random());
  return blocks;
}

SlicedState sliced(const Blocks& blocks) {
  SlicedBlocks columns;
  for (int j = 0; j < kSlicedBlocks; j++) {
    const uint8_t* b = blocks.byte + 16 * j;
    columns.block[j] = {load_le32(b), load_le32(b + 4), load_le32(b + 8), load_le32(b + 12)};
  }
  return slice(columns);
}

Blocks unsliced(const SlicedState& state) {
  const SlicedBlocks columns = unslice(state);
  Blocks blocks{};
  for (int j = 0; j < kSlicedBlocks; j++) {
    const Columns& c = columns.block[j];
    const uint32_t word[4] = {c.a, c.b, c.c, c.d};
    for (int i = 0; i < 4; i++) store_le32(blocks.byte + 16 * j + 4 * i, word[i]);
  }
  return blocks;
}

class BitslicedRounds : public testing::TestWithParam<int> {
 protected:
  KeySchedule schedule_{[] {
    std::vector<uint8_t> key(static_cast<size_t>(GetParam()));
    std::mt19937 random(GetParam());
    for (uint8_t& byte : key) byte = static_cast<uint8_t>(random());
    return key;
  }()};
  std::mt19937 random_{7};
  SlicedKeys keys_{};
};

TEST_P(BitslicedRounds, EncryptAsTheTablesDo) {
  const int rounds = schedule_.rounds();
  fill_sliced_keys(keys_, schedule_.encryption(), rounds);
  const Blocks blocks = random_blocks(random_);
  SlicedState state = sliced(blocks);
  exclusive_or(state, keys_.word);
  sliced_rounds(state, keys_, 1, rounds - 1);
  substitute_and_shift_rows(state);
  exclusive_or(state, keys_.word + kSlicedWords * rounds);
  const Blocks result = unsliced(state);
  for (int j = 0; j < kSlicedBlocks; j++) {
    uint8_t expected[16];
    t_table_block(kTTableEncryption, schedule_.encryption(), rounds, blocks.byte + 16 * j, expected);
    for (int i = 0; i < 16; i++) EXPECT_EQ(result.byte[16 * j + i], expected[i]) << j << ' ' << i;
  }
}

TEST_P(BitslicedRounds, DecryptAsTheTablesDo) {
  const int rounds = schedule_.rounds();
  fill_sliced_decryption_keys(keys_, schedule_.decryption(), rounds);
  const Blocks blocks = random_blocks(random_);
  SlicedState state = sliced(blocks);
  exclusive_or(state, keys_.word);
  sliced_inverse_rounds(state, keys_, 1, rounds - 1);
  inverse_shift_and_substitute_rows(state);
  exclusive_or(state, keys_.word + kSlicedWords * rounds);
  const Blocks result = unsliced(state);
  for (int j = 0; j < kSlicedBlocks; j++) {
    uint8_t expected[16];
    t_table_block(kTTableDecryption, schedule_.decryption(), rounds, blocks.byte + 16 * j, expected);
    for (int i = 0; i < 16; i++) EXPECT_EQ(result.byte[16 * j + i], expected[i]) << j << ' ' << i;
  }
}

INSTANTIATE_TEST_SUITE_P(KeyBytes, BitslicedRounds, testing::Values(16, 24, 32));

}  // namespace
}  // namespace warpaes::core
