// Batches of CBC, CFB, OFB and CMAC through the C ABI: against OpenSSL's EVP on every engine that can run
// here, and on device memory, inside a CUDA graph too.
#include <cuda_runtime_api.h>

#include <optional>

#include "chained_rows.hpp"
#include "device/device.hpp"

namespace warpaes::testing {
namespace {

/// Bit planes hold 32 blocks of a message at a time, and these modes have one.
bool can_chain(const std::string& engine) { return engine != "cuda/bitsliced"; }

TEST(ChainedBatchCalls, AreRefusedByEnginesThatCannotChain) {
  for (const std::string& engine : usable_engines()) {
    if (can_chain(engine)) continue;
    const TestContext context(engine.c_str());
    const TestKey key(context, Bytes(16));
    Bytes tag(16, 0x5a);
    EXPECT_EQ(warpaes_cmac(key.get(), nullptr, 0, tag.data(), 16), WARPAES_ERROR_UNSUPPORTED);
  }
}

TEST(ChainedBatchCalls, AreOpensslsOnEveryEngineAndNumberOfThreads) {
  for (const std::string& engine : usable_engines()) {
    if (!can_chain(engine)) continue;
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
