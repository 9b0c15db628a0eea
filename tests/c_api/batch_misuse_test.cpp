// What a caller can do wrong with ragged and scattered batches and with a key each: a row spoils one
// argument of a call that is right, names the status it must give, and no memory may have been touched.
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kMessages = 4, kBytes = 48;
constexpr uint8_t kUntouched = 0x5a;

/// Four messages in a row with a gap behind each, described in every way.
struct Call {
  warpaes_context* context;
  const warpaes_key* key;
  Bytes memory = Bytes(2 * kMessages * 64, kUntouched), tags = Bytes(kMessages * 16, kUntouched),
        nonces = Bytes(kMessages * 12), keys = Bytes(kMessages * 32, 7), aad = Bytes(64);
  std::vector<int32_t> statuses = std::vector<int32_t>(kMessages, kUntouched);
  std::vector<uint64_t> lengths = {0, 1, 17, kBytes}, aad_lengths = {3, 0, 16, 5};
  std::vector<const void*> inputs, aads = {aad.data(), nullptr, aad.data() + 16, aad.data() + 32};
  std::vector<void*> outputs;
  const void* first_key = keys.data();
  size_t key_bytes = 16;
  uint64_t key_stride = 32;
  warpaes_direction direction = WARPAES_ENCRYPT;
  warpaes_aead_batch_arguments batch = {};

  Call(warpaes_context* with_context, const warpaes_key* with_key) : context(with_context), key(with_key) {
    for (size_t i = 0; i < kMessages; i++) {
      inputs.push_back(memory.data() + 64 * i);
      outputs.push_back(memory.data() + 64 * (kMessages + i));
    }
    batch.size = sizeof batch;
    batch.messages = kMessages;
    batch.bytes = kBytes;
    batch.nonces = nonces.data();
    batch.nonce_stride = 12;
    batch.aad_bytes = 16;
    batch.tags = tags.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses.data();
    batch.lengths = lengths.data();
    batch.inputs = inputs.data();
    batch.outputs = outputs.data();
    batch.aads = aads.data();
    batch.aad_lengths = aad_lengths.data();
  }

  warpaes_status one_key() { return warpaes_aead_batch(key, WARPAES_AEAD_GCM, direction, &batch); }
  warpaes_status key_each() {
    return warpaes_aead_batch_key_each(context, first_key, key_bytes, key_stride, WARPAES_AEAD_GCM, direction,
                                       &batch);
  }
  warpaes_status key_each_device() {
    return warpaes_aead_batch_key_each_device(context, first_key, key_bytes, key_stride, WARPAES_AEAD_GCM,
                                              direction, &batch, nullptr);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"a message longer than `bytes`", WARPAES_ERROR_LENGTH, &Call::one_key,
     [](Call& c) { c.lengths[2] = kBytes + 1; }},
    {"a message of nearly 2^64 bytes", WARPAES_ERROR_LENGTH, &Call::key_each,
     [](Call& c) { c.lengths[0] = ~uint64_t{0}; }},
    {"more additional data than `aad_bytes`", WARPAES_ERROR_LENGTH, &Call::one_key,
     [](Call& c) { c.aad_lengths[3] = 17; }},
    {"no input of one message", WARPAES_ERROR_NULL_POINTER, &Call::one_key,
     [](Call& c) { c.inputs[1] = nullptr; }},
    {"no output of one message", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) { c.outputs[3] = nullptr; }},
    {"no additional data of one message", WARPAES_ERROR_NULL_POINTER, &Call::one_key,
     [](Call& c) { c.aads[0] = nullptr; }},
    {"an output a byte behind its input", WARPAES_ERROR_OVERLAP, &Call::one_key,
     [](Call& c) { c.outputs[3] = c.memory.data() + 3 * 64 + 1; }},
    {"lengths at an odd address", WARPAES_ERROR_OPTION, &Call::one_key,
     [](Call& c) {
       c.batch.lengths = reinterpret_cast<const uint64_t*>(reinterpret_cast<uintptr_t>(c.lengths.data()) + 1);
     }},
    {"lengths where statuses go", WARPAES_ERROR_OVERLAP, &Call::one_key,
     [](Call& c) { c.batch.statuses = reinterpret_cast<int32_t*>(c.lengths.data()); }},
    {"addresses where tags go", WARPAES_ERROR_OVERLAP, &Call::one_key,
     [](Call& c) { c.batch.tags = c.inputs.data(); }},
    {"neither addresses nor a stride", WARPAES_ERROR_NULL_POINTER, &Call::one_key,
     [](Call& c) { c.batch.inputs = nullptr; }},

    {"a key each without a context", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) { c.context = nullptr; }},
    {"a key each without keys", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) { c.first_key = nullptr; }},
    {"keys of 15 bytes", WARPAES_ERROR_KEY_LENGTH, &Call::key_each, [](Call& c) { c.key_bytes = 15; }},
    {"keys of no bytes", WARPAES_ERROR_KEY_LENGTH, &Call::key_each, [](Call& c) { c.key_bytes = 0; }},
    {"keys closer than their length", WARPAES_ERROR_STRIDE, &Call::key_each,
     [](Call& c) { c.key_stride = 15; }},
    {"keys beyond the address space", WARPAES_ERROR_LENGTH, &Call::key_each,
     [](Call& c) { c.key_stride = ~uint64_t{0} / 2; }},
    {"keys where tags go", WARPAES_ERROR_OVERLAP, &Call::key_each,
     [](Call& c) { c.batch.tags = c.keys.data(); }},
    {"a key each in no direction", WARPAES_ERROR_OPTION, &Call::key_each,
     [](Call& c) { c.direction = static_cast<warpaes_direction>(7); }},
    {"a key each, device memory, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::key_each_device,
     [](Call&) {}},
};

TEST(BatchMisuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(context.get(), key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_STRNE(warpaes_last_error(), "");
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.tags, Bytes(call.tags.size(), kUntouched));
    EXPECT_EQ(call.statuses, std::vector<int32_t>(kMessages, kUntouched));
  }
}

/// What the rows spoil is right to begin with, and ciphertext goes back to plaintext.
TEST(BatchMisuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const auto method : {&Call::one_key, &Call::key_each}) {
    Call call(context.get(), key.get());
    ASSERT_EQ((call.*method)(), WARPAES_OK) << warpaes_last_error();
    EXPECT_NE(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.memory[64 * (kMessages + 1) + 1], kUntouched) << "one byte is all of message 1";
    std::vector<const void*> sealed(call.outputs.begin(), call.outputs.end());
    std::vector<void*> opened;
    for (size_t i = 0; i < kMessages; i++) opened.push_back(call.memory.data() + 64 * i);
    call.batch.inputs = sealed.data();
    call.batch.outputs = opened.data();
    call.direction = WARPAES_DECRYPT;
    ASSERT_EQ((call.*method)(), WARPAES_OK) << warpaes_last_error();
    const auto plaintexts = call.memory.begin();
    EXPECT_EQ(Bytes(plaintexts, plaintexts + 64 * kMessages), Bytes(64 * kMessages, kUntouched));
    call.keys.back() ^= 1;
    call.tags.back() ^= 1;
    EXPECT_EQ((call.*method)(), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(call.statuses, (std::vector<int32_t>{0, 0, 0, WARPAES_ERROR_AUTHENTICATION}));
  }
}

}  // namespace
}  // namespace warpaes::testing
