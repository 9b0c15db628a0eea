// Batches of every mode in host memory, in every arrangement, on every engine that can run here. Each message
// must become what OpenSSL makes of it, and nothing else may be written. tests/on_gpu does the same in device
// memory.
#include "arranged_batch.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

warpaes_status run(const warpaes_cipher* cipher, warpaes_direction direction, ArrangedBatch& image) {
  const warpaes_batch batch = image.batch(image.memory.data());
  return (direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(cipher, &batch);
}

/// There, and back with two messages damaged.
void expect_there_and_back(const TestContext& context, const ModeRow& row, ArrangedBatch& image) {
  const TestCipher cipher(context, row.mode, image.cipher_key());
  if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) return;
  for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
    SCOPED_TRACE(direction == kEncrypt ? "encrypt" : "decrypt");
    image.begin(direction);
    for (const size_t m : {size_t{5}, image.count() - 1}) {
      if (m < image.count()) image.damage(m);
    }
    image.batch(image.memory.data());  // the arrays of pointers belong to what is expected
    const Bytes expected = image.expected();
    const warpaes_status status = run(cipher.get(), direction, image);
    if (status == WARPAES_ERROR_UNSUPPORTED) continue;  // of a forced GPU engine
    ASSERT_STREQ(warpaes_status_name(status), warpaes_status_name(image.expected_status()))
        << warpaes_last_error();
    image.expect_right(expected);
  }
}

class Batches : public ::testing::TestWithParam<std::string> {
 protected:
  bool is_slow() const { return GetParam().starts_with("portable"); }
  const TestContext context_{GetParam().c_str(), 3};
};

