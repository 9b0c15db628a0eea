#include "pipeline/transfer_pool.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "process/fork_locks.hpp"

namespace warpaes::core {
namespace {

/// Rounds a size up. With few different sizes, memory is likely to fit the next call.
size_t roomy(size_t bytes) {
  constexpr size_t kLeast = size_t{1} << 20;
  return rounded_up(bytes, std::max(std::bit_floor(bytes) / 8, kLeast));
}

}  // namespace

Transfer::Transfer(int device) : device_(device), in_(device), work_(device), out_(device) {}

void Transfer::make_room(size_t slots, SlotNeed need) {
  need = {rounded_up(need.device_bytes, 256), rounded_up(need.parcel_bytes, 256)};
  while (events_.size() < slots) {
    events_.push_back({OwnedEvent(device_), OwnedEvent(device_), OwnedEvent(device_)});
  }
  if (memory_.size() < slots * need.device_bytes) {
    memory_ = DeviceBuffer();  // frees the old memory first, so that the new may take its place
    memory_ = DeviceBuffer(device_, roomy(slots * need.device_bytes), in_.get());
  }
  if (parcels_.size() < slots * need.parcel_bytes) {
    parcels_ = PinnedBuffer();
    parcels_ = PinnedBuffer(device_, roomy(slots * need.parcel_bytes));
  }
  slots_ = slots;
  need_ = need;
}

Slot Transfer::slot(size_t index) const {
  return {device_,
          memory_.data() + index * need_.device_bytes,
          need_.parcel_bytes == 0 ? nullptr : parcels_.data() + index * need_.parcel_bytes,
          in_.get(),
          work_.get(),
          out_.get()};
}

void Transfer::sent(size_t index) {
  events_[index].sent.record(in_.get());
  events_[index].sent.hold_up(work_.get());
}

void Transfer::worked(size_t index) {
  events_[index].worked.record(work_.get());
  events_[index].worked.hold_up(out_.get());
}

void Transfer::fetched(size_t index) { events_[index].fetched.record(out_.get()); }

void Transfer::settle() const {
  const DeviceScope scope(device_);
  std::exception_ptr first;
  for (const Stream stream : {in_.get(), work_.get(), out_.get()}) {
    try {
      synchronize(stream);
    } catch (const Failure&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void Transfer::wipe() {
  if (need_.parcel_bytes > 0) OPENSSL_cleanse(parcels_.data(), slots_ * need_.parcel_bytes);
  if (slots_ == 0) return;
  const DeviceScope scope(device_);
  fill_device(memory_.data(), 0, slots_ * need_.device_bytes, in_.get());
  synchronize(in_.get());
}

std::unique_ptr<Transfer> TransferPool::take_idle(size_t device_bytes) {
  {
    const std::lock_guard lock(fork_safe_mutex(this));
    auto found = std::ranges::find_if(
        idle_, [&](const auto& transfer) { return transfer->device_bytes() >= device_bytes; });
    if (found == idle_.end() && !idle_.empty()) found = idle_.begin();
    if (found != idle_.end()) {
      std::swap(*found, idle_.back());
      std::unique_ptr<Transfer> transfer = std::move(idle_.back());
      idle_.pop_back();
      return transfer;
    }
  }
  return std::make_unique<Transfer>(device_);
}

/// A transfer that cannot be wiped is not kept for another call.
void TransferPool::take_back(std::unique_ptr<Transfer> transfer) noexcept {
  if (!cuda_alive()) return;
  try {
    transfer->settle();
    transfer->wipe();
    if (transfer->device_bytes() > kMostIdleBytes) return;
    const std::lock_guard lock(fork_safe_mutex(this));
    if (idle_.size() < kMostIdleTransfers) idle_.push_back(std::move(transfer));
  } catch (const std::exception&) {
  }
}

void TransferPool::free_idle() {
  std::vector<std::unique_ptr<Transfer>> freed;  // goes after the lock, which must not be held for CUDA
  const std::lock_guard lock(fork_safe_mutex(this));
  freed.swap(idle_);
}

TransferPool::Lease TransferPool::checkout(size_t slots, SlotNeed need) {
  std::unique_ptr<Transfer> transfer = take_idle(slots * need.device_bytes);
  try {
    transfer->make_room(slots, need);
  } catch (const Failure& failure) {
    if (!failure.is_passing()) throw;
    free_idle();
    transfer->make_room(slots, need);
  }
  return {transfer.release(), GiveBack{this}};
}

}  // namespace warpaes::core
