// What each AEAD mode refuses, as a table: keys, nonces, tags and lengths that it does not have, in every
// call that takes them. No memory may have been touched.
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr uint8_t kUntouched = 0x5a;
constexpr size_t kBytes = 32;
constexpr auto kGcm = WARPAES_AEAD_GCM, kGcmSiv = WARPAES_AEAD_GCM_SIV, kCcm = WARPAES_AEAD_CCM,
               kEax = WARPAES_AEAD_EAX, kOcb3 = WARPAES_AEAD_OCB3;
constexpr auto kNoMode = static_cast<warpaes_aead>(6);

struct Row {
  const char* what;
  warpaes_aead mode;
  size_t key_bytes, nonce_bytes, tag_bytes;
  uint64_t bytes, aad_bytes;
  warpaes_status expected;
};

constexpr uint64_t kTwo36 = uint64_t{1} << 36, kTwo52 = uint64_t{1} << 52;

const Row kRows[] = {
    {"GCM-SIV, a key of 192 bits", kGcmSiv, 24, 12, 16, kBytes, 0, WARPAES_ERROR_KEY_LENGTH},
    {"GCM-SIV, a nonce of 11", kGcmSiv, 16, 11, 16, kBytes, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"GCM-SIV, a nonce of 13", kGcmSiv, 32, 13, 16, kBytes, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"GCM-SIV, a tag of 15", kGcmSiv, 16, 12, 15, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"GCM-SIV, a byte too long", kGcmSiv, 16, 12, 16, kTwo36 + 1, 0, WARPAES_ERROR_LENGTH},
    {"GCM-SIV, too much additional data", kGcmSiv, 16, 12, 16, kBytes, kTwo36 + 1, WARPAES_ERROR_LENGTH},
    {"CCM, a nonce of 6", kCcm, 16, 6, 16, kBytes, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"CCM, a nonce of 14", kCcm, 16, 14, 16, kBytes, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"CCM, a tag of 6", kCcm, 16, 12, 6, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"CCM, a tag of 15", kCcm, 24, 12, 15, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"CCM, 2^16 bytes with a nonce of 13", kCcm, 16, 13, 16, 65'536, 0, WARPAES_ERROR_LENGTH},
    {"CCM, 2^24 bytes with a nonce of 12", kCcm, 16, 12, 16, 1 << 24, 0, WARPAES_ERROR_LENGTH},
    {"CCM, 2^32 bytes with a nonce of 11", kCcm, 16, 11, 16, uint64_t{1} << 32, 0, WARPAES_ERROR_LENGTH},
    {"EAX, a tag of 11", kEax, 16, 16, 11, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"EAX, a tag of 17", kEax, 16, 16, 17, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"OCB3, a nonce of 16", kOcb3, 16, 16, 16, kBytes, 0, WARPAES_ERROR_NONCE_LENGTH},
    {"OCB3, a tag of 10", kOcb3, 16, 12, 10, kBytes, 0, WARPAES_ERROR_TAG_LENGTH},
    {"OCB3, a byte too long", kOcb3, 16, 12, 16, kTwo52 + 1, 0, WARPAES_ERROR_LENGTH},
    {"OCB3, too much additional data", kOcb3, 16, 12, 16, kBytes, kTwo52 + 1, WARPAES_ERROR_LENGTH},
    {"a mode that there is not", kNoMode, 16, 12, 16, kBytes, 0, WARPAES_ERROR_OPTION},
    {"a negative mode", static_cast<warpaes_aead>(-1), 16, 12, 16, kBytes, 0, WARPAES_ERROR_OPTION},
};

struct Memory {
  Bytes input = Bytes(64, kUntouched), output = Bytes(64, kUntouched), tags = Bytes(64, kUntouched),
        nonces = Bytes(64), aad = Bytes(64), keys = Bytes(64, 7);
  std::vector<int32_t> statuses = std::vector<int32_t>(2, kUntouched);
};

warpaes_aead_batch_arguments arguments_of(const Row& row, Memory& memory) {
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = 2;
  batch.bytes = batch.input_stride = batch.output_stride = row.bytes;
  batch.input = memory.input.data();
  batch.output = memory.output.data();
  batch.nonces = memory.nonces.data();
  batch.nonce_bytes = batch.nonce_stride = row.nonce_bytes;
  batch.aad = memory.aad.data();
  batch.aad_bytes = row.aad_bytes;
  batch.tags = memory.tags.data();
  batch.tag_bytes = batch.tag_stride = row.tag_bytes;
  batch.statuses = memory.statuses.data();
  return batch;
}

TEST(AeadMisuse, EachRowIsRefusedByEveryCallAndTouchesNothing) {
  const TestContext context("openssl");
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    const TestKey key(context, Bytes(row.key_bytes, 1));
    Memory m;
    const warpaes_aead_batch_arguments batch = arguments_of(row, m);
    const warpaes_status answers[] = {
        warpaes_aead_encrypt(key.get(), row.mode, m.nonces.data(), row.nonce_bytes, m.aad.data(),
                             row.aad_bytes, m.input.data(), m.output.data(), row.bytes, m.tags.data(),
                             row.tag_bytes),
        warpaes_aead_decrypt(key.get(), row.mode, m.nonces.data(), row.nonce_bytes, m.aad.data(),
                             row.aad_bytes, m.input.data(), m.output.data(), row.bytes, m.tags.data(),
                             row.tag_bytes),
        warpaes_aead_batch(key.get(), row.mode, WARPAES_ENCRYPT, &batch),
        warpaes_aead_batch(key.get(), row.mode, WARPAES_DECRYPT, &batch),
        warpaes_aead_batch_key_each(context.get(), m.keys.data(), row.key_bytes, row.key_bytes, row.mode,
                                    WARPAES_ENCRYPT, &batch),
    };
    for (const warpaes_status answer : answers) {
      EXPECT_STREQ(warpaes_status_name(answer), warpaes_status_name(row.expected)) << warpaes_last_error();
    }
    EXPECT_EQ(m.input, Bytes(64, kUntouched));
    EXPECT_EQ(m.output, Bytes(64, kUntouched));
    EXPECT_EQ(m.tags, Bytes(64, kUntouched));
    EXPECT_EQ(m.statuses, std::vector<int32_t>(2, kUntouched));
  }
}

