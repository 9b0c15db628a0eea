// What the library says about its modes must be what their standards say.
#include <set>

#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr warpaes_direction kDirections[] = {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT};
constexpr auto kNoDirection = static_cast<warpaes_direction>(2);

/// More than any memory holds: a limit that is not the mode's own.
bool is_beyond_memory(uint64_t length) { return length >= uint64_t{1} << 56; }

void expect_described(const ModeRow& row, const warpaes_mode_info& info) {
  EXPECT_STREQ(info.name, row.name);
  EXPECT_NE(std::string(info.standard).find(row.standard), std::string::npos) << info.standard;
  EXPECT_EQ(info.key_count, row.key_count);
  EXPECT_EQ(info.key_lengths, row.key_lengths);
  EXPECT_EQ(info.authenticates, row.authenticates() ? 1u : 0u);
  EXPECT_EQ(info.has_output, row.has_output() ? 1u : 0u);
  EXPECT_EQ(info.shortest_nonce, row.shortest_nonce);
  EXPECT_EQ(info.longest_nonce, row.longest_nonce);
  EXPECT_EQ(info.recommended_nonce, row.recommended_nonce);
  EXPECT_EQ(info.tag_lengths, row.tag_lengths);
  EXPECT_EQ(info.recommended_tag, row.recommended_tag());
  EXPECT_EQ(info.shortest_message, row.shortest);
  EXPECT_EQ(info.message_multiple, row.multiple);
  EXPECT_TRUE(info.longest_message == row.longest ||
              (is_beyond_memory(info.longest_message) && is_beyond_memory(row.longest)))
      << info.longest_message;
  EXPECT_TRUE(info.longest_aad == row.longest_aad ||
              (is_beyond_memory(info.longest_aad) && is_beyond_memory(row.longest_aad)))
      << info.longest_aad;
}

TEST(Modes, AreDescribedAsTheirStandardsHaveThem) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    auto info = sized<warpaes_mode_info>();
    ASSERT_EQ(warpaes_mode_get(row.mode, &info), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(info.size, sizeof info);
    expect_described(row, info);
  }
}

TEST(Modes, AreCountedUpwardsFromOne) {
  std::set<std::string> names;
  auto info = sized<warpaes_mode_info>();
  warpaes_mode mode = 1;
  for (; warpaes_mode_get(mode, &info) == WARPAES_OK; mode++) names.insert(info.name);
  EXPECT_EQ(mode - 1, mode_rows().size());
  EXPECT_EQ(names.size(), mode_rows().size()) << "each has a name of its own";
}

TEST(Modes, OfOtherNumbersAreRefused) {
  auto info = sized<warpaes_mode_info>();
  uint64_t size = 7;
  for (const warpaes_mode mode : {warpaes_mode{0}, warpaes_mode{24}, warpaes_mode{99}, UINT32_MAX}) {
    EXPECT_EQ(warpaes_mode_get(mode, &info), WARPAES_ERROR_OPTION) << mode;
    EXPECT_EQ(info.name, nullptr);
    for (const warpaes_direction direction : kDirections) {
      EXPECT_EQ(warpaes_output_size(mode, direction, 16, &size), WARPAES_ERROR_OPTION) << mode;
    }
  }
  EXPECT_EQ(warpaes_output_size(WARPAES_MODE_GCM, kNoDirection, 16, &size), WARPAES_ERROR_OPTION);
  EXPECT_EQ(warpaes_mode_get(WARPAES_MODE_GCM, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_output_size(WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT, 16, nullptr),
            WARPAES_ERROR_NULL_POINTER);
}

/// Is there a message of this length, as far as shortest length and multiple go?
bool has_length(const ModeRow& row, uint64_t length) {
  return (length == 0 && row.has_empty()) || (length >= row.shortest && length % row.multiple == 0);
}

TEST(Modes, OutputSizesAreThoseOfTheMode) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    std::set<uint64_t> ciphertexts;
    for (uint64_t length = 0; length <= 100; length++) {
      uint64_t size = 7;
      const warpaes_status status = warpaes_output_size(row.mode, WARPAES_DIRECTION_ENCRYPT, length, &size);
      EXPECT_EQ(status, has_length(row, length) ? WARPAES_OK : WARPAES_ERROR_LENGTH) << length;
      if (status != WARPAES_OK) continue;
      EXPECT_EQ(size, row.grown(length)) << length;
      ciphertexts.insert(row.has_output() ? size : length);
    }
    for (uint64_t length = 0; length <= 100; length++) {
      uint64_t size = 7;
      const bool known = ciphertexts.contains(length);
      EXPECT_EQ(warpaes_output_size(row.mode, WARPAES_DIRECTION_DECRYPT, length, &size),
                known ? WARPAES_OK : WARPAES_ERROR_LENGTH)
          << length;
      if (!known) continue;
      EXPECT_EQ(size, row.has_output() ? row.opened_length(length) : 0) << length;
    }
  }
}

