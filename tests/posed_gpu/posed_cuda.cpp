#include "posed_cuda.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "posed_contexts.hpp"
#include "posed_faults.hpp"
#include "posed_memory.hpp"
#include "posed_streams.hpp"
#include "posing.hpp"

using Work = std::function<void()>;

struct CUgraph_st {
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::vector<Work> work;
};

namespace warpaes::core::posed {
namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;
std::atomic<int> global_captures = 0;
std::atomic<bool> captures_ended = false;  // by a call that is forbidden
thread_local int captures_of_this_thread = 0;

/// Streams that are names for one of the device's own.
bool is_a_name(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// What may wait, or allocate, or work on the default stream is forbidden while a stream is captured, by
/// anybody or by the thread that calls, which may have asked for less (cudaThreadExchangeStreamCaptureMode).
/// What is forbidden ends the capture.
cudaError_t unless_capturing() {
  use_current_device();
  const bool by_others = mode_of_thread == cudaStreamCaptureModeGlobal && global_captures > 0;
  const bool by_itself = mode_of_thread != cudaStreamCaptureModeRelaxed && captures_of_this_thread > 0;
  if (!by_others && !by_itself) return cudaSuccess;
  captures_ended = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t allocate(void** memory, size_t bytes, cudaMemoryType type) {
  if (const cudaError_t error = unless_capturing(); error != cudaSuccess) return error;
  if (posix_memalign(memory, 256, bytes) != 0) return cudaErrorMemoryAllocation;  // aligned as CUDA's
  put_on_list(*memory, bytes, type);
  return cudaSuccess;
}

/// Page-locked memory is not copied for a child of fork(): it has its parent's, as it is with CUDA.
cudaError_t allocate_shared(void** memory, size_t bytes) {
  if (const cudaError_t error = unless_capturing(); error != cudaSuccess) return error;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return cudaErrorMemoryAllocation;
  *memory = mapped;
  put_on_list(mapped, bytes, cudaMemoryTypeHost);
  return cudaSuccess;
}

cudaError_t release(void* memory) {
  use_current_device();
  if (memory == nullptr) return cudaSuccess;
  const auto released = take_off_list(memory);
  if (!released) return cudaErrorInvalidValue;
  if (released->type != cudaMemoryTypeHost) {
    std::free(memory);
  } else {
    munmap(memory, released->bytes);
  }
  return cudaSuccess;
}

void launch_in(cudaStream_t stream, const Work& work) {
  use_current_device();
  if (is_a_name(stream) || posed(stream)->captured == nullptr) return work();
  posed(stream)->captured->work.push_back(work);
}

/// CUDA copies from and to page-locked memory without looking at other memory behind it, and refuses to.
bool leaves_its_registration(const void* pointer, size_t bytes) {
  const auto found = allocation_of(pointer);
  if (!found || found->type != cudaMemoryTypeHost) return false;
  return static_cast<const uint8_t*>(pointer) + bytes > found->first + found->bytes;
}

cudaError_t on_current_device() {
  use_current_device();
  return cudaSuccess;
}

cudaError_t in_stream(cudaStream_t stream, const Work& work) {
  launch_in(stream, work);
  return cudaSuccess;
}

/// CUDA takes null pointers for no bytes, and the C library does not.
void copy_rows(void* to, size_t to_stride, const void* from, size_t from_stride, size_t bytes, size_t rows) {
  if (bytes == 0) return;
  for (size_t i = 0; i < rows; i++) {
    std::memmove(static_cast<uint8_t*>(to) + i * to_stride,
                 static_cast<const uint8_t*>(from) + i * from_stride, bytes);
  }
}

cudaError_t worse_of(cudaError_t one, cudaError_t other) { return one != cudaSuccess ? one : other; }

void fill(void* memory, int value, size_t bytes) {
  if (bytes != 0) std::memset(memory, value, bytes);
}

}  // namespace

void launch(int device, warpaes_stream stream, const std::function<void()>& work) {
  const DeviceScope scope(device);  // as CudaGpu has one, whose place this takes
  require_stream_of(device, stream);
  check(verdict_on("cudaLaunchKernelEx"), "cudaLaunchKernelEx");
  launch_in(stream, work);
}

}  // namespace warpaes::core::posed

using namespace warpaes::core::posed;

/// Of a function of CUDA that is to fail, and then does nothing. What frees memory does so in any case:
/// CUDA's own reports errors of earlier work.
#define WARPAES_VERDICT()             \
  const warpaes::core::Posing posing; \
  if (const cudaError_t verdict = verdict_on(__func__); verdict != cudaSuccess) return verdict

// What stands in cuda_runtime_api.h, in the order of the sections of CUDA's manual.
extern "C" {

cudaError_t cudaDeviceSynchronize() {
  WARPAES_VERDICT();
  return unless_capturing();
}
cudaError_t cudaGetDevice(int* device) {
  WARPAES_VERDICT();
  *device = current_device();
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  WARPAES_VERDICT();
  *count = kDevices;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  WARPAES_VERDICT();
  if (device < 0 || device >= kDevices) return cudaErrorInvalidDevice;
  set_current_device(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  WARPAES_VERDICT();
  *value = attribute == cudaDevAttrMemoryPoolsSupported ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  WARPAES_VERDICT();
  *properties = {};
  std::strncpy(properties->name, "posed GPU", sizeof properties->name - 1);
  properties->major = 9;
  properties->multiProcessorCount = 3;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  WARPAES_VERDICT();
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  WARPAES_VERDICT();
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t error) {
  static thread_local std::string name;
  name = "cudaError " + std::to_string(error);
  return name.c_str();
}
const char* cudaGetErrorString(cudaError_t) { return "of the posed CUDA"; }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  WARPAES_VERDICT();
  *stream = reinterpret_cast<cudaStream_t>(Objects<PosedStream>::make({use_current_device()}));
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  use_current_device();
  Objects<PosedStream>::destroy(posed(stream));
  return verdict_on(__func__);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  WARPAES_VERDICT();
  if (!is_a_name(stream) && posed(stream)->captured != nullptr) return cudaErrorStreamCaptureUnsupported;
  return unless_capturing();
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  WARPAES_VERDICT();
  *device = is_a_name(stream) ? current_device() : posed(stream)->device;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  WARPAES_VERDICT();
  use_current_device();
  const bool captured = !is_a_name(stream) && posed(stream)->captured != nullptr;
  *status = captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (is_a_name(stream)) return cudaErrorStreamCaptureUnsupported;
  posed(stream)->captured = new CUgraph_st;
  posed(stream)->mode = mode;
  if (mode != cudaStreamCaptureModeRelaxed) captures_of_this_thread++;
  if (mode == cudaStreamCaptureModeGlobal) global_captures++;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = std::exchange(posed(stream)->captured, nullptr);
  const cudaStreamCaptureMode mode = posed(stream)->mode;
  if (mode != cudaStreamCaptureModeRelaxed) captures_of_this_thread--;
  if (mode == cudaStreamCaptureModeGlobal) global_captures--;
  if (!captures_ended.exchange(false)) return cudaSuccess;
  delete std::exchange(*graph, nullptr);
  return cudaErrorStreamCaptureInvalidated;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  WARPAES_VERDICT();
  use_current_device();
  std::swap(*mode, mode_of_thread);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  WARPAES_VERDICT();
  use_current_device();
  *event = reinterpret_cast<cudaEvent_t>(Objects<PosedEvent>::make({}));
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Objects<PosedEvent>::destroy(posed(event));
  return worse_of(on_current_device(), verdict_on(__func__));
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  WARPAES_VERDICT();
  const bool is_captured = !is_a_name(stream) && posed(stream)->captured != nullptr;
  posed(event)->recorded = is_captured ? posed(stream) : nullptr;
  return on_current_device();
}
/// Streams do everything at once, so there is nothing to wait for. But a stream that waits for what is
/// captured is taken into the capture, and leaves it when a stream of the capture waits for it.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  WARPAES_VERDICT();
  PosedStream* const recorded = posed(event)->recorded;
  if (recorded == nullptr || recorded->captured == nullptr || is_a_name(stream)) return on_current_device();
  if (posed(stream)->captured == nullptr) {
    posed(stream)->captured = recorded->captured;
    posed(stream)->was_taken_in = true;
  } else if (std::exchange(recorded->was_taken_in, false)) {
    recorded->captured = nullptr;
  }
  return on_current_device();
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  WARPAES_VERDICT();
  return unless_capturing();
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  WARPAES_VERDICT();
  return allocate(memory, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaFree(void* memory) { return worse_of(release(memory), verdict_on(__func__)); }
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  WARPAES_VERDICT();
  return allocate_shared(memory, bytes);
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  WARPAES_VERDICT();
  return allocate_shared(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) { return worse_of(release(memory), verdict_on(__func__)); }
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned) {
  WARPAES_VERDICT();
  put_on_list(memory, bytes, cudaMemoryTypeHost);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
  return take_off_list(memory) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  WARPAES_VERDICT();
  *free_bytes = *total = size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  WARPAES_VERDICT();
  if (const cudaError_t error = unless_capturing(); error != cudaSuccess) return error;
  copy_rows(to, bytes, from, bytes, bytes, 1);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  WARPAES_VERDICT();
  if (leaves_its_registration(to, bytes) || leaves_its_registration(from, bytes))
    return cudaErrorInvalidValue;
  return in_stream(stream, [=] { copy_rows(to, bytes, from, bytes, bytes, 1); });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_stride, const void* from, size_t from_stride, size_t bytes,
                              size_t rows, cudaMemcpyKind, cudaStream_t stream) {
  WARPAES_VERDICT();
  return in_stream(stream, [=] { copy_rows(to, to_stride, from, from_stride, bytes, rows); });
}
cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  WARPAES_VERDICT();
  if (const cudaError_t error = unless_capturing(); error != cudaSuccess) return error;
  fill(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  WARPAES_VERDICT();
  return in_stream(stream, [=] { fill(memory, value, bytes); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  WARPAES_VERDICT();
  static char one;
  *pool = reinterpret_cast<cudaMemPool_t>(&one);
  return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t, cudaStream_t) {
  WARPAES_VERDICT();
  return allocate(memory, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  WARPAES_VERDICT();
  *attributes = {};
  const auto found = allocation_of(pointer);
  if (!found) return cudaSuccess;
  attributes->type = found->type;
  attributes->device = found->device;
  return cudaSuccess;
}

/// The driver's functions that the library asks for by name.
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  *function = function_of_pointers(name);
  if (*function == nullptr) *function = function_of_contexts(name);
  *result = *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  *made = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (const Work& each : graph->work) each();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete graph;
  return cudaSuccess;
}

}  // extern "C"
