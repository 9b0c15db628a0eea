#include "emulated_gpu/emulated_grid.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "emulated_gpu/fiber.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(WARPAES_FIBERS_UNDER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define WARPAES_FIBER_LEAVES(...) __sanitizer_start_switch_fiber(__VA_ARGS__)
#define WARPAES_FIBER_ENTERS(...) __sanitizer_finish_switch_fiber(__VA_ARGS__)
#define WARPAES_FORGET_FRAMES(...) __asan_unpoison_memory_region(__VA_ARGS__)
#else
#define WARPAES_FORGET_FRAMES(...)
#define WARPAES_FIBER_LEAVES(...)
#define WARPAES_FIBER_ENTERS(...)
#endif

namespace warpaes::core::emulated {

namespace {

constexpr size_t kStackBytes = 128 * 1024;
constexpr uint32_t kNone = UINT32_MAX;  // is no thread's number

enum class State { ready, at_barrier, at_warp, finished };

/// The stacks of a thread block's threads. They are kept for the next grid, as it takes time to ask the
/// system for pages again and again. They are not cleared.
class Stacks {
 public:
  explicit Stacks(size_t threads) : kept_(std::exchange(last, {})) {
    if (kept_.threads < threads)
      kept_ = {std::make_unique_for_overwrite<uint8_t[]>(kStackBytes * threads), threads};
  }
  ~Stacks() { last = std::move(kept_); }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  uint8_t* of(size_t thread) const { return kept_.memory.get() + kStackBytes * thread; }

 private:
  struct Kept {
    std::unique_ptr<uint8_t[]> memory;
    size_t threads = 0;
  };
  static thread_local Kept last;
  Kept kept_;
};

thread_local Stacks::Kept Stacks::last;

}  // namespace

/// The threads of one thread block, scheduled cooperatively.
class Block {
 public:
  Block(const Grid& grid, const std::function<void(EmulatedThread&)>& body)
      : grid_(grid), body_(body), lanes_(grid.threads), stacks_(grid.threads) {}

  void run(uint32_t index) {
    index_ = index;
    // Shared memory is exactly as long as asked for, and has contents on which no kernel may rely.
    shared_ = std::make_unique<uint8_t[]>(grid_.shared_bytes);
    std::fill_n(shared_.get(), grid_.shared_bytes, uint8_t{0xA5});
    for (uint32_t i = 0; i < grid_.threads; i++) start(i);
    run_threads();
    if (failure_) std::rethrow_exception(failure_);
    if (shared_memory_left != nullptr) shared_memory_left({shared_.get(), grid_.shared_bytes});
  }

  const Grid& grid() const { return grid_; }
  uint32_t index() const { return index_; }
  uint8_t* shared() const { return shared_.get(); }

  void barrier(uint32_t thread) { wait(thread, State::at_barrier); }

  /// Each lane of the warp gives a value; after that, all lanes may read all values. Two sets of values take
  /// turns, so that the next value of a fast lane does not overwrite what a slow one has yet to read.
  const uint64_t* exchange(uint32_t thread, uint64_t value) {
    Lane& lane = lanes_[thread];
    uint64_t* values = values_of(thread / kWarpLanes, lane.turn);
    lane.turn ^= 1;
    values[thread % kWarpLanes] = value;
    wait(thread, State::at_warp);
    return values;
  }

 private:
  struct Lane {
    Block* in;
    Fiber fiber;
    State state;
    uint32_t turn;
    void* fake_stack;
  };

  void start(uint32_t i) {
    lanes_[i] = {this, {}, State::ready, 0, nullptr};
    WARPAES_FORGET_FRAMES(stacks_.of(i),
                          kStackBytes);  // forgets the frames of the code that has run on this stack before
    lanes_[i].fiber.start(stacks_.of(i), kStackBytes, entry, &lanes_[i]);
  }

  /// Runs all threads until they have finished, or one has failed.
  void run_threads() {
    [[maybe_unused]] void* fake_stack = nullptr;
    WARPAES_FIBER_LEAVES(&fake_stack, stacks_.of(0), kStackBytes);
    Fiber::switch_to(caller_, lanes_[0].fiber);
    WARPAES_FIBER_ENTERS(fake_stack, nullptr, nullptr);
  }

  static void entry(void* lane) {
    Block& block = *static_cast<Lane*>(lane)->in;
    block.body_of(static_cast<uint32_t>(static_cast<Lane*>(lane) - block.lanes_.data()));
  }

  void body_of(uint32_t i) {
    // Thread 0 is the one to which the caller has switched.
    WARPAES_FIBER_ENTERS(nullptr, i == 0 ? &caller_stack_ : nullptr, i == 0 ? &caller_stack_bytes_ : nullptr);
    try {
      EmulatedThread thread(*this, i);
      body_(thread);
    } catch (...) {
      failure_ = std::current_exception();
    }
    lanes_[i].state = State::finished;
    const uint32_t next = failure_ ? kNone : next_after(i);
    if (next == kNone) return_to_caller(i);
    WARPAES_FIBER_LEAVES(nullptr, stacks_.of(next), kStackBytes);
    Fiber::switch_to(lanes_[i].fiber, lanes_[next].fiber);
  }

