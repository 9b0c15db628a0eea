// Wrong entries in the arrays of batches: only the messages that they belong to may be refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "cipher_batches_fixture.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core::conformance {
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

/// The same of IVs, tags and keys.
TEST_P(CipherBatches, NullsOfListsAreLeftAloneAndTheOthersAreRight) {
  Random random(5);
  for (const CipherRow& row : cipher_rows()) {
    if (!has(row.mode)) continue;
    for (const bool key_each : {false, true}) {
      if (key_each && !has_key_each(row.mode)) continue;
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}, .listed = true};
      const size_t key_bytes = all_key_bytes(row.mode, 24);
      if (!key_each) batch.key = random.bytes(key_bytes);
      for (size_t m = 0; m < 40; m++) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, row, key, 32));
        CipherExample& message = batch.messages.back();
        if (key_each) message.key = key;
        message.without_iv = has_iv(row.mode) && m % 5 == 1;
        message.without_tag = makes_tags(row.mode) && m % 7 == 2;
        message.without_key = key_each && m % 6 == 3;
        const bool lacks_one = message.without_iv || message.without_tag || message.without_key;
        if (lacks_one) message.status = WARPAES_ERROR_NULL_POINTER;
      }
      SCOPED_TRACE(std::string(row.name) + (key_each ? ", a key each" : ""));
      expect_right(batch);
    }
  }
}

/// One bit of what was wrapped, or of a tag, is not as it was: its message alone is refused, and zeroed.
TEST_P(CipherBatches, DamagedKeysAndTagsAreRefused) {
  Random random(7);
  for (const CipherRow& row : cipher_rows()) {
    if (!tells_damage(row.mode) || unpads(row.mode) || !has(row.mode)) continue;
    for (const bool in_place : {false, true}) {
      CipherExamples batch{.mode = row.mode, .key = random.bytes(24), .messages = {}, .in_place = in_place};
      for (size_t m = 0; m < 50; m++) {
        batch.messages.push_back(message_of(random, row, batch.key, 3 * m));
        if (m % 3 == 0) damage(random, row, batch.key, batch.messages[m]);
      }
      expect_right(batch);
    }
  }
}

/// A tag that is shorter than a block is compared as far as it goes, in each of its bytes.
TEST_P(CipherBatches, ShortTagsAreCheckedToTheirEnds) {
  Random random(10);
  const CipherRow& row = cipher_row(CipherMode::cmac_check);
  if (!has(row.mode)) return;
  for (const size_t tag_bytes : {8u, 11u, 15u, 16u}) {
    CipherExamples batch{
        .mode = row.mode, .key = random.bytes(16), .messages = {}, .tag_bytes = tag_bytes, .listed = true};
    for (size_t m = 0; m <= tag_bytes; m++) {
      batch.messages.push_back(message_of(random, row, batch.key, 7 * m, tag_bytes));
      if (m == tag_bytes) continue;
      batch.messages[m].expected[m] ^= 0x80;
      batch.messages[m].status = WARPAES_ERROR_AUTHENTICATION;
    }
    expect_right(batch);
  }
}

/// What a text is wrapped with, RFC 5649 section 3: a constant, and how many bytes of the text are the
/// message.
Bytes padded_check(uint64_t said) {
  Bytes check{0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, 0};
  store_be32(check.data() + 4, static_cast<uint32_t>(said));
  return check;
}

class WrongChecks {
 public:
  explicit WrongChecks(size_t semiblocks) : semiblocks_(semiblocks) {}

  /// The constant with one bit changed, in each of its bytes.
  void add_constants() {
    for (size_t at = 0; at < 4; at++) {
      Bytes text = random_.bytes(8 * semiblocks_), check = padded_check(text.size());
      check[at] ^= static_cast<uint8_t>(1u << random_.between(0, 7));
      add(check, text, false);
    }
  }

  /// Between the last semiblock's first byte and its last one; too short, too long, and beyond 8 bits.
  void add_lengths() {
    const uint64_t most = 8 * semiblocks_;
    for (const uint64_t said : {most - 8, most - 7, most - 4, most - 1, most, most + 1, most + 8,
                                most | 0x100, most | 0x10000, most | 0x1000000, uint64_t{0},
                                uint64_t{UINT32_MAX}, UINT32_MAX - 7 + most, uint64_t{0x80000000} | most}) {
      Bytes text = random_.bytes(most);
      for (uint64_t at = said; at < most; at++) text[at] = 0;
      add(padded_check(said), text, said <= most && said > most - 8);
    }
  }

  /// One byte of the padding is not zero, in each place that it may have.
  void add_dirt() {
    for (size_t padding = 1; padding < 8; padding++) {
      for (size_t at = 0; at < padding; at++) {
        Bytes text = random_.bytes(8 * semiblocks_);
        std::fill(text.end() - static_cast<ptrdiff_t>(padding), text.end(), uint8_t{0});
        text[text.size() - padding + at] = static_cast<uint8_t>(1u << random_.between(0, 7));
        add(padded_check(text.size() - padding), text, false);
      }
    }
  }

  CipherExamples batch{.mode = CipherMode::kwp_unwrap, .key = Bytes(32, 0x17), .messages = {}};

 private:
  void add(const Bytes& check, const Bytes& text, bool right) {
    CipherExample message{.iv = {}, .input = wrapped_with(check, batch.key, text), .expected = {}};
    message.status = right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
    const size_t said = load_be32(check.data() + 4);
    if (right) message.expected.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(said));
    batch.messages.push_back(message);
  }

  const size_t semiblocks_;
  Random random_{8};
};

/// Section 3's three checks, with everything else right: whoever has the key could have wrapped it so.
TEST_P(CipherBatches, WrongChecksOfWrappedKeysAreRefused) {
  if (!has(CipherMode::kwp_unwrap)) return;
  for (const size_t semiblocks : {1, 2, 5, 8, 9, 17}) {
    SCOPED_TRACE(semiblocks);
    WrongChecks constants(semiblocks), lengths(semiblocks), dirt(semiblocks);
    constants.add_constants();
    lengths.add_lengths();
    dirt.add_dirt();
    for (const WrongChecks* wrong : {&constants, &lengths, &dirt}) expect_right(wrong->batch);
  }
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
}  // namespace warpaes::core::conformance
