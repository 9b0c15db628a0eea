// Stamps of launches whose thread blocks wait for each other (kernels/stamped_sum.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <random>

namespace warpaes::core {

/// More thread blocks than share a message on any GPU: there is one for each multiprocessor.
constexpr uint64_t kMostSharingBlocks = 1024;

/// A number that is not 0 and that no other launch of this process has. It begins anywhere, so that memory in
/// which another process has left its stamps is unlikely to hold one of this process.
inline uint64_t next_launch_stamp() {
  static std::atomic<uint64_t> last = [] {
    std::random_device random;
    return uint64_t{random()} << 32 | random();
  }();
  const uint64_t stamp = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return stamp != 0 ? stamp : next_launch_stamp();
}

}  // namespace warpaes::core
