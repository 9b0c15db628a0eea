#include "pipeline/staging.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "process/fork_locks.hpp"

namespace warpaes::core {
namespace {

/// Idle lanes beyond these are freed: a program that once encrypted one huge message should not hold its
/// device memory for good.
constexpr size_t kMaxIdleLanes = 4;
constexpr size_t kMaxIdleBytes = size_t{256} << 20;

/// Few different sizes, so that lanes fit again; large ones as they are, for memory's sake.
size_t lane_size(size_t bytes) {
  constexpr size_t kLargest = size_t{64} << 20;
  return bytes > kLargest ? bytes : std::max(std::bit_ceil(bytes), size_t{1} << 20);
}

}  // namespace

StagingPool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      lane_(std::move(other.lane_)),
      device_bytes_(other.device_bytes_),
      parcel_bytes_(other.parcel_bytes_) {}

StagingPool::Lease::~Lease() {
  if (!pool_ || !cuda_alive()) return;
  try {
    fill_device(lane_.device.data(), 0, device_bytes_, lane_.stream.get());
    synchronize(lane_.stream.get());
    if (parcel_bytes_ > 0) OPENSSL_cleanse(lane_.parcel.data(), parcel_bytes_);
    pool_->put_back(std::move(lane_));
  } catch (const std::exception&) {  // a lane that cannot be wiped is not given to another
  }
}

Lane StagingPool::take_idle(size_t device_bytes) {
  {
    const std::lock_guard lock(fork_safe_mutex(this));
    auto found = std::find_if(idle_.begin(), idle_.end(),
                              [&](const Lane& lane) { return lane.device.size() >= device_bytes; });
    if (found == idle_.end() && !idle_.empty()) found = idle_.begin();
    if (found != idle_.end()) {
      Lane lane = std::move(*found);
      std::swap(*found, idle_.back());
      idle_.pop_back();
      return lane;
    }
  }
  return {OwnedStream(device_), {}, {}};
}

void StagingPool::put_back(Lane lane) {
  if (lane.device.size() > kMaxIdleBytes) return;
  const std::lock_guard lock(fork_safe_mutex(this));
  if (idle_.size() < kMaxIdleLanes) idle_.push_back(std::move(lane));
}

void StagingPool::free_idle() {
  std::vector<Lane> freed;  // after the lock
  const std::lock_guard lock(fork_safe_mutex(this));
  freed.swap(idle_);
}

StagingPool::Lease StagingPool::checkout(size_t device_bytes, size_t parcel_bytes) {
  Lane lane = take_idle(device_bytes);
  if (lane.device.size() < device_bytes) {
    lane.device = DeviceBuffer();  // the old memory first, so that the new may take its place
    try {
      lane.device = DeviceBuffer(device_, lane_size(device_bytes), lane.stream.get());
    } catch (const Failure& failure) {
      if (failure.status() != WARPAES_ERROR_DEVICE_MEMORY) throw;
      free_idle();
      lane.device = DeviceBuffer(device_, device_bytes, lane.stream.get());
    }
  }
  if (lane.parcel.size() < parcel_bytes) lane.parcel = PinnedBuffer(device_, std::bit_ceil(parcel_bytes));
  return {*this, std::move(lane), device_bytes, parcel_bytes};
}

}  // namespace warpaes::core
