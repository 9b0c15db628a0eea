// Batches of CBC, CFB, OFB and CMAC through the C ABI: against OpenSSL's EVP on every engine that can run
// here, what a caller can do wrong, and on device memory inside a CUDA graph.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <optional>

#include "device/device.hpp"
#include "evp_reference.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

using Arguments = warpaes_chained_batch_arguments;
using HostCall = warpaes_status (*)(const warpaes_key*, const Arguments*);
using DeviceCall = warpaes_status (*)(const warpaes_key*, const Arguments*, warpaes_stream);

struct Operation {
  const char* name;  // EVP's
  HostCall host;
  DeviceCall device;
};

constexpr Operation kOperations[] = {
    {"CBC", warpaes_cbc_encrypt_batch, warpaes_cbc_encrypt_batch_device},
    {"CFB", warpaes_cfb_encrypt_batch, warpaes_cfb_encrypt_batch_device},
    {"OFB", warpaes_ofb_crypt_batch, warpaes_ofb_crypt_batch_device},
    {"CMAC", warpaes_cmac_batch, warpaes_cmac_batch_device},
};

bool makes_tags(const Operation& operation) { return operation.name == std::string("CMAC"); }

Bytes counting(size_t bytes, size_t seed = 0) {
  Bytes made(bytes);
  for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(i * 7 + i / 256 + seed);
  return made;
}

Bytes slice(const Bytes& bytes, size_t at, size_t count) {
  return {bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + count)};
}

/// Rows of one length, in memory that the caller gives.
struct Rows {
  size_t messages, bytes, stride;
  Bytes key = counting(24, 3), input = counting(messages * stride), ivs = counting(16 * messages, 5);

  Arguments arguments(const void* from, void* to, const void* iv, void* tags, int32_t* statuses) const {
    Arguments made = {};
    made.size = sizeof made;
    made.messages = messages;
    made.bytes = bytes;
    made.input = from;
    made.output = to;
    made.input_stride = made.output_stride = stride;
    made.ivs = iv;
    made.iv_stride = 16;
    made.tags = tags;
    made.tag_stride = made.tag_bytes = 16;
    made.statuses = statuses;
    return made;
  }

  /// What output (beginning as `before`) or tags have to be.
  Bytes expected(const Operation& operation, const Bytes& before) const {
    Bytes answer = makes_tags(operation) ? Bytes() : before;
    for (size_t m = 0; m < messages; m++) {
      const Bytes message = slice(input, m * stride, bytes);
      if (makes_tags(operation)) {
        const Bytes tag = reference::cmac(key, message);
        answer.insert(answer.end(), tag.begin(), tag.end());
      } else {
        const Bytes output = reference::crypt(operation.name, key, slice(ivs, 16 * m, 16), message);
        std::copy(output.begin(), output.end(), answer.begin() + static_cast<ptrdiff_t>(m * stride));
      }
    }
    return answer;
  }
};

TEST(ChainedBatchCalls, AreOpensslsOnEveryEngineAndNumberOfThreads) {
  for (const std::string& engine : usable_engines()) {
    for (const unsigned threads : {1u, 3u}) {
      const TestContext context(engine.c_str(), threads);
      const bool slow = engine.starts_with("portable");
      for (const Rows& rows : {Rows{slow ? 30u : 700u, 1008, 1024}, Rows{5, 16, 16}, Rows{3, 0, 0}}) {
        const TestKey key(context, rows.key);
        for (const Operation& operation : kOperations) {
          SCOPED_TRACE(engine + " " + operation.name);
          const Bytes before(rows.input.size(), 0x5a);
          Bytes output = before, tags(16 * rows.messages), in_place = rows.input;
          const Arguments apart =
              rows.arguments(rows.input.data(), output.data(), rows.ivs.data(), tags.data(), nullptr);
          ASSERT_EQ(operation.host(key.get(), &apart), WARPAES_OK) << warpaes_last_error();
          EXPECT_TRUE((makes_tags(operation) ? tags : output) == rows.expected(operation, before));
          std::vector<int32_t> statuses(rows.messages, -1);
          const Arguments within =
              rows.arguments(in_place.data(), in_place.data(), rows.ivs.data(), tags.data(), statuses.data());
          ASSERT_EQ(operation.host(key.get(), &within), WARPAES_OK) << warpaes_last_error();
          EXPECT_TRUE((makes_tags(operation) ? tags : in_place) == rows.expected(operation, rows.input));
          EXPECT_EQ(statuses, std::vector<int32_t>(rows.messages, WARPAES_OK));
        }
      }
    }
  }
}

