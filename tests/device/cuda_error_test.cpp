// Injects CUDA's errors, for which no GPU is needed: some of them pass, and others cost the process its GPU.
// After the latter, every call must say so at once, and the work must go on where it can.
#include "device/cuda_error.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {
namespace {

constexpr cudaError_t kPassing[] = {
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidConfiguration,
    cudaErrorNoDevice,
    cudaErrorInvalidDevice,
    cudaErrorInsufficientDriver,
    cudaErrorNoKernelImageForDevice,
    cudaErrorInvalidResourceHandle,
    cudaErrorNotReady,
    cudaErrorStreamCaptureUnsupported,
    cudaErrorStreamCaptureInvalidated,
    cudaErrorDevicesUnavailable,
};

constexpr cudaError_t kFatal[] = {
    cudaErrorECCUncorrectable,    cudaErrorNvlinkUncorrectable, cudaErrorIllegalAddress,
    cudaErrorLaunchTimeout,       cudaErrorContextIsDestroyed,  cudaErrorAssert,
    cudaErrorHardwareStackError,  cudaErrorIllegalInstruction,  cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace, cudaErrorInvalidPc,           cudaErrorLaunchFailure,
    cudaErrorExternalDevice,
};

Status status_of(cudaError_t error) {
  try {
    check(error, "something");
    return WARPAES_OK;
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find(cudaGetErrorName(error)), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("something"), std::string::npos) << failure.what();
    return failure.status();
  }
}

/// The message of whatever `call` throws; "" if it does not.
template <class Call>
std::string complaint_of(const Call& call) {
  try {
    call();
    return "";
  } catch (const Failure& failure) {
    return failure.what();
  }
}

/// @return 0, or the number of the check that failed
int after_a_fatal(cudaError_t error) {
  const std::string name = cudaGetErrorName(error);
  Context before({.engine = "openssl"});
  if (status_of(error) != WARPAES_ERROR_CUDA) return 1;
  if (cuda_alive()) return 2;
  if (status_of(cudaErrorLaunchTimeout) != WARPAES_ERROR_CUDA) return 3;  // the first one stays the reason

  int number = 10;
  uint8_t byte = 0;
  const auto says_so = [&](const auto& call) {
    number++;
    return complaint_of(call).find(name) != std::string::npos;
  };
  if (!says_so([] { enter_cuda(); })) return number;
  if (!says_so([] { const DeviceScope scope(0); })) return number;
  if (!says_so([] { const DeviceBuffer buffer(0, 64); })) return number;
  if (!says_so([] { const PinnedBuffer buffer(0, 64); })) return number;
  if (!says_so([] { const OwnedStream stream(0); })) return number;
  if (!says_so([&] { device_pointer_status(&byte, 0); })) return number;
  if (!says_so([&] { copy_to_device(&byte, &byte, 1, nullptr); })) return number;
  if (!says_so([&] { copy_to_host(&byte, &byte, 1, nullptr); })) return number;
  if (!says_so([&] { fill_device(&byte, 0, 1, nullptr); })) return number;
  if (!says_so([] { synchronize(nullptr); })) return number;
  if (!says_so([] { require_device(0); })) return number;
  if (!says_so([] { device_info(0); })) return number;
  if (!says_so([] { const Context context({.engine = "cuda"}); })) return number;

  std::string reason;
  if (device_count(&reason) != 0 || reason.find(name) == std::string::npos) return 50;
  if (is_pinned(&byte, 1)) return 51;
  Context automatic({});  // chosen automatically, what is left works
  for (Context* context : {&before, &automatic}) {
    const uint8_t key[16] = {}, expected[4] = {0x66, 0xe9, 0x4b, 0xd4};  // AES-128 of zeros with a zero key
    uint8_t block[16] = {};
    ecb_host(Key(*context, key), WARPAES_DIRECTION_ENCRYPT, {block, block, 16});
    if (!std::equal(std::begin(expected), std::end(expected), block)) return 52;
    HostBuffer(*context, 4096).data()[0] = 1;
  }
  return 0;
}

TEST(CudaError, PassingOnesLeaveTheGpuAlive) {
  for (const cudaError_t error : kPassing) {
    EXPECT_NE(status_of(error), WARPAES_OK) << cudaGetErrorName(error);
    EXPECT_TRUE(cuda_alive()) << cudaGetErrorName(error);
  }
  EXPECT_EQ(status_of(cudaErrorMemoryAllocation), WARPAES_ERROR_DEVICE_MEMORY);
  EXPECT_EQ(status_of(cudaErrorNoDevice), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(status_of(cudaErrorStreamCaptureUnsupported), WARPAES_ERROR_CAPTURE);
  EXPECT_EQ(status_of(cudaErrorInvalidResourceHandle), WARPAES_ERROR_CUDA);
  EXPECT_EQ(status_of(cudaSuccess), WARPAES_OK);
}

/// Each in a child of its own, as there is no way back.
TEST(CudaError, AFatalOneIsTheEndAndEveryCallSaysSo) {
  for (const cudaError_t error : kFatal) {
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(60);
      _exit(after_a_fatal(error));
    }
    int result = 0;
    ASSERT_EQ(waitpid(child, &result, 0), child);
    EXPECT_TRUE(WIFEXITED(result)) << cudaGetErrorName(error) << " ended it with signal " << WTERMSIG(result);
    EXPECT_EQ(WEXITSTATUS(result), 0) << cudaGetErrorName(error) << ": the check of that number failed";
  }
}

}  // namespace
}  // namespace warpaes::core
