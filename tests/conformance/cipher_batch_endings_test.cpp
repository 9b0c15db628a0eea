// Batches of modes whose messages need not be whole blocks: PKCS#7 padding, ciphertext stealing, and CFB with
// short segments. Messages have every length around the tiles that lanes share, and padding is wrong in every
// possible way.
#include <gtest/gtest.h>

#include <algorithm>

#include "cipher_batches_fixture.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::conformance {
namespace {

/// One message of each length up to two tiles and two blocks; side by side, so that lanes end at all places.
TEST_P(CipherBatches, EveryLengthOfPaddingStealingAndShortSegments) {
  Random random(11);
  for (const CipherRow& row : cipher_rows()) {
    const bool short_segments = has_short_segments(row.mode);
    if (!pads(row.mode) && !steals(row.mode) && !short_segments) continue;
    if (!has_in_its_own_way(row.mode)) continue;
    for (const bool key_each : {false, true}) {
      if (key_each && !has_key_each(row.mode)) continue;
      const size_t key_bytes = 16 + 8 * random.between(0, 2);
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}, .in_place = key_each};
      if (!key_each) batch.key = random.bytes(key_bytes);
      const size_t most = short_segments && is_slow() ? 34 : 162;
      for (size_t bytes = 0; bytes <= most; bytes++) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, row, key, bytes));
        if (key_each) batch.messages.back().key = key;
        batch.messages.back().offset = bytes % 3 == 0 ? 0 : random.between(0, 15);
      }
      SCOPED_TRACE(row.name + std::string(row.decrypts ? ", decrypting" : "") +
                   (key_each ? ", a key each" : ""));
      expect_right(batch);
    }
  }
}

/// What is encrypted ends in `last`, a block or its end, and is no padding.
CipherExample wrongly_padded(Random& random, const CipherRow& row, const Bytes& key, size_t blocks,
                             const Bytes& last) {
  Bytes text = random.bytes(16 * blocks);
  std::copy(last.begin(), last.end(), text.end() - static_cast<ptrdiff_t>(last.size()));
  CipherExample message{.iv = random.bytes(16), .input = {}, .expected = {}};
  message.input = pads_in_ecb(row.mode) ? reference::ecb(key, true, text)
                                        : reference::crypt("CBC", key, message.iv, text);
  message.status = WARPAES_ERROR_PADDING;
  return message;
}

/// Every value that the last byte may have; and every byte of padding of every length, one bit of which is
/// not as it should be. Their messages alone are zeroed, whole: others are of two tiles and more, too.
TEST_P(CipherBatches, WrongPaddingIsRefusedAndZeroed) {
  Random random(12);
  for (const CipherRow& row : cipher_rows()) {
    if (!unpads(row.mode) || !has_in_its_own_way(row.mode)) continue;
    for (const bool key_each : {false, true}) {
      if (key_each && !has_key_each(row.mode)) continue;
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}, .in_place = key_each};
      const Bytes key = random.bytes(key_each ? 16 : 24);
      if (!key_each) batch.key = key;
      const auto add = [&](CipherExample message) {
        if (key_each) message.key = key;
        batch.messages.push_back(std::move(message));
        if (batch.messages.size() % 5 != 0) return;
        batch.messages.push_back(message_of(random, row, key, 11 * batch.messages.size() % 180));
        if (key_each) batch.messages.back().key = key;
      };
      for (unsigned value = 0; value < 256; value += value < 20 ? 1 : 59) {
        if (value == 0 || value > 16) {
          add(wrongly_padded(random, row, key, 1 + value % 11, Bytes(16, static_cast<uint8_t>(value))));
        }
      }
      for (size_t padding = 2; padding <= 16; padding += is_slow() ? 7 : 1) {
        for (size_t at = 0; at + 1 < padding; at++) {
          Bytes last(padding, static_cast<uint8_t>(padding));
          last[at] ^= static_cast<uint8_t>(1 << random.between(0, 7));
          add(wrongly_padded(random, row, key, 1 + at % 9, last));
        }
      }
      SCOPED_TRACE(row.name + std::string(key_each ? ", a key each" : ""));
      expect_right(batch);
    }
  }
}

/// A message of nothing has padding: it needs no input, but room.
TEST_P(CipherBatches, NothingIsPaddedToABlock) {
  Random random(14);
  for (const CipherRow& row : cipher_rows()) {
    if (!pads(row.mode) || row.decrypts || !has(row.mode)) continue;
    CipherExamples batch{.mode = row.mode, .key = random.bytes(32), .messages = {}};
    for (size_t m = 0; m < 5; m++) batch.messages.push_back(message_of(random, row, batch.key, 0));
    batch.messages[1].without_input = true;
    batch.messages[3].without_output = true;
    batch.messages[3].status = WARPAES_ERROR_NULL_POINTER;
    expect_right(batch);
  }
}

/// Lengths that the mode cannot have are refused.
TEST_P(CipherBatches, LengthsThatCannotBePaddedOrStolenFrom) {
  Random random(13);
  for (const CipherRow& row : cipher_rows()) {
    if ((!unpads(row.mode) && !steals(row.mode)) || !has(row.mode)) continue;
    CipherExamples batch{.mode = row.mode, .key = random.bytes(16), .messages = {}};
    for (size_t bytes = 0; bytes < 34; bytes++) {
      batch.messages.push_back(message_of(random, row, batch.key, 16));
      if (steals(row.mode) ? bytes >= 16 : bytes != 0 && bytes % 16 == 0) continue;
      batch.messages.back().input.resize(bytes);
      batch.messages.back().status = WARPAES_ERROR_LENGTH;
    }
    expect_right(batch);
  }
}

}  // namespace
}  // namespace warpaes::core::conformance
