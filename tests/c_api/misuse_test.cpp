// What a caller can do wrong, as a table: each row spoils one argument of a call that is right, names the
// status it must give, and no memory may have been touched.
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kBytes = 64;
constexpr uint64_t kGcmMost = (uint64_t{1} << 36) - 32;
constexpr uint64_t kMax64 = ~uint64_t{0};
constexpr uint8_t kUntouched = 0x5a;

/// The arguments of all calls, right until a row spoils them.
struct Call {
  const warpaes_key* key;
  Bytes memory = Bytes(3 * kBytes, kUntouched), tags = Bytes(64, kUntouched), nonces = Bytes(48, 0);
  const void* input = memory.data();
  void* output = memory.data() + kBytes;
  uint64_t bytes = kBytes;
  const uint8_t* counter = nonces.data();
  const void* nonce = nonces.data();
  size_t nonce_bytes = 12;
  const void* aad = nullptr;
  uint64_t aad_bytes = 0;
  void* tag = tags.data();
  size_t tag_bytes = 16;
  std::vector<int32_t> statuses = std::vector<int32_t>(4, kUntouched);
  size_t workspace_bytes = 0;
  size_t* workspace_bytes_to = &workspace_bytes;
  warpaes_direction direction = WARPAES_ENCRYPT;
  warpaes_aead_batch_arguments batch = {};
  const warpaes_aead_batch_arguments* batch_arguments = &batch;

  explicit Call(const warpaes_key* with_key) : key(with_key) {
    batch.size = sizeof batch;
    batch.messages = 4;
    batch.bytes = batch.input_stride = batch.output_stride = 16;
    batch.input = input;
    batch.output = output;
    batch.nonces = nonce;
    batch.nonce_stride = 12;
    batch.tags = tag;
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses.data();
  }

  void place(size_t input_at, size_t output_at) {
    input = memory.data() + input_at;
    output = memory.data() + output_at;
  }
  void give_aad(const void* data, uint64_t count) {
    aad = data;
    aad_bytes = count;
  }
  void give_batch_aad(uint64_t count, uint64_t stride) {
    batch.aad = nonces.data();
    batch.aad_bytes = count;
    batch.aad_stride = stride;
  }
  void place_batch(size_t output_at, uint64_t output_stride) {
    batch.output = memory.data() + output_at;
    batch.output_stride = output_stride;
  }

  warpaes_status ecb() { return warpaes_ecb_encrypt(key, input, output, bytes); }
  warpaes_status ecb_open() { return warpaes_ecb_decrypt(key, input, output, bytes); }
  warpaes_status ctr() { return warpaes_ctr_crypt(key, counter, input, output, bytes); }
  warpaes_status gcm() {
    return warpaes_aead_encrypt(key, WARPAES_AEAD_GCM, nonce, nonce_bytes, aad, aad_bytes, input, output,
                                bytes, tag, tag_bytes);
  }
  warpaes_status gcm_open() {
    return warpaes_aead_decrypt(key, WARPAES_AEAD_GCM, nonce, nonce_bytes, aad, aad_bytes, input, output,
                                bytes, tag, tag_bytes);
  }
  warpaes_status gcm_batch() { return warpaes_aead_batch(key, WARPAES_AEAD_GCM, direction, batch_arguments); }
  warpaes_status gcm_batch_open() {
    return warpaes_aead_batch(key, WARPAES_AEAD_GCM, WARPAES_DECRYPT, batch_arguments);
  }

