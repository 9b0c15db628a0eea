// A grid of GPU threads on the CPU. Each thread is a fiber of its own, so that a kernel's body runs as it is,
// with its barriers and shuffles, under the sanitizers. Thread blocks run one after the other. Within a
// thread block, threads run in an arbitrary but fixed order between the points where they meet.
//
// It shows wrong indices, mistakes at a message's ends, in counters, carries and powers of the hash key, and
// barriers that not all threads reach. It cannot show races, bank conflicts and time, for which there are the
// runs on a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>

#include "kernels/policy.hpp"
#include "kernels/stamped_sum.hpp"
#include "primitives/gf128.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core::emulated {

class Block;

/// What comes before a kernel on its stream, for tests: it is done when the first thread waits for it, so
/// that a thread that reads or writes memory without waiting does so too early. Empty: nothing.
inline std::function<void()> predecessors;

/// A thread of the grid, with the same functions as in kernels/device_thread.cuh. What works on a kernel's
/// memory stands here, to be compiled with the kernel: sanitizers look at kernels, and not at how threads
/// take turns.
class EmulatedThread {
 public:
  EmulatedThread(Block& block, uint32_t index) : in_(block), index_(index) {}

  uint32_t index() const { return index_; }
  uint32_t count() const;
  uint32_t lane() const { return index_ % kWarpLanes; }
  /// All lanes of the warp have to call, as on a GPU, where this is a broadcast.
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
  uint64_t exclusive_or(uint64_t value);
  void await_predecessors() {
    awaited_ = true;
    if (predecessors) std::exchange(predecessors, nullptr)();
  }
  /// Every thread of a kernel has to call it (kernels/emulate.hpp).
  bool has_awaited() const { return awaited_; }

  void publish(Gf128* to, Gf128 value) { *to = value; }
  Gf128 collect(const Gf128* from) const { return *from; }
  void add(Gf128* sum, Gf128 value) { *sum = *sum ^ value; }
  void publish(StampedSum* to, Gf128 value, uint64_t stamp) {
    to->half[0] = {value.lo, stamp};
    to->half[1] = {value.hi, stamp};
  }
  void begin_writing(StampedSum* of, uint64_t stamp) { of->writing.stamp = stamp; }
  void end_writing(StampedSum* of) { of->writing = {}; }
  void await_end_of_writing(const StampedSum* of, uint64_t stamp) const {
    if (of->writing.stamp == stamp) throw std::logic_error("a thread block waits for stores that never end");
  }
  /// Thread blocks run one after the other, so a sum that is not there will never come.
  Gf128 await(StampedSum* from, uint64_t stamp) const {
    for (const StampedHalf& half : from->half) {
      if (half.stamp != stamp)
        throw std::logic_error("a thread block waits for a sum that nobody has published");
    }
    const Gf128 value{from->half[0].value, from->half[1].value};
    for (StampedHalf& half : from->half) half = {};
    return value;
  }
  static Gf128 parameter(const Gf128* from) { return *from; }
  uint32_t claim(uint32_t* next) { return shuffle(lane() == 0 ? (*next)++ : 0, 0); }
  uint32_t arrive(uint32_t* arrivals) { return claim(arrivals); }

 private:
  Block& in_;
  uint32_t index_;
  bool awaited_ = false;
};

struct Grid {
  uint32_t blocks, threads, shared_bytes;
};

/// What sees, for tests, the shared memory that a thread block leaves when all its threads have ended. Null:
/// nobody.
inline void (*shared_memory_left)(std::span<const uint8_t> memory) = nullptr;

/// Runs the body in every thread of the grid. Throws std::logic_error if threads wait for each other for
/// ever, for example at a barrier in a branch that some of them do not take.
void run(const Grid& grid, const std::function<void(EmulatedThread&)>& body);

}  // namespace warpaes::core::emulated
