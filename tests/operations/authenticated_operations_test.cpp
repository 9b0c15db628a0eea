// Modes with tags in parts: ciphertext and tag are those of one call with the whole message.
#include <random>

#include "operation_rows.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::testing {
namespace {

struct AuthenticatedRow {
  const char* name;
  warpaes_mode mode;
  warpaes_aead aead;
  size_t most_nonce;
  std::array<size_t, 3> tags;
};

constexpr AuthenticatedRow kRows[] = {
    {"GCM", WARPAES_MODE_GCM, WARPAES_AEAD_GCM, 40, {12, 13, 16}},
    {"GMAC", WARPAES_MODE_GMAC, WARPAES_AEAD_GCM, 40, {12, 15, 16}},
    {"EAX", WARPAES_MODE_EAX, WARPAES_AEAD_EAX, 40, {12, 14, 16}},
    {"OCB3", WARPAES_MODE_OCB3, WARPAES_AEAD_OCB3, 15, {8, 12, 16}},
};

struct Message {
  Bytes nonce, aad, text;
  size_t tag_bytes;
};

/// The ciphertext, and behind it the tag. GMAC: the tag.
Bytes whole(const TestKey& key, const AuthenticatedRow& row, const Message& message) {
  const bool mac = row.mode == WARPAES_MODE_GMAC;
  const size_t bytes = mac ? 0 : message.text.size();
  Bytes output(bytes + message.tag_bytes);
  const warpaes_status status =
      mac ? warpaes_gmac(key.get(), message.nonce.data(), message.nonce.size(), message.text.data(),
                         message.text.size(), output.data(), message.tag_bytes)
          : warpaes_aead_encrypt(key.get(), row.aead, message.nonce.data(), message.nonce.size(),
                                 message.aad.data(), message.aad.size(), message.text.data(), output.data(),
                                 bytes, output.data() + bytes, message.tag_bytes);
  EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
  return output;
}

warpaes_operation_options options_of(const AuthenticatedRow& row, const Message& message) {
  warpaes_operation_options made = {};
  made.size = sizeof made;
  made.mode = row.mode;
  made.direction = WARPAES_ENCRYPT;
  made.iv = message.nonce.data();
  made.iv_bytes = message.nonce.size();
  made.aad = message.aad.data();
  made.aad_bytes = message.aad.size();
  made.tag_bytes = message.tag_bytes;
  return made;
}

class AuthenticatedOperations : public ::testing::TestWithParam<std::string> {
 protected:
  TestContext context_{GetParam().c_str(), 2};
  std::mt19937_64 generator_{19};

  size_t between(size_t low, size_t high) { return low + generator_() % (high - low + 1); }
  Bytes random_bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& each : made) each = static_cast<uint8_t>(generator_());
    return made;
  }

  Bytes in_parts(const TestKey& key, const AuthenticatedRow& row, const Message& message, size_t most_part) {
    const TestOperation operation(key.get(), options_of(row, message));
    EXPECT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
    Bytes output(message.text.size() + 32);
    uint64_t at = 0, written = 0, now = 0;
    while (at < message.text.size()) {
      const uint64_t part = std::min<uint64_t>(between(0, most_part), message.text.size() - at);
      uint8_t* const to = row.mode == WARPAES_MODE_GMAC ? nullptr : output.data() + written;
      EXPECT_EQ(warpaes_operation_update(operation.get(), message.text.data() + at, part, to,
                                         output.size() - written, &now),
                WARPAES_OK)
          << warpaes_last_error();
      at += part;
      written += now;
    }
    uint64_t most = 0;
    EXPECT_EQ(warpaes_operation_finish_bytes(operation.get(), &most), WARPAES_OK);
    EXPECT_EQ(warpaes_operation_finish(operation.get(), output.data() + written, most, &now), WARPAES_OK);
    EXPECT_EQ(now, most);
    output.resize(written + now);
    return output;
  }
};

