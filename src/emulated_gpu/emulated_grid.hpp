// A grid of GPU threads on the CPU: each is a fiber of its own, so that a kernel's body runs as it
// stands, barriers, shuffles and all, under the sanitizers. Blocks run one after the other; within a
// block, threads run in an arbitrary but fixed order between the points where they meet.
//
// What it shows: wrong indices, tails, counters, carries, hash weights; barriers that not all threads
// reach. What it cannot show: races, bank conflicts, time. Those are what the GPU run is for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/policy.hpp"
#include "primitives/gf128.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core::emulated {

class Block;

/// The same functions as kernels/device_thread.cuh.
class EmulatedThread {
 public:
  EmulatedThread(Block& block, uint32_t index) : in_(block), index_(index) {}

  uint32_t index() const { return index_; }
  uint32_t count() const;
  uint32_t lane() const { return index_ % kWarpLanes; }
  /// All lanes of the warp have to ask, as on a GPU, where it is a broadcast.
  uint32_t warp();
  uint32_t block() const;
  uint32_t block_count() const;
  uint8_t* shared() const;
  uint8_t* shared_origin() const { return shared(); }
  static uint32_t shared_offset() { return 0; }
  static const uint32_t* t0() { return kT0.data(); }
  static const uint32_t* inverse_t0() { return kInverseT0.data(); }
  void barrier();
  void sync_warp();
  uint64_t shuffle_xor(uint64_t value, uint32_t mask);
  uint32_t shuffle_xor(uint32_t value, uint32_t mask) {
    return static_cast<uint32_t>(shuffle_xor(uint64_t{value}, mask));
  }
  uint64_t shuffle(uint64_t value, uint32_t from);
  uint32_t shuffle(uint32_t value, uint32_t from) {
    return static_cast<uint32_t>(shuffle(uint64_t{value}, from));
  }
  bool any(bool condition);

  void publish(Gf128* to, Gf128 value) { *to = value; }
  Gf128 collect(const Gf128* from) const { return *from; }
  uint32_t arrive(uint32_t* arrivals);

 private:
  Block& in_;
  uint32_t index_;
};

struct Grid {
  uint32_t blocks, threads, shared_bytes;
};

/// Runs the body in every thread of the grid. Throws std::logic_error if threads wait for each other
/// for ever, as at a barrier in a branch that some do not take.
void run(const Grid& grid, const std::function<void(EmulatedThread&)>& body);

}  // namespace warpaes::core::emulated
