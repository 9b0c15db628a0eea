// Batches of messages in every mode that does not authenticate, and of CMAC, on every engine that can run
// here, compared with OpenSSL.
#include <gtest/gtest.h>

#include <algorithm>

#include "cipher_batches_fixture.hpp"
#include "failure.hpp"

namespace warpaes::core::conformance {
namespace {

TEST_P(CipherBatches, RaggedAndScattered) {
  Random random(1);
  const bool on_gpu = engine().memory == Memory::device && !is_slow();
  for (int round = 0; round < (on_gpu ? 16 : 4); round++) {
    for (const CipherRow& mode : cipher_rows()) {
      if (!has(mode.mode)) continue;
      const bool key_each = round % 4 >= 2 && has_key_each(mode.mode);
      const size_t key_bytes = all_key_bytes(mode.mode, 16 + 8 * random.between(0, 2));
      CipherExamples batch{.mode = mode.mode, .key = {}, .messages = {}};
      if (!key_each) batch.key = random.bytes(key_bytes);
      batch.in_place = random.between(0, 1) == 1;
      batch.listed = round % 2 == 1;
      batch.tag_bytes = random.between(8, 16);
      // Of keys few are long; and of short segments all are slow.
      const bool shorter = wraps_keys(mode.mode) || has_short_segments(mode.mode);
      const size_t longest = shorter ? 7 : has_small_batches() ? 10 : 14;
      const size_t most = size_t{1} << random.between(4, longest);
      for (size_t m = random.between(1, has_small_batches() ? 70 : 300); m > 0; m--) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, mode, key, random.between(0, most), batch.tag_bytes));
        // Half of the batches are all aligned, and so take the fast way but for the ends.
        batch.messages.back().offset = round % 2 == 0 ? 0 : random.between(0, 15);
        if (key_each) batch.messages.back().key = key;
      }
      SCOPED_TRACE(std::to_string(static_cast<int>(mode.mode)) + (key_each ? ", a key each" : ""));
      expect_right(batch);
    }
  }
}

struct Rows {
  size_t messages, bytes, gap, offset;
  bool in_place;
};

constexpr Rows kRows[] = {
    {0, 16, 0, 0, false},  {1, 0, 0, 0, false},   {1, 64, 0, 0, false},    {3, 128, 0, 0, true},
    {31, 16, 16, 0, true}, {32, 48, 0, 1, false}, {33, 80, 5, 3, true},    {64, 64, 0, 0, false},
    {65, 1, 0, 0, false},  {4, 65, 1, 0, true},   {193, 144, 0, 0, false}, {97, 1040, 16, 0, false},
};

struct RowKind {
  CipherRow mode;
  size_t key_bytes;
  bool key_each;
};

std::vector<RowKind> all_row_kinds() {
  std::vector<RowKind> kinds;
  for (const CipherRow& mode : cipher_rows()) {
    for (const size_t key_bytes : {16, 24, 32}) {
      kinds.push_back({mode, all_key_bytes(mode.mode, key_bytes), false});
      kinds.push_back({mode, all_key_bytes(mode.mode, key_bytes), true});
    }
  }
  return kinds;
}

TEST_P(CipherBatches, RowsOfOneLength) {
  Random random(2);
  for (const Rows& rows : kRows) {
    for (const auto& [mode, key_bytes, key_each] : all_row_kinds()) {
      if (!has(mode.mode) || (key_each && !has_key_each(mode.mode))) continue;
      const bool composed = !has_own_batches(engine(), mode.mode);
      if (has_small_batches() && rows.messages > 33 && (key_bytes % 24 != 0 || composed)) continue;
      if (is_slow() && rows.messages > 3 && key_each && !expands_keys()) continue;
      // On a CPU, padding and stealing at every length are looked at elsewhere; and a bit may take a block.
      const bool on_cpu = engine().memory == Memory::host;
      if (on_cpu && (pads(mode.mode) || steals(mode.mode)) && rows.messages > 33) continue;
      if (on_cpu && has_short_segments(mode.mode) && rows.messages * rows.bytes > 400) continue;
      CipherExamples batch{.mode = mode.mode, .key = {}, .messages = {}};
      if (!key_each) batch.key = random.bytes(key_bytes);
      batch.scattered = false;
      batch.gap = rows.gap;
      batch.listed = rows.messages % 2 == 1 && rows.messages > 1;
      batch.in_place = rows.in_place;
      for (size_t m = 0; m < rows.messages; m++) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, mode, key, rows.bytes));
        batch.messages.back().offset = rows.offset;
        if (key_each) batch.messages.back().key = key;
      }
      SCOPED_TRACE(std::to_string(static_cast<int>(mode.mode)) + (key_each ? ", a key each, " : ", ") +
                   std::to_string(rows.messages) + " messages of " + std::to_string(rows.bytes));
      if (rows.messages == 0) {
        EXPECT_EQ(difference(engine(), 0, batch), "");
      } else {
        expect_right(batch);
      }
    }
  }
}

/// The length of IVs is a part of the batch, and has to be the mode's: 0 where there are none.
TEST_P(CipherBatches, OtherLengthsOfIvsAreRefused) {
  for (const warpaes_mode mode : {WARPAES_MODE_ECB, WARPAES_MODE_CBC, WARPAES_MODE_CTR, WARPAES_MODE_CMAC}) {
    const size_t right = mode_row(mode).recommended_nonce;
    for (const size_t bytes : {0, 12, 15, 16, 17}) {
      Bytes data(16), ivs(32), tag(16);
      Batch batch{.mode = mode, .messages = 1, .bytes = data.size(), .input = data.data()};
      batch.output = mode == WARPAES_MODE_CMAC ? nullptr : data.data();
      batch.nonces = right == 0 ? nullptr : ivs.data();
      batch.nonce_bytes = bytes;
      batch.tags = mode == WARPAES_MODE_CMAC ? tag.data() : nullptr;
      batch.tag_bytes = mode == WARPAES_MODE_CMAC ? tag.size() : 0;
      if (bytes == right) {
        EXPECT_NO_THROW(require_valid_batch(batch)) << mode;
      } else {
        EXPECT_THROW(require_valid_batch(batch), Failure) << mode << " with IVs of " << bytes;
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core::conformance
