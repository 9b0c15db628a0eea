// Wrong places, lengths and strides on a GPU, as a table: a clear status before any launch, and nothing
// written.
#include <algorithm>
#include <functional>
#include <memory>

#include "device_calls.hpp"

namespace warpaes::testing {
namespace {

constexpr uint64_t kBytes = 4096, kMax64 = ~uint64_t{0};
constexpr uint8_t kUntouched = 0x5a;

/// Right until a row spoils it.
struct Call {
  const warpaes_key* key;
  DeviceBytes memory{16 * kBytes};
  DeviceBytes scratch;
  Bytes host = Bytes(kBytes, kUntouched), counter = Bytes(16, 0);
  uint8_t* pinned = nullptr;
  const uint8_t* input = memory.data();
  uint8_t* output = memory.data() + kBytes;
  uint64_t bytes = kBytes;
  uint8_t* tag = memory.data() + 2 * kBytes;
  uint8_t* status = memory.data() + 2 * kBytes + 256;
  const uint8_t* aad = nullptr;
  uint64_t aad_bytes = 0;
  uint8_t* workspace = scratch.data();
  size_t workspace_size = scratch.size();
  warpaes_aead_batch_arguments batch = {};
  warpaes_direction direction = WARPAES_ENCRYPT;

  explicit Call(const warpaes_key* with)
      : key(with), scratch(std::max<size_t>(workspace_bytes(with, kBytes), 4096)) {
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), kBytes), cudaSuccess);
    batch.size = sizeof batch;
    batch.messages = 4;
    batch.bytes = batch.input_stride = batch.output_stride = 64;
    batch.input = input;
    batch.output = output;
    batch.nonces = memory.data() + 3 * kBytes;
    batch.nonce_stride = 12;
    batch.tags = tag;
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = reinterpret_cast<int32_t*>(status);
  }
  ~Call() { cudaFreeHost(pinned); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  warpaes_status ecb() { return warpaes_ecb_encrypt_device(key, input, output, bytes, nullptr); }
  warpaes_status ecb_open() { return warpaes_ecb_decrypt_device(key, input, output, bytes, nullptr); }
  warpaes_status ctr() {
    return warpaes_ctr_crypt_device(key, counter.data(), input, output, bytes, nullptr);
  }
  warpaes_status gcm() {
    return warpaes_aead_encrypt_device(key, WARPAES_AEAD_GCM, counter.data(), 12, aad, aad_bytes, input,
                                       output, bytes, tag, 16, workspace, workspace_size, nullptr);
  }
  warpaes_status gcm_open() {
    return warpaes_aead_decrypt_device(key, WARPAES_AEAD_GCM, counter.data(), 12, aad, aad_bytes, input,
                                       output, bytes, tag, 16, reinterpret_cast<int32_t*>(status), workspace,
                                       workspace_size, nullptr);
  }
  warpaes_status gcm_batch() {
    return warpaes_aead_batch_device(key, WARPAES_AEAD_GCM, direction, &batch, workspace, workspace_size,
                                     nullptr);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"ECB from host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::ecb,
     [](Call& c) { c.input = c.host.data(); }},
    {"ECB to host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::ecb_open,
     [](Call& c) { c.output = c.host.data(); }},
    {"ECB from pinned memory", WARPAES_ERROR_MEMORY_SPACE, &Call::ecb, [](Call& c) { c.input = c.pinned; }},
    {"ECB, overlap", WARPAES_ERROR_OVERLAP, &Call::ecb, [](Call& c) { c.output = c.memory.data() + 16; }},
    {"ECB, part of a block", WARPAES_ERROR_LENGTH, &Call::ecb_open, [](Call& c) { c.bytes--; }},
    {"ECB, beyond the address space", WARPAES_ERROR_LENGTH, &Call::ecb,
     [](Call& c) { c.bytes = kMax64 - 15; }},
    {"ECB from null", WARPAES_ERROR_NULL_POINTER, &Call::ecb, [](Call& c) { c.input = nullptr; }},
    {"CTR to pinned memory", WARPAES_ERROR_MEMORY_SPACE, &Call::ctr, [](Call& c) { c.output = c.pinned; }},
    {"CTR, overlap of one byte", WARPAES_ERROR_OVERLAP, &Call::ctr,
     [](Call& c) { c.output = c.memory.data() + kBytes - 1; }},
    {"CTR, beyond the address space", WARPAES_ERROR_LENGTH, &Call::ctr, [](Call& c) { c.bytes = kMax64; }},
    {"GCM, tag in host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm,
     [](Call& c) { c.tag = c.host.data(); }},
    {"GCM, workspace in host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm,
     [](Call& c) { c.workspace = c.pinned; }},
    {"GCM, no workspace", WARPAES_ERROR_WORKSPACE, &Call::gcm, [](Call& c) { c.workspace = nullptr; }},
    {"GCM, workspace a byte too small", WARPAES_ERROR_WORKSPACE, &Call::gcm,
     [](Call& c) {
       EXPECT_EQ(warpaes_aead_workspace_bytes(c.key, WARPAES_AEAD_GCM, 1, kBytes, &c.workspace_size),
                 WARPAES_OK);
       c.workspace_size--;
     }},
    {"GCM, workspace 8-byte aligned", WARPAES_ERROR_WORKSPACE, &Call::gcm_open,
     [](Call& c) { c.workspace += 8; }},
    {"GCM, output inside the workspace", WARPAES_ERROR_OVERLAP, &Call::gcm,
     [](Call& c) { c.workspace = c.output - 16; }},
    {"GCM, tag inside the output", WARPAES_ERROR_OVERLAP, &Call::gcm,
     [](Call& c) { c.tag = c.output + kBytes - 1; }},
    {"GCM, status inside the tag", WARPAES_ERROR_OVERLAP, &Call::gcm_open,
     [](Call& c) { c.status = c.tag + 12; }},
    {"GCM, status in host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm_open,
     [](Call& c) { c.status = c.pinned; }},
    {"GCM, status not aligned", WARPAES_ERROR_OPTION, &Call::gcm_open, [](Call& c) { c.status++; }},
    {"GCM, additional data in host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm,
     [](Call& c) { c.aad = c.host.data(), c.aad_bytes = 5; }},
    {"GCM, a byte too long", WARPAES_ERROR_LENGTH, &Call::gcm,
     [](Call& c) { c.bytes = (uint64_t{1} << 36) - 31; }},
    {"batch from host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm_batch,
     [](Call& c) { c.batch.input = c.host.data(); }},
    {"batch, nonces in host memory", WARPAES_ERROR_MEMORY_SPACE, &Call::gcm_batch,
     [](Call& c) { c.batch.nonces = c.host.data(); }},
    {"batch, strides overflow", WARPAES_ERROR_LENGTH, &Call::gcm_batch,
     [](Call& c) { c.batch.input_stride = kMax64 / 3; }},
    {"batch, more messages than addresses", WARPAES_ERROR_LENGTH, &Call::gcm_batch,
     [](Call& c) { c.batch.messages = uint64_t{1} << 60; }},
    {"batch, short stride", WARPAES_ERROR_STRIDE, &Call::gcm_batch,
     [](Call& c) { c.batch.output_stride = 63; }},
    {"batch, no workspace", WARPAES_ERROR_WORKSPACE, &Call::gcm_batch,
     [](Call& c) { c.workspace = nullptr; }},
    {"batch, in no direction", WARPAES_ERROR_OPTION, &Call::gcm_batch,
     [](Call& c) { c.direction = static_cast<warpaes_direction>(7); }},
};