  void wait(uint32_t i, State state) {
    Lane& lane = lanes_[i];
    lane.state = state;
    const uint32_t next = next_after(i);
    if (next == i) return;
    if (next == kNone) return_to_caller(i);
    WARPAES_FIBER_LEAVES(&lane.fake_stack, stacks_.of(next), kStackBytes);
    Fiber::switch_to(lane.fiber, lanes_[next].fiber);
    WARPAES_FIBER_ENTERS(lane.fake_stack, nullptr, nullptr);
  }

  /// For when no thread can go on: all have finished, one has failed, or they wait in vain. It does not come
  /// back: no thread of the grid runs again.
  void return_to_caller(uint32_t i) {
    const auto finished = [](const Lane& lane) { return lane.state == State::finished; };
    if (!failure_ && !std::all_of(lanes_.begin(), lanes_.end(), finished))
      failure_ =
          std::make_exception_ptr(std::logic_error("emulated GPU: threads wait for others that never come"));
    WARPAES_FIBER_LEAVES(nullptr, caller_stack_, caller_stack_bytes_);
    Fiber::switch_to(lanes_[i].fiber, caller_);
  }

  /// Which thread goes on when this one stops, or kNone. Lanes of a warp take turns in the order of their
  /// numbers until they wait for other warps, or have finished. (A scheduler between them would make it twice
  /// as many switches of stacks.)
  uint32_t next_after(uint32_t i) {
    const uint32_t warp = i - i % kWarpLanes;
    const uint32_t lane = first_ready(i + 1, warp + kWarpLanes);
    if (lane != kNone) return lane;
    if (free_if_all(warp, kWarpLanes, State::at_warp)) return warp;
    const uint32_t other = first_ready(0, grid_.threads);
    if (other != kNone) return other;
    return free_if_all(0, grid_.threads, State::at_barrier) ? 0 : kNone;
  }

  uint32_t first_ready(uint32_t from, uint32_t to) const {
    while (from < to && lanes_[from].state != State::ready) from++;
    return from < to ? from : kNone;
  }

  /// @return true if all of these threads are in that state; then they are ready from now on
  bool free_if_all(uint32_t first, uint32_t count, State state) {
    const auto from = lanes_.begin() + first, to = from + count;
    const bool all = std::all_of(from, to, [&](const Lane& lane) { return lane.state == state; });
    if (all) std::for_each(from, to, [](Lane& lane) { lane.state = State::ready; });
    return all;
  }

  uint64_t* values_of(uint32_t warp, uint32_t turn) {
    if (values_.empty()) values_.resize(2 * grid_.threads);
    return values_.data() + (2 * warp + turn) * kWarpLanes;
  }

  const Grid grid_;
  const std::function<void(EmulatedThread&)>& body_;
  std::vector<Lane> lanes_;
  Stacks stacks_;
  std::vector<uint64_t> values_;
  std::unique_ptr<uint8_t[]> shared_;
  uint32_t index_ = 0;
  Fiber caller_;
  std::exception_ptr failure_;
  [[maybe_unused]] const void* caller_stack_ = nullptr;
  [[maybe_unused]] size_t caller_stack_bytes_ = 0;
};

uint32_t EmulatedThread::count() const { return in_.grid().threads; }
uint32_t EmulatedThread::block() const { return in_.index(); }
uint32_t EmulatedThread::block_count() const { return in_.grid().blocks; }
uint8_t* EmulatedThread::shared() const { return in_.shared(); }
void EmulatedThread::barrier() { in_.barrier(index_); }

void EmulatedThread::sync_warp() { in_.exchange(index_, 0); }

uint64_t EmulatedThread::shuffle_xor(uint64_t value, uint32_t mask) {
  return in_.exchange(index_, value)[lane() ^ mask];
}

uint64_t EmulatedThread::shuffle(uint64_t value, uint32_t from) {
  return in_.exchange(index_, value)[from % kWarpLanes];  // __shfl_sync() takes any number, too
}

bool EmulatedThread::any(bool condition) {
  const uint64_t* conditions = in_.exchange(index_, condition ? 1 : 0);
  return std::any_of(conditions, conditions + kWarpLanes, [](uint64_t value) { return value != 0; });
}

uint64_t EmulatedThread::exclusive_or(uint64_t value) {
  const uint64_t* values = in_.exchange(index_, value);
  return std::accumulate(values, values + kWarpLanes, uint64_t{0}, std::bit_xor<>());
}

uint32_t EmulatedThread::warp() {
  in_.exchange(index_, 0);
  return index_ / kWarpLanes;
}

void run(const Grid& grid, const std::function<void(EmulatedThread&)>& body) {
  Block block(grid, body);
  for (uint32_t i = 0; i < grid.blocks; i++) block.run(i);
}

}  // namespace warpaes::core::emulated
