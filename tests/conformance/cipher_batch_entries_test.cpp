// Entries of batches that are wrong: their messages alone are refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "cipher_batches_fixture.hpp"
#include "evp_reference.hpp"

namespace warpaes::conformance {
namespace {

/// What arrays in device memory say cannot be refused before the launch: it is refused by the kernel, for
/// that message alone.
TEST_P(CipherBatches, WrongEntriesAreLeftAloneAndTheOthersAreRight) {
  Random random(4);
  for (const CipherRow& row : cipher_rows()) {
    const CipherMode mode = row.mode;
    if (!has(mode)) continue;
    CipherExamples batch{.mode = mode, .key = random.bytes(all_key_bytes(mode, 32)), .messages = {}};
    const size_t unit = has_short_segments(mode) ? 1 : 16;
    for (size_t m = 0; m < 40; m++) {
      batch.messages.push_back(message_of(random, row, batch.key, unit * m + 16));
    }
    const auto spoil = [&](size_t m, Status status) -> CipherExample& {
      batch.messages[m].status = status;
      return batch.messages[m];
    };
    spoil(7, WARPAES_ERROR_NULL_POINTER).without_input = true;
    spoil(39, WARPAES_ERROR_NULL_POINTER).without_input = true;
    const bool any_length =
        !needs_whole_blocks(mode) && !is_xts(mode) && !wraps_keys(mode) && !unpads(mode) && !steals(mode);
    if (!any_length && mode != CipherMode::kwp_wrap) spoil(9, WARPAES_ERROR_LENGTH).input.resize(9);
    if (!makes_tags(mode)) spoil(20, WARPAES_ERROR_OVERLAP).overlap = 16;
    if (!makes_tags(mode)) spoil(22, WARPAES_ERROR_NULL_POINTER).without_output = true;
    batch.messages.push_back(message_of(random, row, batch.key, 16 * 50));
    spoil(40, WARPAES_ERROR_LENGTH);
    expect_right(batch);
  }
}

/// One bit of what was wrapped is not as it was: its message alone is refused and zeroed.
TEST_P(CipherBatches, DamagedKeysAreRefusedAndZeroed) {
  Random random(7);
  for (const CipherRow& row : cipher_rows()) {
    if (!unwraps_keys(row.mode) || !has(row.mode)) continue;
    for (const bool in_place : {false, true}) {
      CipherExamples batch{.mode = row.mode, .key = random.bytes(24), .messages = {}, .in_place = in_place};
      for (size_t m = 0; m < 50; m++) {
        batch.messages.push_back(message_of(random, row, batch.key, 3 * m));
        if (m % 3 != 0) continue;
        batch.messages[m].input[random.between(0, batch.messages[m].input.size() - 1)] ^= 0x10;
        batch.messages[m].status = WARPAES_ERROR_AUTHENTICATION;
      }
      expect_right(batch);
    }
  }
}

/// KWP's check is right, and what it says of the padding is not: too long, too short, or not zero.
TEST_P(CipherBatches, WrongPaddingOfWrappedKeysIsRefused) {
  if (!has(CipherMode::kwp_unwrap)) return;
  Random random(8);
  CipherExamples batch{.mode = CipherMode::kwp_unwrap, .key = random.bytes(32), .messages = {}};
  for (size_t semiblocks = 2; semiblocks <= 10; semiblocks++) {
    for (const int64_t off : {-8, -7, -1, 0, 1}) {
      for (const bool dirty : {false, true}) {
        const size_t said = static_cast<size_t>(static_cast<int64_t>(8 * semiblocks) + off);
        Bytes text = random.bytes(8 * semiblocks), check{0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, 0};
        check[7] = static_cast<uint8_t>(said);
        for (size_t i = said; i < text.size(); i++) text[i] = 0;
        if (dirty) text.back() = 1;
        const bool right = off <= 0 && off > -8 && (!dirty || off == 0);
        CipherExample message{
            .iv = {}, .input = reference::key_wrap_with(check, batch.key, text), .expected = {}};
        if (right) message.expected.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(said));
        if (!right) message.status = WARPAES_ERROR_AUTHENTICATION;
        batch.messages.push_back(message);
      }
    }
  }
  expect_right(batch);
}

TEST_P(CipherBatches, EqualKeysOfXtsAreRefused) {
  Random random(9);
  for (const CipherRow& row : cipher_rows()) {
    if (!is_xts(row.mode) || !has_key_each(row.mode)) continue;
    for (const size_t key_bytes : {16, 24, 32}) {
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}};
      for (size_t m = 0; m < 40; m++) {
        Bytes keys = random.bytes(2 * key_bytes);
        batch.messages.push_back(message_of(random, row, keys, 16 + 5 * m));
        if (m % 7 == 2) {
          std::copy_n(keys.begin(), key_bytes, keys.begin() + static_cast<ptrdiff_t>(key_bytes));
          batch.messages[m].status = WARPAES_ERROR_XTS_KEYS;
        }
        batch.messages[m].key = keys;
      }
      expect_right(batch);
    }
  }
}

}  // namespace
}  // namespace warpaes::conformance
