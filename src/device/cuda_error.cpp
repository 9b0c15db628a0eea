#include "device/cuda_error.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <mutex>

#include "device/device.hpp"

namespace warpaes::core {
namespace {

std::atomic<bool> forked = false;  // this process is a child of one that had used the GPU

/// The first error after which CUDA works again only in a new process.
std::atomic<cudaError_t> fatal = cudaSuccess;

void notice_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    const int result = pthread_atfork(nullptr, nullptr, [] { forked = true; });
    if (result != 0) throw Failure(WARPAES_ERROR_HOST_MEMORY, "pthread_atfork failed: out of memory");
  });
}

/// Errors after which, as CUDA's documentation says, "to continue using CUDA, the process must be terminated
/// and relaunched".
bool is_fatal(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

Status status_of(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return WARPAES_ERROR_DEVICE_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
      return WARPAES_ERROR_NO_DEVICE;
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
    case cudaErrorStreamCaptureMerge:
    case cudaErrorStreamCaptureImplicit:
    case cudaErrorStreamCaptureWrongThread:
      return WARPAES_ERROR_CAPTURE;
    default:
      return WARPAES_ERROR_CUDA;
  }
}

}  // namespace

std::string describe(cudaError_t error) {
  return fmt::format("{}: {}", cudaGetErrorName(error), cudaGetErrorString(error));
}

bool cuda_alive() noexcept { return !forked && fatal == cudaSuccess; }

bool cuda_is_the_parents() noexcept { return forked; }

void require_cuda_alive() {
  if (forked) {
    throw Failure(WARPAES_ERROR_FORKED,
                  "this process was forked after its parent had used the GPU, and CUDA does not survive "
                  "that: start the child with exec, or use the GPU only after the fork");
  }
  if (const cudaError_t error = fatal; error != cudaSuccess) {
    throw Failure(WARPAES_ERROR_CUDA,
                  fmt::format("the GPU was lost to this process by an earlier error ({}); only a new process "
                              "can use it again",
                              describe(error)));
  }
}

void enter_cuda() {
  require_cuda_alive();
  notice_forks();
}

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();
  if (is_fatal(result)) {
    cudaError_t none = cudaSuccess;
    fatal.compare_exchange_strong(none, result);
  }
  // The only handles that callers pass in are streams.
  const char* const likely = result == cudaErrorInvalidResourceHandle
                                 ? "; is it a stream of another device, or one that was destroyed?"
                                 : "";
  throw Failure(status_of(result), fmt::format("{} failed: {}{}", what, describe(result), likely));
}

BesideCaptures::BesideCaptures() noexcept {
  if (cudaThreadExchangeStreamCaptureMode(&callers_) != cudaSuccess) cudaGetLastError();
}

BesideCaptures::~BesideCaptures() {
  if (cudaThreadExchangeStreamCaptureMode(&callers_) != cudaSuccess) cudaGetLastError();
}

}  // namespace warpaes::core
