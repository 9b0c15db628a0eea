#include "emulated_gpu/emulated_grid.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "emulated_gpu/fiber.hpp"

#if defined(__SANITIZE_ADDRESS__)
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
    while (step()) release();
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

  static void entry(void* lane) {
    Block& block = *static_cast<Lane*>(lane)->in;
    block.body_of(static_cast<uint32_t>(static_cast<Lane*>(lane) - block.lanes_.data()));
  }

  void body_of(uint32_t i) {
    WARPAES_FIBER_ENTERS(nullptr, &scheduler_stack_, &scheduler_stack_bytes_);
    try {
      EmulatedThread thread(*this, i);
      body_(thread);
    } catch (...) {
      failure_ = std::current_exception();
    }
    lanes_[i].state = State::finished;
    WARPAES_FIBER_LEAVES(nullptr, scheduler_stack_, scheduler_stack_bytes_);
    Fiber::switch_to(lanes_[i].fiber, scheduler_);
  }

  void wait(uint32_t i, State state) {
    Lane& lane = lanes_[i];
    lane.state = state;
    WARPAES_FIBER_LEAVES(&lane.fake_stack, scheduler_stack_, scheduler_stack_bytes_);
    Fiber::switch_to(lane.fiber, scheduler_);
    WARPAES_FIBER_ENTERS(lane.fake_stack, &scheduler_stack_, &scheduler_stack_bytes_);
  }

  /// Lets every thread that is ready go on to where it waits next. @return false when all have finished
  bool step() {
    bool ran = false;
    for (uint32_t i = 0; i < grid_.threads; i++) {
      Lane& lane = lanes_[i];
      if (lane.state != State::ready) continue;
      ran = true;
      [[maybe_unused]] void* fake_stack = nullptr;
      WARPAES_FIBER_LEAVES(&fake_stack, stacks_.of(i), kStackBytes);
      Fiber::switch_to(scheduler_, lane.fiber);
      WARPAES_FIBER_ENTERS(fake_stack, nullptr, nullptr);
      if (failure_) return false;
    }
    const auto finished = [](const Lane& lane) { return lane.state == State::finished; };
    if (std::all_of(lanes_.begin(), lanes_.end(), finished)) return false;
    if (!ran) throw std::logic_error("emulated GPU: threads wait for others that never come");
    return true;
  }

  /// Frees every warp whose lanes all wait for each other, and the thread block if all its threads are at a
  /// barrier.
  void release() {
    for (uint32_t first = 0; first < grid_.threads; first += kWarpLanes)
      free_if_all(first, kWarpLanes, State::at_warp);
    free_if_all(0, grid_.threads, State::at_barrier);
  }

  void free_if_all(uint32_t first, uint32_t count, State state) {
    const auto from = lanes_.begin() + first, to = from + count;
    if (std::all_of(from, to, [&](const Lane& lane) { return lane.state == state; })) {
      std::for_each(from, to, [](Lane& lane) { lane.state = State::ready; });
    }
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
  Fiber scheduler_;
  std::exception_ptr failure_;
  [[maybe_unused]] const void* scheduler_stack_ = nullptr;
  [[maybe_unused]] size_t scheduler_stack_bytes_ = 0;
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

uint32_t EmulatedThread::warp() {
  in_.exchange(index_, 0);
  return index_ / kWarpLanes;
}

uint32_t EmulatedThread::claim(uint32_t* next) {
  const uint64_t number = lane() == 0 ? (*next)++ : 0;
  return static_cast<uint32_t>(in_.exchange(index_, number)[0]);
}

Gf128 EmulatedThread::await(StampedSum* from, uint64_t stamp) const {
  for (const StampedHalf& half : from->half) {
    if (half.stamp != stamp)
      throw std::logic_error("a thread block waits for a sum that nobody has published");
  }
  const Gf128 value{from->half[0].value, from->half[1].value};
  for (StampedHalf& half : from->half) half = {};
  return value;
}

void EmulatedThread::await_end_of_writing(const StampedSum* of, uint64_t stamp) const {
  if (of->writing.stamp == stamp) throw std::logic_error("a thread block waits for stores that never end");
}

uint32_t EmulatedThread::arrive(uint32_t* arrivals) { return claim(arrivals); }

void run(const Grid& grid, const std::function<void(EmulatedThread&)>& body) {
  Block block(grid, body);
  for (uint32_t i = 0; i < grid.blocks; i++) block.run(i);
}

}  // namespace warpaes::core::emulated
