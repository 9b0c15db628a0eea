// What a caller of batches can do wrong, as a table: each row spoils one argument of a call
// that is right, names the status it must give, and no memory may have been touched.
#include "cipher_rows.hpp"

namespace warpaes::testing {
namespace {

constexpr uint8_t kUntouched = 0x5a;

/// Four messages of up to 32 bytes, right until a row spoils them.
struct Call {
  const warpaes_key* key;
  Bytes memory = Bytes(256, kUntouched), ivs = Bytes(64), tags = Bytes(64, kUntouched);
  std::vector<int32_t> statuses = std::vector<int32_t>(4, kUntouched);
  std::vector<uint64_t> lengths = {32, 16, 0, 32};
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  Arguments batch = {};
  const Arguments* arguments = &batch;
  const void* input = memory.data();
  void* tag = tags.data();
  size_t tag_bytes = 16;
  warpaes_context* context;
  const warpaes_key* tweak_key;
  Bytes key_memory = counting(4 * 24);
  const void* keys = key_memory.data();
  size_t key_bytes = 16;
  uint64_t key_stride = 24;
  warpaes_mode mode = WARPAES_MODE_CTR;
  warpaes_direction direction = WARPAES_ENCRYPT;

  Call(warpaes_context* with_context, const warpaes_key* with_key, const warpaes_key* with_tweak_key)
      : key(with_key), context(with_context), tweak_key(with_tweak_key) {
    batch = Rows{4, 32, 32}.arguments(memory.data(), memory.data() + 128, ivs.data(), tags.data(), nullptr);
    for (size_t m = 0; m < 4; m++) {
      inputs.push_back(memory.data() + 32 * m);
      outputs.push_back(memory.data() + 128 + 32 * m);
    }
  }
  void use_arrays() {
    batch.lengths = lengths.data();
    batch.inputs = inputs.data();
    batch.outputs = outputs.data();
    batch.statuses = statuses.data();
  }
  warpaes_status batch_of(warpaes_mode its_mode, warpaes_direction its_direction = WARPAES_ENCRYPT) {
    return warpaes_cipher_batch(key, its_mode, its_direction, arguments);
  }
  warpaes_status ecb() { return batch_of(WARPAES_MODE_ECB, WARPAES_DECRYPT); }
  warpaes_status cbc() { return batch_of(WARPAES_MODE_CBC); }
  warpaes_status cbc_decrypt() { return batch_of(WARPAES_MODE_CBC, WARPAES_DECRYPT); }
  warpaes_status cfb() { return batch_of(WARPAES_MODE_CFB); }
  warpaes_status cfb_decrypt() { return batch_of(WARPAES_MODE_CFB, WARPAES_DECRYPT); }
  warpaes_status ofb() { return batch_of(WARPAES_MODE_OFB); }
  warpaes_status ctr() { return batch_of(WARPAES_MODE_CTR); }
  warpaes_status cmac() { return batch_of(WARPAES_MODE_CMAC); }
  warpaes_status any_mode() { return batch_of(mode, direction); }
  warpaes_status xts() {
    batch.tweak_key = tweak_key;
    return batch_of(WARPAES_MODE_XTS);
  }
  warpaes_status pkcs7_decrypt() { return batch_of(WARPAES_MODE_CBC_PKCS7, WARPAES_DECRYPT); }
  warpaes_status cmac_of_one() { return warpaes_cmac(key, input, 32, tag, tag_bytes); }
  warpaes_status key_each() {
    return warpaes_cipher_batch_key_each(context, keys, key_bytes, key_stride, mode, direction, arguments);
  }
  warpaes_status device() { return warpaes_cipher_batch_device(key, mode, direction, arguments, nullptr); }
  warpaes_status key_each_device() {
    return warpaes_cipher_batch_key_each_device(context, keys, key_bytes, key_stride, mode, direction,
                                                arguments, nullptr);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"no key", WARPAES_ERROR_NULL_POINTER, &Call::cbc, [](Call& c) { c.key = nullptr; }},
    {"no batch", WARPAES_ERROR_NULL_POINTER, &Call::cfb, [](Call& c) { c.arguments = nullptr; }},
    {"another version", WARPAES_ERROR_OPTION, &Call::ofb, [](Call& c) { c.batch.size++; }},
    {"a reserved bit", WARPAES_ERROR_OPTION, &Call::cmac, [](Call& c) { c.batch.reserved[0] = 1; }},
    {"no input", WARPAES_ERROR_NULL_POINTER, &Call::cmac, [](Call& c) { c.batch.input = nullptr; }},
    {"no output", WARPAES_ERROR_NULL_POINTER, &Call::ofb, [](Call& c) { c.batch.output = nullptr; }},
    {"no IVs", WARPAES_ERROR_NULL_POINTER, &Call::cfb, [](Call& c) { c.batch.ivs = nullptr; }},
    {"no tags", WARPAES_ERROR_NULL_POINTER, &Call::cmac, [](Call& c) { c.batch.tags = nullptr; }},
    {"part of a block", WARPAES_ERROR_LENGTH, &Call::cbc, [](Call& c) { c.batch.bytes = 31; }},
    {"a 7-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::cmac, [](Call& c) { c.batch.tag_bytes = 7; }},
    {"a 17-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::cmac, [](Call& c) { c.batch.tag_bytes = 17; }},
    {"short input stride", WARPAES_ERROR_STRIDE, &Call::cmac, [](Call& c) { c.batch.input_stride = 31; }},
    {"short output stride", WARPAES_ERROR_STRIDE, &Call::cbc, [](Call& c) { c.batch.output_stride = 16; }},
    {"short IV stride", WARPAES_ERROR_STRIDE, &Call::ofb, [](Call& c) { c.batch.iv_stride = 15; }},
    {"short tag stride", WARPAES_ERROR_STRIDE, &Call::cmac, [](Call& c) { c.batch.tag_stride = 8; }},
    {"more bytes than addresses", WARPAES_ERROR_LENGTH, &Call::cfb,
     [](Call& c) { c.batch.messages = uint64_t{1} << 60; }},
    {"input and output overlap", WARPAES_ERROR_OVERLAP, &Call::cbc,
     [](Call& c) { c.batch.output = c.memory.data() + 16; }},
    {"one place, different strides", WARPAES_ERROR_OVERLAP, &Call::cfb,
     [](Call& c) {
       c.batch.output = c.memory.data();
       c.batch.output_stride = 48;
     }},
    {"IVs inside the output", WARPAES_ERROR_OVERLAP, &Call::ofb,
     [](Call& c) { c.batch.ivs = c.memory.data() + 160; }},
    {"tags inside the input", WARPAES_ERROR_OVERLAP, &Call::cmac,
     [](Call& c) { c.batch.tags = c.memory.data() + 8; }},
    {"arrays without statuses", WARPAES_ERROR_NULL_POINTER, &Call::cbc,
     [](Call& c) {
       c.use_arrays();
       c.batch.statuses = nullptr;
     }},
    {"statuses inside the lengths", WARPAES_ERROR_OVERLAP, &Call::cmac,
     [](Call& c) {
       c.use_arrays();
       c.batch.statuses = reinterpret_cast<int32_t*>(c.lengths.data());
     }},
    {"pointers at odd addresses", WARPAES_ERROR_OPTION, &Call::cfb,
     [](Call& c) {
       c.use_arrays();
       c.batch.inputs = reinterpret_cast<const void* const*>(reinterpret_cast<uintptr_t>(c.batch.inputs) + 4);
     }},
    {"CMAC without input", WARPAES_ERROR_NULL_POINTER, &Call::cmac_of_one,
     [](Call& c) { c.input = nullptr; }},
    {"CMAC without a tag", WARPAES_ERROR_NULL_POINTER, &Call::cmac_of_one, [](Call& c) { c.tag = nullptr; }},
    {"CMAC, a 7-byte tag", WARPAES_ERROR_TAG_LENGTH, &Call::cmac_of_one, [](Call& c) { c.tag_bytes = 7; }},
    {"no mode", WARPAES_ERROR_OPTION, &Call::any_mode, [](Call& c) { c.mode = WARPAES_MODE_NONE; }},
    {"a mode that there is not", WARPAES_ERROR_OPTION, &Call::any_mode,
     [](Call& c) { c.mode = static_cast<warpaes_mode>(15); }},
    {"output lengths for CTR", WARPAES_ERROR_OPTION, &Call::any_mode,
     [](Call& c) { c.batch.output_lengths = c.lengths.data(); }},
    {"PKCS#7, no room for the padding", WARPAES_ERROR_STRIDE, &Call::any_mode,
     [](Call& c) { c.mode = WARPAES_MODE_CBC_PKCS7; }},
    {"PKCS#7 decrypted without statuses", WARPAES_ERROR_NULL_POINTER, &Call::pkcs7_decrypt,
     [](Call& c) { c.batch.output_lengths = c.lengths.data(); }},
    {"PKCS#7 decrypted without lengths", WARPAES_ERROR_NULL_POINTER, &Call::pkcs7_decrypt,
     [](Call& c) { c.batch.statuses = c.statuses.data(); }},
    {"PKCS#7 decrypted, part of a block", WARPAES_ERROR_LENGTH, &Call::pkcs7_decrypt,
     [](Call& c) { c.batch.bytes = 31; }},
    {"stealing from less than a block", WARPAES_ERROR_LENGTH, &Call::any_mode,
     [](Call& c) {
       c.mode = WARPAES_MODE_CBC_CS3;
       c.batch.bytes = 15;
     }},
    {"a direction that there is not", WARPAES_ERROR_OPTION, &Call::any_mode,
     [](Call& c) { c.direction = static_cast<warpaes_direction>(2); }},
    {"CMAC, decrypting", WARPAES_ERROR_OPTION, &Call::any_mode,
     [](Call& c) {
       c.mode = WARPAES_MODE_CMAC;
       c.direction = WARPAES_DECRYPT;
     }},
    {"ECB, part of a block", WARPAES_ERROR_LENGTH, &Call::ecb, [](Call& c) { c.batch.bytes = 31; }},
    {"CBC decryption, part of a block", WARPAES_ERROR_LENGTH, &Call::cbc_decrypt,
     [](Call& c) { c.batch.bytes = 31; }},
    {"CFB decryption without IVs", WARPAES_ERROR_NULL_POINTER, &Call::cfb_decrypt,
     [](Call& c) { c.batch.ivs = nullptr; }},
    {"CTR without counters", WARPAES_ERROR_NULL_POINTER, &Call::ctr, [](Call& c) { c.batch.ivs = nullptr; }},
    {"a tweak key for CTR", WARPAES_ERROR_OPTION, &Call::ctr, [](Call& c) { c.batch.tweak_key = c.key; }},
    {"XTS without a tweak key", WARPAES_ERROR_NULL_POINTER, &Call::xts,
     [](Call& c) { c.tweak_key = nullptr; }},
    {"XTS with equal keys", WARPAES_ERROR_XTS_KEYS, &Call::xts, [](Call& c) { c.tweak_key = c.key; }},
    {"XTS, a short data unit", WARPAES_ERROR_LENGTH, &Call::xts, [](Call& c) { c.batch.bytes = 15; }},
    {"XTS without tweaks", WARPAES_ERROR_NULL_POINTER, &Call::xts, [](Call& c) { c.batch.ivs = nullptr; }},
    {"a key each, no context", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) { c.context = nullptr; }},
    {"a key each, no batch", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) { c.arguments = nullptr; }},
    {"a key each, no keys", WARPAES_ERROR_NULL_POINTER, &Call::key_each, [](Call& c) { c.keys = nullptr; }},
    {"a key each, of 20 bytes", WARPAES_ERROR_KEY_LENGTH, &Call::key_each, [](Call& c) { c.key_bytes = 20; }},
    {"a key each, short stride", WARPAES_ERROR_STRIDE, &Call::key_each, [](Call& c) { c.key_stride = 15; }},
    {"a key each, inside the output", WARPAES_ERROR_OVERLAP, &Call::key_each,
     [](Call& c) { c.keys = c.memory.data() + 130; }},
    {"a key each, XTS with one key", WARPAES_ERROR_KEY_LENGTH, &Call::key_each,
     [](Call& c) { c.mode = WARPAES_MODE_XTS; }},
    {"a key each, XTS without statuses", WARPAES_ERROR_NULL_POINTER, &Call::key_each,
     [](Call& c) {
       c.mode = WARPAES_MODE_XTS;
       c.key_bytes = c.key_stride = 32;
     }},
    {"a key each, XTS, and a tweak key", WARPAES_ERROR_OPTION, &Call::key_each,
     [](Call& c) {
       c.mode = WARPAES_MODE_XTS;
       c.batch.tweak_key = c.tweak_key;
     }},
    {"device, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::device, [](Call&) {}},
    {"device, a key each, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::key_each_device, [](Call&) {}},
};

TEST(CipherBatchMisuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1)), tweak_key(context, Bytes(16, 2));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(context.get(), key.get(), tweak_key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.tags, Bytes(call.tags.size(), kUntouched));
    EXPECT_EQ(call.statuses, std::vector<int32_t>(4, kUntouched));
  }
}

TEST(CipherBatchMisuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1)), tweak_key(context, Bytes(16, 2));
  for (const bool arrays : {false, true}) {
    for (const auto call :
         {&Call::ecb, &Call::cbc, &Call::cbc_decrypt, &Call::cfb, &Call::cfb_decrypt, &Call::ofb, &Call::ctr,
          &Call::cmac, &Call::xts, &Call::key_each, &Call::cmac_of_one}) {
      Call right(context.get(), key.get(), tweak_key.get());
      if (arrays) right.use_arrays();
      EXPECT_EQ((right.*call)(), WARPAES_OK) << warpaes_last_error();
    }
  }
}

TEST(CipherBatchMisuse, AWrongEntryIsNamedAndTheOthersAreRight) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1)), tweak_key(context, Bytes(16, 2));
  Call call(context.get(), key.get(), tweak_key.get());
  call.use_arrays();
  call.lengths[1] = 17;
  call.lengths[3] = 48;
  EXPECT_EQ(call.cbc(), WARPAES_ERROR_LENGTH);
  EXPECT_NE(std::string(warpaes_last_error()).find("2 of 4"), std::string::npos) << warpaes_last_error();
  EXPECT_EQ(call.statuses,
            (std::vector<int32_t>{WARPAES_OK, WARPAES_ERROR_LENGTH, WARPAES_OK, WARPAES_ERROR_LENGTH}));
  const Bytes right = reference::crypt("CBC", Bytes(16, 1), Bytes(16), Bytes(32, kUntouched));
  EXPECT_EQ(slice(call.memory, 128, 32), right);
  EXPECT_EQ(slice(call.memory, 160, 96), Bytes(96, kUntouched));
}

}  // namespace
}  // namespace warpaes::testing