  warpaes_status ecb_device() { return warpaes_ecb_encrypt_device(key, input, output, bytes, nullptr); }
  warpaes_status ecb_open_device() { return warpaes_ecb_decrypt_device(key, input, output, bytes, nullptr); }
  warpaes_status ctr_device() {
    return warpaes_ctr_crypt_device(key, counter, input, output, bytes, nullptr);
  }
  warpaes_status gcm_device() {
    return warpaes_aead_encrypt_device(key, WARPAES_AEAD_GCM, nonce, nonce_bytes, aad, aad_bytes, input,
                                       output, bytes, tag, tag_bytes, nullptr, 0, nullptr);
  }
  warpaes_status gcm_open_device() {
    return warpaes_aead_decrypt_device(key, WARPAES_AEAD_GCM, nonce, nonce_bytes, aad, aad_bytes, input,
                                       output, bytes, tag, tag_bytes, statuses.data(), nullptr, 0, nullptr);
  }
  warpaes_status gcm_batch_device() {
    return warpaes_aead_batch_device(key, WARPAES_AEAD_GCM, direction, batch_arguments, nullptr, 0, nullptr);
  }
  warpaes_status workspace() {
    return warpaes_aead_workspace_bytes(key, WARPAES_AEAD_GCM, 1, 1, workspace_bytes_to);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"ECB without a key", WARPAES_ERROR_NULL_POINTER, &Call::ecb, [](Call& c) { c.key = nullptr; }},
    {"ECB without input", WARPAES_ERROR_NULL_POINTER, &Call::ecb, [](Call& c) { c.input = nullptr; }},
    {"ECB without output", WARPAES_ERROR_NULL_POINTER, &Call::ecb_open, [](Call& c) { c.output = nullptr; }},
    {"ECB of part of a block", WARPAES_ERROR_LENGTH, &Call::ecb, [](Call& c) { c.bytes = 17; }},
    {"ECB decryption of part of a block", WARPAES_ERROR_LENGTH, &Call::ecb_open,
     [](Call& c) { c.bytes = 15; }},
    {"ECB, output a byte behind the input", WARPAES_ERROR_OVERLAP, &Call::ecb,
     [](Call& c) { c.place(0, 1); }},
    {"ECB, output a block before the input", WARPAES_ERROR_OVERLAP, &Call::ecb_open,
     [](Call& c) { c.place(16, 0); }},
    {"ECB to beyond the address space", WARPAES_ERROR_LENGTH, &Call::ecb,
     [](Call& c) { c.bytes = kMax64 - 15; }},

    {"CTR without a key", WARPAES_ERROR_NULL_POINTER, &Call::ctr, [](Call& c) { c.key = nullptr; }},
    {"CTR without a counter", WARPAES_ERROR_NULL_POINTER, &Call::ctr, [](Call& c) { c.counter = nullptr; }},
    {"CTR without input", WARPAES_ERROR_NULL_POINTER, &Call::ctr, [](Call& c) { c.input = nullptr; }},
    {"CTR, output a byte behind the input", WARPAES_ERROR_OVERLAP, &Call::ctr,
     [](Call& c) { c.place(0, 1); }},
    {"CTR, output a byte before the input", WARPAES_ERROR_OVERLAP, &Call::ctr,
     [](Call& c) { c.place(1, 0); }},
    {"CTR, overlap of one byte", WARPAES_ERROR_OVERLAP, &Call::ctr, [](Call& c) { c.place(0, kBytes - 1); }},
    {"CTR to beyond the address space", WARPAES_ERROR_LENGTH, &Call::ctr, [](Call& c) { c.bytes = kMax64; }},

