// GCM of long messages that arrays describe, on the emulated GPU, whose multiprocessors share them as one:
// lengths about those from which they do, many short messages between two long ones, messages within one slot
// and in all of them.
#include "listed_fixture.hpp"

namespace warpaes::core::listed {
namespace {

TEST_P(EmulatedListed, MessagesOfAllLengthsAreRight) {
  for (const size_t key_bytes : {16u, 24u, 32u}) {
    SCOPED_TRACE(key_bytes);
    make(mixed(), key_bytes);
    expect_there_and_back();
    expect_shared_as_one(false);
    make(mixed_and_aligned(), key_bytes);
    expect_there_and_back();
    expect_shared_as_one(true);
  }
}

/// A message that begins where the slot of other warps does, and one in which all slots begin and end.
TEST_P(EmulatedListed, OneLongMessageAmongShortOnesIsRight) {
  std::vector<Tensor> tensors(5, Tensor{64});
  tensors.push_back({600'007});
  make(tensors, 16);
  expect_there_and_back();
  make(std::vector<Tensor>(3, Tensor{kFrom + 4096}), 16);
  expect_there_and_back();
}

/// Arrays of addresses alone, so that all messages are long.
TEST_P(EmulatedListed, MessagesOfOneLengthAreRight) {
  make(std::vector<Tensor>(4, Tensor{kFrom + 77}), 32);
  expect_encryption(false);
}

/// Their own output is zeroed, and nothing else is.
TEST_P(EmulatedListed, WrongTagsAreRefused) {
  for (const auto& tensors : {mixed(), mixed_and_aligned()}) {
    make(tensors, 16);
    hold(true);
    std::vector<int32_t> expected(count(), WARPAES_OK);
    for (const size_t m : {size_t{0}, size_t{5}, size_t{6}, count() - 2}) {
      tags_[16 * m + m % 16] ^= 1;
      expected[m] = WARPAES_ERROR_AUTHENTICATION;
      tensors_[m].plaintext.assign(tensors_[m].bytes, 0);
    }
    run(WARPAES_DIRECTION_DECRYPT);
    EXPECT_EQ(statuses_, expected);
    expect(true);
  }
}

/// A wrong entry leaves its message alone, and the others are right.
TEST_P(EmulatedListed, WrongEntriesAreRefused) {
  make(mixed(), 16);
  for (const bool ciphertexts : {false, true}) {
    hold(ciphertexts);
    std::vector<int32_t> expected(count(), WARPAES_OK);
    most_ = 100'000;
    expected[5] = WARPAES_ERROR_LENGTH;
    aads_[0] = nullptr;
    aad_lengths_[0] = 1;
    expected[0] = WARPAES_ERROR_NULL_POINTER;
    tags_at_[2] = nullptr;
    expected[2] = WARPAES_ERROR_NULL_POINTER;
    run(ciphertexts ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT);
    EXPECT_EQ(statuses_, expected);
    for (size_t m = 0; m < count(); m++) {
      const bool has_plaintext = ciphertexts == (expected[m] == WARPAES_OK);
      expect_message(m, has_plaintext ? tensors_[m].plaintext : tensors_[m].ciphertext);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatedListed, engines_with_lists(), name_of_engine);

}  // namespace
}  // namespace warpaes::core::listed
