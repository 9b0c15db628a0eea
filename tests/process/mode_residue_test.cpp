// Whatever a key was used for, nothing of it may be left when it has been destroyed: every mode, messages and
// forgeries of them, and batches whose messages bring their own keys.
#include <gtest/gtest.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <random>

#include "memory_scan.hpp"
#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kBytes = 5000, kMessages = 3;

/// The keys of a mode, or of several messages, which leave nothing behind themselves.
struct RawKeys {
  Bytes bytes;

  RawKeys(size_t length, uint32_t keys_in_each, Needles& needles) : bytes(length) {
    std::mt19937_64 generator(std::random_device{}());
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator());
    OPENSSL_cleanse(&generator, sizeof generator);  // from which the bytes could be made once more
    const size_t each = length / keys_in_each;
    for (size_t at = 0; at < length; at += each) needles.add_key(std::span(bytes).subspan(at, each));
  }
  ~RawKeys() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  RawKeys(const RawKeys&) = delete;
  RawKeys& operator=(const RawKeys&) = delete;
};

/// What a message and a batch of its like lie in. The text of all is the same, as are their nonces.
struct Room {
  explicit Room(const ModeRow& row)
      : example(row.example(row.some_length(kBytes))),
        sealed(kMessages * row.grown(example.text.size())),
        opened(sealed.size()),
        tags(16 * kMessages),
        statuses(kMessages) {}

  Example example;
  Bytes sealed, opened, tags;
  uint64_t length = 0;
  std::vector<uint64_t> lengths = std::vector<uint64_t>(kMessages);
  std::vector<int32_t> statuses;
};

void work_with_messages(const ModeRow& row, const warpaes_cipher* cipher, Room& room) {
  auto message = sized<warpaes_message>();
  message.input = room.example.text.data();
  message.length = room.example.text.size();
  message.nonce = room.example.nonce.data();
  message.nonce_length = room.example.nonce.size();
  if (row.has_aad()) {
    message.aad = room.example.aad.data();
    message.aad_length = room.example.aad.size();
  }
  if (row.has_tag()) message.tag = room.tags.data();
  const uint64_t grown = row.grown(message.length);
  if (row.has_output()) {
    message.output = room.sealed.data();
    message.output_capacity = grown;
  }
  ASSERT_EQ(warpaes_encrypt(cipher, &message), WARPAES_OK) << warpaes_last_error();
  if (row.has_output()) {
    message.input = room.sealed.data();
    message.length = grown;
    message.output = room.opened.data();
    message.output_length = &room.length;
  }
  ASSERT_EQ(warpaes_decrypt(cipher, &message), WARPAES_OK) << warpaes_last_error();
  if (!row.notices()) return;
  (row.has_tag() ? room.tags : room.sealed).front() ^= 1;
  if (row.has_pkcs7()) room.sealed[grown - 1] ^= 1;
  const warpaes_status forged = warpaes_decrypt(cipher, &message);
  if (row.authenticates()) {
    ASSERT_EQ(forged, WARPAES_ERROR_AUTHENTICATION);
  }
}

void work_with_keys_of_messages(const ModeRow& row, const warpaes_cipher* cipher, const Bytes& keys,
                                Room& room) {
  auto batch = sized<warpaes_batch>();
  batch.count = kMessages;
  batch.input.data = room.example.text.data();
  batch.length = room.example.text.size();
  if (row.has_output()) batch.output = {room.sealed.data(), row.grown(batch.length), nullptr};
  if (row.has_nonce()) {
    batch.nonces.data = room.example.nonce.data();
    batch.nonce_length = room.example.nonce.size();
  }
  if (row.has_tag()) batch.tags = {room.tags.data(), 16, nullptr};
  batch.keys = {keys.data(), keys.size() / kMessages, nullptr};
  batch.key_length = keys.size() / kMessages;
  batch.output_lengths = room.lengths.data();
  batch.statuses = room.statuses.data();
  ASSERT_EQ(warpaes_encrypt_batch(cipher, &batch), WARPAES_OK) << warpaes_last_error();
}

class ModeResidue : public ::testing::TestWithParam<std::tuple<ModeRow, const char*>> {
 protected:
  const ModeRow& row_ = std::get<0>(GetParam());
  const TestContext context_{std::get<1>(GetParam()), 1};
  Needles needles_;
};

TEST_P(ModeResidue, NothingIsLeftOfAKeyThatIsDestroyed) {
  Room room(row_);
  {
    const RawKeys raw(row_.longest_key(), row_.key_count, needles_);
    if (row_.mode == WARPAES_MODE_XTS) {
      const auto tweak_key = std::span(raw.bytes).subspan(raw.bytes.size() / 2);
      needles_.add_tweaks(tweak_key, room.example.nonce, room.example.text.size() / 16 + 2);
    }
    const TestCipher cipher(context_, row_.mode, raw.bytes);
    work_with_messages(row_, cipher.get(), room);
    EXPECT_FALSE(find(needles_).empty());
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

/// What the caller's stack has of them is the caller's, who has destroyed no key: a call with another key
/// overwrites it and wipes it.
TEST_P(ModeResidue, NothingIsLeftOfTheKeysOfMessages) {
  Room room(row_);
  {
    const RawKeys raw(kMessages * row_.longest_key(), kMessages * row_.key_count, needles_);
    const TestCipher cipher(context_, row_.mode, {});
    work_with_keys_of_messages(row_, cipher.get(), raw.bytes, room);
    EXPECT_FALSE(find(needles_).empty());
  }
  {
    const TestCipher another(context_, row_.mode, row_.example(16).key);
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, ModeResidue,
                         ::testing::Combine(::testing::ValuesIn(mode_rows().begin(), mode_rows().end()),
                                            ::testing::Values("openssl", "portable/t_tables")),
                         [](const auto& test) {
                           std::string name =
                               std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param);
                           std::replace_if(
                               name.begin(), name.end(), [](char each) { return !std::isalnum(each); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace warpaes::core::testing
