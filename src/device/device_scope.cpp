// Which device is current is a matter of a thread's CUDA context. A thread that has called no function of
// CUDA has none, though cudaGetDevice() says 0. To make device 1 current by cudaSetDevice(1) and to restore
// device 0 by cudaSetDevice(0) would give that thread, and so the process, a context on device 0: hundreds of
// MiB of its memory for nothing, and an error where another process has that device for itself. So a thread
// without a context gets one of the device in question for a while, and has none again afterwards.
#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "device/driver_function.hpp"

namespace warpaes::core {
namespace {

struct DriverContexts {
  decltype(&cuCtxGetCurrent) current = driver_function<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent");
  decltype(&cuCtxPushCurrent) push = driver_function<decltype(&cuCtxPushCurrent)>("cuCtxPushCurrent");
  decltype(&cuCtxPopCurrent) pop = driver_function<decltype(&cuCtxPopCurrent)>("cuCtxPopCurrent");
  decltype(&cuDevicePrimaryCtxRetain) retain =
      driver_function<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");

  bool are_there() const { return current && push && pop && retain; }
};

const DriverContexts& driver_contexts() {
  static const DriverContexts functions;
  return functions;
}

/// The runtime's errors have the numbers of the driver's.
void check_driver(CUresult result, const char* what) { check(static_cast<cudaError_t>(result), what); }

bool thread_has_context() {
  CUcontext context = nullptr;
  check_driver(driver_contexts().current(&context), "cuCtxGetCurrent");
  return context != nullptr;
}

/// The context that the runtime uses as well. It is never released: the runtime keeps its contexts until the
/// process ends, too, and all that the library has on the device lives in this one.
void push_context(int device) {
  CUcontext context = nullptr;
  check_driver(driver_contexts().retain(&context, device), "cuDevicePrimaryCtxRetain");
  check_driver(driver_contexts().push(context), "cuCtxPushCurrent");
}

}  // namespace

DeviceScope::DeviceScope(int device) {
  enter_cuda();
  if (driver_contexts().are_there() && !thread_has_context()) {
    push_context(device);
    pushed_ = true;
    return;
  }
  check(cudaGetDevice(&callers_), "cudaGetDevice");
  if (callers_ == device) return;
  check(cudaSetDevice(device), "cudaSetDevice");
  changed_ = true;
}

DeviceScope::~DeviceScope() {
  CUcontext popped = nullptr;
  if (pushed_) driver_contexts().pop(&popped);
  if (changed_ && cudaSetDevice(callers_) != cudaSuccess) cudaGetLastError();
}

}  // namespace warpaes::core