    {"GCM without a key", WARPAES_ERROR_NULL_POINTER, &Call::gcm, [](Call& c) { c.key = nullptr; }},
    {"GCM without a nonce", WARPAES_ERROR_NULL_POINTER, &Call::gcm, [](Call& c) { c.nonce = nullptr; }},
    {"GCM with an empty nonce", WARPAES_ERROR_NONCE_LENGTH, &Call::gcm, [](Call& c) { c.nonce_bytes = 0; }},
    {"GCM decryption with an empty nonce", WARPAES_ERROR_NONCE_LENGTH, &Call::gcm_open,
     [](Call& c) { c.nonce_bytes = 0; }},
    {"GCM without a place for the tag", WARPAES_ERROR_NULL_POINTER, &Call::gcm,
     [](Call& c) { c.tag = nullptr; }},
    {"GCM decryption without a tag", WARPAES_ERROR_NULL_POINTER, &Call::gcm_open,
     [](Call& c) { c.tag = nullptr; }},
    {"GCM without additional data", WARPAES_ERROR_NULL_POINTER, &Call::gcm, [](Call& c) { c.aad_bytes = 5; }},
    {"GCM without input", WARPAES_ERROR_NULL_POINTER, &Call::gcm, [](Call& c) { c.input = nullptr; }},
    {"GCM without output", WARPAES_ERROR_NULL_POINTER, &Call::gcm_open, [](Call& c) { c.output = nullptr; }},
    {"GCM, an 11-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::gcm, [](Call& c) { c.tag_bytes = 11; }},
    {"GCM, a 17-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::gcm, [](Call& c) { c.tag_bytes = 17; }},
    {"GCM decryption, an empty tag", WARPAES_ERROR_TAG_LENGTH, &Call::gcm_open,
     [](Call& c) { c.tag_bytes = 0; }},
    {"GCM decryption, a 4-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::gcm_open,
     [](Call& c) { c.tag_bytes = 4; }},
    {"GCM, a byte too long", WARPAES_ERROR_LENGTH, &Call::gcm, [](Call& c) { c.bytes = kGcmMost + 1; }},
    {"GCM decryption, a byte too long", WARPAES_ERROR_LENGTH, &Call::gcm_open,
     [](Call& c) { c.bytes = kGcmMost + 1; }},
    {"GCM, the longest number", WARPAES_ERROR_LENGTH, &Call::gcm, [](Call& c) { c.bytes = kMax64; }},
    {"GCM, additional data of 2^61 bytes", WARPAES_ERROR_LENGTH, &Call::gcm,
     [](Call& c) { c.give_aad(c.nonce, uint64_t{1} << 61); }},
    {"GCM, output a byte behind the input", WARPAES_ERROR_OVERLAP, &Call::gcm,
     [](Call& c) { c.place(0, 1); }},
    {"GCM decryption, output before the input", WARPAES_ERROR_OVERLAP, &Call::gcm_open,
     [](Call& c) { c.place(1, 0); }},
    {"GCM, tag inside the output", WARPAES_ERROR_OVERLAP, &Call::gcm,
     [](Call& c) { c.tag = c.memory.data() + 2 * kBytes - 8; }},
    {"GCM, additional data inside the output", WARPAES_ERROR_OVERLAP, &Call::gcm,
     [](Call& c) { c.give_aad(c.output, 4); }},

    {"no batch", WARPAES_ERROR_NULL_POINTER, &Call::gcm_batch, [](Call& c) { c.batch_arguments = nullptr; }},
    {"batch without a key", WARPAES_ERROR_NULL_POINTER, &Call::gcm_batch, [](Call& c) { c.key = nullptr; }},
    {"batch of another version", WARPAES_ERROR_OPTION, &Call::gcm_batch, [](Call& c) { c.batch.size--; }},
    {"batch with a reserved bit", WARPAES_ERROR_OPTION, &Call::gcm_batch,
     [](Call& c) { c.batch.reserved[7] = 1; }},
    {"batch in no direction", WARPAES_ERROR_OPTION, &Call::gcm_batch,
     [](Call& c) { c.direction = static_cast<warpaes_direction>(2); }},
    {"batch without nonces", WARPAES_ERROR_NULL_POINTER, &Call::gcm_batch,
     [](Call& c) { c.batch.nonces = nullptr; }},
    {"batch without tags", WARPAES_ERROR_NULL_POINTER, &Call::gcm_batch_open,
     [](Call& c) { c.batch.tags = nullptr; }},
    {"batch to decrypt without statuses", WARPAES_ERROR_NULL_POINTER, &Call::gcm_batch_open,
     [](Call& c) { c.batch.statuses = nullptr; }},
    {"batch, short input stride", WARPAES_ERROR_STRIDE, &Call::gcm_batch,
     [](Call& c) { c.batch.input_stride = 15; }},
    {"batch, short output stride", WARPAES_ERROR_STRIDE, &Call::gcm_batch_open,
     [](Call& c) { c.batch.output_stride = 0; }},
    {"batch, short nonce stride", WARPAES_ERROR_STRIDE, &Call::gcm_batch,
     [](Call& c) { c.batch.nonce_stride = 11; }},
    {"batch, short tag stride", WARPAES_ERROR_STRIDE, &Call::gcm_batch_open,
     [](Call& c) { c.batch.tag_stride = 15; }},
    {"batch, short stride of additional data", WARPAES_ERROR_STRIDE, &Call::gcm_batch,
     [](Call& c) { c.give_batch_aad(3, 2); }},
    {"batch, an 11-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::gcm_batch_open,
     [](Call& c) { c.batch.tag_bytes = 11; }},
    {"batch, messages a byte too long", WARPAES_ERROR_LENGTH, &Call::gcm_batch,
     [](Call& c) { c.batch.bytes = kGcmMost + 1; }},
    {"batch, more bytes than addresses", WARPAES_ERROR_LENGTH, &Call::gcm_batch,
     [](Call& c) { c.batch.messages = uint64_t{1} << 60; }},
    {"batch, a stride that overflows", WARPAES_ERROR_LENGTH, &Call::gcm_batch,
     [](Call& c) { c.batch.input_stride = kMax64; }},
    {"batch, input and output overlap", WARPAES_ERROR_OVERLAP, &Call::gcm_batch,
     [](Call& c) { c.place_batch(8, 16); }},
    {"batch, one place, different strides", WARPAES_ERROR_OVERLAP, &Call::gcm_batch,
     [](Call& c) { c.place_batch(0, 32); }},
    {"batch, tags inside the output", WARPAES_ERROR_OVERLAP, &Call::gcm_batch,
     [](Call& c) { c.batch.tags = c.output; }},

    {"device ECB, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::ecb_device, [](Call&) {}},
    {"device ECB decryption, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::ecb_open_device, [](Call&) {}},
    {"device CTR, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::ctr_device, [](Call&) {}},
    {"device GCM, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::gcm_device, [](Call&) {}},
    {"device GCM decryption, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::gcm_open_device, [](Call&) {}},
    {"device batch, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::gcm_batch_device, [](Call&) {}},
    {"workspace, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::workspace, [](Call&) {}},
    {"workspace size to nowhere", WARPAES_ERROR_NULL_POINTER, &Call::workspace,
     [](Call& c) { c.workspace_bytes_to = nullptr; }},
    {"device CTR without a key", WARPAES_ERROR_NULL_POINTER, &Call::ctr_device,
     [](Call& c) { c.key = nullptr; }},
};

TEST(Misuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_STRNE(warpaes_last_error(), "");
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.tags, Bytes(call.tags.size(), kUntouched));
    EXPECT_EQ(call.statuses, std::vector<int32_t>(4, kUntouched));
  }
}

/// What the rows spoil is right to begin with: or the table would prove nothing.
TEST(Misuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  Call call(key.get());
  EXPECT_EQ(call.ecb(), WARPAES_OK);
  EXPECT_EQ(call.ecb_open(), WARPAES_OK);
  EXPECT_EQ(call.ctr(), WARPAES_OK);
  EXPECT_EQ(call.gcm(), WARPAES_OK);
  EXPECT_EQ(call.gcm_open(), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(call.gcm_batch(), WARPAES_OK);
  EXPECT_EQ(call.gcm_batch_open(), WARPAES_ERROR_AUTHENTICATION);
}

TEST(Misuse, NothingToDoNeedsNoMemory) {
  const TestContext context("auto");
  const TestKey key(context, Bytes(24, 1));
  uint8_t counter[16] = {}, tag[16] = {};
  EXPECT_EQ(warpaes_ecb_encrypt(key.get(), nullptr, nullptr, 0), WARPAES_OK);
  EXPECT_EQ(warpaes_ctr_crypt(key.get(), counter, nullptr, nullptr, 0), WARPAES_OK);
  EXPECT_EQ(warpaes_aead_encrypt(key.get(), WARPAES_AEAD_GCM, counter, 12, nullptr, 0, nullptr, nullptr, 0,
                                 tag, 16),
            WARPAES_OK);
  EXPECT_EQ(warpaes_aead_decrypt(key.get(), WARPAES_AEAD_GCM, counter, 12, nullptr, 0, nullptr, nullptr, 0,
                                 tag, 16),
            WARPAES_OK);
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.tag_bytes = 16;
  EXPECT_EQ(warpaes_aead_batch(key.get(), WARPAES_AEAD_GCM, WARPAES_ENCRYPT, &batch), WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(warpaes_aead_batch(key.get(), WARPAES_AEAD_GCM, WARPAES_DECRYPT, &batch), WARPAES_OK)
      << warpaes_last_error();
}

TEST(Misuse, KeysOfOtherLengthsAreRefused) {
  const TestContext context("portable");
  const Bytes bytes(64, 1);
  for (const size_t length : {0u, 1u, 15u, 17u, 23u, 25u, 31u, 33u, 64u}) {
    warpaes_key* key = reinterpret_cast<warpaes_key*>(1);
    EXPECT_EQ(warpaes_key_create(context.get(), bytes.data(), length, &key), WARPAES_ERROR_KEY_LENGTH)
        << length;
    EXPECT_EQ(key, nullptr);
  }
  warpaes_key* key = nullptr;
  EXPECT_EQ(warpaes_key_create(nullptr, bytes.data(), 16, &key), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_key_create(context.get(), nullptr, 16, &key), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_key_create(context.get(), bytes.data(), 16, nullptr), WARPAES_ERROR_NULL_POINTER);
}

TEST(Misuse, DestroyingNothingIsAllowed) {
  warpaes_key_destroy(nullptr);
  warpaes_context_destroy(nullptr);
  EXPECT_STREQ(warpaes_context_engine(nullptr, 1), "");
}

}  // namespace
}  // namespace warpaes::testing