TEST(AeadMisuse, AnEmptyNonceIsRefusedByEveryMode) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  uint8_t tag[16] = {}, nonce[16] = {};
  for (const warpaes_aead mode : {kGcm, kGcmSiv, kCcm, kEax, kOcb3}) {
    EXPECT_EQ(warpaes_aead_encrypt(key.get(), mode, nonce, 0, nullptr, 0, nullptr, nullptr, 0, tag, 16),
              WARPAES_ERROR_NONCE_LENGTH);
    EXPECT_NE(std::string(warpaes_last_error()).find("nonce"), std::string::npos) << warpaes_last_error();
  }
}

TEST(AeadMisuse, GcmBatchesHaveNoncesOf12) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  Memory memory;
  const warpaes_aead_batch_arguments batch = arguments_of({"", kGcm, 16, 16, 16, 16, 0, WARPAES_OK}, memory);
  EXPECT_EQ(warpaes_aead_batch(key.get(), kGcm, WARPAES_ENCRYPT, &batch), WARPAES_ERROR_NONCE_LENGTH);
}

TEST(AeadMisuse, DeviceCallsWithoutAGpuEngineSayWhatToDo) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  Memory m;
  const warpaes_aead_batch_arguments batch = arguments_of({"", kEax, 16, 16, 16, 16, 0, WARPAES_OK}, m);
  size_t needed = 1;
  const warpaes_status answers[] = {
      warpaes_aead_workspace_bytes(key.get(), kCcm, 1, 1, &needed),
      warpaes_aead_encrypt_device(key.get(), kCcm, m.nonces.data(), 12, nullptr, 0, m.input.data(),
                                  m.output.data(), 16, m.tags.data(), 16, nullptr, 0, nullptr),
      warpaes_aead_decrypt_device(key.get(), kOcb3, m.nonces.data(), 12, nullptr, 0, m.input.data(),
                                  m.output.data(), 16, m.tags.data(), 16, m.statuses.data(), nullptr, 0,
                                  nullptr),
      warpaes_aead_batch_device(key.get(), kEax, WARPAES_ENCRYPT, &batch, nullptr, 0, nullptr),
      warpaes_aead_batch_key_each_device(context.get(), m.keys.data(), 16, 16, kGcmSiv, WARPAES_ENCRYPT,
                                         &batch, nullptr),
  };
  for (const warpaes_status answer : answers) EXPECT_EQ(answer, WARPAES_ERROR_UNSUPPORTED);
  EXPECT_STRNE(warpaes_last_error(), "");
  EXPECT_EQ(m.output, Bytes(64, kUntouched));
}

/// What the rows spoil is right to begin with; a wrong tag leaves zeros; 0 bytes and 0 messages are fine.
TEST(AeadModes, ThereAndBackInEveryShape) {
  for (const char* engine : {"openssl", "portable"}) {
    const TestContext context(engine);
    for (const warpaes_aead mode : {kGcm, kGcmSiv, kCcm, kEax, kOcb3}) {
      for (const size_t key_bytes : {16u, 24u, 32u}) {
        if (mode == kGcmSiv && key_bytes == 24) continue;
        SCOPED_TRACE(std::string(engine) + " mode " + std::to_string(mode));
        const TestKey key(context, Bytes(key_bytes, 1));
        Memory m;
        warpaes_aead_batch_arguments batch = arguments_of({"", mode, 0, 0, 16, 20, 7, WARPAES_OK}, m);
        batch.nonce_stride = 16;
        ASSERT_EQ(warpaes_aead_batch(key.get(), mode, WARPAES_ENCRYPT, &batch), WARPAES_OK)
            << warpaes_last_error();
        batch.input = batch.output = m.output.data();
        m.tags[16] ^= 1;
        EXPECT_EQ(warpaes_aead_batch(key.get(), mode, WARPAES_DECRYPT, &batch), WARPAES_ERROR_AUTHENTICATION);
        EXPECT_EQ(m.statuses, (std::vector<int32_t>{WARPAES_OK, WARPAES_ERROR_AUTHENTICATION}));
        EXPECT_EQ(Bytes(m.output.begin(), m.output.begin() + 20), Bytes(20, kUntouched));
        EXPECT_EQ(Bytes(m.output.begin() + 20, m.output.begin() + 40), Bytes(20, 0));
        batch.messages = 0;
        EXPECT_EQ(warpaes_aead_batch(key.get(), mode, WARPAES_DECRYPT, &batch), WARPAES_OK);
        batch.messages = 2;
        batch.bytes = 0;
        EXPECT_EQ(warpaes_aead_batch(key.get(), mode, WARPAES_ENCRYPT, &batch), WARPAES_OK);
        EXPECT_EQ(warpaes_aead_batch(key.get(), mode, WARPAES_DECRYPT, &batch), WARPAES_OK);
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::testing
