#include "primitives/careful_block.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fips197_examples.hpp"
#include "primitives/hex.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core {
namespace {

/// FIPS 197 appendix C, all three key sizes.
TEST(CarefulBlock, IsTheStandards) {
  for (const fips197_examples::Vector& example : fips197_examples::kVectors) {
    const KeySchedule schedule(bytes_of_hex(example.key));
    std::vector<uint8_t> block = bytes_of_hex(fips197_examples::kPlaintext);
    careful_block(schedule.encryption(), schedule.rounds(), block.data(), block.data());
    EXPECT_EQ(hex_of_bytes(block), example.ciphertext);
  }
}

TEST(CarefulBlock, AgreesWithTheTables) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; i++) {
    std::vector<uint8_t> key(16 + 8 * (i % 3)), input(16), output(16), expected(16);
    for (auto* bytes : {&key, &input}) {
      for (uint8_t& byte : *bytes) byte = static_cast<uint8_t>(random());
    }
    const KeySchedule schedule(key);
    careful_block(schedule.encryption(), schedule.rounds(), input.data(), output.data());
    t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), input.data(), expected.data());
    EXPECT_EQ(output, expected);
  }
}

/// Odd numbers of them, too, where the last one has no other beside it.
TEST(CarefulBlock, BlocksThatFollowEachOtherAreEncryptedEachByItself) {
  std::mt19937 random(2);
  for (size_t count = 0; count < 8; count++) {
    std::vector<uint8_t> key(16 + 8 * (count % 3)), blocks(16 * count);
    for (auto* bytes : {&key, &blocks}) {
      for (uint8_t& byte : *bytes) byte = static_cast<uint8_t>(random());
    }
    const KeySchedule schedule(key);
    std::vector<uint8_t> expected(blocks);
    for (size_t at = 0; at < blocks.size(); at += 16) {
      t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), &blocks[at], &expected[at]);
    }
    careful_blocks(schedule.encryption(), schedule.rounds(), blocks);
    EXPECT_EQ(blocks, expected) << count;
  }
}

}  // namespace
}  // namespace warpaes::core
