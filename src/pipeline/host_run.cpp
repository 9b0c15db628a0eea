#include "pipeline/host_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <vector>

#include "failure.hpp"
#include "pipeline/transfer_pipeline.hpp"
#include "pipeline/worker_threads.hpp"
#include "process/cancellation.hpp"

namespace warpaes::core {
namespace {

/// Runs a job of which GPUs take large pieces from the front and the CPU's threads, unless an engine was
/// forced, small ones from the back, until they meet.
class SharedRun {
 public:
  /// @param workers among whom is a GPU
  SharedRun(Context::State& state, const Workers& workers, const HostJob& job)
      : state_(state),
        gpu_(*workers.gpu),
        cpu_(workers.cpu),
        threads_(workers.threads),
        job_(job),
        queue_(job.units()),
        gpus_(state.transfers.size()) {}

  /// What a GPU that fails has not done goes back to the queue. If the others have left by then, they come
  /// again.
  void run() {
    const NotCancelled not_cancelled;
    while (queue_.left() != 0) {
      const size_t usable = usable_gpus();
      if (usable == 0 && cpu_ == nullptr) std::rethrow_exception(failure_);
      if (usable == 0) {
        take_part_on_cpu();
      } else {
        state_.drivers.share(gpus_.size() + (cpu_ == nullptr ? 0 : 1),
                             [this](uint64_t who) { take_part(who); });
      }
    }
  }

  /// Throws what made a GPU fail, though others have done its work.
  void require_no_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  bool output_touched() const {
    return touched_by_cpu_ || std::any_of(gpus_.begin(), gpus_.end(),
                                          [](const Gpu& gpu) { return gpu.progress.output_touched; });
  }

 private:
  struct Gpu {
    TransferProgress progress;
    bool failed = false;
  };

  size_t usable_gpus() const {
    return static_cast<size_t>(
        std::count_if(gpus_.begin(), gpus_.end(), [](const Gpu& gpu) { return !gpu.failed; }));
  }

  void take_part(uint64_t who) {
    try {
      who < gpus_.size() ? take_part_on_gpu(who) : take_part_on_cpu();
    } catch (...) {
      queue_.close();
      throw;
    }
  }

  void take_part_on_gpu(size_t number) {
    Gpu& gpu = gpus_[number];
    if (gpu.failed || queue_.left() == 0) return;
    try {
      TransferPipeline(*state_.transfers[number], state_.sizes, gpu_, job_, queue_, gpu.progress)
          .run(/*alone=*/cpu_ == nullptr && gpus_.size() == 1);
    } catch (const Failure&) {
      if (gpu.progress.input_lost) throw;
      gpu.failed = true;
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void take_part_on_cpu() {
    threads_.share(threads_.threads(), [this](uint64_t) { take_small_pieces(); });
  }

  void take_small_pieces() {
    const uint64_t most = std::max<uint64_t>(state_.sizes.cpu_piece / job_.cpu_cost(), 1);
    while (const std::optional<Piece> piece = queue_.take_back(most)) {
      touched_by_cpu_ = true;
      job_.run_on_cpu(*cpu_, *piece);
    }
  }

  Context::State& state_;
  const Engine& gpu_;
  const Engine* const cpu_;
  WorkerThreads& threads_;
  const HostJob& job_;
  PieceQueue queue_;
  std::vector<Gpu> gpus_;  // only one thread at a time uses each of them
  std::atomic<bool> touched_by_cpu_ = false;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  // of the first GPU that failed
};

}  // namespace

Status status_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    return failure.status();
  } catch (const std::bad_alloc&) {
    return WARPAES_ERROR_HOST_MEMORY;
  } catch (...) {
    return WARPAES_ERROR_INTERNAL;
  }
}

void HostJob::run_on_cpu(const Engine& engine, WorkerThreads& threads) const {
  share(threads, units(), cpu_cost(),
        [&](uint64_t first, uint64_t count) { run_on_cpu(engine, Piece{first, count}); });
}

void run_job_by(const Workers& workers, const Context& context, const HostJob& job) {
  if (job.units() == 0) return;
  if (workers.gpu == nullptr) return job.run_on_cpu(*workers.cpu, workers.threads);
  SharedRun shared(context.state(), workers, job);
  shared.run();
  shared.require_no_failure();
}

void run_job(const Context& context, const HostWork& work, const HostJob& job) {
  if (job.units() == 0) return;
  Context::State& state = context.state();
  const Engine& engine = context.engine_for(work);
  const bool on_gpu = engine.memory == Memory::device;
  std::optional<SharedRun> shared;
  try {
    if (!on_gpu) return job.run_on_cpu(engine, state.threads);
    shared.emplace(state, Workers{&engine, state.engine_on(Memory::host), state.threads}, job).run();
  } catch (...) {
    if (!on_gpu || (shared && shared->output_touched())) job.spoil(status_of(std::current_exception()));
    throw;
  }
}

}  // namespace warpaes::core
