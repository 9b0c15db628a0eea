// A GPU that is lost in the middle of a call on host memory: the CPU and the other GPUs, if there are any,
// finish the call, and its result is right. The faults are real, each in a child process, as CUDA does not
// recover from them.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "device_calls.hpp"
#include "faults.hpp"

namespace warpaes::core::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNoGpu = 77, kNoFault = 78, kTooLate = 79;
constexpr uint64_t kBytes = uint64_t{1} << 30;

warpaes_context* made(const char* engine, size_t devices) {
  warpaes_context_options wanted = options(engine);
  wanted.device_count = devices;
  warpaes_context* context = nullptr;
  if (warpaes_context_create(&wanted, &context) != WARPAES_OK)
    std::fprintf(stderr, "%s: %s\n", engine, warpaes_last_error());
  return context;
}

/// One message of CTR or GCM in pinned memory, and what OpenSSL makes of it.
class LongCall {
 public:
  LongCall(warpaes_mode mode, bool in_place)
      : context_(made("auto", WARPAES_ALL_DEVICES)), mode_(mode), in_place_(in_place) {
    warpaes_cipher_create(context_, mode, key_.data(), key_.size(), &cipher_);
    for (uint8_t** buffer : {&input_, &output_, &expected_})
      warpaes_host_alloc(context_, kBytes, reinterpret_cast<void**>(buffer));
    warpaes_context* const on_cpu = made("openssl", 0);
    warpaes_cipher* reference = nullptr;
    warpaes_cipher_create(on_cpu, mode, key_.data(), key_.size(), &reference);
    fill();
    warpaes_message message = this->message(expected_, expected_tag_);
    reference_status_ = warpaes_encrypt(reference, &message);
    warpaes_cipher_destroy(reference);
    warpaes_context_destroy(on_cpu);
  }
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;
  ~LongCall() {
    for (uint8_t* buffer : {input_, output_, expected_}) warpaes_host_free(context_, buffer);
    warpaes_cipher_destroy(cipher_);
    warpaes_context_destroy(context_);
  }

  bool is_ready() const {
    return cipher_ != nullptr && expected_ != nullptr && reference_status_ == WARPAES_OK;
  }
  void fill() {
    for (uint64_t at = 0; at < kBytes; at += 8) {
      const uint64_t word = at * 0x9e3779b97f4a7c15;
      std::memcpy(input_ + at, &word, 8);
    }
    if (in_place_) std::memcpy(output_, input_, kBytes);
  }
  warpaes_status run() {
    warpaes_message message = this->message(output_, tag_);
    if (in_place_) message.input = output_;
    return warpaes_encrypt(cipher_, &message);
  }
  bool is_right() const {
    return std::memcmp(output_, expected_, kBytes) == 0 && std::memcmp(tag_, expected_tag_, sizeof tag_) == 0;
  }
  bool is_zero() const { return output_[0] == 0 && std::memcmp(output_, output_ + 1, kBytes - 1) == 0; }

 private:
  warpaes_message message(uint8_t* output, uint8_t* tag) const {
    warpaes_message message = message_in(output, kBytes, mode_ == WARPAES_MODE_CTR ? counter_ : nonce_);
    message.input = input_;
    if (mode_ == WARPAES_MODE_GCM) message.tag = tag;
    return message;
  }

  const Bytes key_ = Bytes(32, 5), counter_ = Bytes(16, 7), nonce_ = Bytes(12, 1);
  warpaes_context* const context_;
  const warpaes_mode mode_;
  const bool in_place_;
  warpaes_cipher* cipher_ = nullptr;
  uint8_t *input_ = nullptr, *output_ = nullptr, *expected_ = nullptr;
  uint8_t tag_[16] = {}, expected_tag_[16] = {};
  warpaes_status reference_status_ = WARPAES_ERROR_INTERNAL;
};

/// The last GPU is lost while a call is under way.
/// @return the child's exit code
int live_through(const Fault& fault, warpaes_mode mode, bool in_place) {
  if (number_of_devices() == 0) return kNoGpu;
  LongCall call(mode, in_place);
  if (!call.is_ready() || call.run() != WARPAES_OK || !call.is_right()) return 1;
  call.fill();
  const Clock::time_point begun = Clock::now();
  if (call.run() != WARPAES_OK) return 2;
  const Clock::duration undisturbed = Clock::now() - begun;
  call.fill();

  if (cudaSetDevice(static_cast<int>(number_of_devices()) - 1) != cudaSuccess || !load_faults()) return 2;
  std::atomic<bool> over = false;
  warpaes_status status = WARPAES_ERROR_INTERNAL;
  std::string message;
  std::thread caller([&] {
    status = call.run();
    message = warpaes_last_error();
    over = true;
  });
  std::this_thread::sleep_for(undisturbed / 4);
  // Asked before the fault, as CUDA may report a fault only when the others have finished the call.
  const bool in_the_middle = !over, faulted = fault.provoke() != cudaSuccess;
  caller.join();
  if (!faulted) return kNoFault;
  if (!in_the_middle) return kTooLate;
  if (status == WARPAES_OK) return call.is_right() ? 0 : 4;
  std::fprintf(stderr, "status %u: %s\n", status, message.c_str());
  return in_place && status == WARPAES_ERROR_CUDA && call.is_zero() ? 0 : 3;
}

const char* meaning_of(int exit_code) {
  switch (exit_code) {
    case 1:
    case 2:
      return "a call without a fault failed";
    case 3:
      return "the call failed";
    case 4:
      return "the result is wrong";
    case kNoFault:
      return "the fault did not happen";
    case kTooLate:
      return "the call was over before the fault";
    default:
      return "";
  }
}

struct LossRow {
  int fault;
  warpaes_mode mode;
  bool in_place;
};

class LostDevice : public ::testing::TestWithParam<LossRow> {};

TEST_P(LostDevice, TheOthersFinishTheCall) {
  const auto [fault, mode, in_place] = GetParam();
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(100);
    std::exit(live_through(kFaultTable[fault], mode, in_place));
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  ASSERT_TRUE(WIFEXITED(result)) << "ended by signal " << WTERMSIG(result);
  if (WEXITSTATUS(result) == kNoGpu) GTEST_SKIP() << "no GPU";
  EXPECT_EQ(WEXITSTATUS(result), 0) << kFaultTable[fault].name << ": " << meaning_of(WEXITSTATUS(result));
}

std::vector<LossRow> losses() {
  std::vector<LossRow> rows;
  for (int fault = 0; fault < kFaults; fault++)
    for (const warpaes_mode mode : {WARPAES_MODE_CTR, WARPAES_MODE_GCM})
      for (const bool in_place : {false, true}) rows.push_back({fault, mode, in_place});
  return rows;
}

std::string name_of(const ::testing::TestParamInfo<LossRow>& row) {
  constexpr const char* kFaultNames[kFaults] = {"IllegalAddress", "MisalignedAddress", "Trap"};
  return std::string(kFaultNames[row.param.fault]) + (row.param.mode == WARPAES_MODE_CTR ? "Ctr" : "Gcm") +
         (row.param.in_place ? "InPlace" : "");
}

INSTANTIATE_TEST_SUITE_P(All, LostDevice, ::testing::ValuesIn(losses()), name_of);

}  // namespace
}  // namespace warpaes::core::testing
