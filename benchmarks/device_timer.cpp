#include "device_timer.hpp"

#include "device/cuda_error.hpp"

namespace warpaes::core::bench {

Event::Event(int device) {
  const DeviceScope scope(device);
  check(cudaEventCreate(&event_), "cudaEventCreate");
}

Event::~Event() { (void)cudaEventDestroy(event_); }

void Event::record(Stream stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }

void Event::delay(Stream stream) const {
  check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

double DeviceTimer::seconds(Stream stream, const std::function<void()>& work) const {
  begun_.record(stream);
  work();
  ended_.record(stream);
  synchronize(stream);
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begun_.get(), ended_.get()), "cudaEventElapsedTime");
  return milliseconds / 1e3;
}

}  // namespace warpaes::core::bench
