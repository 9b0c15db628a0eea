// What a caller of the batches that chain can do wrong, as a table: each row spoils one argument of a call
// that is right, names the status it must give, and no memory may have been touched.
#include "chained_rows.hpp"

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

  explicit Call(const warpaes_key* with_key) : key(with_key) {
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
  warpaes_status cbc() { return warpaes_cbc_encrypt_batch(key, arguments); }
  warpaes_status cfb() { return warpaes_cfb_encrypt_batch(key, arguments); }
  warpaes_status ofb() { return warpaes_ofb_crypt_batch(key, arguments); }
  warpaes_status cmac() { return warpaes_cmac_batch(key, arguments); }
  warpaes_status cmac_of_one() { return warpaes_cmac(key, input, 32, tag, tag_bytes); }
  warpaes_status cbc_device() { return warpaes_cbc_encrypt_batch_device(key, arguments, nullptr); }
  warpaes_status cfb_device() { return warpaes_cfb_encrypt_batch_device(key, arguments, nullptr); }
  warpaes_status ofb_device() { return warpaes_ofb_crypt_batch_device(key, arguments, nullptr); }
  warpaes_status cmac_device() { return warpaes_cmac_batch_device(key, arguments, nullptr); }
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
    {"device CBC, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::cbc_device, [](Call&) {}},
    {"device CFB, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::cfb_device, [](Call&) {}},
    {"device OFB, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::ofb_device, [](Call&) {}},
    {"device CMAC, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::cmac_device, [](Call&) {}},
};

TEST(ChainedBatchMisuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.tags, Bytes(call.tags.size(), kUntouched));
    EXPECT_EQ(call.statuses, std::vector<int32_t>(4, kUntouched));
  }
}

TEST(ChainedBatchMisuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const bool arrays : {false, true}) {
    for (const auto call : {&Call::cbc, &Call::cfb, &Call::ofb, &Call::cmac, &Call::cmac_of_one}) {
      Call right(key.get());
      if (arrays) right.use_arrays();
      EXPECT_EQ((right.*call)(), WARPAES_OK) << warpaes_last_error();
    }
  }
}

TEST(ChainedBatchMisuse, AWrongEntryIsNamedAndTheOthersAreRight) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  Call call(key.get());
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
