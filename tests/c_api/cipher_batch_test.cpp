// Batches of the modes that do not authenticate, and of CMAC, through the C ABI: against OpenSSL's EVP on
// every engine that can run here, and on device memory, inside a CUDA graph too.
#include <cuda_runtime_api.h>

#include <optional>

#include "cipher_rows.hpp"
#include "device/device.hpp"

namespace warpaes::testing {
namespace {

/// Bit planes hold 32 blocks of a message at a time, and these modes have one.
bool can_chain(const std::string& engine) { return engine != "cuda/bitsliced"; }

TEST(CipherBatchCalls, AreRefusedByEnginesThatCannotChain) {
  for (const std::string& engine : usable_engines()) {
    if (can_chain(engine)) continue;
    const TestContext context(engine.c_str());
    const TestKey key(context, Bytes(16));
    Bytes tag(16, 0x5a);
    EXPECT_EQ(warpaes_cmac(key.get(), nullptr, 0, tag.data(), 16), WARPAES_ERROR_UNSUPPORTED);
  }
}

/// One key, or a key each.
warpaes_status call(const TestContext& context, const TestKey& key, const Rows& rows,
                    const Operation& operation, bool key_each, const Arguments& batch) {
  if (!key_each) return warpaes_cipher_batch(key.get(), operation.mode, operation.direction, &batch);
  return warpaes_cipher_batch_key_each(context.get(), rows.keys.data(), 24, 24, operation.mode,
                                       operation.direction, &batch);
}

TEST(CipherBatchCalls, AreOpensslsOnEveryEngineAndNumberOfThreads) {
  for (const std::string& engine : usable_engines()) {
    if (!can_chain(engine)) continue;
    for (const unsigned threads : {1u, 3u}) {
      const TestContext context(engine.c_str(), threads);
      const bool slow = engine.starts_with("portable");
      for (const Rows& rows : {Rows{slow ? 30u : 700u, 1008, 1024}, Rows{5, 16, 16}, Rows{3, 0, 0}}) {
        const TestKey key(context, rows.key);
        for (const Operation& operation : kOperations) {
          for (const bool key_each : {false, true}) {
            SCOPED_TRACE(engine + " " + operation.name);
            const Bytes before(rows.input.size(), 0x5a);
            Bytes output = before, tags(16 * rows.messages), in_place = rows.input;
            const Arguments apart =
                rows.arguments(rows.input.data(), output.data(), rows.ivs.data(), tags.data(), nullptr);
            ASSERT_EQ(call(context, key, rows, operation, key_each, apart), WARPAES_OK)
                << warpaes_last_error();
            EXPECT_TRUE((operation.makes_tags() ? tags : output) ==
                        rows.expected(operation, before, key_each));
            std::vector<int32_t> statuses(rows.messages, -1);
            const Arguments within = rows.arguments(in_place.data(), in_place.data(), rows.ivs.data(),
                                                    tags.data(), statuses.data());
            ASSERT_EQ(call(context, key, rows, operation, key_each, within), WARPAES_OK)
                << warpaes_last_error();
            EXPECT_TRUE((operation.makes_tags() ? tags : in_place) ==
                        rows.expected(operation, rows.input, key_each));
            EXPECT_EQ(statuses, std::vector<int32_t>(rows.messages, WARPAES_OK));
          }
        }
      }
    }
  }
}

/// Data units of any length, with a tweak each.
TEST(CipherBatchCalls, XtsIsOpensslsOnEveryEngine) {
  const Bytes keys = counting(64, 9);
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    const TestKey key(context, slice(keys, 0, 32)), tweak_key(context, slice(keys, 32, 32));
    const Rows rows{40, 80, 96};
    std::vector<uint64_t> lengths;
    for (size_t m = 0; m < rows.messages; m++) lengths.push_back(m == 0 ? 0 : 16 + m % 65);
    Bytes output(rows.input.size(), 0x5a), expected = output;
    std::vector<int32_t> statuses(rows.messages, -1);
    Arguments batch =
        rows.arguments(rows.input.data(), output.data(), rows.ivs.data(), nullptr, statuses.data());
    batch.lengths = lengths.data();
    batch.tweak_key = tweak_key.get();
    const warpaes_status status = warpaes_cipher_batch(key.get(), WARPAES_MODE_XTS, WARPAES_ENCRYPT, &batch);
    if (!can_chain(engine)) {
      EXPECT_EQ(status, WARPAES_ERROR_UNSUPPORTED);
      continue;
    }
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    for (size_t m = 1; m < rows.messages; m++) {
      const Bytes unit =
          reference::xts(keys, slice(rows.ivs, 16 * m, 16), slice(rows.input, m * rows.stride, lengths[m]));
      std::copy(unit.begin(), unit.end(), expected.begin() + static_cast<ptrdiff_t>(m * rows.stride));
    }
    EXPECT_TRUE(output == expected);
    batch.input = output.data();
    ASSERT_EQ(warpaes_cipher_batch(key.get(), WARPAES_MODE_XTS, WARPAES_DECRYPT, &batch), WARPAES_OK);
    for (size_t m = 0; m < rows.messages; m++) {
      EXPECT_EQ(slice(output, m * rows.stride, lengths[m]), slice(rows.input, m * rows.stride, lengths[m]));
    }
    EXPECT_EQ(statuses, std::vector<int32_t>(rows.messages, WARPAES_OK));
  }
}

TEST(CipherBatchCalls, CmacOfOneMessageHasRfc4493sTags) {
  const Bytes key_bytes = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                           0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  const Bytes of_nothing = {0xbb, 0x1d, 0x69, 0x29, 0xe9, 0x59, 0x37, 0x28,
                            0x7f, 0xa3, 0x7d, 0x12, 0x9b, 0x75, 0x67, 0x46};
  for (const std::string& engine : usable_engines()) {
    if (!can_chain(engine)) continue;
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

// -------------------------------------------------------------- device memory

class CipherBatchDeviceCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
    context_.emplace("cuda");
    key_.emplace(*context_, rows_.key);
    stream_.emplace(0);
    for (DeviceBuffer* buffer : {&input_, &output_}) *buffer = DeviceBuffer(0, rows_.input.size());
    keys_ = DeviceBuffer(0, rows_.keys.size());
    copy_to_device(keys_.data(), rows_.keys.data(), rows_.keys.size(), stream());
    for (DeviceBuffer* buffer : {&ivs_, &tags_, &statuses_}) *buffer = DeviceBuffer(0, rows_.ivs.size());
    copy_to_device(input_.data(), rows_.input.data(), rows_.input.size(), stream());
    copy_to_device(ivs_.data(), rows_.ivs.data(), rows_.ivs.size(), stream());
    synchronize(stream());
  }
  warpaes_status call(const Operation& operation, bool key_each, const Arguments& batch) const {
    if (!key_each) {
      return warpaes_cipher_batch_device(key_->get(), operation.mode, operation.direction, &batch, stream());
    }
    return warpaes_cipher_batch_key_each_device(context_->get(), keys_.data(), 24, 24, operation.mode,
                                                operation.direction, &batch, stream());
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
  void expect_right(const Operation& operation, bool key_each) const {
    const Bytes found =
        operation.makes_tags() ? fetched(tags_, 16 * rows_.messages) : fetched(output_, rows_.input.size());
    EXPECT_TRUE(found == rows_.expected(operation, found, key_each)) << operation.name;
  }
  Stream stream() const { return stream_->get(); }

  const Rows rows_{1000, 512, 528};
  std::optional<TestContext> context_;
  std::optional<TestKey> key_;
  std::optional<OwnedStream> stream_;
  DeviceBuffer input_, output_, keys_, ivs_, tags_, statuses_;
};

TEST_F(CipherBatchDeviceCalls, AreOpenssls) {
  for (const Operation& operation : kOperations) {
    for (const bool key_each : {false, true}) {
      const Arguments batch = arguments();
      ASSERT_EQ(call(operation, key_each, batch), WARPAES_OK) << warpaes_last_error();
      expect_right(operation, key_each);
      EXPECT_EQ(fetched(statuses_, sizeof(int32_t) * rows_.messages),
                Bytes(sizeof(int32_t) * rows_.messages, 0));
    }
  }
}

TEST_F(CipherBatchDeviceCalls, CanBeCaptured) {
  for (const Operation& operation : kOperations) {
    for (const bool key_each : {false, true}) {
      const Arguments batch = arguments();
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t ready = nullptr;
      ASSERT_EQ(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
      EXPECT_EQ(call(operation, key_each, batch), WARPAES_OK) << warpaes_last_error();
      ASSERT_EQ(cudaStreamEndCapture(stream(), &graph), cudaSuccess);
      ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
      for (const DeviceBuffer* buffer : {&output_, &tags_}) {
        fill_device(buffer->data(), 0x5a, buffer->size(), stream());
      }
      ASSERT_EQ(cudaGraphLaunch(ready, stream()), cudaSuccess);
      expect_right(operation, key_each);
      cudaGraphExecDestroy(ready);
      cudaGraphDestroy(graph);
    }
  }
}

TEST_F(CipherBatchDeviceCalls, HostPointersAreRefused) {
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
    EXPECT_EQ(call(kOperations[2], false, batch), WARPAES_ERROR_MEMORY_SPACE) << warpaes_last_error();
  }
  const Arguments batch = arguments();
  EXPECT_EQ(warpaes_cipher_batch_key_each_device(context_->get(), host.data(), 24, 24, WARPAES_MODE_CTR,
                                                 WARPAES_ENCRYPT, &batch, stream()),
            WARPAES_ERROR_MEMORY_SPACE);
}

}  // namespace
}  // namespace warpaes::testing