TEST_P(Batches, OfEveryModeInEveryArrangement) {
  for (const ModeRow& row : mode_rows()) {
    for (const Arrangement& arrangement : arrangements()) {
      for (const Keys keys : kKeys) {
        SCOPED_TRACE(row.name + std::string(", ") + arrangement.name + ", " + name_of(keys));
        ArrangedBatch image(row, arrangement, keys, 17, 81);
        expect_there_and_back(context_, row, image);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// So many that all threads have work, and so few bytes that there is none.
TEST_P(Batches, OfManyMessagesAndOfEmptyOnes) {
  const Arrangement& rows = arrangements()[0];
  for (const ModeRow& row : mode_rows()) {
    for (const Keys keys : {Keys::one, Keys::row}) {
      const bool bitwise = row.mode == WARPAES_MODE_CFB1 || row.mode == WARPAES_MODE_CFB8;
      for (const auto& [count, length] :
           {std::pair<size_t, size_t>{is_slow() ? 30 : 700, bitwise ? 40 : 1008}, {1, 16}, {5, 16}, {3, 0}}) {
        SCOPED_TRACE(row.name + std::string(", ") + std::to_string(count) + " of " + std::to_string(length) +
                     ", " + name_of(keys));
        ArrangedBatch image(row, rows, keys, count, length);
        expect_there_and_back(context_, row, image);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// No messages are no mistake, and need no memory.
TEST_P(Batches, OfNothing) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    const Example example = row.example(16);
    const TestCipher cipher(context_, row.mode, example.key), keyless(context_, row.mode, {});
    if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) continue;
    auto batch = sized<warpaes_batch>();
    batch.length = row.some_length(16);
    for (const auto call : {warpaes_encrypt_batch, warpaes_decrypt_batch}) {
      uint64_t length = 7;
      if (call == warpaes_decrypt_batch && row.unpads()) batch.output_lengths = &length;
      if (call == warpaes_decrypt_batch) batch.length = row.has_output() ? row.grown(batch.length) : 16;
      batch.key_length = 0;
      const warpaes_status status = call(cipher.get(), &batch);
      EXPECT_TRUE(status == WARPAES_OK || status == WARPAES_ERROR_UNSUPPORTED) << warpaes_last_error();
      EXPECT_EQ(length, 7u);
      if (keyless.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      batch.key_length = example.key.size();
      const warpaes_status of_keyless = call(keyless.get(), &batch);
      EXPECT_TRUE(of_keyless == WARPAES_OK || of_keyless == WARPAES_ERROR_UNSUPPORTED)
          << warpaes_last_error();
      EXPECT_EQ(length, 7u);
    }
  }
}

/// Nonces of other lengths than the recommended one, and tags.
TEST_P(Batches, WithNoncesAndTagsOfOtherLengths) {
  for (const ModeRow& row : mode_rows()) {
    if (!row.has_nonce() || !row.has_tag()) continue;
    const size_t nonce_length = std::min<size_t>(row.longest_nonce, 14);
    const size_t tag_length = row.tag_lengths >> 12 & 1 ? 12 : 16;
    SCOPED_TRACE(row.name);
    Example example = row.example(40);
    example.nonce = counting(nonce_length, 3);
    example.tag_length = tag_length;
    MessageMemory first(row, example), second(row, example);
    const TestCipher cipher(context_, row.mode, example.key);
    if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) continue;
    Bytes output(2 * first.output.size()), tags(2 * tag_length);
    const void* const nonces[] = {example.nonce.data(), example.nonce.data()};
    auto batch = sized<warpaes_batch>();
    batch.count = 2;
    batch.length = batch.output.stride = first.input.size();
    batch.input.data = first.input.data();
    if (row.has_output()) batch.output.data = output.data();
    if (!row.has_output()) batch.output.stride = 0;
    batch.nonces.pointers = nonces;
    batch.nonce_length = nonce_length;
    if (row.has_aad()) batch.aad.data = example.aad.data();
    batch.aad_length = example.aad.size();
    batch.tags.data = tags.data();
    batch.tags.stride = batch.tag_length = tag_length;
    const warpaes_status status = warpaes_encrypt_batch(cipher.get(), &batch);
    if (status == WARPAES_ERROR_UNSUPPORTED) continue;
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    for (size_t m = 0; m < 2; m++) {
      EXPECT_EQ(slice(output, m * first.output.size(), first.output.size()), first.answer.output);
      EXPECT_EQ(slice(tags, m * tag_length, tag_length), first.answer.tag);
    }
  }
}

/// SIV: string s of message m is entry m * aad_strings + s.
TEST_P(Batches, OfSivWithAssociatedStrings) {
  const ModeRow& row = row_of(WARPAES_MODE_SIV);
  constexpr size_t kCount = 5, kMost = 24;
  for (const size_t strings : {1, 2, 3, 126}) {
    for (const bool scattered : {false, true}) {
      SCOPED_TRACE(std::to_string(strings) + (scattered ? " scattered" : " strings"));
      const Bytes key = row.example(0).key, text = counting(30 * kCount), pieces = counting(997);
      std::vector<const void*> pointers;
      std::vector<uint64_t> lengths;
      for (size_t i = 0; i < kCount * strings; i++) {
        pointers.push_back(pieces.data() + i % 900);
        lengths.push_back(scattered ? i % (kMost + 1) : kMost);
      }
      Bytes rows;
      for (size_t i = 0; i < kCount * strings; i++) {
        const auto* const at = static_cast<const uint8_t*>(pointers[i]);
        rows.insert(rows.end(), at, at + kMost);
      }
      Bytes output(text.size()), tags(16 * kCount);
      std::vector<int32_t> statuses(kCount, kUntouched);
      auto batch = sized<warpaes_batch>();
      batch.count = kCount;
      batch.length = batch.input.stride = batch.output.stride = 30;
      batch.input.data = text.data();
      batch.output.data = output.data();
      batch.tags.data = tags.data();
      batch.tags.stride = 16;
      batch.aad_strings = strings;
      batch.aad_length = kMost;
      batch.statuses = statuses.data();
      if (scattered) {
        batch.aad.pointers = pointers.data();
        batch.aad_lengths = lengths.data();
      } else {
        batch.aad.data = rows.data();
        batch.aad.stride = kMost;
      }
      const TestCipher cipher(context_, row.mode, key);
      if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) return;
      const warpaes_status status = warpaes_encrypt_batch(cipher.get(), &batch);
      if (status == WARPAES_ERROR_UNSUPPORTED) return;
      ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(statuses, std::vector<int32_t>(kCount, WARPAES_OK));
      for (size_t m = 0; m < kCount; m++) {
        std::vector<Bytes> of_message;
        for (size_t s = 0; s < strings; s++) {
          const size_t i = m * strings + s;
          const auto* const at = static_cast<const uint8_t*>(pointers[i]);
          of_message.emplace_back(at, at + lengths[i]);
        }
        const Answer answer = siv_of_strings(key, of_message, slice(text, 30 * m, 30));
        EXPECT_EQ(slice(output, 30 * m, 30), answer.output) << m;
        EXPECT_EQ(slice(tags, 16 * m, 16), answer.tag) << m;
      }
      batch.input.data = output.data();
      tags[16 * 3] ^= 1;
      EXPECT_EQ(warpaes_decrypt_batch(cipher.get(), &batch), WARPAES_ERROR_BATCH);
      for (size_t m = 0; m < kCount; m++) {
        EXPECT_EQ(statuses[m], m == 3 ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK);
        EXPECT_EQ(slice(output, 30 * m, 30), m == 3 ? Bytes(30) : slice(text, 30 * m, 30));
      }
    }
  }
}

/// In host calls, what became of the batch is the call's own status.
TEST_P(Batches, StatusesAndLengthsMayBeLeftOut) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    ArrangedBatch image(row, arrangements()[5], Keys::one, 9, 48);
    const TestCipher cipher(context_, row.mode, image.cipher_key());
    if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) continue;
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      image.begin(direction);
      image.damage(5);
      warpaes_batch batch = image.batch(image.memory.data());
      batch.statuses = nullptr;
      if (direction == kEncrypt || !row.unpads()) batch.output_lengths = nullptr;
      const warpaes_status status =
          (direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(cipher.get(), &batch);
      if (status == WARPAES_ERROR_UNSUPPORTED) continue;
      EXPECT_STREQ(warpaes_status_name(status), warpaes_status_name(image.expected_status()))
          << warpaes_last_error();
      EXPECT_EQ(image.status(3), 0x5a5a5a5a);
    }
  }
}

/// What all messages share may lie between the rows of what is written; any byte of overlap is refused.
TEST_P(Batches, WhatIsSharedMayLieBetweenTheRows) {
  constexpr size_t kCount = 3, kStride = 64, kLength = 32, kShared = 12;
  const TestCipher cipher(context_, WARPAES_MODE_GCM, counting(16));
  const Bytes nonces = counting(12 * kCount), input = counting(kCount * kLength);
  for (size_t at = 0; at + kShared <= kCount * kStride; at++) {
    Bytes frames = counting(kCount * kStride), tags(16 * kCount);
    auto batch = sized<warpaes_batch>();
    batch.count = kCount;
    batch.length = kLength;
    batch.input = {input.data(), kLength, nullptr};
    batch.output = {frames.data(), kStride, nullptr};
    batch.nonces = {nonces.data(), 12, nullptr};
    batch.aad = {frames.data() + at, 0, nullptr};
    batch.aad_length = kShared;
    batch.tags = {tags.data(), 16, nullptr};
    const bool in_gap = at % kStride >= kLength && at % kStride + kShared <= kStride;
    const warpaes_status status = warpaes_encrypt_batch(cipher.get(), &batch);
    if (status == WARPAES_ERROR_UNSUPPORTED) GTEST_SKIP() << warpaes_last_error();
    EXPECT_EQ(status, in_gap ? WARPAES_OK : WARPAES_ERROR_OVERLAP) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Batches, ::testing::ValuesIn(usable_engines()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

/// The sentence counts the messages, and says which is the first that failed, counted from 0.
TEST(BatchReports, SayHowManyFailedAndWhichFirst) {
  const TestContext context("openssl");
  const ModeRow& row = row_of(WARPAES_MODE_GCM);
  ArrangedBatch image(row, arrangements()[0], Keys::one, 12, 20);
  const TestCipher cipher(context, row.mode, image.cipher_key());
  image.begin(kDecrypt);
  image.damage(4);
  image.damage(9);
  EXPECT_EQ(run(cipher.get(), kDecrypt, image), WARPAES_ERROR_BATCH);
  const std::string told = warpaes_last_error();
  EXPECT_NE(told.find("2 of 12"), std::string::npos) << told;
  EXPECT_NE(told.find('4'), std::string::npos) << told;
}

}  // namespace
}  // namespace warpaes::core::testing
