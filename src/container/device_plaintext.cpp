#include "container/device_plaintext.hpp"

#include <fmt/format.h>

#include "device/device.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// All of it: a range may begin in the memory of a device and end behind it.
void require_device_memory(int device, const char* name, const uint8_t* data, uint64_t bytes) {
  if (bytes == 0) return;
  for (const uint8_t* const byte : {data, data + (bytes - 1)}) {
    const Status status = device_pointer_status(byte, device);
    if (status == WARPAES_OK) continue;
    throw Failure(status, fmt::format("{} is not {} bytes in the memory of device {}: allocate it there, or "
                                      "leave on_device 0 for host memory",
                                      name, bytes, device));
  }
}

}  // namespace

DevicePlaintext::DevicePlaintext(const Context& context, const char* name, const void* data, uint64_t bytes,
                                 Stream stream)
    : device_(context.device()),
      data_(static_cast<uint8_t*>(const_cast<void*>(data))),
      bytes_(bytes),
      stream_(stream) {
  static_cast<void>(context.device_engine());  // or there is none
  const DeviceScope scope(device_);
  require_stream_of(device_, stream);
  require_not_captured(stream);
  require_device_memory(device_, name, data_, bytes);
  synchronize(stream);
}

void DevicePlaintext::write(uint64_t at, std::span<const uint8_t> from) const {
  const DeviceScope scope(device_);
  copy_to_device(data_ + at, from.data(), from.size(), stream_);
  synchronize(stream_);
}

void DevicePlaintext::read(uint64_t at, std::span<uint8_t> into) const {
  const DeviceScope scope(device_);
  copy_to_host(into.data(), data_ + at, into.size(), stream_);
  synchronize(stream_);
}

void DevicePlaintext::wipe() const noexcept {
  try {
    const DeviceScope scope(device_);
    fill_device(data_, 0, bytes_, stream_);
    synchronize(stream_);
  } catch (const Failure&) {
  }
}

}  // namespace warpaes::core::cobblestone
