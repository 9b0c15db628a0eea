#include "primitives/key_schedule.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <new>

#include "failure.hpp"
#include "fips197_examples.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/fips197_rounds.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core {
namespace {

std::vector<uint8_t> bytes_of_words(const uint32_t* words, int count) {
  std::vector<uint8_t> bytes(4 * count);
  for (int i = 0; i < count; i++) store_le32(bytes.data() + 4 * i, words[i]);
  return bytes;
}

TEST(KeySchedule, ExpandsTheKeysOfAppendixA) {
  for (const auto& example : fips197_examples::kExpansions) {
    const KeySchedule schedule(bytes_of_hex(example.key));
    const int words = 4 * (schedule.rounds() + 1);
    EXPECT_EQ(hex_of_bytes(bytes_of_words(schedule.encryption().word, words)), example.words);
    EXPECT_EQ(hex_of_bytes(schedule.key()), example.key);
    EXPECT_EQ(schedule.key_bits(), static_cast<int>(example.key.size()) * 4);
  }
}

/// Section 5.3.5: InvMixColumns of every round key but the first and the last, in reverse order.
TEST(KeySchedule, InverseScheduleFollowsItsDefinition) {
  for (const auto& example : fips197_examples::kExpansions) {
    const KeySchedule schedule(bytes_of_hex(example.key));
    const int rounds = schedule.rounds();
    for (int round = 0; round <= rounds; round++) {
      const std::vector<uint8_t> key = bytes_of_words(schedule.encryption().word + 4 * (rounds - round), 4);
      fips197::State expected{};
      std::copy(key.begin(), key.end(), expected.begin());
      if (round != 0 && round != rounds) fips197::inverse_mix_columns(expected);
      EXPECT_EQ(hex_of_bytes(bytes_of_words(schedule.decryption().word + 4 * round, 4)),
                hex_of_bytes(expected))
          << "round " << round;
    }
  }
}

TEST(KeySchedule, RefusesOtherLengths) {
  for (const size_t bytes : {0, 1, 15, 17, 23, 25, 31, 33, 64}) {
    const std::vector<uint8_t> key(bytes);
    try {
      const KeySchedule schedule{key};
      ADD_FAILURE() << bytes << " bytes taken";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_KEY_LENGTH);
    }
  }
}

TEST(KeySchedule, WipesItself) {
  alignas(KeySchedule) unsigned char memory[sizeof(KeySchedule)];
  const std::vector<uint8_t> key = bytes_of_hex(fips197_examples::kExpansions[2].key);
  KeySchedule* const schedule = new (memory) KeySchedule(key);
  // Looked at through a volatile pointer: the compiler may take a dead object's bytes for undefined.
  const volatile unsigned char* const seen = memory;
  const auto nonzero = [&] {
    size_t count = 0;
    for (size_t i = sizeof(int); i < sizeof memory; i++) count += seen[i] != 0;
    return count;
  };
  EXPECT_GT(nonzero(), 400u);
  schedule->~KeySchedule();
  EXPECT_EQ(nonzero(), 0u);
}

}  // namespace
}  // namespace warpaes::core
