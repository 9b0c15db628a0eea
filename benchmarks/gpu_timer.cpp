#include "gpu_timer.hpp"

#include <cuda_runtime_api.h>

#include "cuda_error.hpp"
#include "gpu_memory.hpp"

namespace warpaes::bench {

GpuEvent::GpuEvent(int device) {
  const DeviceScope scope(device);
  check(cudaEventCreate(&event_), "cudaEventCreate");
}

GpuEvent::~GpuEvent() { (void)cudaEventDestroy(event_); }

void GpuEvent::record(Stream stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }

void GpuEvent::delay(Stream stream) const {
  check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

double GpuTimer::seconds(Stream stream, const std::function<void()>& work) const {
  begun_.record(stream);
  work();
  ended_.record(stream);
  synchronize(stream);
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begun_.get(), ended_.get()), "cudaEventElapsedTime");
  return milliseconds / 1e3;
}

}  // namespace warpaes::bench
