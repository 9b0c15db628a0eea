// One key in many streams and threads at once, and every device call in CUDA graphs.
#include <algorithm>
#include <memory>
#include <thread>

#include "captured_call.hpp"
#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

constexpr uint64_t kBytes = 300'000 / 16 * 16;

Bytes counting(size_t bytes, uint8_t first = 0) {
  Bytes made(bytes);
  for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(first + i * 7 + i / 256);
  return made;
}

/// One call's memory, with an input that, if it has to open, is rightly sealed.
struct Bench {
  DeviceBytes input{kBytes}, output{kBytes}, tag{32}, workspace;
  Bytes given, expected, expected_tag;

  Bench(const DeviceCall& call, const warpaes_key* key, const Bytes& raw_key, uint8_t first)
      : workspace(std::max<size_t>(workspace_bytes(key, kBytes), 16)) {
    const Bytes plain = counting(kBytes, first);
    const SealedInput made = call.sealed == nullptr ? SealedInput{} : call.sealed(raw_key, plain);
    given = call.opens ? made.ciphertext : plain;
    expected = call.expected(raw_key, given);
    expected_tag = made.tag;
    input.write(given);
    if (call.opens) tag.write(made.tag);
  }
  CallMemory memory() const {
    return {input.data(), output.data(), kBytes, tag.data(), workspace.data(), workspace.size()};
  }
  void clear() const {
    EXPECT_EQ(cudaMemset(output.data(), 0, kBytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  bool is_right(const DeviceCall& call) const {
    if (output.read(kBytes) != expected) return false;
    if (call.opens && tag.read(4, 16) != Bytes(4, 0)) return false;
    return call.sealed == nullptr || tag.read(16) == expected_tag;
  }
};

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
    key_ = std::make_unique<TestKey>(*context_, raw_key_);
  }
  const warpaes_key* key() const { return key_->get(); }

  const Bytes raw_key_ = counting(32, 9);
  std::unique_ptr<TestContext> context_;
  std::unique_ptr<TestKey> key_;
};

/// Comes first in this file, before any engine was checked: the check needs what CUDA may forbid now, which
/// must not take the engine out.
TEST(FirstContext, DuringACaptureIsNoVerdictOnTheEngine) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  const warpaes_context_options wanted = options("cuda");
  warpaes_context* context = nullptr;
  const warpaes_status status = warpaes_context_create(&wanted, &context);
  EXPECT_TRUE(status == WARPAES_OK || status == WARPAES_ERROR_CAPTURE) << warpaes_last_error();
  warpaes_context_destroy(context);
  cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  const TestContext afterwards("cuda");
}

/// Each thread has four streams in flight; all calls go by turns.
TEST_F(OnGpu, ManyThreadsAndStreamsShareAKey) {
  constexpr int kThreads = 8, kStreams = 4, kRounds = 40;
  const std::vector<DeviceCall> calls = device_calls();
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      std::vector<cudaStream_t> streams(kStreams);
      std::vector<std::unique_ptr<Bench>> benches;
      std::vector<const DeviceCall*> used;
      for (int s = 0; s < kStreams; s++) {
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
        used.push_back(&calls[static_cast<size_t>(t + s) % calls.size()]);
        benches.push_back(
            std::make_unique<Bench>(*used[s], key(), raw_key_, static_cast<uint8_t>(4 * t + s)));
      }
      for (int round = 0; round < kRounds; round++) {
        for (int s = 0; s < kStreams; s++)
          wrong[t] += used[s]->run(key(), benches[s]->memory(), streams[s]) != WARPAES_OK;
      }
      for (int s = 0; s < kStreams; s++) {
        wrong[t] += cudaStreamSynchronize(streams[s]) != cudaSuccess;
        wrong[t] += !benches[s]->is_right(*used[s]);
        cudaStreamDestroy(streams[s]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0)) << warpaes_last_error();
}

/// Keys come and go in one thread while others work.
TEST_F(OnGpu, KeysComeAndGoWhileWorkRuns) {
  const DeviceCall call = device_calls()[2];
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); t++) {
    threads.emplace_back([&, t] {
      for (uint8_t round = 0; round < 20; round++) {
        const Bytes own_key = counting(t % 2 == 0 ? 16 : 24, static_cast<uint8_t>(round + 31 * t));
        std::unique_ptr<Bench> bench;
        {
          const TestKey passing(*context_, own_key);
          bench = std::make_unique<Bench>(call, passing.get(), own_key, round);
          wrong[t] += call.run(passing.get(), bench->memory(), cudaStreamPerThread) != WARPAES_OK;
        }
        wrong[t] += cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess || !bench->is_right(call);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

CapturedCall graph_of(const DeviceCall& call, const warpaes_key* key, const CallMemory& memory) {
  return CapturedCall([&](cudaStream_t stream) { return call.run(key, memory, stream); });
}

TEST_F(OnGpu, EveryCallIsCapturedAndReplayedEvenWhenTheKeyIsGone) {
  for (const DeviceCall& call : device_calls()) {
    SCOPED_TRACE(call.name);
    auto passing = std::make_unique<TestKey>(*context_, raw_key_);
    const Bench bench(call, passing->get(), raw_key_, 1);
    const CapturedCall graph = graph_of(call, passing->get(), bench.memory());
    passing.reset();
    for (int round = 0; round < 3; round++) {
      bench.clear();
      graph.replay();
      EXPECT_TRUE(bench.is_right(call)) << "replay " << round;
    }
  }
}

/// A replay reads its data anew: a tag that has become wrong is found out, and one that is right again
/// passes.
TEST_F(OnGpu, AReplayedDecryptionJudgesWhatIsThereThen) {
  const DeviceCall call = device_calls().back();
  const Bench bench(call, key(), raw_key_, 1);
  const CapturedCall graph = graph_of(call, key(), bench.memory());
  Bytes damaged = bench.given;
  damaged[kBytes - 1] ^= 1;
  for (int round = 0; round < 2; round++) {
    bench.input.write(damaged);
    graph.replay();
    EXPECT_EQ(bench.tag.read(4, 16), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0}));
    EXPECT_EQ(bench.output.read(kBytes), Bytes(kBytes, 0));
    bench.input.write(bench.given);
    graph.replay();
    EXPECT_TRUE(bench.is_right(call));
  }
}

/// Calls on host memory work on streams of their own and may allocate: during a capture they do their work,
/// or say that CUDA forbids it. Either way the next call is as ever.
TEST_F(OnGpu, HostCallsDuringACaptureSayWhatIsForbidden) {
  const Bytes counter(16, 1), input = counting(20 << 20);
  const Bytes expected = reference::ctr(raw_key_, counter, input);
  for (const cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    const TestContext fresh("cuda");
    const TestKey fresh_key(fresh, raw_key_);
    const auto call = [&](Bytes& output) {
      return warpaes_ctr_crypt(fresh_key.get(), counter.data(), input.data(), output.data(), input.size());
    };
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    Bytes output(input.size());
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    const warpaes_status status = call(output);
    const std::string told = warpaes_last_error();
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    if (status == WARPAES_OK) {
      EXPECT_EQ(output, expected);
    } else {
      EXPECT_EQ(status, WARPAES_ERROR_CAPTURE) << told;
    }
    EXPECT_EQ(call(output), WARPAES_OK) << "afterwards: " << warpaes_last_error();
    EXPECT_EQ(output, expected);
  }
}

}  // namespace
}  // namespace warpaes::testing
