// One key in many streams and threads at once, and every device call in CUDA graphs.
#include <algorithm>
#include <memory>
#include <thread>

#include "captured_call.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

const size_t kLength = std::min<size_t>(300'000, extent_of_tests().longest_message);

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
    ciphers_ = std::make_unique<CiphersOfAllModes>(*context_, raw_key_);
  }
  /// A message of one call, in device memory.
  std::unique_ptr<MessageOnDevice> placed(const DeviceCall& call, uint64_t seed) const {
    return std::make_unique<MessageOnDevice>(call, ciphers_->of(call),
                                             ciphers_->message_for(call, {.length = kLength, .seed = seed}));
  }

  const Bytes raw_key_ = bytes_from(9, 64);
  std::unique_ptr<TestContext> context_;
  std::unique_ptr<CiphersOfAllModes> ciphers_;
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

/// Each thread has four streams in flight; between them the threads do every call twice, under one key.
TEST_F(OnGpu, ManyThreadsAndStreamsShareAKey) {
  constexpr size_t kStreams = 4;
  const std::vector<DeviceCall> calls = calls_for_recommended_lengths();
  std::vector<int> wrong((2 * calls.size() + kStreams - 1) / kStreams, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); t++) {
    threads.emplace_back([&, t] {
      cudaStream_t streams[kStreams];
      std::unique_ptr<MessageOnDevice> messages[kStreams];
      const auto call_of = [&](size_t s) { return calls[(kStreams * t + s) % calls.size()]; };
      for (size_t s = 0; s < kStreams; s++) {
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
        messages[s] = placed(call_of(s), kStreams * t + s);
      }
      for (size_t round = 0; round < extent_of_tests().rounds; round++) {
        for (size_t s = 0; s < kStreams; s++) {
          wrong[t] += messages[s]->run(ciphers_->of(call_of(s)), streams[s]) != WARPAES_OK;
        }
      }
      for (size_t s = 0; s < kStreams; s++) {
        wrong[t] += cudaStreamSynchronize(streams[s]) != cudaSuccess;
        wrong[t] += !messages[s]->is_right();
        cudaStreamDestroy(streams[s]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(wrong.size(), 0)) << warpaes_last_error();
}

/// Keys come and go in one thread while others work.
TEST_F(OnGpu, KeysComeAndGoWhileWorkRuns) {
  const DeviceCall call = device_call(WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); t++) {
    threads.emplace_back([&, t] {
      for (uint64_t round = 0; round < 20; round++) {
        const ModeMessage message = message_of(
            *call.mode, {.length = kLength, .seed = round + 31 * t, .key_length = t % 2 == 0 ? 16u : 24u});
        std::unique_ptr<MessageOnDevice> placed;
        {
          const TestCipher passing(*context_, call.mode->mode, message.key);
          placed = std::make_unique<MessageOnDevice>(call, passing.get(), message);
          wrong[t] += placed->run(passing.get(), cudaStreamPerThread) != WARPAES_OK;
        }
        wrong[t] += cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess || !placed->is_right();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(OnGpu, EveryCallIsCapturedAndReplayedEvenWhenTheKeyIsGone) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const std::unique_ptr<MessageOnDevice> message = placed(call, 1);
    auto passing = std::make_unique<TestCipher>(*context_, call.mode->mode, message->message().key);
    const CapturedCall graph([&](cudaStream_t stream) { return message->run(passing->get(), stream); });
    passing.reset();
    for (int round = 0; round < 3; round++) {
      message->reset();
      graph.replay();
      EXPECT_TRUE(message->is_right()) << "replay " << round;
    }
  }
}

/// A stream that takes part in the capture of another one, from its first use on until it is joined.
class SideStream {
 public:
  SideStream() {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), cudaSuccess);
  }
  ~SideStream() {
    cudaEventDestroy(event_);
    cudaStreamDestroy(stream_);
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  cudaStream_t leave(cudaStream_t main) const {
    hand_over(main, stream_);
    return stream_;
  }
  void join(cudaStream_t main) const { hand_over(stream_, main); }

 private:
  void hand_over(cudaStream_t from, cudaStream_t to) const {
    EXPECT_EQ(cudaEventRecord(event_, from), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(to, event_, 0), cudaSuccess);
  }
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

/// A message whose memory is copied there in a graph before its call, and from there after it.
class CopiedMessage {
 public:
  explicit CopiedMessage(std::unique_ptr<MessageOnDevice> message)
      : message_(std::move(message)),
        before_(message_->memory().size()),
        after_(message_->memory().size()),
        nothing_(message_->memory().size(), uint8_t{0x11}) {
    before_.write(message_->memory().read());
  }
  void reset() const {
    message_->memory().write(nothing_);
    after_.write(nothing_);
  }
  warpaes_status run(const warpaes_cipher* cipher, cudaStream_t stream) const {
    const DeviceBytes& memory = message_->memory();
    EXPECT_EQ(cudaMemsetAsync(memory.data(), 0x22, memory.size(), stream), cudaSuccess);
    copy(before_, memory, stream);
    return message_->run(cipher, stream);
  }
  void take_result(cudaStream_t stream) const { copy(message_->memory(), after_, stream); }
  bool is_right() const { return message_->is_right() && after_.read() == message_->memory().read(); }

 private:
  static void copy(const DeviceBytes& from, const DeviceBytes& to, cudaStream_t stream) {
    EXPECT_EQ(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice, stream),
              cudaSuccess);
  }
  const std::unique_ptr<MessageOnDevice> message_;
  const DeviceBytes before_, after_;
  const Bytes nothing_;
};

/// Kernels are started before their turn, but use no memory before it: in a graph with copies before and
/// behind a call, and with another stream whose call another copy waits for.
TEST_F(OnGpu, CapturedCallsKeepTheirPlaceAmongCopiesAndStreams) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const warpaes_cipher* const cipher = ciphers_->of(call);
    const CopiedMessage first(placed(call, 1)), second(placed(call, 2));
    const SideStream side;
    const CapturedCall graph([&](cudaStream_t main) {
      EXPECT_EQ(second.run(cipher, side.leave(main)), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(first.run(cipher, main), WARPAES_OK) << warpaes_last_error();
      const warpaes_status again = first.run(cipher, main);
      first.take_result(main);
      side.join(main);
      second.take_result(main);
      return again;
    });
    for (int round = 0; round < 3; round++) {
      first.reset();
      second.reset();
      graph.replay();
      EXPECT_TRUE(first.is_right() && second.is_right()) << "replay " << round;
    }
  }
}

/// A replay reads its data anew: a message that has become wrong is found out, and one that is right again
/// passes.
TEST_F(OnGpu, AReplayedDecryptionJudgesWhatIsThereThen) {
  int judged = 0;
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    if (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse()) continue;
    SCOPED_TRACE(call.name());
    judged++;
    const std::unique_ptr<MessageOnDevice> message = placed(call, 1);
    const CapturedCall graph([&](cudaStream_t stream) { return message->run(ciphers_->of(call), stream); });
    for (int round = 0; round < 2; round++) {
      message->damage();
      graph.replay();
      EXPECT_TRUE(message->is_refused());
      message->reset();
      graph.replay();
      EXPECT_TRUE(message->is_right());
    }
  }
  EXPECT_GE(judged, 11) << "the AEAD modes, GMAC, key wrapping and padding";
}

/// Streams that are captured while something else is done, by this thread or by another one.
class Capture {
 public:
  explicit Capture(cudaStreamCaptureMode mode) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
  }
  ~Capture() {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess) << "what was done has ended the capture";
    cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaStreamDestroy(stream_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

 private:
  cudaStream_t stream_ = nullptr;
};

/// Calls on host memory allocate and wait, on streams of their own, and whoever captures a graph meanwhile
/// gets it. What they leave, such as memory of the GPU, is made and given back during a capture as well.
TEST_F(OnGpu, HostCallsAreNoPartOfACapture) {
  const ModeMessage message = message_of(
      listed(WARPAES_MODE_GCM), {.length = std::min<size_t>(20 << 20, extent_of_tests().longest_message)});
  const MessageImage image(message, WARPAES_DIRECTION_ENCRYPT, {});
  const auto call = [&] {
    const TestContext fresh("cuda");
    const TestCipher cipher(fresh, WARPAES_MODE_GCM, message.key);
    Bytes memory = image.before();
    const MessageCall arguments = image.arguments(memory.data());
    EXPECT_EQ(warpaes_encrypt(cipher.get(), &arguments.message), WARPAES_OK) << warpaes_last_error();
    EXPECT_TRUE(memory == image.after());
    void* pinned = nullptr;
    EXPECT_EQ(warpaes_host_alloc(fresh.get(), memory.size(), &pinned), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(warpaes_host_free(fresh.get(), pinned), WARPAES_OK);
  };
  for (const cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    const Capture capture(mode);
    call();
    std::thread(call).join();
  }
}

}  // namespace
}  // namespace warpaes::core::testing
