#include <fmt/format.h>

#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes::core {
namespace {

/// cudaMemcpy2D refuses larger pitches on every device (cudaDeviceProp::memPitch).
constexpr uint64_t kMaxPitch = 2147483647;

void copy_rows(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride, Rows rows,
               cudaMemcpyKind kind, Stream stream) {
  enter_cuda();
  if (rows.count == 0 || rows.bytes == 0) return;
  const BesideCaptures allowed;  // copies from and to pageable memory wait
  if (rows.count == 1 || (to_stride == rows.bytes && from_stride == rows.bytes)) {
    check(cudaMemcpyAsync(to, from, rows.count * rows.bytes, kind, stream), "cudaMemcpyAsync");
  } else if (to_stride <= kMaxPitch && from_stride <= kMaxPitch) {
    check(cudaMemcpy2DAsync(to, to_stride, from, from_stride, rows.bytes, rows.count, kind, stream),
          "cudaMemcpy2DAsync");
  } else {
    for (uint64_t i = 0; i < rows.count; i++) {
      check(cudaMemcpyAsync(to + i * to_stride, from + i * from_stride, rows.bytes, kind, stream),
            "cudaMemcpyAsync");
    }
  }
}

/// For destructors, which cannot report an error to anybody.
template <class Call>
void quietly(int device, const Call& call) noexcept {
  try {
    const DeviceScope scope(device);
    const BesideCaptures allowed;
    if (call() != cudaSuccess) cudaGetLastError();
  } catch (const Failure&) {  // the device is lost, and what it gave out with it
  }
}

}  // namespace

OwnedStream::OwnedStream(int device) : stream_(nullptr, {device}) {
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  Stream stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  stream_.reset(stream);
}

void OwnedStream::Destroy::operator()(Stream stream) const noexcept {
  if (cuda_alive()) quietly(device, [&] { return cudaStreamDestroy(stream); });
}

OwnedEvent::OwnedEvent(int device) : event_(nullptr, {device}) {
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  CUevent_st* event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync),
        "cudaEventCreateWithFlags");
  event_.reset(event);
}

void OwnedEvent::Destroy::operator()(CUevent_st* event) const noexcept {
  if (cuda_alive()) quietly(device, [&] { return cudaEventDestroy(event); });
}

void OwnedEvent::record(Stream stream) {
  enter_cuda();
  check(cudaEventRecord(event_.get(), stream), "cudaEventRecord");
}

void OwnedEvent::hold_up(Stream stream) const {
  enter_cuda();
  check(cudaStreamWaitEvent(stream, event_.get(), 0), "cudaStreamWaitEvent");
}

void OwnedEvent::wait() const {
  enter_cuda();
  const BesideCaptures allowed;
  check(cudaEventSynchronize(event_.get()), "cudaEventSynchronize");
}

void copy_to_device(void* device_to, const void* host_from, size_t bytes, Stream stream) {
  copy_rows_to_device(device_to, bytes, host_from, bytes, {1, bytes}, stream);
}

void copy_to_host(void* host_to, const void* device_from, size_t bytes, Stream stream) {
  copy_rows_to_host(host_to, bytes, device_from, bytes, {1, bytes}, stream);
}

void copy_rows_to_device(void* device_to, uint64_t device_stride, const void* host_from, uint64_t host_stride,
                         Rows rows, Stream stream) {
  copy_rows(static_cast<uint8_t*>(device_to), device_stride, static_cast<const uint8_t*>(host_from),
            host_stride, rows, cudaMemcpyHostToDevice, stream);
}

void copy_rows_to_host(void* host_to, uint64_t host_stride, const void* device_from, uint64_t device_stride,
                       Rows rows, Stream stream) {
  copy_rows(static_cast<uint8_t*>(host_to), host_stride, static_cast<const uint8_t*>(device_from),
            device_stride, rows, cudaMemcpyDeviceToHost, stream);
}

void fill_device(void* device_to, uint8_t value, size_t bytes, Stream stream) {
  enter_cuda();
  if (bytes > 0) check(cudaMemsetAsync(device_to, value, bytes, stream), "cudaMemsetAsync");
}

void require_stream_of(int device, Stream stream) {
#if CUDART_VERSION >= 12080
  enter_cuda();
  if (stream == nullptr) return;  // the current device's
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &capture), "cudaStreamIsCapturing");
  if (capture != cudaStreamCaptureStatusNone) return;  // the question would end the capture
  int of_stream = device;
  const cudaError_t result = cudaStreamGetDevice(stream, &of_stream);
  if (result == cudaErrorCallRequiresNewerDriver) {
    cudaGetLastError();
    return;
  }
  check(result, "cudaStreamGetDevice");
  if (of_stream != device) {
    throw Failure(WARPAES_ERROR_CUDA, fmt::format("a stream of another device: the key is for device {}, the "
                                                  "stream of device {}; give a stream of the key's device",
                                                  device, of_stream));
  }
#else
  static_cast<void>(device), static_cast<void>(stream);
#endif
}

void require_not_captured(Stream stream) {
  enter_cuda();
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &capture), "cudaStreamIsCapturing");
  if (capture == cudaStreamCaptureStatusNone) return;
  throw Failure(
      WARPAES_ERROR_CAPTURE,
      "the stream is being captured, and this call waits for what is on it: make the call before the "
      "capture or after it");
}

void synchronize(Stream stream) {
  enter_cuda();
  const BesideCaptures allowed;
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

}  // namespace warpaes::core
