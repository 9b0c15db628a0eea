// Device memory must be wiped before it is freed, in the order of the stream that worked on it. Nobody may
// have to wait for that: a staging buffer that is given up must not stop other streams of the application.
#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "../process/smaps.hpp"
#include "device/device.hpp"
#include "pipeline/transfer_pool.hpp"
#include "pipeline/transfer_sizes.hpp"
#include "posing_cuda.hpp"

namespace warpaes::core {
namespace {

constexpr size_t kBytes = 10'000;

class DeviceMemory : public ::testing::Test {
 protected:
  DeviceMemory() { posing_cuda::reset(); }

  posing_cuda::Runtime& cuda_ = posing_cuda::runtime();
  const std::vector<uint8_t> secret_ = std::vector<uint8_t>(kBytes, 0xa5);

  /// Whatever was freed was zero, and nothing is left.
  void expect_all_freed_and_wiped() {
    posing_cuda::catch_up();
    EXPECT_EQ(cuda_.device_bytes, 0u);
    EXPECT_EQ(cuda_.dirty_bytes_freed, 0u);
  }
};

TEST_F(DeviceMemory, OfAStreamIsWipedAndFreedOnItAndNobodyWaits) {
  const OwnedStream other(0);
  uint8_t elsewhere[4] = {1, 2, 3, 4}, copied[4] = {};
  copy_to_device(copied, elsewhere, sizeof copied, other.get());  // work of the application
  {
    const OwnedStream stream(0);
    const DeviceBuffer buffer(0, kBytes, stream.get());
    copy_to_device(buffer.data(), secret_.data(), kBytes, stream.get());
  }
  EXPECT_EQ(cuda_.device_waits, 0);
  EXPECT_EQ(cuda_.stream_waits, 0);
  EXPECT_EQ(cuda_.device_bytes, kBytes) << "freed before the stream has come to it";
  EXPECT_EQ(copied[3], 0) << "the other stream had to finish";
  expect_all_freed_and_wiped();
}

TEST_F(DeviceMemory, WithoutPoolsOnlyTheStreamIsWaitedForBeforeTheWipeIsTrusted) {
  cuda_.has_pools = false;
  // Device 7 is asked for the first time, so no pool of it is known.
  const OwnedStream stream(7);
  {
    const DeviceBuffer buffer(7, kBytes, stream.get());
    const DeviceScope scope(7);
    copy_to_device(buffer.data(), secret_.data(), kBytes, stream.get());
  }
  EXPECT_EQ(cuda_.stream_waits, 1);
  EXPECT_EQ(cuda_.device_waits, 1) << "cudaFree's own";
  expect_all_freed_and_wiped();
}

TEST_F(DeviceMemory, OfAnyStreamIsWipedWhenAllWorkIsDone) {
  const OwnedStream stream(0);
  {
    const DeviceBuffer buffer(0, kBytes);
    copy_to_device(buffer.data(), secret_.data(), kBytes, stream.get());
  }
  EXPECT_EQ(cuda_.device_bytes, 0u);
  expect_all_freed_and_wiped();
}

TEST_F(DeviceMemory, WhatCannotBeWipedIsNotFreed) {
  const OwnedStream stream(0);
  cuda_.memset_fails = true;
  {
    const DeviceBuffer ordered(0, kBytes, stream.get()), any(0, kBytes);
  }
  posing_cuda::catch_up();
  EXPECT_EQ(cuda_.device_bytes, 2 * kBytes);
  EXPECT_EQ(cuda_.dirty_bytes_freed, 0u);
}

TEST_F(DeviceMemory, MovesWithItsStream) {
  const OwnedStream first(0), second(0);
  {
    DeviceBuffer one(0, kBytes, first.get()), other(0, 2 * kBytes, second.get());
    copy_to_device(one.data(), secret_.data(), kBytes, first.get());
    copy_to_device(other.data(), secret_.data(), kBytes, second.get());
    std::swap(one, other);
    one = DeviceBuffer();
    EXPECT_EQ(cuda_.device_waits + cuda_.stream_waits, 0);
    synchronize(second.get());
    EXPECT_EQ(cuda_.device_bytes, kBytes) << "the larger one was the second stream's";
  }
  EXPECT_EQ(cuda_.device_waits, 0);
  expect_all_freed_and_wiped();
}

TEST_F(DeviceMemory, ADeviceHasOnePool) {
  const OwnedStream stream(3);
  const int before = cuda_.pools_made;
  for (int i = 0; i < 3; i++) const DeviceBuffer buffer(3, kBytes, stream.get());
  EXPECT_EQ(cuda_.pools_made, before + 1);
  expect_all_freed_and_wiped();
}

/// The caller's device stays current, and is another one.
TEST_F(DeviceMemory, ATransferOfAnotherDeviceIsWiped) {
  TransferPool pool(1);
  {
    TransferPool::Lease transfer = pool.checkout(1, {kBytes, 0});
    const Slot slot = transfer->slot(0);
    EXPECT_THROW(copy_to_device(slot.memory, secret_.data(), kBytes, slot.in), Failure);
    const DeviceScope scope(1);
    copy_to_device(slot.memory, secret_.data(), kBytes, slot.in);
  }
  TransferPool::Lease again = pool.checkout(1, {kBytes, 0});
  EXPECT_EQ(again->slot(0).memory[kBytes - 1], 0) << "it was given up, or not wiped";
  EXPECT_EQ(cuda_.device_bytes, again->device_bytes());
}

/// What the slots of usual sizes have beside their data, such as nonces and tags, must not make a transfer
/// too large to be kept: a call would spend as long on having its memory as on its work.
TEST_F(DeviceMemory, ATransferOfTheUsualSizesIsKept) {
  constexpr TransferSizes kUsual;
  TransferPool pool(0);
  for (const auto& [slots, piece] :
       {std::pair<size_t, uint64_t>{kUsual.slots, kUsual.piece},
        {kUsual.most_device_memory / kUsual.chained_piece, kUsual.chained_piece}}) {
    const SlotNeed need = {piece + piece / 32, 0};
    const size_t bytes = pool.checkout(slots, need)->device_bytes();
    const uint8_t* const before = pool.checkout(slots, need)->slot(0).memory;
    EXPECT_EQ(cuda_.device_bytes, bytes) << "it was freed";
    EXPECT_EQ(pool.checkout(slots, need)->slot(0).memory, before);
  }
}

/// More than a pool keeps.
TEST_F(DeviceMemory, ALargeTransferGoesWithoutStoppingTheDevice) {
  constexpr size_t kLarge = kMostIdleBytes + 1;
  const OwnedStream other(0);
  uint8_t elsewhere[4] = {1, 2, 3, 4}, copied[4] = {};
  copy_to_device(copied, elsewhere, sizeof copied, other.get());
  TransferPool pool(0);
  {
    TransferPool::Lease transfer = pool.checkout(1, {kLarge, 100});
    const Slot slot = transfer->slot(0);
    copy_to_device(slot.memory + kLarge - kBytes, secret_.data(), kBytes, slot.in);
    std::fill_n(slot.parcel, 100, uint8_t{0xa5});
  }
  EXPECT_EQ(cuda_.device_waits, 0);
  EXPECT_EQ(copied[3], 0) << "the other stream had to finish";
  EXPECT_EQ(posing_cuda::waiting(), 3u) << "the copy; the memory's wipe and its end";
  expect_all_freed_and_wiped();
  EXPECT_EQ(cuda_.dirty_bytes_unpinned, 0u);
}

/// Each step is behind the one before it, and a slot's next user behind all of them.
TEST_F(DeviceMemory, ATransfersStepsHaveAnOrder) {
  TransferPool pool(0);
  std::vector<uint8_t> back(kBytes);
  {
    TransferPool::Lease transfer = pool.checkout(2, {kBytes, 0});
    const Slot slot = transfer->slot(1);
    copy_to_device(slot.memory, secret_.data(), kBytes, slot.in);
    transfer->sent(1);
    fill_device(slot.memory, 0x11, 100, slot.work);
    transfer->worked(1);
    copy_to_host(back.data(), slot.memory, kBytes, slot.out);
    transfer->fetched(1);
    EXPECT_EQ(cuda_.stream_waits, 0);
    transfer->wait_for(1);
    EXPECT_EQ(cuda_.stream_waits, 1);
  }
  EXPECT_EQ(back[99], 0x11);
  EXPECT_EQ(back[100], 0xa5);
}

TEST_F(DeviceMemory, APinnedBufferIsKeptOutOfCoreDumpsAndWiped) {
  {
    const PinnedBuffer buffer(0, kBytes);
    EXPECT_TRUE(testing::mapping_of(buffer.data()).has_flag("dd"));
    std::fill_n(buffer.data(), kBytes, uint8_t{0xa5});
  }
  EXPECT_EQ(cuda_.dirty_bytes_unpinned, 0u);
}

}  // namespace
}  // namespace warpaes::core