TEST_P(AuthenticatedOperations, AnyPartsGiveTheWholeAndItsTag) {
  const bool slow = GetParam() == "portable";
  for (int i = 0; i < (slow ? 40 : 200); i++) {
    const AuthenticatedRow& row = kRows[static_cast<size_t>(i) % std::size(kRows)];
    SCOPED_TRACE(std::to_string(i) + ": " + row.name);
    const TestKey key(context_, random_bytes(16 + 8 * between(0, 2)));
    const Message message{random_bytes(i % 3 == 0 ? 12 : between(1, row.most_nonce)),
                          random_bytes(row.mode == WARPAES_MODE_GMAC ? 0 : between(0, 70)),
                          random_bytes(between(0, size_t{slow ? 3000u : 300'000u} >> between(0, 14))),
                          row.tags[between(0, 2)]};
    EXPECT_TRUE(in_parts(key, row, message, between(1, 2 + message.text.size())) == whole(key, row, message));
  }
}

/// J0 of other nonces than those of 12 bytes may lie just before where inc32 begins again with 0.
TEST_P(AuthenticatedOperations, GcmCountersWrapInTheirLastFourBytes) {
  const Bytes raw(16, 5);
  const TestKey key(context_, raw);
  uint8_t h[16] = {};
  ASSERT_EQ(warpaes_ecb_encrypt(key.get(), h, h, sizeof h), WARPAES_OK);
  Ghash ghash(ghash_key(gf128_from_block(h)));
  Message message{Bytes(16), Bytes(3, 1), Bytes(40'000, 7), 16};
  uint64_t left = UINT64_MAX;
  for (uint32_t i = 0; left > 2000; i++) {
    std::copy_n(reinterpret_cast<const uint8_t*>(&i), sizeof i, message.nonce.begin());
    left = ~gcm_initial_counter(ghash, message.nonce.data(), message.nonce.size()).low & 0xffffffff;
  }
  EXPECT_TRUE(in_parts(key, kRows[0], message, 3000) == whole(key, kRows[0], message)) << left << " blocks";
}

INSTANTIATE_TEST_SUITE_P(Engines, AuthenticatedOperations, ::testing::Values("openssl", "portable", "auto"));

struct RefusedRow {
  const char* what;
  warpaes_mode mode;
  warpaes_direction direction;
  size_t nonce_bytes, tag_bytes, aad_bytes;
  warpaes_status expected;
};

constexpr RefusedRow kRefused[] = {
    {"GCM, decryption", WARPAES_MODE_GCM, WARPAES_DECRYPT, 12, 16, 0, WARPAES_ERROR_OPTION},
    {"OCB3, decryption", WARPAES_MODE_OCB3, WARPAES_DECRYPT, 12, 16, 0, WARPAES_ERROR_OPTION},
    {"GMAC, decryption", WARPAES_MODE_GMAC, WARPAES_DECRYPT, 12, 16, 0, WARPAES_ERROR_OPTION},
    {"GCM without a nonce", WARPAES_MODE_GCM, WARPAES_ENCRYPT, 0, 16, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"OCB3, a nonce of 16 bytes", WARPAES_MODE_OCB3, WARPAES_ENCRYPT, 16, 16, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"GCM, a tag of 11 bytes", WARPAES_MODE_GCM, WARPAES_ENCRYPT, 12, 11, 0, WARPAES_ERROR_TAG_LENGTH},
    {"EAX without a tag", WARPAES_MODE_EAX, WARPAES_ENCRYPT, 12, 0, 0, WARPAES_ERROR_TAG_LENGTH},
    {"GMAC with additional data", WARPAES_MODE_GMAC, WARPAES_ENCRYPT, 12, 16, 1, WARPAES_ERROR_OPTION},
    {"CTR with additional data", WARPAES_MODE_CTR, WARPAES_ENCRYPT, 16, 0, 1, WARPAES_ERROR_OPTION},
};

TEST(AuthenticatedOperationsMisuse, CreatingRefusesEachRow) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  const Bytes some(16, 2);
  for (const RefusedRow& row : kRefused) {
    SCOPED_TRACE(row.what);
    warpaes_operation_options given = {};
    given.size = sizeof given;
    given.mode = row.mode;
    given.direction = row.direction;
    given.iv = some.data();
    given.iv_bytes = row.nonce_bytes;
    given.tag_bytes = row.tag_bytes;
    given.aad = some.data();
    given.aad_bytes = row.aad_bytes;
    const TestOperation operation(key.get(), given);
    EXPECT_STREQ(warpaes_status_name(operation.status()), warpaes_status_name(row.expected))
        << warpaes_last_error();
  }
}

TEST(AuthenticatedOperationsMisuse, TheLimitsOfTheModeCount) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  const TestOperation gmac(key.get(), options_of(kRows[1], {Bytes(12), {}, {}, 16}));
  uint64_t written = 0;
  const uint8_t byte = 0;  // the length is refused before anything is read
  EXPECT_EQ(warpaes_operation_update(gmac.get(), &byte, uint64_t{1} << 61, nullptr, 0, &written),
            WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_operation_update(gmac.get(), &byte, 1, nullptr, 0, &written), WARPAES_ERROR_STATE);
}

}  // namespace
}  // namespace warpaes::testing
