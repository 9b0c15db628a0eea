#include "pipeline/host_run.hpp"

#include <atomic>
#include <exception>

#include "failure.hpp"
#include "pipeline/share.hpp"
#include "pipeline/transfer_pipeline.hpp"

namespace warpaes::core {
namespace {

/// A job that the GPU and, unless it was forced, the CPU's threads take pieces of: the GPU large ones from
/// the front, the threads small ones from the back, until they meet.
class SharedRun {
 public:
  /// @param cpu null: the GPU alone
  SharedRun(Context::State& state, const Engine& gpu, const Engine* cpu, const HostJob& job)
      : state_(state), gpu_(gpu), cpu_(cpu), job_(job), queue_(job.units()) {}

  void run() {
    state_.threads.share(cpu_ == nullptr ? 1 : state_.threads.threads(),
                         [this](uint64_t number) { take_part(number); });
    if (queue_.left() == 0) return;
    // The GPU failed when the threads had left.
    state_.threads.share(state_.threads.threads(), [this](uint64_t) { take_part_on_cpu(); });
  }

  bool output_touched() const { return progress_.output_touched || touched_by_cpu_; }

 private:
  void take_part(uint64_t number) {
    try {
      number == 0 ? take_part_on_gpu() : take_part_on_cpu();
    } catch (...) {
      queue_.close();
      throw;
    }
  }

  void take_part_on_gpu() {
    try {
      TransferPipeline(state_.transfers, state_.sizes, gpu_, job_, queue_, progress_)
          .run(/*alone=*/cpu_ == nullptr);
    } catch (const Failure&) {
      if (cpu_ == nullptr || progress_.input_lost) throw;
    }
  }

  void take_part_on_cpu() {
    const uint64_t most = std::max<uint64_t>(state_.sizes.cpu_piece / job_.cpu_cost(), 1);
    while (const std::optional<Piece> piece = queue_.take_back(most)) {
      touched_by_cpu_ = true;
      job_.run_on_cpu(*cpu_, *piece);
    }
  }

  Context::State& state_;
  const Engine& gpu_;
  const Engine* const cpu_;
  const HostJob& job_;
  PieceQueue queue_;
  TransferProgress progress_;  // the GPU's
  std::atomic<bool> touched_by_cpu_ = false;
};

}  // namespace

Status status_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    return failure.status();
  } catch (...) {
    return WARPAES_ERROR_INTERNAL;
  }
}

void HostJob::run_on_cpu(const Engine& engine, WorkerThreads& threads) const {
  share(threads, units(), cpu_cost(),
        [&](uint64_t first, uint64_t count) { run_on_cpu(engine, Piece{first, count}); });
}

uint64_t HostJob::fitting(const Engine&, Piece piece, SlotNeed) const { return piece.count; }

void run_job_by(const Engine& engine, const Context& context, const HostJob& job) {
  if (job.units() == 0) return;
  Context::State& state = context.state();
  if (engine.memory == Memory::host) return job.run_on_cpu(engine, state.threads);
  SharedRun(state, engine, nullptr, job).run();
}

void run_job(const Context& context, const HostWork& work, const HostJob& job) {
  if (job.units() == 0) return;
  Context::State& state = context.state();
  const Engine& engine = context.engine_for(work);
  const bool on_gpu = engine.memory == Memory::device;
  std::optional<SharedRun> shared;
  try {
    if (!on_gpu) return job.run_on_cpu(engine, state.threads);
    shared.emplace(state, engine, state.engine_on(Memory::host), job).run();
  } catch (...) {
    if (!on_gpu || (shared && shared->output_touched())) job.spoil(status_of(std::current_exception()));
    throw;
  }
}

}  // namespace warpaes::core