TEST(ChainedBatchCalls, CmacOfOneMessageHasRfc4493sTags) {
  const Bytes key_bytes = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                           0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  const Bytes of_nothing = {0xbb, 0x1d, 0x69, 0x29, 0xe9, 0x59, 0x37, 0x28,
                            0x7f, 0xa3, 0x7d, 0x12, 0x9b, 0x75, 0x67, 0x46};
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str());
    const TestKey key(context, key_bytes);
    Bytes tag(16);
    ASSERT_EQ(warpaes_cmac(key.get(), nullptr, 0, tag.data(), 16), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(tag, of_nothing);
    for (const size_t bytes : {1u, 16u, 17u, 4096u, 4097u, 100'000u}) {
      const Bytes input = counting(bytes);
      Bytes short_tag(9, 0x5a);
      ASSERT_EQ(warpaes_cmac(key.get(), input.data(), bytes, short_tag.data(), 8), WARPAES_OK);
      Bytes expected = slice(reference::cmac(key_bytes, input), 0, 8);
      expected.push_back(0x5a);
      EXPECT_EQ(short_tag, expected);
    }
  }
}

// ------------------------------------------------------------------- misuse

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

// -------------------------------------------------------------- device memory

class ChainedBatchDeviceCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
    context_.emplace("cuda");
    key_.emplace(*context_, rows_.key);
    stream_.emplace(0);
    for (DeviceBuffer* buffer : {&input_, &output_}) *buffer = DeviceBuffer(0, rows_.input.size());
    for (DeviceBuffer* buffer : {&ivs_, &tags_, &statuses_}) *buffer = DeviceBuffer(0, rows_.ivs.size());
    copy_to_device(input_.data(), rows_.input.data(), rows_.input.size(), stream());
    copy_to_device(ivs_.data(), rows_.ivs.data(), rows_.ivs.size(), stream());
    synchronize(stream());
  }
  Arguments arguments() const {
    return rows_.arguments(input_.data(), output_.data(), ivs_.data(), tags_.data(),
                           reinterpret_cast<int32_t*>(statuses_.data()));
  }
  Bytes fetched(const DeviceBuffer& from, size_t bytes) const {
    Bytes copy(bytes);
    copy_to_host(copy.data(), from.data(), bytes, stream());
    synchronize(stream());
    return copy;
  }
  void expect_right(const Operation& operation) const {
    const Bytes found =
        makes_tags(operation) ? fetched(tags_, 16 * rows_.messages) : fetched(output_, rows_.input.size());
    EXPECT_TRUE(found == rows_.expected(operation, found)) << operation.name;
  }
  Stream stream() const { return stream_->get(); }

  const Rows rows_{1000, 512, 528};
  std::optional<TestContext> context_;
  std::optional<TestKey> key_;
  std::optional<OwnedStream> stream_;
  DeviceBuffer input_, output_, ivs_, tags_, statuses_;
};

TEST_F(ChainedBatchDeviceCalls, AreOpenssls) {
  for (const Operation& operation : kOperations) {
    const Arguments batch = arguments();
    ASSERT_EQ(operation.device(key_->get(), &batch, stream()), WARPAES_OK) << warpaes_last_error();
    expect_right(operation);
    EXPECT_EQ(fetched(statuses_, sizeof(int32_t) * rows_.messages),
              Bytes(sizeof(int32_t) * rows_.messages, 0));
  }
}

TEST_F(ChainedBatchDeviceCalls, CanBeCaptured) {
  for (const Operation& operation : kOperations) {
    const Arguments batch = arguments();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(operation.device(key_->get(), &batch, stream()), WARPAES_OK) << warpaes_last_error();
    ASSERT_EQ(cudaStreamEndCapture(stream(), &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    for (const DeviceBuffer* buffer : {&output_, &tags_}) {
      fill_device(buffer->data(), 0x5a, buffer->size(), stream());
    }
    ASSERT_EQ(cudaGraphLaunch(ready, stream()), cudaSuccess);
    expect_right(operation);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
}

TEST_F(ChainedBatchDeviceCalls, HostPointersAreRefused) {
  Bytes host(rows_.input.size());
  using Spoil = void (*)(Arguments&, void*);
  for (const Spoil spoil :
       {Spoil([](Arguments& batch, void* at) { batch.input = at; }),
        Spoil([](Arguments& batch, void* at) { batch.output = at; }),
        Spoil([](Arguments& batch, void* at) { batch.ivs = at; }),
        Spoil([](Arguments& batch, void* at) { batch.lengths = static_cast<uint64_t*>(at); }),
        Spoil([](Arguments& batch, void* at) { batch.inputs = static_cast<void**>(at); }),
        Spoil([](Arguments& batch, void* at) { batch.outputs = static_cast<void**>(at); }),
        Spoil([](Arguments& batch, void* at) { batch.statuses = static_cast<int32_t*>(at); })}) {
    Arguments batch = arguments();
    spoil(batch, host.data());
    EXPECT_EQ(warpaes_cbc_encrypt_batch_device(key_->get(), &batch, stream()), WARPAES_ERROR_MEMORY_SPACE)
        << warpaes_last_error();
  }
}

}  // namespace
}  // namespace warpaes::testing
