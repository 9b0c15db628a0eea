// Keeps what data in host memory needs on its way through a GPU: device memory, cut into slots, and streams.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "primitives/align.hpp"

namespace warpaes::core {

/// Transfers that nobody uses are kept for the next call, unless they are larger or more than this: a program
/// that once encrypted one huge message should not hold its device memory for good. Slots with 128 MiB of
/// data (TransferSizes::most_device_memory) also have room for what stands beside it, and are rounded up.
constexpr size_t kMostIdleBytes = size_t{160} << 20;
constexpr size_t kMostIdleTransfers = 2;

/// The size of a slot. Its parcel is pinned host memory for what has to be gathered from many places, and for
/// data that is not pinned itself.
struct SlotNeed {
  size_t device_bytes, parcel_bytes;
};

/// Lays things one behind another in a slot.
struct Placement {
  uint64_t end = 0;

  /// @return where they begin, aligned as CUDA's allocations are
  uint64_t place(uint64_t bytes) {
    const uint64_t at = end;
    end += rounded_up(bytes, 256);
    return at;
  }
};

/// The memory for a piece, and the streams, which all slots of a transfer share.
struct Slot {
  int device;
  uint8_t *memory, *parcel;
  Stream in, work, out;
};

/// Streams with slots of their own.
class Transfer {
 public:
  explicit Transfer(int device);

  /// Takes other memory if it has too little. Throws DEVICE_MEMORY, or HOST_MEMORY for want of pinned memory.
  void make_room(size_t slots, SlotNeed need);
  size_t device_bytes() const { return memory_.size(); }

  size_t slots() const { return slots_; }
  Slot slot(size_t index) const;

  // Each of these says that a step of the slot's piece has been put on its stream. The next step, on another
  // stream, waits for it on the device.
  void sent(size_t index);
  void worked(size_t index);
  void fetched(size_t index);
  /// Waits until the piece in that slot has been fetched.
  void wait_for(size_t index) const { events_[index].fetched.wait(); }

  /// Waits for all streams. Throws what went wrong, but not before all of them have come to rest.
  void settle() const;
  /// Wipes all slots. The streams must have come to rest.
  void wipe();

 private:
  struct Events {
    OwnedEvent sent, worked, fetched;
  };

  int device_;
  OwnedStream in_, work_, out_;
  std::vector<Events> events_;
  DeviceBuffer memory_;  // is freed on the stream `in_`, and so before that goes
  PinnedBuffer parcels_;
  size_t slots_ = 0;
  SlotNeed need_{0, 0};
};

/// Keeps the transfers of one device between calls. What a call has put into their memory is wiped before
/// another call can get it.
class TransferPool {
 public:
  explicit TransferPool(int device) : device_(device) {}

  struct GiveBack {
    TransferPool* pool;
    void operator()(Transfer* transfer) const noexcept {
      pool->take_back(std::unique_ptr<Transfer>(transfer));
    }
  };
  /// Lends a transfer for as long as this object lives.
  using Lease = std::unique_ptr<Transfer, GiveBack>;

  /// Throws DEVICE_MEMORY or HOST_MEMORY if there is not enough, even with all idle transfers freed.
  Lease checkout(size_t slots, SlotNeed need);

  int device() const { return device_; }

 private:
  std::unique_ptr<Transfer> take_idle(size_t device_bytes);
  void take_back(std::unique_ptr<Transfer> transfer) noexcept;
  void free_idle();

  const int device_;
  std::vector<std::unique_ptr<Transfer>> idle_;  // guarded by this object's fork-safe lock
};

}  // namespace warpaes::core