TEST(Modes, MessagesAreAsLongAsTheModeAllows) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    uint64_t size = 0;
    if (row.longest < uint64_t{1} << 56 && row.mode != WARPAES_MODE_CCM && row.mode != WARPAES_MODE_XTS) {
      EXPECT_EQ(warpaes_output_size(row.mode, WARPAES_DIRECTION_ENCRYPT, row.longest, &size), WARPAES_OK);
      EXPECT_EQ(warpaes_output_size(row.mode, WARPAES_DIRECTION_ENCRYPT, row.longest + 1, &size),
                WARPAES_ERROR_LENGTH);
    }
    if (row.grown(1) == 0 || row.grown(1) == 1) continue;  // the rest grows
    EXPECT_EQ(warpaes_output_size(row.mode, WARPAES_DIRECTION_ENCRYPT, UINT64_MAX / 16 * 16, &size),
              WARPAES_ERROR_LENGTH)
        << "the ciphertext's length does not fit into 64 bits";
  }
}

/// Every length of key that the mode has makes a cipher, and no other does.
TEST(Modes, TakeKeysOfTheirLengthsOnly) {
  const TestContext context("openssl", 1);
  const Bytes key = counting(80);
  for (const ModeRow& row : mode_rows()) {
    for (size_t length = 1; length <= key.size(); length++) {
      SCOPED_TRACE(row.name + std::string(", a key of ") + std::to_string(length));
      const bool known = length % 8 == 0 && length / 8 < 32 && (row.key_lengths >> length / 8 & 1);
      auto* cipher = reinterpret_cast<warpaes_cipher*>(1);
      EXPECT_EQ(warpaes_cipher_create(context.get(), row.mode, key.data(), length, &cipher),
                known ? WARPAES_OK : WARPAES_ERROR_KEY_LENGTH);
      EXPECT_EQ(cipher != nullptr, known);
      if (known) warpaes_cipher_destroy(cipher);
    }
  }
}

TEST(Modes, CiphersTellTheirModeAndWhoComputes) {
  for (const char* const engine : {"openssl/evp", "portable/t_tables"}) {
    const TestContext context(engine, 1);
    const TestCipher cipher(context, WARPAES_MODE_XTS, counting(64));
    for (const warpaes_direction direction : kDirections) {
      for (const uint64_t length : {uint64_t{0}, uint64_t{1} << 40}) {
        auto info = sized<warpaes_cipher_info>();
        info.direction = direction;
        info.length = length;
        ASSERT_EQ(warpaes_cipher_get(cipher.get(), &info), WARPAES_OK) << warpaes_last_error();
        EXPECT_EQ(info.mode, WARPAES_MODE_XTS);
        EXPECT_STREQ(info.engine, engine);
        EXPECT_TRUE(info.direction == direction && info.length == length) << "what the caller set";
      }
    }
  }
}

TEST(Modes, CiphersTellNothingToWrongArguments) {
  const TestContext context("openssl", 1);
  const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16));
  auto info = sized<warpaes_cipher_info>();
  EXPECT_EQ(warpaes_cipher_get(cipher.get(), nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_cipher_get(nullptr, &info), WARPAES_ERROR_NULL_POINTER);
  info.direction = kNoDirection;
  EXPECT_EQ(warpaes_cipher_get(cipher.get(), &info), WARPAES_ERROR_OPTION);
  info.direction = WARPAES_DIRECTION_DECRYPT;
  info.size = 1;
  EXPECT_EQ(warpaes_cipher_get(cipher.get(), &info), WARPAES_ERROR_OPTION);
  EXPECT_TRUE(info.mode == WARPAES_MODE_INVALID && info.engine == nullptr) << "nothing was written";
}

TEST(Modes, NoCipherComesOfWrongArguments) {
  const TestContext context("openssl", 1);
  const Bytes key = counting(64), equal_halves(32, 1);
  struct Row {
    const char* what;
    warpaes_status expected;
    const warpaes_context* context;
    warpaes_mode mode;
    const void* key;
    size_t key_length;
  };
  const Row rows[] = {
      {"no context", WARPAES_ERROR_NULL_POINTER, nullptr, WARPAES_MODE_GCM, key.data(), 16},
      {"no mode", WARPAES_ERROR_MODE, context.get(), WARPAES_MODE_INVALID, key.data(), 16},
      {"a mode that there is not", WARPAES_ERROR_MODE, context.get(), 24, key.data(), 16},
      {"the last number", WARPAES_ERROR_MODE, context.get(), UINT32_MAX, key.data(), 16},
      {"a length without a key", WARPAES_ERROR_NULL_POINTER, context.get(), WARPAES_MODE_GCM, nullptr, 16},
      {"a key without a length", WARPAES_ERROR_KEY_LENGTH, context.get(), WARPAES_MODE_GCM, key.data(), 0},
      {"XTS with equal keys", WARPAES_ERROR_XTS_KEYS, context.get(), WARPAES_MODE_XTS, equal_halves.data(),
       32},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    auto* cipher = reinterpret_cast<warpaes_cipher*>(1);
    EXPECT_EQ(warpaes_cipher_create(row.context, row.mode, row.key, row.key_length, &cipher), row.expected)
        << warpaes_last_error();
    EXPECT_EQ(cipher, nullptr);
  }
  EXPECT_EQ(warpaes_cipher_create(context.get(), WARPAES_MODE_GCM, key.data(), 16, nullptr),
            WARPAES_ERROR_NULL_POINTER);
  warpaes_cipher_destroy(nullptr);
}

}  // namespace
}  // namespace warpaes::core::testing
