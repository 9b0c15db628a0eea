// A fault in any kernel of a process costs it CUDA for good. This test makes real faults, each in a child
// process. Afterwards every call must say so at once, automatic choice must go on on the CPU, and nothing,
// including destructors, may abort or hang.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "device_calls.hpp"
#include "evp_reference.hpp"
#include "faults.hpp"

namespace warpaes::core::testing {
namespace {

constexpr int kNoGpu = 77, kNoFault = 78;
constexpr size_t kBytes = 8 << 20;  // enough for automatic choice to think of the GPU

/// Says in the child's output what its parent can only count.
bool holds(bool right, const char* what) {
  if (!right) std::fprintf(stderr, "not so: %s; last error: %s\n", what, warpaes_last_error());
  return right;
}

struct Child {
  const TestContext forced{"cuda"}, automatic{"auto"};
  const Bytes raw_key = Bytes(16, 5), counter = Bytes(16, 0), nonce = Bytes(12, 1);
  const TestCipher with_ctr{forced, WARPAES_MODE_CTR, raw_key}, with_ecb{forced, WARPAES_MODE_ECB, raw_key},
      with_gcm{forced, WARPAES_MODE_GCM, raw_key}, automatic_ctr{automatic, WARPAES_MODE_CTR, raw_key};
  uint8_t* memory = nullptr;  // on the device
  size_t workspace_size = 0;

  bool works() {
    return warpaes_workspace_size(with_gcm.get(), WARPAES_DIRECTION_ENCRYPT, 1, 64, &workspace_size) ==
               WARPAES_OK &&
           cudaMalloc(reinterpret_cast<void**>(&memory), 4096 + workspace_size) == cudaSuccess &&
           ctr() == WARPAES_OK && gcm() == WARPAES_OK && cudaDeviceSynchronize() == cudaSuccess;
  }
  warpaes_status on_device(const TestCipher& with, const warpaes_message& message) const {
    return warpaes_encrypt_device(with.get(), &message, memory + 4096, workspace_size, nullptr);
  }
  warpaes_status ctr() const { return on_device(with_ctr, message_in(memory, 64, counter)); }
  warpaes_status ecb() const { return on_device(with_ecb, message_in(memory, 64, {})); }
  warpaes_status gcm() const {
    warpaes_message message = message_in(memory, 64, nonce);
    message.tag = memory + 256;
    return on_device(with_gcm, message);
  }
  warpaes_status host(const TestCipher& with, Bytes& data) const {
    const warpaes_message message = message_in(data.data(), data.size(), counter);
    return warpaes_encrypt(with.get(), &message);
  }

  bool every_call_says_so() const {
    bool right = holds(ctr() == WARPAES_ERROR_CUDA, "the first call notices it");
    right &= holds(std::strstr(warpaes_last_error(), "cudaError") != nullptr, "and names CUDA's error");
    for (int round = 0; round < 100; round++) {
      right &=
          holds(ctr() == WARPAES_ERROR_CUDA && ecb() == WARPAES_ERROR_CUDA && gcm() == WARPAES_ERROR_CUDA,
                "device calls fail");
      right &= holds(std::strstr(warpaes_last_error(), "lost to this process") != nullptr, "and say why");
    }
    Bytes data(kBytes);
    right &= holds(host(with_ctr, data) == WARPAES_ERROR_CUDA, "a host call of a forced engine fails");
    right &= holds(number_of_devices() == 0, "there is no device any more");
    auto info = sized<warpaes_device_info>();
    right &= holds(warpaes_device_get(0, &info) != WARPAES_OK, "nor can it be described");
    const warpaes_context_options wanted = options("cuda");
    warpaes_context* another = nullptr;
    right &= holds(warpaes_context_create(&wanted, &another) != WARPAES_OK && another == nullptr,
                   "no new context on the GPU");
    return right;
  }

  bool the_cpu_goes_on() const {
    Bytes data(kBytes, 3);
    const Bytes expected = reference::ctr(raw_key, counter, data);
    bool right = holds(host(automatic_ctr, data) == WARPAES_OK, "automatic choice goes on");
    right &= holds(data == expected, "and computes right");
    const TestContext fresh("auto");
    const TestCipher fresh_ctr(fresh, WARPAES_MODE_CTR, raw_key);
    std::fill(data.begin(), data.end(), uint8_t{3});
    right &= holds(host(fresh_ctr, data) == WARPAES_OK && data == expected, "in a new context, too");
    return right;
  }
};

/// @return the child's exit code
int live_through(const Fault& fault) {
  if (number_of_devices() == 0) return kNoGpu;
  std::chrono::steady_clock::time_point faulted;
  bool right = true;
  {
    Child child;
    if (!holds(child.works(), "all is well before the fault")) return 1;
    if (fault.provoke() == cudaSuccess) return kNoFault;
    faulted = std::chrono::steady_clock::now();
    right &= child.every_call_says_so();
    right &= child.the_cpu_goes_on();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - faulted;
  right &= holds(took.count() < 5, "nothing waits for a GPU that is gone");
  return right ? 0 : 1;
}

/// The parent never touches CUDA, which a child would not survive.
TEST(StickyFault, EveryLaterCallSaysSoAndNothingAborts) {
  for (const Fault& fault : kFaultTable) {
    SCOPED_TRACE(fault.name);
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(100);
      std::exit(live_through(fault));  // with static destructors, as a program ends
    }
    int result = 0;
    ASSERT_EQ(waitpid(child, &result, 0), child);
    ASSERT_TRUE(WIFEXITED(result)) << "ended by signal " << WTERMSIG(result);
    if (WEXITSTATUS(result) == kNoGpu) GTEST_SKIP() << "no GPU";
    EXPECT_EQ(WEXITSTATUS(result), 0) << (WEXITSTATUS(result) == kNoFault ? "the fault did not happen" : "");
  }
}

}  // namespace
}  // namespace warpaes::core::testing