TEST(MisuseOnGpu, EachRowIsRefusedAndTouchesNothing) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the GPU is lost";
    EXPECT_EQ(call.memory.read(call.memory.size()), Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.scratch.read(call.scratch.size()), Bytes(call.scratch.size(), kUntouched));
    EXPECT_EQ(call.host, Bytes(kBytes, kUntouched));
  }
}

/// What the rows spoil is right to begin with.
TEST(MisuseOnGpu, TheUnspoiltCallsWork) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  const TestKey key(context, Bytes(16, 1));
  Call call(key.get());
  for (auto each : {&Call::ecb, &Call::ecb_open, &Call::ctr, &Call::gcm, &Call::gcm_open, &Call::gcm_batch}) {
    EXPECT_EQ((call.*each)(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

TEST(MisuseOnGpu, NothingToDoNeedsNoMemory) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  const TestKey key(context, Bytes(16, 1));
  Call call(key.get());
  call.input = call.output = nullptr;
  call.bytes = 0;
  for (auto each : {&Call::ecb, &Call::ecb_open, &Call::ctr, &Call::gcm})
    EXPECT_EQ((call.*each)(), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const Bytes tag_of_nothing = call.memory.read(16, 2 * kBytes);
  EXPECT_NE(tag_of_nothing, Bytes(16, kUntouched));
  EXPECT_EQ(call.gcm_open(), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(call.memory.read(4, 2 * kBytes + 256), Bytes(4, 0));
}

}  // namespace
}  // namespace warpaes::testing
