// Device memory that host data passes through on its way to a GPU engine.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace warpaes::core {

/// A stream with memory of its own on the device, and a small pinned buffer beside it for what has to be
/// gathered from many places.
struct Lane {
  OwnedStream stream;
  DeviceBuffer device;  // of that stream, which is there until this is freed on it
  PinnedBuffer parcel;
};

/// Lanes of one device, kept between calls. What a call put into device memory is wiped behind it, on the
/// same stream, before the next one can get the lane.
class StagingPool {
 public:
  explicit StagingPool(int device) : device_(device) {}

  /// A lane for as long as this lives. `device_bytes` and `parcel_bytes` are what the caller may use.
  class Lease {
   public:
    Lease(StagingPool& pool, Lane lane, size_t device_bytes, size_t parcel_bytes)
        : pool_(&pool), lane_(std::move(lane)), device_bytes_(device_bytes), parcel_bytes_(parcel_bytes) {}
    ~Lease();
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;

    uint8_t* device() const { return lane_.device.data(); }
    uint8_t* parcel() const { return lane_.parcel.data(); }
    Stream stream() const { return lane_.stream.get(); }

   private:
    StagingPool* pool_;
    Lane lane_;
    size_t device_bytes_, parcel_bytes_;
  };

  /// Throws DEVICE_MEMORY if there is not enough, even with all idle lanes freed.
  Lease checkout(size_t device_bytes, size_t parcel_bytes);

  void free_idle();

 private:
  Lane take_idle(size_t device_bytes);
  void put_back(Lane lane);

  int device_;
  std::vector<Lane> idle_;  // guarded by this object's fork-safe lock
};

}  // namespace warpaes::core
