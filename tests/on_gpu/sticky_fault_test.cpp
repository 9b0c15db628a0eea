// After a fault in any kernel of the process CUDA is gone for good. Real faults, each in a child: every call
// then says so at once, automatic choice goes on on the CPU, nothing aborts or hangs, destructors included.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"
#include "faults.hpp"

namespace warpaes::testing {
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
  const TestKey key{forced, raw_key}, automatic_key{automatic, raw_key};
  uint8_t* memory = nullptr;  // on the device
  size_t workspace_bytes = 0;

  bool works() {
    return warpaes_aead_workspace_bytes(key.get(), WARPAES_AEAD_GCM, 1, 64, &workspace_bytes) == WARPAES_OK &&
           cudaMalloc(reinterpret_cast<void**>(&memory), 4096 + workspace_bytes) == cudaSuccess &&
           ctr() == WARPAES_OK && gcm() == WARPAES_OK && cudaDeviceSynchronize() == cudaSuccess;
  }
  warpaes_status ctr() const {
    return warpaes_ctr_crypt_device(key.get(), counter.data(), memory, memory, 64, nullptr);
  }
  warpaes_status ecb() const { return warpaes_ecb_encrypt_device(key.get(), memory, memory, 64, nullptr); }
  warpaes_status gcm() const {
    return warpaes_aead_encrypt_device(key.get(), WARPAES_AEAD_GCM, nonce.data(), 12, nullptr, 0, memory,
                                       memory, 64, memory + 256, 16, memory + 4096, workspace_bytes, nullptr);
  }
  warpaes_status host(const TestKey& with, Bytes& data) const {
    return warpaes_ctr_crypt(with.get(), counter.data(), data.data(), data.data(), data.size());
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
    right &= holds(host(key, data) == WARPAES_ERROR_CUDA, "a host call of a forced engine fails");
    right &= holds(warpaes_device_count() == 0, "there is no device any more");
    warpaes_device_info info = {};
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
    bool right = holds(host(automatic_key, data) == WARPAES_OK, "automatic choice goes on");
    right &= holds(data == expected, "and computes right");
    const TestContext fresh("auto");
    const TestKey fresh_key(fresh, raw_key);
    std::fill(data.begin(), data.end(), uint8_t{3});
    right &= holds(host(fresh_key, data) == WARPAES_OK && data == expected, "in a new context, too");
    return right;
  }
};

/// @return the child's exit code
int live_through(const Fault& fault) {
  if (warpaes_device_count() == 0) return kNoGpu;
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
}  // namespace warpaes::testing
