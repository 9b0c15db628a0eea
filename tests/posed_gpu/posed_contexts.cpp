#include "posed_contexts.hpp"

#include <cuda.h>

#include <array>
#include <atomic>
#include <map>
#include <vector>

#include "posed_cuda.hpp"

namespace warpaes::core::posed {
namespace {

std::array<std::atomic<bool>, kDevices> has_context = {};

/// Of this thread, by their devices. The last one is current.
thread_local std::vector<int> contexts;

CUcontext context_of(int device) { return reinterpret_cast<CUcontext>(static_cast<uintptr_t>(device) + 1); }
int device_of(CUcontext context) { return static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1; }

CUresult current_context(CUcontext* context) {
  *context = contexts.empty() ? nullptr : context_of(contexts.back());
  return CUDA_SUCCESS;
}
CUresult push_context(CUcontext context) {
  contexts.push_back(device_of(context));
  return CUDA_SUCCESS;
}
CUresult pop_context(CUcontext* context) {
  if (contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = context_of(contexts.back());
  contexts.pop_back();
  return CUDA_SUCCESS;
}
CUresult retain_context(CUcontext* context, CUdevice device) {
  if (device < 0 || device >= kDevices) return CUDA_ERROR_INVALID_DEVICE;
  has_context[static_cast<size_t>(device)] = true;
  *context = context_of(device);
  return CUDA_SUCCESS;
}
CUresult state_of_context(CUdevice device, unsigned* flags, int* active) {
  if (device < 0 || device >= kDevices) return CUDA_ERROR_INVALID_DEVICE;
  *flags = 0;
  *active = has_context[static_cast<size_t>(device)] ? 1 : 0;
  return CUDA_SUCCESS;
}

}  // namespace

int current_device() { return contexts.empty() ? 0 : contexts.back(); }

int use_current_device() {
  set_current_device(current_device());
  return current_device();
}

void set_current_device(int device) {
  has_context[static_cast<size_t>(device)] = true;
  if (contexts.empty()) contexts.push_back(device);
  contexts.back() = device;
}

void* function_of_contexts(const std::string& name) {
  static const std::map<std::string, void*> functions = {
      {"cuCtxGetCurrent", reinterpret_cast<void*>(current_context)},
      {"cuCtxPushCurrent", reinterpret_cast<void*>(push_context)},
      {"cuCtxPopCurrent", reinterpret_cast<void*>(pop_context)},
      {"cuDevicePrimaryCtxRetain", reinterpret_cast<void*>(retain_context)},
      {"cuDevicePrimaryCtxGetState", reinterpret_cast<void*>(state_of_context)}};
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace warpaes::core::posed
